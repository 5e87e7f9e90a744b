/*
 * distinct - about how many different values there were, in constant memory.
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
#ifndef DISTINCT_H
#define DISTINCT_H

#include <stdint.h>

struct distinct {
	uint8_t *registers;
	int bits;
};

/*
 * Shape:  4 <= bits <= 20.
 * Errors: none.
 */
void distinct_init(struct distinct *d, int bits);
void distinct_fini(struct distinct *d);

static inline void
distinct_add(struct distinct *d, uint64_t hash)
{
	uint64_t rest = hash << d->bits | (uint64_t)1 << (d->bits - 1);
	uint8_t run = (uint8_t)(__builtin_clzll(rest) + 1);
	uint8_t *r = &d->registers[hash >> (64 - d->bits)];

	if (*r < run)
		*r = run;
}

double distinct_estimate(const struct distinct *d);

#endif
