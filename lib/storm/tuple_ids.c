/*
 * SPDX-License-Identifier: ISC
 */
#include "storm/tuple_ids.h"
#include "base/diagnostics.h"

void
tuple_ids_fini(struct tuple_ids *ids)
{
	for (size_t i = 0; i < ids->n; i++)
		buffer_fini(&ids->ids[i].text);
	free(ids->ids);
	*ids = (struct tuple_ids){ 0 };
}

uint64_t
tuple_ids_hold(struct tuple_ids *ids, struct span text)
{
	size_t i = ids->free - 1;

	if (ids->free == 0) {
		ids->ids = memory_grow(ids->ids, &ids->cap, ids->n + 1,
		    sizeof *ids->ids);
		i = ids->n++;
		ids->ids[i] = (struct tuple_id){ 0 };
	}
	ids->free = ids->ids[i].next;
	ids->ids[i] =
	    (struct tuple_id){ .text = ids->ids[i].text, .shares = 1 };
	ids->ids[i].text.n = 0;
	buffer_put(&ids->ids[i].text, text);
	return i;
}

/* Storm ends a worker for an id that it does not know. */
static struct tuple_id *
held(const struct tuple_ids *ids, uint64_t id)
{
	if (id >= ids->n || ids->ids[id].shares == 0)
		die("the bolt uses a tuple that was acked or failed before");
	return &ids->ids[id];
}

void
tuple_ids_share(struct tuple_ids *ids, uint64_t id)
{
	held(ids, id)->shares++;
}

void
tuple_ids_set_block(struct tuple_ids *ids, uint64_t id)
{
	held(ids, id)->is_block = true;
}

void
tuple_ids_fail(struct tuple_ids *ids, uint64_t id)
{
	struct tuple_id *t = held(ids, id);

	t->failed = !t->is_block;
}

struct span
tuple_ids_text(const struct tuple_ids *ids, uint64_t id)
{
	return buffer_span(&held(ids, id)->text);
}

const struct tuple_id *
tuple_ids_release(struct tuple_ids *ids, uint64_t id)
{
	struct tuple_id *t = held(ids, id);

	if (--t->shares != 0)
		return NULL;
	t->next = ids->free;
	ids->free = (size_t)id + 1;
	return t;
}
