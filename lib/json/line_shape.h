/*
 * line_shape - what lines have in common whose tokens are the same, so that a
 * line like an earlier good one needs no look at the grammar.
 *
 * A shape has the tokens of a good line, where among them the wanted fields
 * are, and what has to be checked before a line is taken to be of that shape:
 * that its keys are as long, that those that are wanted, or as long as one
 * that is, are the same, or at least what looks for them is, and that its
 * numbers and words are any.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef JSON_LINE_SHAPE_H
#define JSON_LINE_SHAPE_H

#include "json/indexed_line.h"
#include "json/scanner.h"

enum {
	/* A line of more tokens has no shape. */
	LINE_SHAPE_TOKENS = 512,
	LINE_SHAPE_BLOCKS = LINE_SHAPE_TOKENS / 8,
	LINE_SHAPE_SUSPECTS = 128,
	LINE_SHAPES = 64, /* a power of two */
	TOKEN_NOWHERE = UINT16_MAX,
};

/* Where a slot's value is, among the tokens of its line. */
struct token_place {
	uint16_t token; /* TOKEN_NOWHERE where it is absent */
	uint16_t last;	/* its closing brace or bracket, or the next token */
	bool nested;	/* the last token is its own */
	bool scalar;
};

/* A key in an object that is looked into. */
struct line_shape_key {
	uint16_t token, gap; /* gap: bytes from its quote to its colon */
};

/*
 * One of them that is a name that is looked for, or by its length might be:
 * where the first and the last eight bytes of a line's key are its own, that
 * is the same key, if it has no more than 16.
 */
struct line_shape_suspect {
	uint16_t token;
	uint16_t tail_at;    /* where the last eight bytes begin */
	uint64_t mask;	     /* of the bytes that it has */
	uint64_t head, tail; /* tail only where it has more than eight */
	const struct scan_node *node, *child; /* child looks for it, of node */
};

typedef uint16_t line_shape_gaps __attribute__((vector_size(16)));

/* Eight tokens, and the gaps behind those that are keys; masks of both. */
struct line_shape_block {
	uint64_t tokens, mask;
	line_shape_gaps gaps, keys;
};

/* The tokens of a good line, and what follows from them. */
struct line_shape {
	struct line_shape_block blocks[LINE_SHAPE_BLOCKS];
	size_t nblocks, ntokens, nkeys, nscalars;
	struct line_shape_key keys[LINE_SHAPE_TOKENS / 2];
	/* Those of up to eight bytes from the front, others from the back. */
	struct line_shape_suspect suspects[LINE_SHAPE_SUSPECTS];
	size_t nshorts, nlongs;
	uint16_t scalars[LINE_SHAPE_TOKENS];
	bool slow; /* some suspect has more than 16 bytes */
	unsigned misses;
	struct token_place *found; /* of each slot */
};

/* Those that are remembered, and one in the making. */
struct line_shapes {
	struct line_shape *known[LINE_SHAPES], *last, *draft;
	int nslots;
};

void line_shapes_init(struct line_shapes *s, int nslots);
void line_shapes_fini(struct line_shapes *s);

/*
 * Note a key of an object that is looked into; child is what looks for it.
 *
 * Errors: false where the shape is of no use for other lines.
 */
bool line_shape_note_key(struct line_shape *d, const struct indexed_line *l,
    size_t token, struct span key, const struct scan_node *node,
    const struct scan_node *child);

/* Remember the draft as the shape of a line, and begin another one. */
void line_shapes_keep(struct line_shapes *s, const struct indexed_line *l);

/* Eight bytes, in the order of the machine. */
static inline uint64_t
line_load8(const void *p)
{
	uint64_t v;

	memcpy(&v, p, sizeof v);
	return v;
}

/* The offsets of eight tokens, from that one on. */
static inline line_shape_gaps
line_shape_load(const struct indexed_line *l, size_t token)
{
	line_shape_gaps at;

	memcpy(&at, l->at + token, sizeof at);
	return at;
}

