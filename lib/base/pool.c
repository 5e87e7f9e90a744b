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

/* Take from a slab that has not been used, the newest now. */
static void
begin_slab(struct pool *p, struct pool_link *slab)
{
	slab->next = p->slabs;
	p->slabs = slab;
	p->p = (char *)slab + POOL_STEP;
	p->left = POOL_SLAB - POOL_STEP - POOL_PAD;
}

/* Cut so many bytes off the newest slab. */
static void *
cut(struct pool *p, size_t n)
{
	if (p->left < n)
		begin_slab(p, allocate(POOL_SLAB));
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

void
pool_clear(struct pool *p)
{
	struct pool_link *newest = p->slabs;

	if (newest == NULL)
		return;
	p->slabs = newest->next;
	pool_fini(p);
	begin_slab(p, newest);
}
