/*
 * SPDX-License-Identifier: ISC
 */
#include "base/pool.h"
#include "base/memory.h"

static void *
allocate(size_t n)
{
	void *thing = malloc(n);

	if (thing == NULL)
		memory_exhausted();
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
		p->left = POOL_SLAB - POOL_STEP - POOL_PAD;
	}
	p->p += n;
	p->left -= n;
	return p->p - n;
}

void *
pool_allocate(struct pool *p, size_t n)
{
	return pool_takes(n) ?
	    cut(p, (n + POOL_STEP - 1) / POOL_STEP * POOL_STEP) :
	    allocate(n + POOL_PAD);
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
