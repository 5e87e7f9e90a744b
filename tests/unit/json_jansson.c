/*
 * json_jansson - random documents, whole and damaged, as the scanner and as
 * jansson take them.  The two may differ only by jansson's own limits:
 * integers beyond 63 bits, reals that overflow, NUL in keys, lone surrogates,
 * 2048 levels of nesting to our 1024.
 *
 * SPDX-License-Identifier: ISC
 */
#include <math.h>

#include "base/number.h"
#include "base/random.h"
#include "check.h"
#include "jansson_limits.h"
#include "json/text.h"
#include "padded.h"

enum { ROUNDS = 120000, DAMAGED = 2 };

static struct random rng = { 20240607 };
static unsigned naccepted, nrefused, nlimits;

static size_t
below(size_t n)
{
	return random_below(&rng, n);
}

static void
put_any(struct buffer *b, const char *const *list, size_t n)
{
	buffer_put(b, span_of(list[below(n)]));
}

#define PUT_ANY(b, list) put_any(b, list, sizeof(list) / sizeof *(list))

static void
put_random_string(struct buffer *b)
{
	static const char *const pieces[] = { "a", "b", "id", " ", "/", "\\n",
		"\\\"", "\\\\", "\\/", "\\u0061", "\\u00e9", "\\ud83d\\ude00",
		"\xc3\xa9", "\xe2\x82\xac", "\xf0\x9f\x98\x80", "\x7f",
		"longer than eight bytes", "\\u0000", "\\ud83d", "\\ude00",
		"{}", "[]", ",", ":" };

	buffer_byte(b, '"');
	for (size_t n = below(4); n > 0; n--)
		put_any(b, pieces,
		    below(20) == 0 ? sizeof pieces / sizeof *pieces : 17);
	buffer_byte(b, '"');
}

static void
put_random_number(struct buffer *b)
{
	static const char *const wholes[] = { "0", "-0", "7", "-12", "1e3",
		"123456789", "9223372036854775807", "-9223372036854775808",
		"9223372036854775808", "123456789012345678901234567890" };
	static const char *const fractions[] = { ".0", ".5", ".10", ".333333",
		"" };
	static const char *const exponents[] = { "e0", "E+2", "e-2", "e400",
		"e-400", "e22", "", "", "", "" };
	size_t at = below(12);

	buffer_put(b, span_of(wholes[at > 9 ? at - 8 : at]));
	if (at == 4 || below(2) == 0)
		return;
	PUT_ANY(b, fractions);
	PUT_ANY(b, exponents);
}

static void
put_space(struct buffer *b)
{
	static const char *const spaces[] = { " ", "\t", "\r", "  " };

	if (below(8) == 0)
		PUT_ANY(b, spaces);
}

static void
put_value(struct buffer *b, unsigned depth)
{
	static const char *const words[] = { "true", "false", "null" };
	static const char *const keys[] = { "\"a\"", "\"b\"", "\"a.b\"",
		"\"\\u0061\"", "\"0\"", "\"\"" };
	size_t kind = below(depth == 0 ? 4 : 8);
	size_t n = below(4);

	put_space(b);
	if (kind < 2)
		put_random_string(b);
	else if (kind == 2)
		put_random_number(b);
	else if (kind == 3)
		PUT_ANY(b, words);
	else
		buffer_byte(b, kind < 7 ? '{' : '[');
	for (size_t i = 0; kind > 3 && i < n; i++) {
		if (i > 0)
			buffer_byte(b, ',');
		put_space(b);
		if (kind < 7) {
			if (below(4) == 0)
				put_random_string(b);
			else
				PUT_ANY(b, keys);
			put_space(b);
			buffer_byte(b, ':');
		}
		put_value(b, depth - 1);
	}
	if (kind > 3)
		buffer_byte(b, kind < 7 ? '}' : ']');
	put_space(b);
}

/* Change, drop, double or swap some bytes. */
static void
damage(struct buffer *b)
{
	static const char bytes[] =
	    "{}[]\",:\\0123eE+-. \tutfn\x01\x80\xc3\xff";

	for (size_t n = 1 + below(3); n > 0 && b->n > 0; n--) {
		size_t at = below(b->n), other = below(b->n);
		char c = b->p[at];

		switch (below(4)) {
		case 0:
			b->p[at] = bytes[below(sizeof bytes - 1)];
			break;
		case 1:
			memmove(b->p + at, b->p + at + 1, b->n - at - 1);
			b->n--;
			break;
		case 2:
			buffer_byte(b, ' ');
			memmove(b->p + at + 1, b->p + at, b->n - at - 1);
			break;
		default:
			b->p[at] = b->p[other];
			b->p[other] = c;
		}
	}
}

