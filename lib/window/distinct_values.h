/*
 * distinct_values - how many different values there were: exactly, while they
 * are few, and then about.
 *
 * Up to DISTINCT_VALUES_EXACT values are told apart by 64 bits of their hash;
 * two are taken for one with a probability below 1e-13.  More are
 * counted by a HyperLogLog of 2^14 registers, with a standard error of 0.81 %,
 * but never as more than there were with repeats.
 * What a struct counts depends on which values came, not on their order, nor
 * on how they were merged.
 *
 * Memory: 24 bytes, which have a single value in them; for more, while they are
 * counted exactly, 32 for up to 3 values, 128 for up to 15, else 16 to 32 for
 * each (16384 at most); then 16384.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef WINDOW_DISTINCT_VALUES_H
#define WINDOW_DISTINCT_VALUES_H

#include <stdint.h>

#include "base/packed.h"
#include "base/pool.h"
#include "base/span.h"

enum { DISTINCT_VALUES_EXACT = 1024, DISTINCT_VALUES_BITS = 14 };

struct distinct_values {
	int64_t nseen; /* values, with repeats */
	uint32_t n;    /* values, while they are exact */
	uint32_t cap;  /* of the table; 0: registers, or no values */
	union {
		uint64_t hash;	  /* if cap is 1 */
		uint64_t *hashes; /* 0: nothing is there */
		uint8_t *registers;
	} kept;
};

/* Its memory is from a pool; pass the same pool to every call. */
void distinct_values_fini(struct pool *p, struct distinct_values *d);

/*
 * The hash of a value, the same on each machine and in each run.
 *
 * Shape:  canonical is the value as keys compare, see key_of_value.
 */
uint64_t distinct_values_hash(struct span canonical);

/*
 * Add the value that has this hash.
 *
 * Shape:  a zeroed struct has no values.
 * Errors: none.
 */
void distinct_values_add(struct pool *p, struct distinct_values *d,
    uint64_t hash);

/* Add all values of another struct, which stays as it is. */
void distinct_values_merge(struct pool *p, struct distinct_values *d,
    const struct distinct_values *other);

/* How many there were. */
uint64_t distinct_values_count(const struct distinct_values *d);

/*
 * Pack all of it; unpack it into a zeroed struct.
 *
 * Errors: u->bad is set if what was packed is bad; fini is then still due.
 */
void distinct_values_pack(const struct distinct_values *d, struct buffer *b);
void distinct_values_unpack(struct pool *p, struct distinct_values *d,
    struct unpacker *u);

#endif
