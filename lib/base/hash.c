/*
 * SPDX-License-Identifier: ISC
 */
#include <sys/random.h>

#include "base/hash.h"

unsigned char hash_secret[HASH_SECRET_BYTES];

void
hash_init(void)
{
	if (getrandom(hash_secret, sizeof hash_secret, GRND_NONBLOCK) !=
	    (ssize_t)sizeof hash_secret) {
		const void *somewhere = &somewhere;

		XXH3_generateSecret(hash_secret, sizeof hash_secret, &somewhere,
		    sizeof somewhere);
	}
}

uint64_t
hash_long(struct span s)
{
	return XXH3_64bits_withSecret(s.p, s.n, hash_secret, HASH_SECRET_BYTES);
}
