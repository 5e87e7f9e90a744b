/*
 * SPDX-License-Identifier: ISC
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/id_set.h"
#include "base/memory.h"

enum { LOG2 = 6, BITS = 1 << LOG2 };

void
id_set_fini(struct id_set *s)
{
	for (int i = 0; i < ID_SET_LEVELS; i++)
		free(s->levels[i]);
	*s = (struct id_set){ 0 };
}

/* The word of a level, which is made if need be. */
static uint64_t *
word_of(struct id_set *s, int level, size_t at)
{
	size_t old = s->nwords[level];

	if (at >= old) {
		s->levels[level] = memory_grow(s->levels[level],
		    &s->nwords[level], at + 1, sizeof **s->levels);
		memset(s->levels[level] + old, 0,
		    (s->nwords[level] - old) * sizeof **s->levels);
	}
	return &s->levels[level][at];
}

void
id_set_add(struct id_set *s, uint32_t id)
{
	for (int level = 0; level < ID_SET_LEVELS; level++) {
		uint64_t *word = word_of(s, level, id / BITS);
		bool was_empty = *word == 0;

		*word |= UINT64_C(1) << id % BITS;
		if (!was_empty)
			break;
		id /= BITS;
	}
}

void
id_set_del(struct id_set *s, uint32_t id)
{
	for (int level = 0; level < ID_SET_LEVELS; level++) {
		uint64_t *word = word_of(s, level, id / BITS);

		*word &= ~(UINT64_C(1) << id % BITS);
		if (*word != 0)
			break;
		id /= BITS;
	}
}

uint32_t
id_set_search(const struct id_set *s, uint32_t from)
{
	uint64_t at = from, rest = 0;
	int level;

	/* Up to where something is left, from there down to the first of it. */
	for (level = 0; level < ID_SET_LEVELS; level++) {
		if (at / BITS >= s->nwords[level])
			return ID_SET_NONE;
		rest = s->levels[level][at / BITS] >> at % BITS << at % BITS;
		if (rest != 0)
			break;
		at = at / BITS + 1;
	}
	if (rest == 0)
		return ID_SET_NONE;
	for (at = at / BITS * BITS + (uint64_t)__builtin_ctzll(rest);
	     level-- > 0;)
		at =
		    at * BITS + (uint64_t)__builtin_ctzll(s->levels[level][at]);
	return (uint32_t)at;
}
