/*
 * hyperloglog - about how many different values there were, in constant
 * memory.
 *
 * A register keeps, of the hashes that fall to it, the longest run of zeros
 * that one of them began with.  With 2^b registers the standard error is
 * 1.04 / 2^(b/2): 0.81 % with 2^14.
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
 * Shape:  4 <= bits <= 20.
 * Errors: none.
 */
void hyperloglog_init(struct hyperloglog *h, int bits);
void hyperloglog_fini(struct hyperloglog *h);

static inline void
hyperloglog_add(struct hyperloglog *h, uint64_t hash)
{
	uint64_t rest = hash << h->bits | (uint64_t)1 << (h->bits - 1);
	uint8_t run = (uint8_t)(__builtin_clzll(rest) + 1);
	uint8_t *r = &h->registers[hash >> (64 - h->bits)];

	if (*r < run)
		*r = run;
}

/*
 * Add all that was added to other.
 *
 * Shape:  both have the same bits.
 * Errors: none.
 */
void hyperloglog_merge(struct hyperloglog *h, const struct hyperloglog *other);

/* How many different hashes were added, about. */
double hyperloglog_estimate(const struct hyperloglog *h);

#endif
