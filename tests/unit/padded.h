/*
 * padded - text in an allocation of exactly its length and JSON_PAD, so that
 * the sanitizer stops what reads further.  Only the first byte of the pad is
 * what the scanner may rely on; the others would go on nearly any value.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef PADDED_H
#define PADDED_H

#include <assert.h>
#include <stdlib.h>

#include "json/scanner.h"
#include "tuple/projection.h"
#include "tuple/tuple.h"

/* Copy s behind so many other bytes, or none; the caller frees. */
static inline char *
padded_behind(size_t before, struct span s)
{
	static const char pad[] = "\n\"}]0 ,:e.+\\u0a\"";
	char *p = malloc(before + s.n + JSON_PAD);

	static_assert(sizeof pad == JSON_PAD + 1, "the pad is another one");
	assert(p != NULL);
	memset(p, '"', before);
	if (s.n != 0)
		memcpy(p + before, s.p, s.n);
	memcpy(p + before + s.n, pad, JSON_PAD);
	return p;
}

static inline char *
padded(struct span s)
{
	return padded_behind(0, s);
}

static inline int
padded_validate(struct span s, struct fault *f)
{
	char *p = padded(s);
	int result = json_validate((struct span){ p, s.n }, f);

	free(p);
	return result;
}

/* A projection, and the last line that was scanned with it. */
struct scanned {
	struct projection projection;
	struct value *slots;
	char *line;
	struct buffer scratch;
	struct fault fault;
	struct tuple tuple;
};

/* Shape:  fields is what an option takes, and is right. */
static inline void
scanned_init(struct scanned *s, const char *fields)
{
	const char *wrong;
	size_t first, n;

	*s = (struct scanned){ 0 };
	projection_init(&s->projection);
	wrong = projection_add(&s->projection, fields, &first, &n);
	assert(wrong == NULL);
	(void)wrong;
	projection_compile(&s->projection);
	s->slots = memory_new((size_t)s->projection.nslots, sizeof *s->slots);
}

static inline void
scanned_fini(struct scanned *s)
{
	free(s->line);
	free(s->slots);
	buffer_fini(&s->scratch);
	projection_fini(&s->projection);
}

/* Scan a line; what it fills is good until the next. */
static inline int
scanned_line(struct scanned *s, struct span line)
{
	free(s->line);
	s->line = padded(line);
	s->fault = (struct fault){ 0 };
	s->tuple = (struct tuple){ .line = { s->line, line.n },
		.projection = &s->projection,
		.slots = s->slots,
		.scratch = &s->scratch };
	return json_scan(&s->projection.root, s->tuple.line, s->slots,
	    &s->fault);
}

/* The field's bytes as a C string in a buffer of the scanned's; NULL: none. */
static inline const char *
scanned_field(struct scanned *s, size_t field)
{
	const struct value *v = tuple_field(&s->tuple, field);

	if (v == NULL)
		return NULL;
	s->scratch.n = 0;
	buffer_put(&s->scratch, value_raw(v));
	buffer_byte(&s->scratch, '\0');
	return s->scratch.p;
}

#endif
