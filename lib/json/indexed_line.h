/*
 * indexed_line - one line of those that a json_index has the tokens of.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef JSON_INDEXED_LINE_H
#define JSON_INDEXED_LINE_H

#include <stdint.h>
#include <string.h>

#include "base/span.h"
#include "json/index.h"

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

/*
 * Tell whether a token that is none of the others begins a number or a word.
 */
bool indexed_line_has_scalar(const struct indexed_line *l, size_t token);

#endif
