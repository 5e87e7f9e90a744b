/*
 * SPDX-License-Identifier: ISC
 */
#include <stdlib.h>

#include "base/memory.h"
#include "grouping/space_saving.h"

void
space_saving_init(struct space_saving *s, uint32_t ncounters)
{
	uint32_t nslots = 16;

	while (nslots < 2 * ncounters)
		nslots *= 2;
	*s = (struct space_saving){ .keys =
					memory_new(ncounters, sizeof *s->keys),
		.slots = memory_new(nslots, sizeof *s->slots),
		.mask = nslots - 1 };
	stream_summary_init(&s->summary, ncounters);
}

void
space_saving_fini(struct space_saving *s)
{
	stream_summary_fini(&s->summary);
	free(s->keys);
	free(s->slots);
	*s = (struct space_saving){ 0 };
}

static uint32_t
home(const struct space_saving *s, uint64_t key)
{
	return (uint32_t)(key >> 40) & s->mask;
}

/* The slot that has key, or the empty one where it belongs. */
static uint32_t
find(const struct space_saving *s, uint64_t key)
{
	uint32_t i = home(s, key);

	while (s->slots[i] != 0 && s->keys[s->slots[i] - 1].key != key)
		i = (i + 1) & s->mask;
	return i;
}

/* Empty slot i; what was pushed past it moves back. */
static void
empty_slot(struct space_saving *s, uint32_t i)
{
	for (uint32_t k = (i + 1) & s->mask; s->slots[k] != 0;
	     k = (k + 1) & s->mask) {
		uint32_t h = home(s, s->keys[s->slots[k] - 1].key);

		if (((k - h) & s->mask) >= ((k - i) & s->mask)) {
			s->slots[i] = s->slots[k];
			i = k;
		}
	}
	s->slots[i] = 0;
}

/* A counter for a key that has none: a fresh one, or the least. */
static uint32_t
take_counter(struct space_saving *s, uint64_t key)
{
	uint32_t c = s->summary.order[0];

	if (s->used < s->summary.n) {
		/* Those without a key are 0, and so the first in order. */
		s->used++;
		s->keys[c].error = 0;
	} else {
		empty_slot(s, find(s, s->keys[c].key));
		s->keys[c].error = stream_summary_count(&s->summary, c);
	}
	s->keys[c].key = key;
	s->slots[find(s, key)] = c + 1;
	return c;
}

uint32_t
space_saving_add(struct space_saving *s, uint64_t key, bool *fresh)
{
	uint32_t slot = s->slots[find(s, key)];
	uint32_t c = slot != 0 ? slot - 1 : take_counter(s, key);

	*fresh = slot == 0;
	s->total++;
	stream_summary_add(&s->summary, c);
	return c;
}

uint64_t
space_saving_top(const struct space_saving *s)
{
	uint64_t top = 0;

	for (uint32_t c = 0; c < s->summary.n; c++)
		if (space_saving_sure(s, c) > top)
			top = space_saving_sure(s, c);
	return top;
}
