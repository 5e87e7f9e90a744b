/*
 * line_scanner_random - random lines, many of one shape and some damaged, as
 * each version of the line scanner, json_scan and jansson take them: what is
 * accepted and every field must be the same.  Some texts are larger than what
 * is scanned at once, and have lines that are indexed alone.
 *
 * SPDX-License-Identifier: ISC
 */
#include "base/random.h"
#include "check.h"
#include "scanners.h"

enum { ROUNDS = 3000, LINES = 40, LARGE_EVERY = 60 };

/* Of names whose lengths differ by 64, or by one. */
#define K16 "kkkkkkkkkkkkkkkk"
#define K61 K16 K16 K16 "kkkkkkkkkkkkk"
#define K64 K16 K16 K16 K16

static struct random rng = { 20261121 };

/*
 * What is looked for, among it twins, names as long as others or that begin
 * with the same eight bytes, and one that looks like a key and its value.
 */
static const char *const wanted[] = { "user", "a,a.b,.a[1],.b[\"\"],/a/0",
	"ts,user.id,.user.id,abcdefgh,abcdefghijklmnopq",
	"abcdefghijklmnopr,abcdefghijklmnopq,\xc3\xa9t\xc3\xa9,/a\":\"a,/a\"b,/",
	"l,.l[0],/l/0,.l[1].x,.l[2][0]", "__tick", K61 "k,k," K64 "k,/k ,id" };

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
	static const char *const spaces[] = { " ", " ", " ", "  ", "\t", "\r",
		" \t", "   " };

	if (odds != 0 && below(odds) == 0)
		PUT_ANY(b, spaces);
}

static void
put_key(struct buffer *b)
{
	static const char *const keys[] = { "user", "user", "ts", "a", "b", "",
		"l", "id", "x", "host", "path", "user.id", "__tick", "abcdefgh",
		"abcdefgi", "abcdefghijklmnopq", "abcdefghijklmnopr",
		"\\u0075ser", "us\\u0065r", "a\\\"b", "\xc3\xa9t\xc3\xa9", "k",
		"kk", "k ", "\\u006b", K61, K61 "k", K64, K64 "k", K64 "kk" };

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
		 "both of its ends in it, whatever stands before\""),
		/* In two blocks, mostly with a character that is in both. */
		("\"\xe4\xb8\xad\xf0\x9f\x98\x80\xe6\x96\x87\xc3\xa9\xe2\x82\xac"
		 "\xe4\xb8\xad\xf0\x9f\x98\x80\xe6\x96\x87\xc3\xa9\xe2\x82\xac"
		 "\xe4\xb8\xad\xf0\x9f\x98\x80\xe6\x96\x87\xc3\xa9\xe2\x82\xac"
		 "\xe4\xb8\xad\xf0\x9f\x98\x80\xe6\x96\x87\"") };

	PUT_ANY(b, scalars);
}

static void put_value(struct buffer *b, size_t odds, size_t depth);

