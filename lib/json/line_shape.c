/*
 * SPDX-License-Identifier: ISC
 */
#include <stdlib.h>

#include "base/memory.h"
#include "base/number.h"
#include "json/line_shape.h"

bool
indexed_line_has_scalar(const struct indexed_line *l, size_t token)
{
	const char *p = l->text + l->at[token],
		   *next = l->text + l->at[token + 1];
	const char *end, *lacks = NULL;

	switch (*p) {
	case 't':
		end = memcmp(p, "true", 4) == 0 ? p + 4 : p;
		break;
	case 'f':
		end = memcmp(p, "false", 5) == 0 ? p + 5 : p;
		break;
	case 'n':
		end = memcmp(p, "null", 4) == 0 ? p + 4 : p;
		break;
	default:
		end = number_end(p, &lacks);
		if (lacks != NULL)
			return false;
	}
	return end != p &&
	    (end == next || *end == ' ' || *end == '\t' || *end == '\r');
}

struct line_shape *
line_shape_new(int nslots)
{
	struct line_shape *shape = memory_new(1, sizeof *shape);

	shape->nslots = nslots;
	shape->found = memory_new((size_t)nslots, sizeof *shape->found);
	return shape;
}

void
line_shape_free(struct line_shape *shape)
{
	if (shape != NULL)
		free(shape->found);
	free(shape);
}

void
line_shape_begin(struct line_shape *shape, const struct indexed_line *l)
{
	shape->nkeys = shape->nshorts = shape->nlongs = shape->nscalars = 0;
	shape->slow = false;
	shape->reusable = l->ntokens < LINE_SHAPE_TOKENS;
	shape->misses = 0;
	for (int i = 0; i < shape->nslots; i++)
		shape->found[i].token = TOKEN_NOWHERE;
}

/* Eight bytes, in the order of the machine. */
static inline uint64_t
load8(const void *p)
{
	uint64_t v;

	memcpy(&v, p, sizeof v);
	return v;
}

static void
add_suspect(struct line_shape *shape, size_t token, struct span key,
    const struct scan_node *node, const struct scan_node *child)
{
	struct line_shape_suspect u = {
		.token = (uint16_t)token, .node = node, .child = child
	};
	char padded[8] = { 0 };

	if (key.n <= 8) {
		memcpy(padded, key.p, key.n);
		memset(&u.mask, 0xff, key.n);
		u.head = load8(padded);
		shape->suspects[shape->nshorts++] = u;
	} else {
		u.head = load8(key.p);
		u.tail_at = (uint16_t)(key.n - 8);
		u.tail = load8(key.p + u.tail_at);
		shape->suspects[LINE_SHAPE_SUSPECTS - ++shape->nlongs] = u;
		shape->slow |= key.n > 16;
	}
}

void
line_shape_add_key(struct line_shape *shape, const struct indexed_line *l,
    size_t token, struct span key, const struct scan_node *node,
    const struct scan_node *child)
{
	size_t gap = (size_t)(l->at[token + 1] - l->at[token]), i = 0;

	if (gap != key.n + 2 || indexed_line_has_escape(l, key) ||
	    shape->nshorts + shape->nlongs == LINE_SHAPE_SUSPECTS)
		shape->reusable = false;
	if (!shape->reusable)
		return;
	shape->keys[shape->nkeys++] =
	    (struct line_shape_key){ (uint16_t)token, (uint16_t)gap };
	while (i < node->nchildren &&
	    (node->children[i].name.p == NULL ||
		node->children[i].name.n != key.n))
		i++;
	if (i < node->nchildren)
		add_suspect(shape, token, key, node, child);
}

void
line_shape_add_scalar(struct line_shape *shape, size_t token)
{
	if (shape->reusable)
		shape->scalars[shape->nscalars++] = (uint16_t)token;
}

void
line_shape_finish(struct line_shape *shape, const struct indexed_line *l)
{
	shape->ntokens = l->ntokens;
	shape->nblocks = (l->ntokens + 7) / 8;
	for (size_t i = 0; i < shape->nblocks; i++) {
		struct line_shape_block *b = &shape->blocks[i];
		size_t n = l->ntokens - 8 * i;

		*b = (struct line_shape_block){ .mask = UINT64_MAX >>
			    (n < 8 ? 64 - 8 * n : 0) };
		b->tokens = load8(l->token + 8 * i) & b->mask;
	}
	for (size_t i = 0; i < shape->nkeys; i++) {
		struct line_shape_key k = shape->keys[i];
		struct line_shape_block *b = &shape->blocks[k.token / 8];

		b->gaps[k.token % 8] = k.gap;
		b->keys[k.token % 8] = UINT16_MAX;
	}
}

uint32_t
line_shape_hash(const struct indexed_line *l)
{
	uint64_t h = l->ntokens;

	for (size_t i = 0; i + 8 <= l->ntokens; i += 8)
		h = (h ^ load8(l->token + i)) * 0x9e3779b97f4a7c15;
	return (uint32_t)(h >> 32);
}

bool
line_shape_has_tokens(const struct line_shape *shape,
    const struct indexed_line *l)
{
	uint64_t differ = shape->ntokens ^ l->ntokens;

	for (size_t i = 0; i < shape->nblocks && differ == 0; i++)
		differ = (load8(l->token + 8 * i) ^ shape->blocks[i].tokens) &
		    shape->blocks[i].mask;
	return differ == 0;
}

