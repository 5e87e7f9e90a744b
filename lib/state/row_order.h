/*
 * row_order - bring rows into the order of their keys, before they are put or
 * got.
 *
 * That is nearly their order in the database, which puts and finds them in less
 * time so than in any other order.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef STATE_ROW_ORDER_H
#define STATE_ROW_ORDER_H

#include <stdint.h>

#include "base/span.h"

struct row_place {
	int64_t number;
	struct span bytes;
	uint64_t word; /* of bytes, behind what all begin with; for _sort */
	uint32_t id;
};

/* Begins as { 0 }; to use it again, set n to 0. */
struct row_order {
	struct row_place *places;
	size_t n, cap;
};

/*
 * Add a row whose key is a number and then bytes; either may be the same in all
 * rows.
 *
 * Owns:   bytes stay the caller's, as they are while places are used.
 */
void row_order_add(struct row_order *o, int64_t number, struct span bytes,
    uint32_t id);
void row_order_sort(struct row_order *o);
void row_order_fini(struct row_order *o);

#endif