static void
put_list(struct buffer *b, bool object, size_t odds, size_t depth)
{
	/* Some lines have more tokens than are looked at together. */
	size_t n = below(depth == 0 && below(8) == 0 ? 60 : 5);

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
	size_t spaced[] = { 0, 0, 1, 3, 20 }, odds = spaced[below(5)], last = 0;

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

/* A line that ends near what is scanned at once, or can be. */
static void
put_long(struct buffer *b)
{
	size_t limit = below(2) == 0 ? LINE_SCANNER_CHUNK : JSON_INDEX_MAX;
	size_t n = limit - 64 + below(128);

	buffer_put(b, SPAN("{\"user\":\""));
	memset(buffer_room(b, n), 'u', n);
	b->n += n;
	buffer_put(b, SPAN("\",\"ts\":7}\n"));
}

/* Members or elements, and some long strings, at least up to that place. */
static void
put_many(struct buffer *b, bool object, size_t odds, size_t least)
{
	while (b->n < least) {
		if (object) {
			put_key(b);
			put_space(b, odds);
			buffer_byte(b, ':');
		}
		if (below(100) == 0) {
			size_t n = below(2 * JSON_INDEX_MAX);

			buffer_byte(b, '"');
			memset(buffer_room(b, n), 'u', n);
			b->n += n;
			buffer_put(b, SPAN("\\n\""));
		} else {
			put_value(b, odds, 1);
		}
		put_space(b, odds);
		buffer_byte(b, ',');
	}
}

static void
put_blanks(struct buffer *b, size_t n)
{
	memset(buffer_room(b, n), ' ', n);
	b->n += n;
}

/* A line with more bytes than 16 bits count, most of them in one value. */
static void
put_far(struct buffer *b)
{
	size_t odds = below(2) * 20, start = b->n;
	bool object = below(2) == 0;

	if (below(3) == 0) {
		/* Just so long or just longer, or with pages of blanks. */
		buffer_put(b, SPAN("{\"user\":"));
		put_blanks(b, JSON_INDEX_MAX - 20 + below(80));
		if (below(2) == 0)
			put_blanks(b, 2 * JSON_INDEX_PAGE);
		buffer_put(b, SPAN("1,\"ts\":2}\n"));
		return;
	}
	buffer_byte(b, '{');
	put_many(b, true, odds, b->n + below(JSON_INDEX_MAX));
	put_key(b);
	buffer_put(b, object ? SPAN(":{") : SPAN(":["));
	put_many(b, object, odds, b->n + JSON_INDEX_MAX + below(100000));
	buffer_put(b, object ? SPAN("\"ts\":1},") : SPAN("1],"));
	put_many(b, true, odds, b->n + below(JSON_INDEX_MAX));
	buffer_put(b, SPAN("\"user\":2}"));
	if (below(4) == 0)
		damage(b, start);
	buffer_byte(b, '\n');
}

/* Lines that are not all scanned at once, or the ends of what is. */
static void
put_large(struct buffer *b)
{
	size_t least = below(3 * LINE_SCANNER_CHUNK);

	if (below(2) == 0)
		put_far(b);
	while (b->n < least) {
		if (below(20) == 0)
			put_long(b);
		put_lines(b);
	}
}

static void
compare(const char *fields)
{
	struct scanners x;
	struct buffer b = { 0 };
	bool agree = true;

	scanners_init(&x, fields);
	for (int i = 0; i < ROUNDS && agree; i++) {
		b.n = 0;
		if (i % LARGE_EVERY == 0)
			put_large(&b);
		put_lines(&b);
		agree = CHECK(scanners_agree(&x, buffer_span(&b), below(64)));
	}
	/* Both must have been tried. */
	CHECK(x.nvalid > 1000 && x.ninvalid > 1000);
	scanners_fini(&x);
	buffer_fini(&b);
}

/* More wanted names than numbers of names, and than a byte counts. */
static void
many(void)
{
	struct scanners x;
	struct buffer fields = { 0 }, lines = { 0 };
	char text[32];

	for (int i = 0; i < 300; i++) {
		snprintf(text, sizeof text, "%sn%d", i > 0 ? "," : "", i);
		buffer_put(&fields, span_of(text));
	}
	buffer_byte(&fields, '\0');
	scanners_init(&x, fields.p);
	for (int i = 0; i < 100; i++) {
		buffer_byte(&lines, '{');
		for (size_t k = 0; k < 300; k++) {
			snprintf(text, sizeof text, "%s\"n%zu\":%zu",
			    k > 0 ? "," : "", below(400), k);
			buffer_put(&lines, span_of(text));
		}
		buffer_put(&lines, SPAN("}\n"));
	}
	CHECK(scanners_agree(&x, buffer_span(&lines), 7));
	CHECK(x.nvalid >= 100);
	scanners_fini(&x);
	buffer_fini(&lines);
	buffer_fini(&fields);
}

int
main(void)
{
	many();
	for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
		compare(wanted[i]);
	for (size_t i = 0; json_index_versions[i] != NULL; i++)
		if (!json_index_versions[i]->runs_here())
			printf("line_scanner_random: %s not here\n",
			    json_index_versions[i]->name);
	return check_done("line_scanner_random");
}
