/*
 * line_shape - what lines have in common whose tokens are the same, so that a
 * line like an earlier valid one needs no look at the grammar.
 *
 * A shape is made while a valid line is walked through (line_walk): its
 * tokens, which of them are keys, numbers and words, and where among them the
 * wanted fields are.  Another line is of this shape if it has the same tokens,
 * if its keys are as long and mean the same to what looks for fields, and if
 * its numbers and words are valid.  Then its fields are where the shape says.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef JSON_LINE_SHAPE_H
#define JSON_LINE_SHAPE_H

#include <string.h>

#include "json/index.h"
#include "json/scanner.h"

/* One line of those that a json_index has the tokens of. */
struct indexed_line {
	const char *text; /* what the offsets are counted from */
	const uint16_t *at;
	const uint8_t *token;
	size_t ntokens; /* without the newline */
	uint32_t flags;
};

/* What lies between two tokens, without the white space at its end. */
static inline struct span
indexed_line_between(const struct indexed_line *l, size_t token, size_t next)
{
	const char *p = l->text + l->at[token], *end = l->text + l->at[next];

	if ((l->flags & LINE_SPACED) != 0)
		while (end[-1] == ' ' || end[-1] == '\t' || end[-1] == '\r')
			end--;
	return (struct span){ p, (size_t)(end - p) };
}

/* Tell whether there is an escape in s, which is of the line. */
static inline bool
indexed_line_has_escape(const struct indexed_line *l, struct span s)
{
	return (l->flags & LINE_ESCAPED) != 0 && memchr(s.p, '\\', s.n) != NULL;
}

/* Tell whether a token, which is a '0', begins a valid number or word. */
bool indexed_line_has_scalar(const struct indexed_line *l, size_t token);

enum {
	/* A line of more tokens makes no shape for others. */
	LINE_SHAPE_TOKENS = 512,
	LINE_SHAPE_BLOCKS = LINE_SHAPE_TOKENS / 8,
	LINE_SHAPE_SUSPECTS = 128,
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

struct line_shape {
	struct line_shape_block blocks[LINE_SHAPE_BLOCKS];
	size_t nblocks, ntokens, nkeys, nscalars;
	struct line_shape_key keys[LINE_SHAPE_TOKENS / 2];
	/* Those of up to eight bytes from the front, others from the back. */
	struct line_shape_suspect suspects[LINE_SHAPE_SUSPECTS];
	size_t nshorts, nlongs;
	uint16_t scalars[LINE_SHAPE_TOKENS];
	bool slow;	 /* some suspect has more than 16 bytes */
	bool reusable;	 /* other lines can be of it */
	unsigned misses; /* lines with its tokens that were not of it */
	int nslots;
	struct token_place *found; /* of each slot */
};

struct line_shape *line_shape_new(int nslots);
void line_shape_free(struct line_shape *shape);

/*
 * Begin a shape anew with a line; note a key in an object that is looked into,
 * child being what looks for it, and a number or word; finish, where the
 * shape has proved to be reusable.  Where the slots are is for the caller to
 * note in found.
 */
void line_shape_begin(struct line_shape *shape, const struct indexed_line *l);
void line_shape_add_key(struct line_shape *shape, const struct indexed_line *l,
    size_t token, struct span key, const struct scan_node *node,
    const struct scan_node *child);
void line_shape_add_scalar(struct line_shape *shape, size_t token);
void line_shape_finish(struct line_shape *shape, const struct indexed_line *l);

/* A hash of a line's tokens: lines of one shape have the same. */
uint32_t line_shape_hash(const struct indexed_line *l);

/* Tell whether a line has the tokens of a shape. */
bool line_shape_has_tokens(const struct line_shape *shape,
    const struct indexed_line *l);

/*
 * Point the slots to where the fields of a line are, if it is of this shape,
 * which is finished; or without a question, if the shape was begun with it.
 *
 * Errors: false where the line is of another shape.
 */
bool line_shape_match(const struct line_shape *shape,
    const struct indexed_line *l, struct value *slots);
void line_shape_fill(const struct line_shape *shape,
    const struct indexed_line *l, struct value *slots);

#endif