static void
compare_value(const struct value *v, const json_t *j, struct span line)
{
	struct buffer b = { 0 };
	struct number x = { 0 };
	bool same = false;

	if (v == NULL || j == NULL) {
		same = v == NULL && j == NULL;
	} else if (json_is_string(j) && *v->p == '"') {
		json_decode(&b, (struct span){ v->p + 1, v->n - 2 });
		same = span_eq(buffer_span(&b),
			   (struct span){
			       json_string_value(j), json_string_length(j) }) &&
		    v->escaped == (memchr(v->p, '\\', v->n) != NULL);
	} else if (json_is_number(j) && number_parse(&x, value_raw(v)) == 0) {
		same = json_is_integer(j) ?
		    x.is_int && x.i == json_integer_value(j) :
		    !(x.d < json_real_value(j)) && !(x.d > json_real_value(j));
	} else {
		static const char kinds[] = { [JSON_OBJECT] = '{',
			[JSON_ARRAY] = '[',
			[JSON_TRUE] = 't',
			[JSON_FALSE] = 'f',
			[JSON_NULL] = 'n' };

		same = !json_is_string(j) && !json_is_number(j) &&
		    kinds[json_typeof(j)] == *v->p;
	}
	if (!CHECK(same))
		fprintf(stderr, "\t%.*s\n", (int)line.n, line.p);
	buffer_fini(&b);
}

/* .a.b as jansson has it, .a[1] and the rest. */
static void
compare_fields(struct scanned *s, const json_t *j, struct span line)
{
	const json_t *a = json_object_get(j, "a"), *ab;

	if ((ab = json_object_get(j, "a.b")) == NULL)
		ab = json_object_get(a, "b");
	compare_value(tuple_field(&s->tuple, 0), a, line);
	compare_value(tuple_field(&s->tuple, 1), ab, line);
	compare_value(tuple_field(&s->tuple, 2), json_array_get(a, 1), line);
	compare_value(tuple_field(&s->tuple, 3),
	    json_object_get(json_object_get(j, "b"), ""), line);
	compare_value(tuple_field(&s->tuple, 4),
	    json_is_array(a) ? json_array_get(a, 0) : json_object_get(a, "0"),
	    line);
}

static void
compare(struct scanned *s, struct span text)
{
	json_error_t e;
	struct fault f = { 0 };
	json_t *j =
	    json_loadb(text.p, text.n, JSON_DECODE_ANY | JSON_ALLOW_NUL, &e);
	bool good = padded_validate(text, &f) == 0;
	struct span line = json_trim(text);

	naccepted += good;
	nrefused += !good;
	if (j == NULL && is_limit_of_jansson(&e))
		nlimits++;
	else if (good != (j != NULL) && f.kind != FAULT_LIMIT &&
	    !CHECK(good == (j != NULL)))
		fprintf(stderr, "\t%.*s\n\t%s\n\t%s\n", (int)text.n, text.p,
		    e.text, f.message);
	if (line.n > 0 && *line.p == '{') {
		CHECK((scanned_line(s, line) == 0) == good);
		if (good && j != NULL)
			compare_fields(s, j, line);
	}
	json_decref(j);
}

int
main(void)
{
	struct buffer b = { 0 };
	struct scanned s;

	scanned_init(&s, "a,a.b,.a[1],.b[\"\"],/a/0");
	for (int i = 0; i < ROUNDS; i++) {
		b.n = 0;
		put_value(&b, 4);
		compare(&s, buffer_span(&b));
		for (int k = 0; k < DAMAGED; k++) {
			damage(&b);
			compare(&s, buffer_span(&b));
		}
	}
	/* Neither side may have been idle. */
	CHECK(naccepted > ROUNDS && nrefused > ROUNDS / 2);
	CHECK(nlimits > ROUNDS / 1000 && nlimits < ROUNDS / 4);
	printf("json_jansson: %u accepted, %u refused, %u beyond jansson\n",
	    naccepted, nrefused, nlimits);
	scanned_fini(&s);
	buffer_fini(&b);
	return check_done("json_jansson");
}
