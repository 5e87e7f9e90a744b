/*
 * SPDX-License-Identifier: ISC
 */
#include <stdlib.h>

#include "base/memory.h"
#include "json/line_scanner.h"
#include "json/line_shape.h"

enum {
	/* So many lines with other keys, and the shape is taken anew. */
	SHAPE_MISSES = 16,
	/* Indexed at once, with its index it fits the cache of a core. */
	CHUNK = 32 * 1024,
};

/* An object or array that the walk is in. */
struct level {
	const struct scan_node *node; /* NULL: nothing in it is looked for */
	int64_t index;		      /* in an array; -1: it is an object */
	int slot;		      /* where it goes itself */
};

struct line_scanner {
	const struct scan_node *root;
	const struct json_index_version *version;
	struct json_index index;
	struct line_shapes shapes;
	struct level levels[JSON_DEPTH + 1]; /* the first is outside all */
};

struct line_scanner *
line_scanner_new(const struct scan_node *root,
    const struct json_index_version *version)
{
	struct line_scanner *s = memory_new(1, sizeof *s);

	s->root = root;
	s->version = version;
	json_index_init(&s->index);
	line_shapes_init(&s->shapes, root->end);
	return s;
}

void
line_scanner_free(struct line_scanner *s)
{
	if (s == NULL)
		return;
	json_index_fini(&s->index);
	line_shapes_fini(&s->shapes);
	free(s);
}

void
scanned_lines_fini(struct scanned_lines *s)
{
	free(s->lines);
	free(s->slots);
	*s = (struct scanned_lines){ 0 };
}

/* The key whose quote is a token, without its quotes. */
static struct span
key_at(const struct indexed_line *l, size_t token)
{
	struct span s = indexed_line_between(l, token, token + 1);

	return (struct span){ s.p + 1, s.n - 2 };
}

/*
 * Walk through the tokens of a line, which is a good one, or false: it is bad
 * or more than this can do.  The draft then has where the fields are, and with
 * *keep all that makes a shape.
 */
static bool
walk(struct line_scanner *s, const struct indexed_line *l, bool *keep)
{
	struct line_shape *d = s->shapes.draft;
	struct level *top = s->levels;
	const struct scan_node *node = s->root, *child;
	struct span key;
	bool escaped;
	size_t i = 0;
	int slot;

	*keep = l->ntokens < LINE_SHAPE_TOKENS;
	d->nkeys = d->nshorts = d->nlongs = d->nscalars = 0;
	d->slow = false;
	for (int k = 0; k < s->root->end; k++)
		d->found[k].token = TOKEN_NOWHERE;
	if (l->token[0] != '{')
		return false;
value:
	/* An earlier member of this name is forgotten, with all below it. */
	slot = SCAN_NO_SLOT;
	if (node != NULL) {
		for (int k = node->first; k < node->end; k++)
			d->found[k].token = TOKEN_NOWHERE;
		slot = node->slot;
		if (slot >= 0)
			d->found[slot] =
			    (struct token_place){ .token = (uint16_t)i,
				    .last = (uint16_t)(i + 1),
				    .scalar = l->token[i] == '0' };
	}
	switch (l->token[i]) {
	case '"':
		break;
	case '0':
		if ((l->flags & LINE_MIXED) != 0 &&
		    !indexed_line_has_scalar(l, i))
			return false;
		if (*keep)
			d->scalars[d->nscalars++] = (uint16_t)i;
		break;
	case '{':
	case '[':
		if (top - s->levels == JSON_DEPTH)
			return false;
		*++top =
		    (struct level){ node, l->token[i] == '{' ? -1 : 0, slot };
		i++;
		if (top->index < 0) {
			if (l->token[i] != '}')
				goto key;
		} else if (l->token[i] != ']') {
			goto element;
		}
		goto end;
	default:
		return false;
	}
	i++;
next:
	if (l->token[i] == ',') {
		i++;
		if (top->index < 0)
			goto key;
		top->index++;
		goto element;
	}
	if (l->token[i] != (top->index < 0 ? '}' : ']'))
		return false;
end:
	if (top->slot >= 0) {
		d->found[top->slot].last = (uint16_t)i;
		d->found[top->slot].nested = true;
	}
	i++;
	if (--top > s->levels)
		goto next;
	return i == l->ntokens;
element:
	node = top->node;
	if (node != NULL)
		node = scan_node_element(node, 0, top->index);
	if (node != NULL && node->twin)
		return false;
	goto value;
key:
	if (l->token[i] != '"' || l->token[i + 1] != ':')
		return false;
	node = top->node;
	if (node != NULL) {
		key = key_at(l, i);
		escaped = indexed_line_has_escape(l, key);
		child = scan_node_member(node, 0, key, escaped);
		if (child != NULL && child->twin)
			return false;
		if (*keep)
			*keep = !escaped &&
			    line_shape_note_key(d, l, i, key, node, child);
		node = child;
	}
	i += 2;
	goto value;
}

/* scan_line where the shape of the last line will not do. */
static __attribute__((noinline)) bool
scan_other_line(struct line_scanner *s, const struct indexed_line *l,
    struct value *slots)
{
	struct line_shape *shape = line_shapes_find(&s->shapes, l);
	bool keep;

