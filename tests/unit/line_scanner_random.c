/*
 * line_scanner_random - random lines, many of one shape and some damaged, as
 * each version of the line scanner and as json_scan take them: what is
 * accepted and every field must be the same.
 *
 * SPDX-License-Identifier: ISC
 */
#include "base/random.h"
#include "check.h"
#include "padded.h"
#include "json/line_scanner.h"
#include "json/text.h"

enum { ROUNDS = 3000, LINES = 40 };

static struct random rng = { 20261121 };

/* What is looked for: twins, and names as long as others, among them. */
static const char *const wanted[] = { "user", "a,a.b,.a[1],.b[\"\"],/a/0",
	"user.id,.user.id,ts,abcdefgh,abcdefghijklmnopq",
	".l[0],/l/0,.l[1].x,.l[2][0]", "__tick" };

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
put_space(struct buffer *b, size_t odds)
{
	static const char *const spaces[] = { " ", "  ", "\t", "\r", " \t" };

	if (odds != 0 && below(odds) == 0)
		PUT_ANY(b, spaces);
}

static void
put_key(struct buffer *b)
{
	static const char *const keys[] = { "user", "user", "ts", "a", "b", "",
		"l", "id", "x", "host", "path", "user.id", "__tick", "abcdefgh",
		"abcdefgi", "abcdefghijklmnopq", "abcdefghijklmnopr",
		"\\u0075ser", "us\\u0065r", "a\\\"b", "\xc3\xa9t\xc3\xa9" };

	buffer_byte(b, '"');
	PUT_ANY(b, keys);
	buffer_byte(b, '"');
}

static void
put_scalar(struct buffer *b)
{
	static const char *const scalars[] = { "0", "7", "12", "1234567890",
		"-1", "-0", "1.5", "0.5", "1e9", "1E-05", "true", "false",
		"null", "\"\"", "\"a\"", "\"{\"", "\"\\\"\"", "\"\\\\\"",
		"\"\\\\\\\"\"", "\"a\\nb\"", "\"\\u00e9\"", "\"\\ud83d\"",
		"\"[1,2]:\"", "\"\xc3\xa9\"", "\"\xe2\x82\xac\"",
		"\"\xf0\x9f\x98\x80\"", "\"more than sixteen bytes, surely\"",
		("\"a string that is so long that no block of 64 bytes has "
		 "both of its ends in it, whatever stands before\"") };

	PUT_ANY(b, scalars);
}

static void put_value(struct buffer *b, size_t odds, size_t depth);

static void
put_list(struct buffer *b, bool object, size_t odds, size_t depth)
{
	size_t n = below(5);

	buffer_byte(b, object ? '{' : '[');
	put_space(b, odds);
	for (size_t i = 0; i < n; i++) {
		if (i > 0) {
			buffer_byte(b, ',');
			put_space(b, odds);
		}
		if (object) {
			put_key(b);
			put_space(b, odds);
			buffer_byte(b, ':');
			put_space(b, odds);
		}
		put_value(b, odds, depth + 1);
		put_space(b, odds);
	}
	buffer_byte(b, object ? '}' : ']');
}

static void
put_value(struct buffer *b, size_t odds, size_t depth)
{
	if (depth < 4 && below(4) == 0)
		put_list(b, below(2) == 0, odds, depth);
	else
		put_scalar(b);
}

/* A line about as deep as may be, and of more tokens than are kept. */
static void
put_deep(struct buffer *b)
{
	size_t n = JSON_DEPTH / 2 - 2 + below(4);

	buffer_put(b, SPAN("{\"a\":"));
	for (size_t i = 0; i < n; i++)
		buffer_put(b, SPAN("[{\"a\":"));
	buffer_put(b, SPAN("1"));
	for (size_t i = 0; i < n; i++)
		buffer_put(b, SPAN("}]"));
	buffer_byte(b, '}');
}

/* A line like the one at last, but for some bytes of its strings. */
static void
put_similar(struct buffer *b, size_t last)
{
	size_t n = b->n - last - 1;
	char *p = buffer_room(b, n);

	memcpy(p, b->p + last, n);
	b->n += n;
	for (size_t i = 0; i < n; i++)
		if (((p[i] >= 'a' && p[i] <= 'z') ||
			(p[i] >= '1' && p[i] <= '8')) &&
		    below(12) == 0)
			p[i]++;
}

