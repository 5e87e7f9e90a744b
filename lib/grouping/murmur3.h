/*
 * murmur3 - MurmurHash3 for x64, 128 bits, of which the first half is kept:
 * what Guava's Hashing.murmur3_128(seed).hashBytes(b).asLong() gives.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef GROUPING_MURMUR3_H
#define GROUPING_MURMUR3_H

#include <stdint.h>

#include "base/span.h"

/*
 * Source: A. Appleby, MurmurHash3_x64_128, which he gave to the public.
 */
uint64_t murmur3_x64_128(struct span s, uint32_t seed);

#endif
