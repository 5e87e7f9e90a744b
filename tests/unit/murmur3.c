/* SPDX-License-Identifier: ISC */
#include "grouping/murmur3.h"
#include "check.h"

int
main(void)
{
	/* What Guava's murmur3_128(seed).hashBytes(b).asLong() gives. */
	CHECK_EQ((int64_t)murmur3_x64_128(SPAN("key1"), 13),
	    -7181174809767792892);
	CHECK_EQ((int64_t)murmur3_x64_128(SPAN("key1"), 17),
	    8336732113958081839);
	CHECK_EQ((int64_t)murmur3_x64_128(SPAN(""), 13), -6841345300810786470);
	return check_done("murmur3");
}
