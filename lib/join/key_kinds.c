/*
 * SPDX-License-Identifier: ISC
 */
#include "join/key_kinds.h"
#include "base/digits.h"
#include "join/waiting.h"

enum { MOST_KEYS = 1000 };

enum kind { NUMBER = 1, STRING = 2, OTHER = 4 };

static unsigned
kind_of(struct span label)
{
	if (*label.p == '"')
		return STRING;
	return *label.p == '-' || digits_is(*label.p) ? NUMBER : OTHER;
}

void
key_kinds_look(struct key_kinds *k, const struct join *j)
{
	const struct hash_map *keys = join_keys(j);

	for (size_t stream = 0; stream < j->nstreams; stream++) {
		uint32_t id = hash_map_next(keys, 0);
		unsigned kinds = 0;

		for (size_t n = 0; id != HASH_MAP_NONE && n < MOST_KEYS; n++) {
			if (waiting_lists(j, id)[stream].last != NULL)
				kinds |= kind_of(hash_map_label(keys, id));
			id = hash_map_next(keys, id + 1);
		}
		if (kinds == NUMBER)
			k->numbers = stream + 1;
		else if (kinds == STRING)
			k->strings = stream + 1;
	}
}

void
key_kinds_hint(const struct key_kinds *k, const struct stream_names *names,
    struct buffer *text)
{
	if (k->numbers == 0 || k->strings == 0)
		return;
	buffer_put(text, SPAN("nothing joined, as the key is a number in "));
	buffer_put(text, names->names[k->numbers - 1]);
	buffer_put(text, SPAN(" and a string in "));
	buffer_put(text, names->names[k->strings - 1]);
}
