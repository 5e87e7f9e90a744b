/*
 * SPDX-License-Identifier: ISC
 */
#include <assert.h>

#include "storm/tuple_ids.h"

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
	ids->ids[i].held = true;
	ids->ids[i].next = 0;
	ids->ids[i].text.n = 0;
	buffer_put(&ids->ids[i].text, text);
	ids->nheld++;
	return i;
}

struct span
tuple_ids_text(const struct tuple_ids *ids, uint64_t id)
{
	/* Storm ends a worker for an anchor that it does not know. */
	assert(id < ids->n && ids->ids[id].held);
	return buffer_span(&ids->ids[id].text);
}

struct span
tuple_ids_release(struct tuple_ids *ids, uint64_t id)
{
	struct span text = tuple_ids_text(ids, id);

	ids->ids[id].held = false;
	ids->ids[id].next = ids->free;
	ids->free = (size_t)id + 1;
	ids->nheld--;
	return text;
}
