/*
 * distinct_estimate - about how many different values there were, in constant memory.
 *
 * A register keeps, of the hashes that fall to it, the longest run of zeros
 * that one of them began with.  With 2^b registers the error is mostly below
 * 1.04 / 2^(b/2).
 *
 * Source: P. Flajolet et al., "HyperLogLog", AofA 2007; where few registers
 *         are used, linear counting, as there.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef GROUPING_DISTINCT_ESTIMATE_H
#define GROUPING_DISTINCT_ESTIMATE_H

#include <stdint.h>

struct distinct_estimate {
	uint8_t *registers;
	int bits;
};

/*
 * Shape:  4 <= bits <= 20.
 * Errors: none.
 */
void distinct_estimate_init(struct distinct_estimate *d, int bits);
void distinct_estimate_fini(struct distinct_estimate *d);

static inline void
distinct_estimate_add(struct distinct_estimate *d, uint64_t hash)
{
	uint64_t rest = hash << d->bits | (uint64_t)1 << (d->bits - 1);
	uint8_t run = (uint8_t)(__builtin_clzll(rest) + 1);
	uint8_t *r = &d->registers[hash >> (64 - d->bits)];

	if (*r < run)
		*r = run;
}

double distinct_estimate_get(const struct distinct_estimate *d);

#endif
