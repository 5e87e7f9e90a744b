/*
 * SPDX-License-Identifier: ISC
 */
#include <math.h>

#include "base/limbs.h"

long double
limbs_nearest(const uint64_t *limb, int n, int ones)
{
	uint64_t sign = limbs_sign(limb[n - 1]), carry = sign & 1;
	uint64_t last = 0, all = 0, below = 0;
	uint128 high = 0;
	int at = 0, shift;

	/* The highest two limbs of the magnitude, and what is below them. */
	for (int i = 0; i < n; i++) {
		uint64_t m = (limb[i] ^ sign) + carry;

		carry &= m == 0;
		if (m != 0) {
			high = (uint128)m << 64 | last;
			below = all;
			at = i;
		}
		all |= last;
		last = m;
	}
	shift = __builtin_clzll((uint64_t)(high >> 64));
	high <<= shift;
	below |= (uint64_t)high;
	/*
	 * For all bits below the highest 64 the last of those is set: so
	 * rounding those rounds all.
	 */
	return (sign == 0 ? 1 : -1) *
	    ldexpl((long double)((uint64_t)(high >> 64) | (below != 0)),
		(at - ones) * 64 - shift);
}
