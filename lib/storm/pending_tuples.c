/*
 * SPDX-License-Identifier: ISC
 */
#include "storm/pending_tuples.h"

void
pending_tuples_init(struct pending_tuples *p)
{
	*p = (struct pending_tuples){ 0 };
	hash_map_init(&p->numbers, sizeof(uint32_t));
	p->numbers.fill_holes = true;
}

void
pending_tuples_fini(struct pending_tuples *p)
{
	for (size_t i = 0; i < p->used; i++)
		buffer_fini(&p->list[i].line);
	free(p->list);
	hash_map_fini(&p->numbers);
}

static struct pending_tuple *
at(const struct pending_tuples *p, uint32_t index)
{
	return index == 0 ? NULL : &p->list[index - 1];
}

static uint32_t
index_of(const struct pending_tuples *p, const struct pending_tuple *t)
{
	return (uint32_t)(t - p->list) + 1;
}

static struct span
key_of_number(const uint64_t *number)
{
	return (struct span){ (const char *)number, sizeof *number };
}

/* An entry that is free; its line keeps its memory. */
static uint32_t
take_free(struct pending_tuples *p)
{
	uint32_t index = p->free;

	if (index != 0) {
		p->free = p->list[index - 1].newer;
		return index;
	}
	p->list = memory_grow(p->list, &p->cap, p->used + 1, sizeof *p->list);
	p->list[p->used++] = (struct pending_tuple){ 0 };
	return (uint32_t)p->used;
}

void
pending_tuples_add(struct pending_tuples *p, uint64_t number, int64_t place,
    struct span line)
{
	struct span key = key_of_number(&number);
	uint32_t index = take_free(p), id;
	struct pending_tuple *t = at(p, index);
	struct buffer kept = t->line;
	bool added;

	*t = (struct pending_tuple){ .number = number,
		.place = place,
		.line = kept,
		.older = p->newest };
	t->line.n = 0;
	buffer_put(&t->line, line);
	if (p->newest != 0)
		at(p, p->newest)->newer = index;
	else
		p->oldest = index;
	p->newest = index;
	id = hash_map_put(&p->numbers, key, key, hash_bytes(key), &added);
	*(uint32_t *)hash_map_value(&p->numbers, id) = index;
	p->n++;
}

struct pending_tuple *
pending_tuples_find(const struct pending_tuples *p, uint64_t number)
{
	struct span key = key_of_number(&number);
	uint32_t id = hash_map_get(&p->numbers, key, hash_bytes(key));

	return id == HASH_MAP_NONE ?
	    NULL :
	    at(p, *(uint32_t *)hash_map_value(&p->numbers, id));
}

struct pending_tuple *
pending_tuples_oldest(const struct pending_tuples *p)
{
	return at(p, p->oldest);
}

void
pending_tuples_drop(struct pending_tuples *p, struct pending_tuple *t)
{
	struct span key = key_of_number(&t->number);

	hash_map_del(&p->numbers,
	    hash_map_get(&p->numbers, key, hash_bytes(key)));
	*(t->older != 0 ? &at(p, t->older)->newer : &p->oldest) = t->newer;
	*(t->newer != 0 ? &at(p, t->newer)->older : &p->newest) = t->older;
	t->newer = p->free;
	p->free = index_of(p, t);
	p->n--;
}

void
pending_tuples_fail(struct pending_tuples *p, struct pending_tuple *t,
    int64_t again_ms)
{
	uint32_t index = index_of(p, t);

	t->failures++;
	t->again_ms = again_ms;
	t->next_failed = 0;
	if (p->last_failed != 0)
		at(p, p->last_failed)->next_failed = index;
	else
		p->first_failed = index;
	p->last_failed = index;
}

struct pending_tuple *
pending_tuples_again(struct pending_tuples *p, int64_t now_ms)
{
	struct pending_tuple *t = at(p, p->first_failed);

	if (t == NULL || t->again_ms > now_ms)
		return NULL;
	t->again_ms = 0;
	p->first_failed = t->next_failed;
	if (p->first_failed == 0)
		p->last_failed = 0;
	return t;
}
