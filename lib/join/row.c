/*
 * SPDX-License-Identifier: ISC
 */
#include "join/row.h"
#include "json/text.h"
#include "tuple/field_path.h"

_Static_assert((int)SPAN_PAD <= (int)JSON_PAD, "all can be read behind a line");

static struct span
without_dot(struct span s)
{
	return s.n != 0 && *s.p == '.' ? (struct span){ s.p + 1, s.n - 1 } : s;
}

/* Which part of the key a field is, by its text or its name. */
static size_t
key_part(const struct join_row *r, struct span text)
{
	struct buffer quoted = { 0 };
	size_t part = JOIN_NO_KEY;

	json_put_string(&quoted, text);
	for (size_t i = 0; i < r->key.n && part == JOIN_NO_KEY; i++) {
		const struct field *f =
		    &r->projection->fields[r->key.first + i];

		if (span_eq(without_dot(f->text), text) ||
		    span_eq(f->name, buffer_span(&quoted)))
			part = i;
	}
	buffer_fini(&quoted);
	return part;
}

static const char *
add_item(struct join_row *r, struct projection *p, struct span text)
{
	struct join_item *item = &r->items[r->nitems];
	struct buffer path = { 0 }, lead = { 0 };
	size_t equals = field_path_until(text, '='), n;
	struct span out = without_dot(text);
	const char *wrong;

	*item =
	    (struct join_item){ .stream = JOIN_ANY_STREAM, .key = JOIN_NO_KEY };
	if (equals == 0 && text.n != 0)
		return "expected a name before '='";
	if (equals < text.n) {
		out = (struct span){ text.p, equals };
		text.p += equals + 1;
		text.n -= equals + 1;
	}
	n = stream_names_take(r->names, &text, '.');
	if (n < r->names->n)
		item->stream = n;
	else
		item->key = key_part(r, without_dot(text));
	if (item->key == JOIN_NO_KEY) {
		buffer_put(&path, text);
		buffer_byte(&path, '\0');
		wrong = projection_add_path(p, path.p, &item->field, &n);
		buffer_fini(&path);
		if (wrong != NULL)
			return wrong;
		p->fields[item->field].stream = SPAN("");
		if (item->stream != JOIN_ANY_STREAM) {
			p->fields[item->field].stream =
			    r->names->names[item->stream];
			p->fields[item->field].stream_at =
			    (uint32_t)item->stream;
		}
	}
	buffer_byte(&lead, r->nitems == 0 ? '{' : ',');
	json_put_name(&lead, out);
	item->lead = buffer_take_padded(&lead);
	r->nitems++;
	return NULL;
}

/* Tell each stream which fields to look for in its tuples. */
static void
share_out(struct join_row *r)
{
	size_t n = r->names->n;

	r->wanted = memory_new(n, sizeof *r->wanted);
	for (size_t i = 0; i < r->nitems; i++)
		r->items[i].sources =
		    memory_new(n, sizeof *r->items[i].sources);
	for (size_t stream = 0; stream < n; stream++) {
		struct join_wanted *w = &r->wanted[stream];

		w->fields = memory_new(r->nitems, sizeof *w->fields);
		for (size_t i = 0; i < r->nitems; i++) {
			struct join_item *item = &r->items[i];

			if (item->key != JOIN_NO_KEY ||
			    (item->stream != JOIN_ANY_STREAM &&
				item->stream != stream))
				continue;
			item->sources[item->nsources++] =
			    (struct join_source){ (uint32_t)stream,
				    (uint32_t)w->n };
			w->fields[w->n++].field = item->field;
		}
		if (r->nfields < w->n)
			r->nfields = w->n;
	}
	for (size_t stream = 0; stream < n; stream++)
		r->wanted[stream].part = join_part_new(r->nfields);
}

const char *
join_row_init(struct join_row *r, const struct stream_names *names,
    const struct stream_fields *key, struct projection *projection,
    const char *list)
{
	struct span rest = list == NULL ? SPAN("") : span_of(list);
	const char *wrong = NULL;

	*r = (struct join_row){
		.names = names, .projection = projection, .key = key->ranges[0]
	};
	r->items = memory_new(rest.n + 1, sizeof *r->items);
	while (list != NULL && wrong == NULL) {
		size_t comma = field_path_until(rest, ',');

		wrong = add_item(r, projection, (struct span){ rest.p, comma });
		if (comma == rest.n)
			break;
		rest.p += comma + 1;
		rest.n -= comma + 1;
	}
	share_out(r);
	return wrong;
}

