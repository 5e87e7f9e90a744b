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
unseen_fields_init(struct unseen_fields *u, const struct projection *p,
    bool advises)
{
	*u = (struct unseen_fields){ .projection = p,
		.advises = advises,
		.fields = memory_new(p->nfields, sizeof *u->fields) };
	known_names_init(&u->members);
	for (size_t i = 0; i < p->nfields; i++)
		if (!p->fields[i].tacit &&
		    (advises || !p->fields[i].only_if_like))
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

bool
unseen_fields_has(const struct unseen_fields *u, size_t field)
{
	for (size_t i = 0; i < u->n; i++)
		if (u->fields[i] == field)
			return true;
	return false;
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
static bool
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
	return like.p != NULL;
}

/*
 * Tell whether another message names the same field: one of a field that must be
 * there, or else an earlier one.
 */
static bool
is_told(const struct unseen_fields *u, size_t i)
{
	const struct field *fields = u->projection->fields;
	const struct field *f = &fields[u->fields[i]];

	for (size_t k = 0; k < u->n; k++) {
		const struct field *other = &fields[u->fields[k]];

		if (k != i && span_eq(other->text, f->text) &&
		    (other->only_if_like < f->only_if_like ||
			(other->only_if_like == f->only_if_like && k < i)))
			return true;
	}
	return false;
}

bool
unseen_fields_hint(const struct unseen_fields *u, size_t i, struct buffer *text)
{
	const struct field *f;

	if (i >= u->n || u->looks == 0)
		return false;
	f = &u->projection->fields[u->fields[i]];
	if (is_told(u, i))
		return true;
	buffer_put(text, SPAN("no tuple has '"));
	buffer_put(text, f->text);
	buffer_byte(text, '\'');
	if (ask(u, f->text, text))
		return true;
	if (f->only_if_like)
		text->n = 0;
	else if (u->advises)
		known_names_list(&u->members, text);
	return true;
}
