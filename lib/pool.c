/*
 * SPDX-License-Identifier: ISC
 */
#include <stdbool.h>
#include <stdlib.h>

#include "diagnostics.h"
#include "pool.h"

/* Sanitizers see more if each thing is allocated by itself. */
static bool
is_small(size_t n)
{
#ifdef __SANITIZE_ADDRESS__
	(void)n;
	return false;
#else
	return n <= POOL_MAX;
#endif
}

static void *
allocate(size_t n)
{
	void *thing = malloc(n);

	if (thing == NULL)
		die("out of memory");
	return thing;
}

/* Cut so many bytes off the newest slab. */
static void *
cut(struct pool *p, size_t n)
{
	struct pool_link *slab;

	if (p->left < n) {
		slab = allocate(POOL_SLAB);
		slab->next = p->slabs;
		p->slabs = slab;
		p->p = (char *)slab + POOL_STEP;
		p->left = POOL_SLAB - POOL_STEP;
	}
	p->p += n;
	p->left -= n;
	return p->p - n;
}

void *
pool_new(struct pool *p, size_t n)
{
	size_t steps = (n + POOL_STEP - 1) / POOL_STEP;
	struct pool_link *thing;

	if (!is_small(n))
		return allocate(n);
	thing = p->free[steps];
	if (thing == NULL)
		return cut(p, steps * POOL_STEP);
	p->free[steps] = thing->next;
	return thing;
}

void
pool_free(struct pool *p, void *thing, size_t n)
{
	size_t steps = (n + POOL_STEP - 1) / POOL_STEP;
	struct pool_link *link = thing;

	if (!is_small(n)) {
		free(thing);
		return;
	}
	link->next = p->free[steps];
	p->free[steps] = link;
}

void
pool_fini(struct pool *p)
{
	struct pool_link *next;

	for (struct pool_link *s = p->slabs; s != NULL; s = next) {
		next = s->next;
		free(s);
	}
	*p = (struct pool){ 0 };
}
