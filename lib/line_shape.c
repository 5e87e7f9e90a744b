/*
 * SPDX-License-Identifier: ISC
 */
#include <stdlib.h>

#include "line_shape.h"
#include "memory.h"

static struct line_shape *
shape_new(int nslots)
{
	struct line_shape *shape = memory_new(1, sizeof *shape);

	shape->found = memory_new((size_t)nslots, sizeof *shape->found);
	return shape;
}

static void
shape_free(struct line_shape *shape)
{
	if (shape != NULL)
		free(shape->found);
	free(shape);
}

void
line_shapes_init(struct line_shapes *s, int nslots)
{
	*s = (struct line_shapes){ .draft = shape_new(nslots),
		.nslots = nslots };
}

void
line_shapes_fini(struct line_shapes *s)
{
	for (size_t i = 0; i < LINE_SHAPES; i++)
		shape_free(s->known[i]);
	shape_free(s->draft);
}

static struct line_shape_suspect
suspect_of(size_t token, const struct scan_node *child, bool is)
{
	struct line_shape_suspect u = { .token = (uint16_t)token,
		.is = is,
		.mask = UINT64_MAX,
		.child = child };
	struct span name = child->name;
	char padded[16] = { 0 };

	memcpy(padded, name.p, name.n < 16 ? name.n : 16);
	if (name.n < 8)
		u.mask = ((uint64_t)1 << 8 * name.n) - 1;
	else
		u.tail_at = (uint16_t)(name.n < 16 ? name.n - 8 : 8);
	u.head = line_load8(padded);
	u.tail = line_load8(padded + u.tail_at);
	return u;
}

bool
line_shape_note_key(struct line_shape *d, const struct indexed_line *l,
    size_t token, struct span key, const struct scan_node *node,
    const struct scan_node *child)
{
	size_t gap = (size_t)(l->at[token + 1] - l->at[token]);

	if (gap != key.n + 2)
		return false;
	d->keys[d->nkeys++] =
	    (struct line_shape_key){ (uint16_t)token, (uint16_t)gap };
	for (size_t i = 0; i < node->nchildren; i++) {
		const struct scan_node *other = &node->children[i];

		if (other->name.p == NULL || other->name.n != key.n)
			continue;
		if (d->nsuspects == LINE_SHAPE_SUSPECTS)
			return false;
		d->suspects[d->nsuspects++] =
		    suspect_of(token, other, other == child);
	}
	return true;
}

static size_t
hash_tokens(const struct indexed_line *l)
{
	uint64_t h = l->ntokens;

	for (size_t i = 0; i + 8 <= l->ntokens; i += 8)
		h = (h ^ line_load8(l->token + i)) * 0x9e3779b97f4a7c15;
	return (size_t)(h >> 32) % LINE_SHAPES;
}

struct line_shape *
line_shapes_look_up(struct line_shapes *s, const struct indexed_line *l)
{
	struct line_shape *shape = s->known[hash_tokens(l)];

	return shape != NULL && line_shape_has_tokens(shape, l) ? shape : NULL;
}

bool
line_shape_has_plain_keys(const struct line_shape *shape,
    const struct indexed_line *l)
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

bool
line_shape_has_good_scalars(const struct line_shape *shape,
    const struct indexed_line *l)
{
	for (size_t i = 0; i < shape->nscalars; i++)
		if (!indexed_line_has_scalar(l, shape->scalars[i]))
			return false;
	return true;
}

void
line_shapes_keep(struct line_shapes *s, const struct indexed_line *l)
{
	struct line_shape *d = s->draft;
	struct line_shape **place = &s->known[hash_tokens(l)];
	size_t used;

	d->ntokens = l->ntokens;
	d->nwords = (l->ntokens + 7) / 8;
	used = l->ntokens - 8 * (d->nwords - 1);
	d->last_mask = UINT64_MAX >> (64 - 8 * used);
	for (size_t i = 0; i < d->nwords; i++)
		d->words[i] = line_load8(l->token + 8 * i);
	d->words[d->nwords - 1] &= d->last_mask;
	d->misses = 0;
	s->draft = *place != NULL ? *place : shape_new(s->nslots);
	s->last = *place = d;
}
