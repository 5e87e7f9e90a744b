/*
 * SPDX-License-Identifier: ISC
 */
#include <stdio.h>

#include "join/stream_names.h"
#include "json/text.h"
#include "tuple/field_path.h"

/* Up to so many names are compared one by one: to hash two takes 8 % of a join. */
enum { FEW = 8 };

size_t
stream_names_find(const struct stream_names *s, struct span name)
{
	uint32_t id;
	size_t i = 0;

	if (s->n > FEW) {
		id = hash_map_get(&s->ids, name, hash_bytes(name));
		return id == HASH_MAP_NONE ? s->n : id;
	}
	while (i < s->n && !span_eq(s->names[i], name))
		i++;
	return i;
}

size_t
stream_names_take(const struct stream_names *s, struct span *text, char end)
{
	size_t found = s->n, n = 0;

	for (size_t i = 0; i < s->n; i++) {
		struct span name = s->names[i];

		if (name.n < text->n && name.n >= n && text->p[name.n] == end &&
		    memcmp(name.p, text->p, name.n) == 0) {
			found = i;
			n = name.n;
		}
	}
	if (found < s->n) {
		text->p += n + 1;
		text->n -= n + 1;
	}
	return found;
}

/* Quote a name and add it.  Returns what is wrong with it, or NULL. */
static const char *
add_name(struct stream_names *s, struct span name, char *file)
{
	struct buffer quoted = { 0 };
	bool added;

	if (name.n == 0)
		return "expected a name of a stream, got ''";
	hash_map_put(&s->ids, name, name, hash_bytes(name), &added);
	if (!added)
		return "expected different names of streams, got one twice";
	json_put_string(&quoted, name);
	s->names[s->n] = name;
	s->quoted[s->n] = buffer_take(&quoted);
	s->files[s->n++] = file;
	return NULL;
}

const char *
stream_names_init(struct stream_names *s, char *const *argv, size_t n,
    bool with_files)
{
	const char *wrong = NULL;

	*s = (struct stream_names){ 0 };
	hash_map_init(&s->ids, 0);
	if (n < 2)
		return with_files ? "expected at least two NAME=FILE" :
				    "expected at least two names of streams";
	s->names = memory_new(n, sizeof *s->names);
	s->quoted = memory_new(n, sizeof *s->quoted);
	s->files = memory_new(n, sizeof *s->files);
	for (size_t i = 0; i < n && wrong == NULL; i++) {
		struct span name = span_of(argv[i]);
		char *equals = strchr(argv[i], '=');

		if (with_files && equals == NULL)
			return "expected NAME=FILE for each stream, such as "
			       "orders=orders.ndjson";
		if (!with_files && equals != NULL)
			return "expected NAME, not NAME=FILE, with -s or --multilang";
		if (with_files)
			name.n = (size_t)(equals - argv[i]);
		wrong = add_name(s, name, with_files ? equals + 1 : NULL);
	}
	return wrong;
}

void
stream_names_fini(struct stream_names *s)
{
	for (size_t i = 0; i < s->n; i++)
		span_free(s->quoted[i]);
	free(s->names);
	free(s->quoted);
	free(s->files);
	hash_map_fini(&s->ids);
	*s = (struct stream_names){ 0 };
}

/*
 * Take the first item of *rest, up to a comma, which is dropped; rest->p is NULL
 * behind the last one.  Returns false if there is none.
 */
static bool
next_item(struct span *rest, struct span *item)
{
	if (rest->p == NULL)
		return false;
	*item = (struct span){ rest->p, field_path_until(*rest, ',') };
	if (item->n == rest->n) {
		rest->p = NULL;
		return true;
	}
	rest->p += item->n + 1;
	rest->n -= item->n + 1;
	return true;
}

void
stream_names_put(const struct stream_names *s, struct buffer *b)
{
	for (size_t i = 0; i < s->n; i++) {
		if (i != 0)
			buffer_byte(b, ',');
		buffer_put(b, s->names[i]);
	}
}

bool
stream_names_mark(const struct stream_names *s, const char *list, bool *marks,
    struct span *unknown)
{
	struct span rest = span_of(list), name;

	while (next_item(&rest, &name)) {
		size_t i = stream_names_find(s, name);

		if (i == s->n) {
			*unknown = name;
			return false;
		}
		marks[i] = true;
	}
	return true;
}

/* Collect the items of list that are for a stream. */
static void
items_of(const struct stream_names *s, size_t stream, const char *list,
    struct buffer *items)
{
	struct span rest = span_of(list), item;
	bool any = false;

	while (next_item(&rest, &item)) {
		size_t i = stream_names_take(s, &item, ':');

		if (i != s->n && i != stream)
			continue;
		if (any)
			buffer_byte(items, ',');
		buffer_put(items, item);
		any = true;
	}
	buffer_byte(items, '\0');
}

/* The name before a colon in list that is no stream; empty: none. */
static struct span
unknown_stream(const struct stream_names *s, const char *list)
{
	struct span rest = span_of(list), none = { NULL, 0 }, item;

	while (next_item(&rest, &item)) {
		size_t n = field_path_until(item, ':');

		if (n < item.n && stream_names_take(s, &item, ':') == s->n)
			return (struct span){ item.p, n };
	}
	return none;
}

/* Say what is wrong with list, or that one of its streams is none. */
static const char *
or_unknown(const struct stream_names *s, const char *list, const char *wrong)
{
	static char text[80];
	struct span name = unknown_stream(s, list);

	if (name.n == 0)
		return wrong;
	snprintf(text, sizeof text, "'%.*s' is no stream",
	    (int)(name.n < 40 ? name.n : 40), name.p);
	return text;
}

const char *
stream_fields_add(struct stream_fields *f, const struct stream_names *s,
    struct projection *p, const char *list, size_t n, const bool *optional)
{
	const char *wrong = NULL;

	f->ranges = memory_new(s->n, sizeof *f->ranges);
	for (size_t i = 0; i < s->n && wrong == NULL; i++) {
		struct field_range *range = &f->ranges[i];
		struct buffer items = { 0 };

		items_of(s, i, list, &items);
		if (items.n == 1 && optional != NULL && optional[i])
			range->n = 0;
		else if (items.n == 1)
			wrong = or_unknown(s, list,
			    "expected a field for each stream");
		else
			wrong = (n == 0 ? projection_add_key :
					  projection_add_path)(p, items.p,
			    &range->first, &range->n);
		buffer_fini(&items);
		for (size_t k = 0; wrong == NULL && k < range->n; k++)
			p->fields[range->first + k].stream = SPAN("");
		if (wrong != NULL && n != 0 && range->n > n)
			wrong = or_unknown(s, list,
			    "expected one field for each stream");
		if (wrong == NULL && n == 0 && range->n != f->ranges[0].n)
			wrong = or_unknown(s, list,
			    "expected as many fields for each stream");
	}
	return wrong;
}

void
stream_fields_fini(struct stream_fields *f)
{
	free(f->ranges);
	f->ranges = NULL;
}
