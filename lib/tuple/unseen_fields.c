/*
 * SPDX-License-Identifier: ISC
 */
#include <stdlib.h>

#include "tuple/unseen_fields.h"
#include "json/text.h"

enum {
	FIRST_LOOKS = 16, /* then those whose number is a power of two */
	DEEPEST = 4,	  /* members of members */
};

void
unseen_fields_init(struct unseen_fields *u, const struct projection *p)
{
	*u = (struct unseen_fields){ .projection = p,
		.fields = memory_new(p->nfields, sizeof *u->fields) };
	known_names_init(&u->members);
	for (size_t i = 0; i < p->nfields; i++)
		if (!p->fields[i].tacit)
			u->fields[u->n++] = i;
}

void
unseen_fields_fini(struct unseen_fields *u)
{
	free(u->fields);
	known_names_fini(&u->members);
	buffer_fini(&u->path);
}

/* Get to know the members of an object, which is at u->path. */
static void
add_members(struct unseen_fields *u, struct span object, int depth)
{
	struct json_members it = json_members(object);
	struct json_member m;
	size_t n = u->path.n;

	while (json_members_next(&it, &m)) {
		json_decode(&u->path, m.name);
		known_names_add(&u->members, buffer_span(&u->path));
		if (*m.value.p == '{' && depth < DEEPEST) {
			buffer_byte(&u->path, '.');
			add_members(u, m.value, depth + 1);
		}
		u->path.n = n;
	}
}

void
unseen_fields_look_closely(struct unseen_fields *u, const struct tuple *t)
{
	size_t n = 0;

	for (size_t i = 0; i < u->n; i++)
		if (tuple_field(t, u->fields[i]) == NULL)
			u->fields[n++] = u->fields[i];
	u->n = n;
	u->looks++;
	if (n != 0 &&
	    (u->looks <= FIRST_LOOKS || (u->looks & (u->looks - 1)) == 0))
		add_members(u, t->line, 1);
}

/* A field's text as the names on its way with dots between them. */
static struct span
dotted(struct buffer *b, struct span text)
{
	char first = *text.p;

	for (size_t i = first == '.' || first == '/'; i < text.n; i++)
		buffer_byte(b,
		    first == '/' && text.p[i] == '/' ? '.' : text.p[i]);
	return buffer_span(b);
}

/* Ask whether a member was meant, as a path where the field is one. */
static void
ask(const struct unseen_fields *u, struct span field, struct buffer *text)
{
	struct buffer b = { 0 }, path = { 0 };
	struct span name = dotted(&b, field);
	struct span like = known_names_like(&u->members, name);

	/* What is written as the member is called may be another path. */
	if (like.p != NULL && (*field.p == '.' || span_eq(like, field))) {
		buffer_byte(&path, '.');
		if (!span_eq(like, name) && !span_eq(like, field)) {
			buffer_put(&path, like);
		} else {
			buffer_byte(&path, '[');
			json_put_string(&path, like);
			buffer_byte(&path, ']');
		}
		like = buffer_span(&path);
	}
	if (like.p != NULL)
		known_names_suggest(text, like);
	buffer_fini(&b);
	buffer_fini(&path);
}

bool
unseen_fields_hint(const struct unseen_fields *u, size_t i, struct buffer *text)
{
	const struct field *fields = u->projection->fields;
	struct span field;

	if (i >= u->n || u->looks == 0)
		return false;
	field = fields[u->fields[i]].text;
	for (size_t before = 0; before < i; before++)
		if (span_eq(fields[u->fields[before]].text, field))
			return true;
	buffer_put(text, SPAN("no tuple has '"));
	buffer_put(text, field);
	buffer_byte(text, '\'');
	ask(u, field, text);
	return true;
}
