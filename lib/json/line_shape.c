/*
 * SPDX-License-Identifier: ISC
 */
#include <stdlib.h>

#include "base/memory.h"
#include "json/line_shape.h"

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

static void
add_suspect(struct line_shape *d, size_t token, struct span key,
    const struct scan_node *node, const struct scan_node *child)
{
	struct line_shape_suspect u = {
		.token = (uint16_t)token, .node = node, .child = child
	};
	char padded[8] = { 0 };

	if (key.n <= 8) {
		memcpy(padded, key.p, key.n);
		memset(&u.mask, 0xff, key.n);
		u.head = line_load8(padded);
		d->suspects[d->nshorts++] = u;
	} else {
		u.head = line_load8(key.p);
		u.tail_at = (uint16_t)(key.n - 8);
		u.tail = line_load8(key.p + u.tail_at);
		d->suspects[LINE_SHAPE_SUSPECTS - ++d->nlongs] = u;
		d->slow |= key.n > 16;
	}
}

bool
line_shape_note_key(struct line_shape *d, const struct indexed_line *l,
    size_t token, struct span key, const struct scan_node *node,
    const struct scan_node *child)
{
	size_t gap = (size_t)(l->at[token + 1] - l->at[token]), i = 0;

	if (gap != key.n + 2 || d->nshorts + d->nlongs == LINE_SHAPE_SUSPECTS)
		return false;
	d->keys[d->nkeys++] =
	    (struct line_shape_key){ (uint16_t)token, (uint16_t)gap };
	while (i < node->nchildren &&
	    (node->children[i].name.p == NULL ||
		node->children[i].name.n != key.n))
		i++;
	if (i < node->nchildren)
		add_suspect(d, token, key, node, child);
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
line_shapes_find(struct line_shapes *s, const struct indexed_line *l)
{
	struct line_shape *shape = s->known[hash_tokens(l)];
	uint64_t differ = 0;

	if (shape == NULL || shape->ntokens != l->ntokens)
		return NULL;
	for (size_t i = 0; i < shape->nblocks; i++)
		differ |=
		    (line_load8(l->token + 8 * i) ^ shape->blocks[i].tokens) &
		    shape->blocks[i].mask;
	return differ == 0 ? shape : NULL;
}

/* Tell whether all keys are plain, and end before their colon. */
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

bool
line_shape_keys_will_do(const struct line_shape *shape,
    const struct indexed_line *l)
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

	d->ntokens = l->ntokens;
	d->nblocks = (l->ntokens + 7) / 8;
	for (size_t i = 0; i < d->nblocks; i++) {
		size_t n = l->ntokens - 8 * i;

		d->blocks[i] = (struct line_shape_block){ .mask = UINT64_MAX >>
			    (n < 8 ? 64 - 8 * n : 0) };
		d->blocks[i].tokens =
		    line_load8(l->token + 8 * i) & d->blocks[i].mask;
	}
	for (size_t i = 0; i < d->nkeys; i++) {
		struct line_shape_key k = d->keys[i];
		struct line_shape_block *b = &d->blocks[k.token / 8];

		b->gaps[k.token % 8] = k.gap;
		b->keys[k.token % 8] = UINT16_MAX;
	}
	d->misses = 0;
	s->draft = *place != NULL ? *place : shape_new(s->nslots);
	s->last = *place = d;
}

void
line_shape_fill_slowly(const struct indexed_line *l,
    const struct token_place *found, int n, struct value *slots)
{
	for (int i = 0; i < n; i++) {
		const struct token_place *f = &found[i];
		struct span raw;

		if (f->token == TOKEN_NOWHERE) {
			slots[i].p = NULL;
			continue;
		}
		raw = indexed_line_between(l, f->token, f->last);
		if (f->nested)
			raw.n = (size_t)(l->at[f->last] - l->at[f->token]) + 1;
		slots[i] = value_from(raw,
		    l->token[f->token] == '"' &&
			indexed_line_has_escape(l, raw));
		slots[i].digits = f->scalar && (l->flags & LINE_MIXED) == 0;
	}
}
