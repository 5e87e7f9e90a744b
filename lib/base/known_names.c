/*
 * SPDX-License-Identifier: ISC
 */
#include "base/known_names.h"

void
known_names_init(struct known_names *k)
{
	hash_map_init(&k->names, 0);
}

void
known_names_fini(struct known_names *k)
{
	hash_map_fini(&k->names);
}

void
known_names_add(struct known_names *k, struct span name, struct span written)
{
	bool added;

	if (name.n != 0 && name.n <= KNOWN_NAMES_LONGEST &&
	    k->names.end < KNOWN_NAMES_MOST)
		hash_map_put(&k->names, name, written, hash_bytes(name),
		    &added);
}

bool
known_names_has(const struct known_names *k, struct span name)
{
	return hash_map_get(&k->names, name, hash_bytes(name)) != HASH_MAP_NONE;
}

struct span
known_names_written(const struct known_names *k, struct span name)
{
	return hash_map_label(&k->names,
	    hash_map_get(&k->names, name, hash_bytes(name)));
}

static size_t
least(size_t a, size_t b)
{
	return a < b ? a : b;
}

static bool
same(char a, char b)
{
	return a == b ||
	    ((a ^ b) == 0x20 && ((a | 0x20) >= 'a' && (a | 0x20) <= 'z'));
}

/* How many edits make one of the other; b is no longer than LONGEST. */
static size_t
distance(struct span a, struct span b)
{
	size_t rows[3][KNOWN_NAMES_LONGEST + 1] = { 0 };
	size_t *row = rows[0], *above = rows[1], *second = rows[2], *old;

	for (size_t j = 0; j <= b.n; j++)
		row[j] = j;
	for (size_t i = 1; i <= a.n; i++) {
		old = second;
		second = above;
		above = row;
		row = old;
		row[0] = i;
		for (size_t j = 1; j <= b.n; j++) {
			char x = a.p[i - 1], y = b.p[j - 1];

			row[j] = least(above[j - 1] + !same(x, y),
			    least(above[j], row[j - 1]) + 1);
			if (i > 1 && j > 1 && same(x, b.p[j - 2]) &&
			    same(a.p[i - 2], y))
				row[j] = least(row[j], second[j - 2] + 1);
		}
	}
	return row[b.n];
}

/* The distance to a known name, or to what it has behind its last dot. */
static size_t
distance_to(struct span name, struct span known)
{
	size_t n = distance(name, known), at = known.n;

	while (at > 0 && known.p[at - 1] != '.')
		at--;
	if (at == 0)
		return n;
	return least(n,
	    1 + distance(name, (struct span){ known.p + at, known.n - at }));
}

struct span
known_names_like(const struct known_names *k, struct span name)
{
	struct span like = { NULL, 0 };
	size_t best = name.n < 6 ? 2 : name.n / 3 + 1; /* too many edits */

	for (uint32_t id = 0; id < k->names.end; id++) {
		struct span known = hash_map_key(&k->names, id);
		size_t n = distance_to(name, known);

		/* Some byte at least is to be the same. */
		if (n < best && (n < name.n || n < known.n)) {
			like = known;
			best = n;
		}
	}
	return like;
}

void
known_names_suggest(struct buffer *text, struct span like)
{
	buffer_put(text, SPAN("; did you mean '"));
	buffer_put(text, like);
	buffer_put(text, SPAN("'?"));
}

void
known_names_list(const struct known_names *k, struct buffer *text)
{
	enum { MOST = 10 };
	uint32_t id = hash_map_next(&k->names, 0);

	for (int n = 0; id != HASH_MAP_NONE && n <= MOST; n++) {
		buffer_put(text, n == 0 ? SPAN("; they have ") : SPAN(", "));
		if (n == MOST) {
			buffer_put(text, SPAN("..."));
			break;
		}
		buffer_byte(text, '\'');
		buffer_put(text, hash_map_key(&k->names, id));
		buffer_byte(text, '\'');
		id = hash_map_next(&k->names, id + 1);
	}
}

bool
known_names_ask(const struct known_names *k, struct span name,
    struct buffer *text)
{
	struct span like = known_names_like(k, name);

	if (like.p == NULL)
		return false;
	known_names_suggest(text, like);
	return true;
}
