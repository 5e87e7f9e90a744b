/*
 * limbs - integers of any length in two's complement: limbs of 64 bits, the
 * low ones first.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef BASE_LIMBS_H
#define BASE_LIMBS_H

#include <stddef.h>
#include <stdint.h>

__extension__ typedef unsigned __int128 uint128;

/* The value of all limbs above the highest: its sign extension. */
static inline uint64_t
limbs_sign(uint64_t highest)
{
	return highest >> 63 == 0 ? 0 : UINT64_MAX;
}

/*
 * Add v (nv limbs, unsigned if nv < n) to `to` (n limbs), or subtract it if
 * sign is negative.
 *
 * Errors: none; what is beyond n limbs is lost.
 */
static inline void
limbs_add(uint64_t *to, size_t n, const uint64_t *v, size_t nv, int sign)
{
	uint64_t flip = sign < 0 ? UINT64_MAX : 0;
	uint128 carry = flip & 1;

	for (size_t i = 0; i < n; i++) {
		carry += (uint128)to[i] + ((i < nv ? v[i] : 0) ^ flip);
		to[i] = (uint64_t)carry;
		carry >>= 64;
	}
}

/*
 * Divide n unsigned limbs by a number; the lowest bit is set if there is a
 * remainder.
 *
 * Shape:  by is not 0.
 * Errors: none.
 */
static inline void
limbs_divide(uint64_t *limb, size_t n, uint64_t by)
{
	uint64_t left = 0;

	for (size_t i = n; i-- > 0;) {
		uint128 part = (uint128)left << 64 | limb[i];

		limb[i] = (uint64_t)(part / by);
		left = (uint64_t)(part % by);
	}
	limb[0] |= left != 0;
}

/*
 * Convert n limbs, limb[ones] having weight 2^0, to a long double; the double
 * nearest to that is the one nearest to the limbs.
 *
 * Shape:  not all are 0.
 * Errors: none; what is too large is infinite.
 */
long double limbs_nearest(const uint64_t *limb, int n, int ones);

#endif