void
join_row_compiled(struct join_row *r)
{
	for (size_t stream = 0; stream < r->names->n; stream++)
		for (size_t i = 0; i < r->wanted[stream].n; i++) {
			struct join_wanted_field *w =
			    &r->wanted[stream].fields[i];
			const struct field *f =
			    &r->projection->fields[w->field];

			w->slot = f->slot;
			w->other = f->other;
		}
}

void
join_row_fini(struct join_row *r)
{
	for (size_t i = 0; i < r->nitems; i++) {
		span_free(r->items[i].lead);
		free(r->items[i].sources);
	}
	for (size_t i = 0; r->wanted != NULL && i < r->names->n; i++) {
		free(r->wanted[i].fields);
		free(r->wanted[i].part);
	}
	free(r->items);
	free(r->wanted);
	*r = (struct join_row){ 0 };
}

struct span *
join_row_names(const struct join_row *r, size_t *n)
{
	struct span *names;

	*n = r->nitems != 0 ? r->nitems : r->names->n;
	names = memory_new(*n, sizeof *names);
	for (size_t i = 0; i < *n; i++) {
		struct span s =
		    r->nitems != 0 ? r->items[i].lead : r->names->quoted[i];
		size_t before = r->nitems != 0 ? 2 : 1; /* {" or ," or " */

		names[i] = (struct span){ s.p + before, s.n - 2 * before };
	}
	return names;
}

/* The value of an item: of the first of its streams that has it, or null. */
static inline struct span
value_of(const struct join_part *const *parts, const struct join_item *item)
{
	static const char null[SPAN_PAD] = "null";
	const struct join_source *s = item->sources, *end = s + item->nsources;

	for (; s < end; s++) {
		const struct join_part *p = parts[s->stream];
		const struct join_field *f;

		if (p == NULL)
			continue;
		f = join_part_fields(p) + s->field;
		if (f->n != 0)
			return (struct span){ p->line + f->at, f->n };
	}
	return (struct span){ null, 4 };
}

static void
put_flat(const struct join_row *r, struct buffer *b, struct span key,
    const struct join_part *const *parts)
{
	const struct join_item *item = r->items, *end = item + r->nitems;

	for (; item < end; item++) {
		bool is_key = item->key != JOIN_NO_KEY;
		/* Of one part, it is all of the key. */
		struct span value = !is_key ? value_of(parts, item) :
		    r->key.n == 1	    ? key :
					      key_part_of(key, item->key);
		char *p = buffer_room(b, item->lead.n + value.n + SPAN_PAD + 1);

		p = span_copy_padded(p, item->lead);
		p = is_key ? span_copy(p, value) : span_copy_padded(p, value);
		b->n = (size_t)(p - b->p);
	}
	/* There is room for it, too. */
	b->p[b->n++] = '}';
}

static void
put_nested(const struct join_row *r, struct buffer *b, struct span key,
    const struct join_part *const *parts)
{
	buffer_byte(b, '{');
	key_put(b, r->projection->fields + r->key.first, r->key.n, key);
	for (size_t i = 0; i < r->names->n; i++) {
		buffer_byte(b, ',');
		buffer_put(b, r->names->quoted[i]);
		buffer_byte(b, ':');
		buffer_put(b,
		    parts[i] != NULL ? join_part_line(parts[i]) : SPAN("null"));
	}
	buffer_byte(b, '}');
}

void
join_row_put(const struct join_row *r, struct buffer *b, struct span key,
    const struct join_part *const *parts)
{
	if (r->nitems != 0)
		put_flat(r, b, key, parts);
	else
		put_nested(r, b, key, parts);
}

void
join_row_put_failed(const struct join_row *r, struct buffer *b,
    const struct join_part *part, enum join_reason reason)
{
	buffer_put(b, SPAN("{\"reason\":\""));
	buffer_put(b, span_of(join_reason_names[reason]));
	buffer_put(b, SPAN("\",\"stream\":"));
	buffer_put(b, r->names->quoted[part->stream]);
	buffer_put(b, SPAN(",\"tuple\":"));
	buffer_put(b, join_part_line(part));
	buffer_byte(b, '}');
}
