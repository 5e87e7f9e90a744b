/*
 * SPDX-License-Identifier: ISC
 */
#include <stdlib.h>

#include "base/digits.h"
#include "base/utf8.h"
#include "json/scanner.h"
#include "tuple/stored_value.h"

/* Tell whether a database takes the bytes as text and shows all of them. */
static bool
is_text(struct span s)
{
	return memchr(s.p, '\0', s.n) == NULL && utf8_is_valid(s.p, s.p + s.n);
}

/* The integer that is written exactly like this. */
static bool
is_int(struct span s, int64_t *i)
{
	uint64_t v = 0, most = INT64_MAX;
	const char *p = s.p, *end = p + s.n;
	bool negative = p < end && *p == '-';

	p += negative;
	most += negative;
	if (p == end || end - p > 19 || (*p == '0' && (negative || s.n > 1)))
		return false;
	for (; p < end; p++) {
		if (!digits_is(*p))
			return false;
		v = v * 10 + (uint64_t)(*p - '0');
	}
	if (v > most)
		return false;
	*i = negative ? (int64_t)(0 - v) : (int64_t)v;
	return true;
}

/* The double that is written exactly like this. */
static bool
is_real(struct span s, double *d)
{
	struct buffer b = { 0 };
	char text[32] = { 0 };
	bool same;

	if (s.n >= sizeof text)
		return false;
	memcpy(text, s.p, s.n);
	*d = strtod(text, NULL);
	buffer_double(&b, *d);
	same = *d != 0 && span_eq(buffer_span(&b), s);
	buffer_fini(&b);
	return same;
}

static struct stored_value
of_scalar(struct span json)
{
	struct stored_value c = stored_value_of_blob(json);

	if (*json.p != '-' && !digits_is(*json.p))
		return c;
	if (is_int(json, &c.i))
		c.kind = STORED_INT;
	else if (is_real(json, &c.d))
		c.kind = STORED_REAL;
	return c;
}

struct stored_value
stored_value_of_key_part(struct span part)
{
	struct span inner = { part.p + 1, part.n - 2 };

	if (*part.p != '"')
		return of_scalar(part);
	return is_text(inner) ? stored_value_of_text(inner) :
				stored_value_of_blob(part);
}

struct stored_value
stored_value_of_json(struct span json)
{
	if (*json.p == 'n')
		return (struct stored_value){ .kind = STORED_NULL };
	if (*json.p == '"' && memchr(json.p, '\\', json.n) != NULL)
		return stored_value_of_blob(json);
	return stored_value_of_key_part(json);
}

void
stored_value_put(struct buffer *b, const struct stored_value *c)
{
	switch (c->kind) {
	case STORED_NULL:
		buffer_put(b, SPAN("null"));
		break;
	case STORED_INT:
		buffer_int(b, c->i);
		break;
	case STORED_REAL:
		buffer_double(b, c->d);
		break;
	case STORED_TEXT:
		buffer_byte(b, '"');
		buffer_put(b, c->bytes);
		buffer_byte(b, '"');
		break;
	case STORED_BLOB:
		buffer_put(b, c->bytes);
		break;
	}
}

bool
stored_value_read(struct buffer *b, const struct stored_value *c)
{
	struct span text;

	b->n = 0;
	stored_value_put(b, c);
	text = json_padded(b);
	return memchr(text.p, '\n', text.n) == NULL &&
	    json_trim(text).n == text.n && json_validate(text, NULL) == 0;
}

bool
stored_value_same(const struct stored_value *a, const struct stored_value *b)
{
	if (a->kind != b->kind)
		return false;
	switch (a->kind) {
	case STORED_NULL:
		return true;
	case STORED_INT:
		return a->i == b->i;
	case STORED_REAL:
		return a->d == b->d;
	default:
		return span_eq(a->bytes, b->bytes);
	}
}
