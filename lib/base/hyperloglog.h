/*
 * hyperloglog - estimate how many different values there were, in constant
 * memory.
 *
 * The first b bits of a value's hash select one of 2^b registers; it keeps the
 * longest run of zeros that the rest of a hash began with.  The standard error
 * is 1.04 / 2^(b/2): 0.81 % with 2^14 registers.
 *
 * Source: Flajolet, Fusy, Gandouet, Meunier, HyperLogLog, AofA 2007; 64-bit
 *         hashes as in Heule, Nunkesser, Hall, EDBT 2013; the estimate is
 *         Ertl's of arXiv 1702.01284 (2017), algorithm 6, which needs neither
 *         a correction of bias nor linear counting.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef BASE_HYPERLOGLOG_H
#define BASE_HYPERLOGLOG_H

#include <stdint.h>

struct hyperloglog {
	uint8_t *registers;
	int bits;
};

/*
 * Make a sketch of 2^bits registers, with no values.
 *
 * Shape:  4 <= bits <= 20.
 * Errors: none; stops the program when memory runs out.
 */
void hyperloglog_init(struct hyperloglog *h, int bits);
void hyperloglog_fini(struct hyperloglog *h);

/* One plus the leading zeros of the rest of the hash. */
static inline uint8_t
hyperloglog_run(const struct hyperloglog *h, uint64_t hash)
{
	uint64_t rest = hash << h->bits | (uint64_t)1 << (h->bits - 1);

	return (uint8_t)(__builtin_clzll(rest) + 1);
}

/* Add a value by its hash. */
static inline void
hyperloglog_add(struct hyperloglog *h, uint64_t hash)
{
	uint8_t run = hyperloglog_run(h, hash);
	uint8_t *r = &h->registers[hash >> (64 - h->bits)];

	if (*r < run)
		*r = run;
}

/* Add values by n hashes; a hash of 0 is passed over. */
void hyperloglog_add_table(struct hyperloglog *h, const uint64_t *hashes,
    size_t n);

/*
 * Add all values that were added to other.
 *
 * Shape:  both have the same bits.
 * Errors: none.
 */
void hyperloglog_merge(struct hyperloglog *h, const struct hyperloglog *other);

/* Estimate how many different values were added. */
double hyperloglog_estimate(const struct hyperloglog *h);

#endif
