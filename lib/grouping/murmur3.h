/*
 * murmur3 - the first 64 bits of MurmurHash3_x64_128, as they come from Guava's
 * Hashing.murmur3_128(seed).hashBytes(b).asLong().
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef GROUPING_MURMUR3_H
#define GROUPING_MURMUR3_H

#include <stdint.h>

#include "base/span.h"

/*
 * Hash the bytes of s.
 *
 * Errors: none.
 * Source: A. Appleby, MurmurHash3_x64_128, which is in the public domain.
 */
uint64_t murmur3_x64_128(struct span s, uint32_t seed);

#endif
