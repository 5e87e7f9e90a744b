/*
 * line_shape - the structure that lines of a log share.  A line whose shape is
 * known from an earlier, valid line is valid without being parsed again.
 *
 * The tokens of a line are its braces, brackets, colons, commas, quotes, and
 * the first bytes of its numbers and words (true, false, null).  line_walk
 * parses a line by the grammar and records a shape: the tokens, which of them
 * begin keys, numbers and words, and which are the values of the wanted
 * fields.  A later line has the same shape if it has the same tokens, if its
 * keys are as long and select the same fields, and if its numbers and words
 * are valid.  Then its fields are at the same tokens.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef JSON_LINE_SHAPE_H
#define JSON_LINE_SHAPE_H

#include <string.h>

#include "json/index.h"
#include "json/scanner.h"

/* One of the lines whose tokens a json_index has found. */
struct indexed_line {
	const char *text;     /* where offsets count from */
	const uint16_t *at;   /* the offset of each token */
	const uint8_t *token; /* its byte; '0' for numbers and words */
	size_t ntokens;	      /* without the newline */
	uint32_t flags;	      /* LINE_SPACED, LINE_ESCAPED */
};

/*
 * The bytes from one token up to a later one, without white space at their
 * end.
 */
static inline struct span
indexed_line_between(const struct indexed_line *l, size_t token, size_t next)
{
	const char *p = l->text + l->at[token], *end = l->text + l->at[next];

	if ((l->flags & LINE_SPACED) != 0)
		while (end[-1] == ' ' || end[-1] == '\t' || end[-1] == '\r')
			end--;
	return (struct span){ p, (size_t)(end - p) };
}

/* Tell whether s, which is a part of the line, has an escape. */
static inline bool
indexed_line_has_escape(const struct indexed_line *l, struct span s)
{
	return (l->flags & LINE_ESCAPED) != 0 && memchr(s.p, '\\', s.n) != NULL;
}

/* Tell whether a valid number or word begins at a token, which is '0'. */
bool indexed_line_has_scalar(const struct indexed_line *l, size_t token);

enum {
	LINE_SHAPE_TOKENS = 512, /* the shape of a longer line is not kept */
	LINE_SHAPE_BLOCKS = LINE_SHAPE_TOKENS / 8,
	LINE_SHAPE_SUSPECTS = 128,
	TOKEN_NOWHERE = UINT16_MAX,
};

/* Which tokens are the value of a slot. */
struct token_place {
	uint16_t token; /* where it begins; TOKEN_NOWHERE: it is absent */
	uint16_t last;	/* its closing brace or bracket, or the next token */
	bool nested;	/* an object or array: last is a part of it */
	bool scalar;
};

/* A key of an object that has wanted fields. */
struct line_shape_key {
	uint16_t token, gap; /* gap: bytes from its quote to its colon */
};

/*
 * A key that is the name of a wanted field, or could be by its length.  A
 * line's key of up to 16 bytes is this one if its first and last eight bytes
 * are the same.
 */
struct line_shape_suspect {
	uint16_t token;
	uint16_t tail_at;    /* where the last eight bytes begin */
	uint64_t mask;	     /* the bytes of head that belong to the key */
	uint64_t head, tail; /* tail: only of keys longer than eight bytes */
	const struct scan_node *node;  /* the object's */
	const struct scan_node *child; /* the wanted field's, or NULL */
};

typedef uint16_t line_shape_gaps __attribute__((vector_size(16)));

/* Eight tokens, and the gaps behind those that are keys, with masks. */
struct line_shape_block {
	uint64_t tokens, mask;
	line_shape_gaps gaps, keys;
};

struct line_shape {
	struct line_shape_block blocks[LINE_SHAPE_BLOCKS];
	size_t nblocks, ntokens, nkeys, nscalars;
	struct line_shape_key keys[LINE_SHAPE_TOKENS / 2];
	/* Up to eight bytes: filled from the front; longer: from the back. */
	struct line_shape_suspect suspects[LINE_SHAPE_SUSPECTS];
	size_t nshorts, nlongs;
	uint16_t scalars[LINE_SHAPE_TOKENS];
	bool slow;	 /* some suspect has more than 16 bytes */
	bool reusable;	 /* finished, and within the limits above */
	unsigned misses; /* lines with the same tokens and another shape */
	int nslots;
	struct token_place *found; /* of each slot */
};

/*
 * Make an empty shape for lines in which nslots fields are looked for.
 *
 * Owns:   the caller frees it with line_shape_free.
 * Errors: none; stops the program when memory runs out.
 */
struct line_shape *line_shape_new(int nslots);
void line_shape_free(struct line_shape *shape);

/*
 * Record the shape of a line, as line_walk comes through it: begin; add each
 * key of an object that has wanted fields, and each number and word, in their
 * order; finish when the line has proved to be valid.  The caller itself
 * fills shape->found.
 *
 * Shape:  node is the object's; child is the wanted field's of that name, or
 *         NULL.
 * Errors: none; a line beyond the limits makes a shape that is not reusable.
 */
void line_shape_begin(struct line_shape *shape, const struct indexed_line *l);
void line_shape_add_key(struct line_shape *shape, const struct indexed_line *l,
    size_t token, struct span key, const struct scan_node *node,
    const struct scan_node *child);
void line_shape_add_scalar(struct line_shape *shape, size_t token);
void line_shape_finish(struct line_shape *shape, const struct indexed_line *l);

/* Hash the tokens of a line; lines of one shape have the same hash. */
uint32_t line_shape_hash(const struct indexed_line *l);

/* Tell whether a line has the same tokens as a shape. */
bool line_shape_has_tokens(const struct line_shape *shape,
    const struct indexed_line *l);

/*
 * Point the slots at the fields of a line.  _match first checks that the line
 * has this shape; _fill is for the line that the shape was made from.
 *
 * Shape:  the shape is finished, and for _match reusable.
 * Owns:   the slots point into the line.
 * Errors: _match returns false for a line of another shape; the slots are
 *         then undefined.
 */
bool line_shape_match(const struct line_shape *shape,
    const struct indexed_line *l, struct value *slots);
void line_shape_fill(const struct line_shape *shape,
    const struct indexed_line *l, struct value *slots);

#endif
