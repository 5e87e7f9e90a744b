/*
 * pool - memory for millions of small things that come and go, mostly of the
 * same few sizes.
 *
 * Sizes are rounded up to a multiple of 16 bytes.  A freed thing is kept for
 * the next one of its size: what is at most POOL_MAX bytes is given back only by
 * pool_fini and pool_clear.
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
	POOL_MAX = 1024, /* larger things come from malloc */
	POOL_SLAB = 64 * 1024,
	POOL_PAD = 16, /* bytes after a thing that can be read */
};

/* What a free thing, or a slab, begins with. */
struct pool_link {
	struct pool_link *next;
};

struct pool {
	struct pool_link *free[POOL_MAX / POOL_STEP + 1], *slabs;
	char *p;     /* where the unused part of the newest slab begins */
	size_t left; /* its bytes */
};

/* The address sanitizer finds more if each thing is allocated by malloc. */
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

/* The slow part of pool_new: nothing of that size is free. */
void *pool_allocate(struct pool *p, size_t n);

/*
 * Allocate n bytes, which are not zeroed; or free them.
 *
 * Shape:  a zeroed pool is ready for use.  pool_free gets the same n.
 * Owns:   everything must be freed or dropped before pool_fini.
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
	/* The next pool_new reads it: this saves 2 % of a join. */
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

/* pool_fini, but the pool is used on: some of its memory is kept. */
void pool_clear(struct pool *p);

/* Free a thing right before pool_fini or pool_clear, which free most. */
static inline void
pool_drop(void *thing, size_t n)
{
	if (!pool_takes(n))
		free(thing);
}

#endif