/* Damage one byte of what stands from start on. */
static void
damage(struct buffer *b, size_t start)
{
	static const char bytes[] = "\"\\{}[]:,0e-+.tn \t\r\n\x01\x1f\x7f\x80"
				    "\xbf\xc0\xc3\xe0\xe2\xed\xf0\xf4\xf5\xff";
	char *p;

	if (b->n == start)
		return;
	p = b->p + start + below(b->n - start);
	switch (below(3)) {
	case 0:
		*p = bytes[below(sizeof bytes - 1)];
		break;
	case 1:
		memmove(p, p + 1, (size_t)(b->p + b->n - p) - 1);
		b->n--;
		break;
	default:
		*p ^= (char)(1 << below(8));
	}
}

static void
put_lines(struct buffer *b)
{
	size_t spaced[] = { 0, 0, 3, 20 }, odds = spaced[below(4)], last = 0;

	for (size_t n = 1 + below(LINES); n > 0; n--) {
		size_t start = b->n;

		if (n > 1 && last < start && below(3) != 0)
			put_similar(b, last);
		else if (below(200) == 0)
			put_deep(b);
		else if (below(30) != 0)
			put_list(b, true, odds, 0);
		if (below(4) == 0)
			damage(b, start);
		if (below(30) == 0)
			buffer_byte(b, '\r');
		buffer_byte(b, '\n');
		last = start;
	}
}

/* Tell whether what is said to be digits is a number of those alone. */
static bool
is_digits(struct span s)
{
	for (size_t i = 0; i < s.n; i++)
		if (s.p[i] < '0' || s.p[i] > '9')
			return false;
	return s.n == 1 || s.p[0] != '0';
}

/* The first line that the two do not take for the same, or -1. */
static long
first_difference(const struct scanned_lines *a, const struct scanned_lines *b,
    size_t nslots)
{
	for (size_t i = 0; i < a->n && i < b->n; i++) {
		const struct scanned_line *x = &a->lines[i], *y = &b->lines[i];

		if (x->at != y->at || x->n != y->n ||
		    x->object_n != y->object_n ||
		    (x->object_n != 0 && x->object_at != y->object_at))
			return (long)i;
		for (size_t k = i * nslots; k < (i + 1) * nslots; k++)
			if (x->object_n != 0 &&
			    (a->slots[k].p != b->slots[k].p ||
				(a->slots[k].p != NULL &&
				    (a->slots[k].n != b->slots[k].n ||
					a->slots[k].escaped !=
					    b->slots[k].escaped ||
					(b->slots[k].digits &&
					    !is_digits(value_raw(&b->slots
								      [k])))))))
				return (long)i;
	}
	return a->n == b->n ? -1 : (long)(a->n < b->n ? a->n : b->n);
}

static unsigned naccepted, nrefused;

static void
compare(const struct json_index_version *version, const char *fields)
{
	struct scanned s;
	struct line_scanner *one, *many;
	struct buffer b = { 0 };

	scanned_init(&s, fields);
	one = line_scanner_new(&s.projection.root, NULL);
	many = line_scanner_new(&s.projection.root, version);
	for (int i = 0; i < ROUNDS; i++) {
		struct scanned_lines x = { 0 }, y = { 0 };
		struct span text;
		char *p;
		long at;

		b.n = 0;
		put_lines(&b);
		p = padded(buffer_span(&b));
		text = (struct span){ p, b.n };
		line_scanner_scan(one, p, text, SIZE_MAX, &x);
		line_scanner_scan(many, p, text, SIZE_MAX, &y);
		at = first_difference(&x, &y, (size_t)s.projection.root.end);
		if (!CHECK(at < 0))
			fprintf(stderr, "\t%s, -k %s, line %ld of:\n%.*s",
			    version->name, fields, at + 1, (int)b.n, p);
		for (size_t k = 0; k < x.n; k++)
			if (x.lines[k].object_n != 0)
				naccepted++;
			else
				nrefused++;
		scanned_lines_fini(&x);
		scanned_lines_fini(&y);
		free(p);
		if (at >= 0)
			break;
	}
	line_scanner_free(one);
	line_scanner_free(many);
	buffer_fini(&b);
	scanned_fini(&s);
}

int
main(void)
{
	const struct json_index_version *const *v = json_index_versions;

	for (; *v != NULL; v++)
		for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
			if ((*v)->runs_here())
				compare(*v, wanted[i]);
			else
				printf("line_scanner_random: %s not here\n",
				    (*v)->name);
	/* Both must have been tried. */
	CHECK(json_index_versions[0] == NULL ||
	    (naccepted > 1000 && nrefused > 1000));
	return check_done("line_scanner_random");
}