	if (shape != NULL && line_shape_fits(shape, l) &&
	    line_shape_has_keys(shape, l)) {
		s->shapes.last = shape;
		if (!line_shape_has_scalars(shape, l))
			return false;
		line_shape_fill(l, shape->found, s->root->end, slots);
		return true;
	}
	if (!walk(s, l, &keep))
		return false;
	line_shape_fill(l, s->shapes.draft->found, s->root->end, slots);
	if (keep && (shape == NULL || shape->misses++ == SHAPE_MISSES))
		line_shapes_keep(&s->shapes, l);
	return true;
}

/*
 * Scan a line that is not bad.  False: it is, after all, or not known.  Other
 * lines than the last one are not scanned in line, where they would take the
 * registers: 2 % off a join.
 */
static inline bool
scan_line(struct line_scanner *s, const struct indexed_line *l,
    struct value *slots)
{
	const struct line_shape *shape = s->shapes.last;

	if (__builtin_expect(shape == NULL || !line_shape_fits(shape, l) ||
		    !line_shape_has_keys(shape, l) ||
		    !line_shape_has_scalars(shape, l),
		false))
		return scan_other_line(s, l, slots);
	line_shape_fill(l, shape->found, s->root->end, slots);
	return true;
}

/* Room for n more lines. */
static void
make_room(const struct line_scanner *s, struct scanned_lines *out, size_t n)
{
	size_t nslots = (size_t)s->root->end;

	if (out->cap < out->n + n)
		out->lines = memory_grow(out->lines, &out->cap, out->n + n,
		    sizeof *out->lines);
	if (out->slots_cap < (out->n + n) * nslots)
		out->slots = memory_grow(out->slots, &out->slots_cap,
		    (out->n + n) * nslots, sizeof *out->slots);
}

/* Let json_scan do a line. */
static __attribute__((noinline)) void
scan_singly(const struct line_scanner *s, const char *base, struct span raw,
    struct scanned_line *line, struct value *slots)
{
	struct span object = json_trim(raw);

	if (object.n == 0 || json_scan(s->root, object, slots, NULL) < 0)
		object.n = 0;
	line->object_at = (uint32_t)(object.p - base);
	line->object_n = (uint32_t)object.n;
}

/* Both of these return how many bytes have been scanned. */
static size_t
scan_all_singly(const struct line_scanner *s, const char *base,
    struct span text, size_t max_line, struct scanned_lines *out)
{
	const char *p = text.p, *end = p + text.n;

	while (p < end) {
		const char *newline = memchr(p, '\n', (size_t)(end - p));
		struct span raw = { p, (size_t)(newline - p) };
		struct scanned_line *line;

		if (raw.n > max_line)
			break;
		make_room(s, out, 1);
		line = &out->lines[out->n];
		line->at = (uint32_t)(p - base);
		line->n = (uint32_t)raw.n;
		scan_singly(s, base, raw, line,
		    out->slots + out->n * (size_t)s->root->end);
		out->n++;
		p = newline + 1;
	}
	return (size_t)(p - text.p);
}

static size_t
scan_indexed(struct line_scanner *s, const char *base, struct span text,
    size_t max_line, struct scanned_lines *out)
{
	const struct json_index *x = &s->index;
	uint32_t start = (uint32_t)(text.p - base), at = 0;
	size_t nslots = (size_t)s->root->end, first = 0;

	s->version->index(&s->index, text);
	make_room(s, out, x->nlines);
	for (size_t i = 0; i < x->nlines; i++) {
		size_t last = x->lines[i] >> LINE_FLAG_BITS;
		struct indexed_line l = { text.p, x->at + first,
			x->token + first, last - first,
			x->lines[i] & LINE_FLAGS };
		struct scanned_line *line = &out->lines[out->n];
		struct value *slots = out->slots + out->n * nslots;

		line->at = start + at;
		line->n = (uint32_t)x->at[last] - at;
		if (line->n > max_line)
			break;
		if (l.ntokens != 0 && (l.flags & LINE_BAD) == 0 &&
		    scan_line(s, &l, slots)) {
			line->object_at = start + l.at[0];
			line->object_n =
			    (uint32_t)(l.at[l.ntokens - 1] - l.at[0]) + 1;
		} else {
			scan_singly(s, base,
			    (struct span){ text.p + at, line->n }, line, slots);
		}
		out->n++;
		at = (uint32_t)x->at[last] + 1;
		first = last + 1;
	}
	return at;
}

/*
 * The lines at the beginning of text that are indexed at once, up to the one
 * that makes a chunk full, or the one before where that is too long.
 */
static struct span
cut(struct span text)
{
	const char *end;

	if (text.n <= CHUNK)
		return text;
	end = (const char *)memchr(text.p + CHUNK, '\n', text.n - CHUNK) + 1;
	if (end - text.p > JSON_INDEX_MAX)
		for (size_t n = CHUNK; n > 0; n--)
			if (text.p[n - 1] == '\n')
				return (struct span){ text.p, n };
	return (struct span){ text.p, (size_t)(end - text.p) };
}

size_t
line_scanner_scan(struct line_scanner *s, const char *base, struct span text,
    size_t max_line, struct scanned_lines *out)
{
	size_t at = 0, n;
	struct span lines;

	do {
		lines = cut((struct span){ text.p + at, text.n - at });
		if ((size_t)(lines.p - base) + lines.n > UINT32_MAX)
			break;
		if (s->version == NULL || lines.n > JSON_INDEX_MAX)
			n = scan_all_singly(s, base, lines, max_line, out);
		else
			n = scan_indexed(s, base, lines, max_line, out);
		at += n;
	} while (n == lines.n && at < text.n);
	return at;
}
