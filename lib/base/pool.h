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
#ifndef BASE_POOL_H
#define BASE_POOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

enum {
	POOL_STEP = 16,
	POOL_MAX = 1024, /* what is larger is malloc's */
	POOL_SLAB = 64 * 1024,
	POOL_PAD = 16, /* so much can be read behind a thing, whatever it is */
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

/* Sanitizers see more if each thing is allocated by itself. */
static inline bool
pool_takes(size_t n)
{
#ifdef __SANITIZE_ADDRESS__
	(void)n;
	return false;
#else
	return n <= POOL_MAX;
#endif
}

/* What pool_new does where nothing of that size is free. */
void *pool_allocate(struct pool *p, size_t n);

/*
 * Allocate n bytes, which are not zeroed, or give them back.
 *
 * Shape:  a zeroed pool is ready for use.
 * Owns:   all must be given back before the pool's end.
 * Errors: none; stops the program when memory runs out.
 */
static inline void *
pool_new(struct pool *p, size_t n)
{
	size_t steps = (n + POOL_STEP - 1) / POOL_STEP;
	struct pool_link *thing;

	if (!pool_takes(n) || (thing = p->free[steps]) == NULL)
		return pool_allocate(p, n);
	p->free[steps] = thing->next;
	/* It is needed soon: 2 % of a join. */
	__builtin_prefetch(thing->next, 1);
	return thing;
}

static inline void
pool_free(struct pool *p, void *thing, size_t n)
{
	size_t steps = (n + POOL_STEP - 1) / POOL_STEP;
	struct pool_link *link = thing;

	if (!pool_takes(n)) {
		free(thing);
		return;
	}
	link->next = p->free[steps];
	p->free[steps] = link;
}

void pool_fini(struct pool *p);

#endif
