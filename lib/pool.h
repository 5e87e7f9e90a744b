/*
 * pool - memory for things that come and go by the million and are mostly of
 * the same few sizes.
 *
 * Sizes are rounded up to 16 bytes; what is given back is kept for the next
 * thing of that size.  So the most that was ever in use of each size stays
 * allocated.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef POOL_H
#define POOL_H

#include <stddef.h>

enum {
	POOL_STEP = 16,
	POOL_MAX = 1024, /* what is larger is malloc's */
	POOL_SLAB = 64 * 1024,
};

/* At the beginning of what is free, or of a slab. */
struct pool_link {
	struct pool_link *next;
};

struct pool {
	struct pool_link *free[POOL_MAX / POOL_STEP + 1], *slabs;
	char *p; /* left bytes of the newest slab are unused */
	size_t left;
};

/*
 * Allocate n bytes, which are not zeroed, or give them back.
 *
 * Shape:  a zeroed pool is ready for use.
 * Owns:   all must be given back before the pool's end.
 * Errors: none; stops the program when memory runs out.
 */
void *pool_new(struct pool *p, size_t n);
void pool_free(struct pool *p, void *thing, size_t n);
void pool_fini(struct pool *p);

#endif
