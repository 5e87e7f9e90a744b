/*
 * SPDX-License-Identifier: ISC
 */
#include <stdlib.h>

#include "json/text.h"
#include "storm/tuple_layout.h"
#include "tuple/tuple.h"

/* The field that stands for the tuple itself. */
#define WHOLE SPAN("\"tuple\":")

/* The field that, alone, stands for a block of lines. */
#define LINES SPAN("\"lines\":")

static struct span
quoted(struct span field)
{
	struct buffer b = { 0 };

	json_put_name(&b, field);
	return buffer_take(&b);
}

/* Look for the member of exactly this name. */
static void
add_field(struct projection *p, struct span name)
{
	struct buffer path = { 0 };
	size_t first, n;

	buffer_put(&path, SPAN(".["));
	buffer_put(&path, (struct span){ name.p, name.n - 1 });
	buffer_put(&path, SPAN("]\0"));
	projection_add(p, path.p, &first, &n);
	buffer_fini(&path);
}

void
tuple_layout_init(struct tuple_layout *l, const struct span *fields, size_t n)
{
	*l = (struct tuple_layout){ .declared = fields != NULL, .n = n };
	projection_init(&l->projection);
	l->names = memory_new(n, sizeof *l->names);
	for (size_t i = 0; i < n; i++) {
		l->names[i] = quoted(fields[i]);
		add_field(&l->projection, l->names[i]);
	}
	projection_compile(&l->projection);
	l->slots = projection_new_slots(&l->projection);
	l->is_block = l->declared && n == 1 && span_eq(l->names[0], LINES);
}

void
tuple_layout_fini(struct tuple_layout *l)
{
	for (size_t i = 0; i < l->n; i++)
		span_free(l->names[i]);
	free(l->names);
	free(l->slots);
	projection_fini(&l->projection);
}

bool
tuple_layout_has(const struct tuple_layout *l, struct span field)
{
	struct span name = quoted(field);
	bool has = false;

	for (size_t i = 0; i < l->n; i++)
		has = has || span_eq(l->names[i], name);
	span_free(name);
	return has;
}

static void
put_name(const struct tuple_layout *l, struct buffer *b, size_t i)
{
	if (l->declared) {
		buffer_put(b, l->names[i]);
		return;
	}
	buffer_byte(b, '"');
	buffer_int(b, (int64_t)i);
	buffer_put(b, SPAN("\":"));
}

/* Tell whether the first value is the tuple itself. */
static bool
is_whole(const struct tuple_layout *l, struct span values, struct span *value)
{
	struct json_members it = json_elements(values);
	struct span other;

	return (!l->declared || (l->n == 1 && span_eq(l->names[0], WHOLE))) &&
	    json_elements_next(&it, value) && *value->p == '{' &&
	    !json_elements_next(&it, &other);
}

/* Tell whether an object has the member, `"name":value`, by another value. */
static bool
has_member(struct span object, struct span member)
{
	const char *name = member.p + 1;
	size_t n = (size_t)((const char *)memchr(name, '"', member.n) - name);
	struct json_members it = json_members(object);
	struct json_member m;

	while (json_members_next(&it, &m))
		if (json_decodes_to(m.name, (struct span){ name, n }))
			return true;
	return false;
}

int
tuple_layout_put_object(const struct tuple_layout *l, struct buffer *b,
    struct span values, struct span first, struct fault *f)
{
	struct json_members it = json_elements(values);
	struct span value;
	size_t n = 0;

	if (is_whole(l, values, &value)) {
		if (first.n == 0 || has_member(value, first))
			buffer_put(b, value);
		else
			tuple_put_after(b, first, value);
		return 0;
	}
	buffer_byte(b, '{');
	buffer_put(b, first);
	while (json_elements_next(&it, &value)) {
		if (n != 0 || first.n != 0)
			buffer_byte(b, ',');
		if (!l->declared || n < l->n)
			put_name(l, b, n);
		buffer_put(b, value);
		n++;
	}
	buffer_byte(b, '}');
	if (l->declared && n != l->n)
		return fault_set(f, FAULT_MISSING, 1,
		    "expected %zu values, as declared, got %zu", l->n, n);
	return 0;
}

/* All members, in their order. */
static size_t
put_all(struct buffer *b, struct span object)
{
	struct json_members it = json_members(object);
	struct json_member m;
	size_t n = 0;

	while (json_members_next(&it, &m)) {
		if (n++ != 0)
			buffer_byte(b, ',');
		buffer_put(b, m.value);
	}
	return n;
}

size_t
tuple_layout_put_values(struct tuple_layout *l, struct buffer *b,
    struct span row)
{
	size_t found = 0;

	if (!l->declared)
		return put_all(b, row);
	if (l->is_block) {
		json_put_string(b, row);
		return 1;
	}
	json_scan(&l->projection.root, row, l->slots, NULL);
	for (size_t i = 0; i < l->n; i++) {
		struct span raw =
		    value_raw(&l->slots[l->projection.fields[i].slot]);

		if (i != 0)
			buffer_byte(b, ',');
		if (raw.p == NULL && span_eq(l->names[i], WHOLE))
			raw = row;
		found += raw.p != NULL;
		buffer_put(b, raw.p == NULL ? SPAN("null") : raw);
	}
	return found;
}

struct span
tuple_layout_lacked(const struct tuple_layout *l)
{
	size_t i = 0;

	while (l->slots[l->projection.fields[i].slot].p != NULL ||
	    span_eq(l->names[i], WHOLE))
		i++;
	return (struct span){ l->names[i].p, l->names[i].n - 1 };
}
