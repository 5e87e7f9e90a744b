/*
 * SPDX-License-Identifier: ISC
 */
#include "base/linux.h"

#ifdef HAS_LINUX
#include <sys/random.h>
#else
#include <stdio.h>
#endif

#include "base/hash.h"

unsigned char hash_secret[HASH_SECRET_BYTES];

/* Fill the secret with random bytes.  False: there are none yet. */
static bool
read_random(void)
{
#ifdef HAS_LINUX
	return getrandom(hash_secret, sizeof hash_secret, GRND_NONBLOCK) ==
	    (ssize_t)sizeof hash_secret;
#else
	FILE *fp = fopen("/dev/urandom", "r");
	bool full =
	    fp != NULL && fread(hash_secret, sizeof hash_secret, 1, fp) == 1;

	if (fp != NULL)
		fclose(fp);
	return full;
#endif
}

void
hash_init(void)
{
	if (!read_random()) {
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
