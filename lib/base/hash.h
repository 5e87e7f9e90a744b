/*
 * hash - XXH3 (libxxhash) under a secret that is random in each process.
 *
 * A seed alone does not help against chosen keys: there are inputs that
 * collide under every seed.  The secret has the bytes that such inputs are
 * built against.  Nothing that is written depends on it: tables keep their
 * order of insertion.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include <stdint.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/span.h"

enum { HASH_SECRET_BYTES = 192 };

extern unsigned char hash_secret[HASH_SECRET_BYTES];

/*
 * Draw the secret of this process; call it once, before any table is made.
 *
 * Errors: none; without a source of randomness it is made from an address.
 */
void hash_init(void);

/* hash_bytes of a long span. */
uint64_t hash_long(struct span s);

/* Hash s under the secret; short keys inline: a third fewer instructions. */
__attribute__((flatten)) static inline uint64_t
hash_bytes(struct span s)
{
	if (s.n > 16)
		return hash_long(s);
	return XXH3_64bits_withSecret(s.p, s.n, hash_secret, HASH_SECRET_BYTES);
}

/* Hash s under a seed: the same on every machine, for what is written out. */
static inline uint64_t
hash_seeded(struct span s, uint64_t seed)
{
	return XXH3_64bits_withSeed(s.p, s.n, seed);
}

/*
 * Hash s to 128 bits, the same on every machine.  Two that differ do not
 * collide by chance, but whoever makes them can make them collide.
 */
enum { HASH_WIDE_BYTES = 16 };
static inline void
hash_wide(struct span s, unsigned char hash[HASH_WIDE_BYTES])
{
	XXH128_canonical_t c;

	XXH128_canonicalFromHash(&c, XXH3_128bits(s.p, s.n));
	memcpy(hash, c.digest, HASH_WIDE_BYTES);
}

#endif