/*
 * Tell whether a line has the tokens of a shape, and the keys among them are
 * where those of the shape are.
 */
static inline bool
line_shape_fits(const struct line_shape *shape, const struct indexed_line *l)
{
	line_shape_gaps gaps = { 0 };
	uint64_t differ = 0, halves[2];

	if (shape->ntokens != l->ntokens)
		return false;
	for (size_t i = 0; i < shape->nblocks; i++) {
		const struct line_shape_block *b = &shape->blocks[i];
		line_shape_gaps gap =
		    line_shape_load(l, 8 * i + 1) - line_shape_load(l, 8 * i);

		differ |= (line_load8(l->token + 8 * i) ^ b->tokens) & b->mask;
		gaps |= (gap ^ b->gaps) & b->keys;
	}
	memcpy(halves, &gaps, sizeof halves);
	return (differ | halves[0] | halves[1]) == 0;
}

/*
 * What the next two ask where they do not know: there is white space, or
 * escapes, or other keys; or there is more than digits.
 */
bool line_shape_keys_will_do(const struct line_shape *shape,
    const struct indexed_line *l);
bool line_shape_has_good_scalars(const struct line_shape *shape,
    const struct indexed_line *l);

/*
 * Tell whether the keys of a line, which fits the shape, are as good as those
 * of the shape; and whether its numbers and words are any.
 */
static inline bool
line_shape_has_keys(const struct line_shape *shape,
    const struct indexed_line *l)
{
	uint64_t differ =
	    shape->slow | (l->flags & (LINE_SPACED | LINE_ESCAPED));

	for (size_t i = 0; i < shape->nshorts; i++) {
		const struct line_shape_suspect *u = &shape->suspects[i];
		const char *p = l->text + l->at[u->token] + 1;

		differ |= (line_load8(p) & u->mask) ^ u->head;
	}
	for (size_t i = 0; i < shape->nlongs; i++) {
		const struct line_shape_suspect *u =
		    &shape->suspects[LINE_SHAPE_SUSPECTS - 1 - i];
		const char *p = l->text + l->at[u->token] + 1;

		differ |= (line_load8(p) ^ u->head) |
		    (line_load8(p + u->tail_at) ^ u->tail);
	}
	return differ == 0 || line_shape_keys_will_do(shape, l);
}

static inline bool
line_shape_has_scalars(const struct line_shape *shape,
    const struct indexed_line *l)
{
	return (l->flags & LINE_MIXED) == 0 ||
	    line_shape_has_good_scalars(shape, l);
}

/*
 * A remembered shape that has the tokens of the line, whether it fits or not;
 * NULL: there is none.
 */
struct line_shape *line_shapes_find(struct line_shapes *s,
    const struct indexed_line *l);

/* line_shape_fill where it may be more: there is white space, or escapes. */
void line_shape_fill_slowly(const struct indexed_line *l,
    const struct token_place *found, int n, struct value *slots);

/* Point the slots to where the fields of a line are. */
static inline void
line_shape_fill(const struct indexed_line *l, const struct token_place *found,
    int n, struct value *slots)
{
	const char *text = l->text;
	const uint16_t *at = l->at;
	bool digits = (l->flags & LINE_MIXED) == 0;

	if ((l->flags & (LINE_SPACED | LINE_ESCAPED)) != 0) {
		line_shape_fill_slowly(l, found, n, slots);
		return;
	}
	for (int i = 0; i < n; i++) {
		const struct token_place *f = &found[i];
		struct value *v = &slots[i];
		uint32_t start;

		if (f->token == TOKEN_NOWHERE) {
			v->p = NULL;
			continue;
		}
		start = at[f->token];
		v->p = text + start;
		v->n = at[f->last] - start + f->nested;
		v->escaped = false;
		v->digits = f->scalar & digits;
	}
}

#endif
