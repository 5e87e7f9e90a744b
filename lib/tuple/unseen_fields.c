/*
 * SPDX-License-Identifier: ISC
 */
#include <stdlib.h>
#include <string.h>

#include "base/digits.h"
#include "json/text.h"
#include "tuple/unseen_fields.h"

enum {
	FIRST_LOOKS = 16, /* then those whose number is a power of two */
	DEEPEST = 4,	  /* members of members */
};

#define NO_STREAM UINT32_MAX

/* Tell whether a name was probably meant as a value: keep 'a == 1 || 2'. */
static bool
is_like_value(struct span text)
{
	return digits_is(*text.p) || span_eq(text, SPAN("true")) ||
	    span_eq(text, SPAN("false")) || span_eq(text, SPAN("null"));
}

void
unseen_fields_init(struct unseen_fields *u, const struct projection *p,
    bool advises)
{
	*u = (struct unseen_fields){ .projection = p,
		.advises = advises,
		.fields = memory_new(p->nfields, sizeof *u->fields) };
	known_names_init(&u->members);
	known_names_init(&u->of_streams);
	for (size_t i = 0; i < p->nfields; i++)
		if (!p->fields[i].tacit &&
		    (advises || !p->fields[i].only_if_like ||
			is_like_value(p->fields[i].text)))
			u->fields[u->n++] = i;
}

void
unseen_fields_fini(struct unseen_fields *u)
{
	free(u->fields);
	known_names_fini(&u->members);
	known_names_fini(&u->of_streams);
	buffer_fini(&u->name);
	buffer_fini(&u->path);
	buffer_fini(&u->both);
}

/* Tell whether a name needs no quotes in any option, with or without dots. */
static bool
is_plain(struct span name, bool dots)
{
	for (size_t i = 0; i < name.n; i++)
		if ((unsigned char)name.p[i] <= ' ' ||
		    strchr("[]\",=?/()!<>~&|'", name.p[i]) != NULL ||
		    (name.p[i] == '.' && !dots))
			return false;
	return name.n != 0;
}

/* Put a step into an object, as a path has it. */
static void
put_step(struct buffer *path, struct span name)
{
	bool plain = is_plain(name, false);

	if (plain || path->n == 0)
		buffer_byte(path, '.');
	if (plain) {
		buffer_put(path, name);
	} else {
		buffer_byte(path, '[');
		json_put_string(path, name);
		buffer_byte(path, ']');
	}
}

/* A member and its stream, as one name. */
static struct span
of_stream(struct buffer *b, struct span name, uint32_t stream)
{
	b->n = 0;
	buffer_put(b, name);
	buffer_put(b, (struct span){ (const char *)&stream, sizeof stream });
	return buffer_span(b);
}

/*
 * Get to know the members of an object, which u->path leads to; u->name has its
 * names with a dot behind each.
 */
static void
add_members(struct unseen_fields *u, struct span object, uint32_t stream,
    int depth)
{
	struct json_members it = json_members(object);
	struct json_member m;
	struct span both;
	size_t name_n = u->name.n, path_n = u->path.n;

	while (json_members_next(&it, &m)) {
		json_decode(&u->name, m.name);
		put_step(&u->path,
		    (struct span){ u->name.p + name_n, u->name.n - name_n });
		known_names_add(&u->members, buffer_span(&u->name),
		    buffer_span(&u->path));
		both = of_stream(&u->both, buffer_span(&u->name), stream);
		known_names_add(&u->of_streams, both, both);
		if (*m.value.p == '{' && depth < DEEPEST) {
			buffer_byte(&u->name, '.');
			add_members(u, m.value, stream, depth + 1);
		}
		u->name.n = name_n;
		u->path.n = path_n;
	}
}

/* The number of a tuple's stream; NO_STREAM: it is before no field. */
static uint32_t
stream_of(const struct tuple *t)
{
	const struct projection *p = t->projection;
	struct span name = { NULL, 0 };

	if (!p->split)
		return t->stream;
	if (tuple_string(t, p->split_field, &name, NULL) == 0)
		for (size_t i = 0; i < p->nfields; i++)
			if (p->fields[i].stream.n != 0 &&
			    span_eq(p->fields[i].stream, name))
				return p->fields[i].stream_at;
	return NO_STREAM;
}

/* Tell whether a tuple of a stream has a field that is to be of that. */
static bool
is_seen(const struct tuple *t, size_t field, uint32_t stream)
{
	const struct field *f = &t->projection->fields[field];

	return tuple_field(t, field) != NULL &&
	    (f->stream.n == 0 || f->stream_at == stream);
}

void
unseen_fields_look_closely(struct unseen_fields *u, const struct tuple *t)
{
	uint32_t stream = stream_of(t);
	size_t n = 0;

	for (size_t i = 0; i < u->n; i++)
		if (!is_seen(t, u->fields[i], stream))
			u->fields[n++] = u->fields[i];
	u->n = n;
	u->looks++;
	if (n != 0 &&
	    (u->looks <= FIRST_LOOKS || (u->looks & (u->looks - 1)) == 0))
		add_members(u, t->line, stream, 1);
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

/*
 * Tell whether a field may be written without a dot before it: as the names of
 * the steps with dots between them, or as the name of a member that has some,
 * which is meant if only the dot is too much.
 */
static bool
is_bare(const struct field *f, struct span name, struct span path)
{
	struct span text = f->text;
	bool dot = *text.p == '.';

	text = (struct span){ text.p + dot, text.n - dot };
	if (f->stream.n != 0 || dot != span_eq(name, text))
		return false;
	/* What is before the first dot could be a stream. */
	if (f->stream.p != NULL && memchr(name.p, '.', name.n) != NULL)
		return false;
	if (path.n == strlen(".[\"\"]") + name.n && path.p[1] == '[' &&
	    path.p[path.n - 1] == ']')
		return dot || is_plain(name, true);
	return !dot && path.n == 1 + name.n;
}

/* Ask whether a member was meant. */
static bool
ask(const struct unseen_fields *u, const struct field *f, struct buffer *text)
{
	struct buffer b = { 0 }, whole = { 0 };
	struct span like = known_names_like(&u->members, dotted(&b, f->text));
	struct span path;
	bool same = span_eq(like, buffer_span(&b)), there;

	there = like.p != NULL &&
	    (f->stream.n == 0 ||
		known_names_has(&u->of_streams,
		    of_stream(&b, like, f->stream_at)));
	buffer_fini(&b);
	if (!there)
		return false;
	path = known_names_written(&u->members, like);
	/* It was in a value that a later one of the same name replaced. */
	if (same && path.n == 1 + like.n)
		return false;
	if (is_bare(f, like, path)) {
		known_names_suggest(text, like);
	} else {
		buffer_put(&whole, f->stream);
		buffer_put(&whole, path);
		known_names_suggest(text, buffer_span(&whole));
	}
	buffer_fini(&whole);
	return true;
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
		    span_eq(other->stream, f->stream) &&
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
	buffer_put(text, f->stream);
	if (f->stream.n != 0 && *f->text.p != '.')
		buffer_byte(text, '.');
	buffer_put(text, f->text);
	buffer_byte(text, '\'');
	if (ask(u, f, text))
		return true;
	if (f->only_if_like && is_like_value(f->text))
		buffer_put(text, SPAN("; alone it is a name, not a value"));
	else if (f->only_if_like)
		text->n = 0;
	else if (u->advises)
		known_names_list(&u->members, text);
	return true;
}