/* The offsets of eight tokens, from that one on. */
static line_shape_gaps
offsets(const struct indexed_line *l, size_t token)
{
	line_shape_gaps at;

	memcpy(&at, l->at + token, sizeof at);
	return at;
}

/*
 * Tell whether a line has the tokens of a shape, and its keys are as long as
 * those of the shape.
 */
static bool
fits(const struct line_shape *shape, const struct indexed_line *l)
{
	line_shape_gaps gaps = { 0 };
	uint64_t differ = 0, halves[2];

	if (shape->ntokens != l->ntokens)
		return false;
	for (size_t i = 0; i < shape->nblocks; i++) {
		const struct line_shape_block *b = &shape->blocks[i];
		line_shape_gaps gap = offsets(l, 8 * i + 1) - offsets(l, 8 * i);

		differ |= (load8(l->token + 8 * i) ^ b->tokens) & b->mask;
		gaps |= (gap ^ b->gaps) & b->keys;
	}
	memcpy(halves, &gaps, sizeof halves);
	return (differ | halves[0] | halves[1]) == 0;
}

/* Tell whether no key has an escape, and each ends before its colon. */
static bool
has_plain_keys(const struct line_shape *shape, const struct indexed_line *l)
{
	for (size_t i = 0; i < shape->nkeys; i++) {
		struct line_shape_key k = shape->keys[i];
		const char *p = l->text + l->at[k.token];

		if (p[k.gap - 1] != '"' ||
		    indexed_line_has_escape(l, (struct span){ p, k.gap }))
			return false;
	}
	return true;
}

/* Tell whether what looked for a key looks for that of the line too. */
static bool
is_cleared(const struct line_shape_suspect *u, const struct indexed_line *l)
{
	const char *p = l->text + l->at[u->token];
	size_t gap = (size_t)(l->at[u->token + 1] - l->at[u->token]);

	return scan_node_member(u->node, 0, (struct span){ p + 1, gap - 2 },
		   false) == u->child;
}

/* has_keys where there is white space, or escapes, or other keys. */
static bool
keys_will_do(const struct line_shape *shape, const struct indexed_line *l)
{
	if (!has_plain_keys(shape, l))
		return false;
	for (size_t i = 0; i < LINE_SHAPE_SUSPECTS; i++)
		if ((i < shape->nshorts ||
			i >= LINE_SHAPE_SUSPECTS - shape->nlongs) &&
		    !is_cleared(&shape->suspects[i], l))
			return false;
	return true;
}

/* Tell whether the keys of a line, which fits, are found by what found those. */
static bool
has_keys(const struct line_shape *shape, const struct indexed_line *l)
{
	uint64_t differ =
	    shape->slow | (l->flags & (LINE_SPACED | LINE_ESCAPED));

	for (size_t i = 0; i < shape->nshorts; i++) {
		const struct line_shape_suspect *u = &shape->suspects[i];
		const char *p = l->text + l->at[u->token] + 1;

		differ |= (load8(p) & u->mask) ^ u->head;
	}
	for (size_t i = 0; i < shape->nlongs; i++) {
		const struct line_shape_suspect *u =
		    &shape->suspects[LINE_SHAPE_SUSPECTS - 1 - i];
		const char *p = l->text + l->at[u->token] + 1;

		differ |=
		    (load8(p) ^ u->head) | (load8(p + u->tail_at) ^ u->tail);
	}
	return differ == 0 || keys_will_do(shape, l);
}

/* Tell whether the numbers and words of a line, which fits, are valid. */
static bool
has_scalars(const struct line_shape *shape, const struct indexed_line *l)
{
	if ((l->flags & LINE_MIXED) == 0)
		return true;
	for (size_t i = 0; i < shape->nscalars; i++)
		if (!indexed_line_has_scalar(l, shape->scalars[i]))
			return false;
	return true;
}

/* Take the white space off the end of a value, and look for escapes in it. */
static void
tidy(const struct indexed_line *l, const struct token_place *f, struct value *v)
{
	if (!f->nested)
		v->n = (uint32_t)indexed_line_between(l, f->token, f->last).n;
	v->escaped = *v->p == '"' && indexed_line_has_escape(l, value_raw(v));
}

/* Point the slots to where the fields of a line are. */
static inline void
fill(const struct line_shape *shape, const struct indexed_line *l,
    struct value *slots)
{
	bool digits = (l->flags & LINE_MIXED) == 0;
	bool untidy = (l->flags & (LINE_SPACED | LINE_ESCAPED)) != 0;
	const struct token_place *f = shape->found;

	for (struct value *v = slots; v < slots + shape->nslots; v++, f++) {
		uint32_t start;

		if (f->token == TOKEN_NOWHERE) {
			v->p = NULL;
			continue;
		}
		start = l->at[f->token];
		v->p = l->text + start;
		v->n = l->at[f->last] - start + f->nested;
		v->escaped = false;
		v->digits = f->scalar & digits;
		if (untidy)
			tidy(l, f, v);
	}
}

bool
line_shape_match(const struct line_shape *shape, const struct indexed_line *l,
    struct value *slots)
{
	if (!fits(shape, l) || !has_keys(shape, l) || !has_scalars(shape, l))
		return false;
	fill(shape, l, slots);
	return true;
}

void
line_shape_fill(const struct line_shape *shape, const struct indexed_line *l,
    struct value *slots)
{
	fill(shape, l, slots);
}
