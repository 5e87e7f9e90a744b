/*
 * display - how wide text is, and what is left of it.
 *
 * SPDX-License-Identifier: ISC
 */
#include "base/display.h"
#include "check.h"

static const char *
text_of(struct buffer *b)
{
	buffer_byte(b, '\0');
	b->n--;
	return b->p;
}

static void
shows(void)
{
	static const struct {
		const char *text;
		size_t n;
		const char *shown;
		size_t width;
	} cases[] = {
		{ "", 0, "", 0 },
		{ "plain \"text\" \\", 14, "plain \"text\" \\", 14 },
		{ "\x1b[31m", 5, "\\x1b[31m", 8 },
		{ "\0\t\n\r\x7f", 5, "\\x00\\t\\n\\r\\x7f", 14 },
		{ "\xc2\x80\xc2\x9f\xc2\xa0", 6, "\\u0080\\u009f\xc2\xa0", 13 },
		/* Wide, and a mark that combines. */
		{ "\xe4\xb8\xad", 3, "\xe4\xb8\xad", 2 },
		{ "e\xcc\x81", 3, "e\xcc\x81", 1 },
		{ "\xf0\x9f\x98\x80", 4, "\xf0\x9f\x98\x80", 2 },
		/* It turns the direction around; so do marks and isolates. */
		{ "\xe2\x80\xae", 3, "\\u202e", 6 },
		{ "\xe2\x80\x8e", 3, "\\u200e", 6 },
		{ "\xe2\x81\xa6", 3, "\\u2066", 6 },
		{ "\xd8\x9c", 2, "\\u061c", 6 },
		{ "\xe2\x80\xa8", 3, "\\u2028", 6 },
		/* Alone, and none. */
		{ "\xed\xa0\x80", 3, "\\ud800", 6 },
		{ "\xee\x80\x80", 3, "\xee\x80\x80", 1 },
		{ "\xf4\x8f\xbf\xbf", 4, "\xf4\x8f\xbf\xbf", 1 },
	};
	struct buffer b = { 0 };

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		b.n = 0;
		CHECK_EQ(display_put(&b,
			     (struct span){ cases[i].text, cases[i].n }),
		    cases[i].width);
		CHECK_STR(text_of(&b), cases[i].shown);
	}
	buffer_fini(&b);
}

static void
cuts(void)
{
	static const struct {
		const char *text;
		size_t columns;
		const char *left;
		size_t width;
	} cases[] = {
		{ "abc", 3, "abc", 3 },
		{ "abcd", 3, "ab\xe2\x80\xa6", 3 },
		{ "abcd", 1, "\xe2\x80\xa6", 1 },
		{ "abcd", 0, "", 0 },
		{ "", 0, "", 0 },
		/* Half a wide character is none. */
		{ "\xe4\xb8\xad\xe6\x96\x87", 4, "\xe4\xb8\xad\xe6\x96\x87",
		    4 },
		{ "\xe4\xb8\xad\xe6\x96\x87", 3, "\xe4\xb8\xad\xe2\x80\xa6",
		    3 },
		{ "\xe4\xb8\xad\xe6\x96\x87", 2, "\xe2\x80\xa6", 1 },
		/* Marks stay with the character that they belong to. */
		{ "ae\xcc\x81\xcc\x81z", 3, "ae\xcc\x81\xcc\x81z", 3 },
		{ "ae\xcc\x81\xcc\x81zz", 3, "ae\xcc\x81\xcc\x81\xe2\x80\xa6",
		    3 },
		{ "aze\xcc\x81", 2, "a\xe2\x80\xa6", 2 },
		/* Right to left, it ends in a mark. */
		{ "\xd7\xa9\xd7\x9c", 2, "\xd7\xa9\xd7\x9c\xe2\x80\x8e", 2 },
		{ "\xd7\xa9\xd7\x9c\xd7\x95", 2,
		    "\xd7\xa9\xe2\x80\xa6\xe2\x80\x8e", 2 },
	};
	struct buffer b = { 0 };

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		b.n = 0;
		CHECK_EQ(display_put_cut(&b, span_of(cases[i].text),
			     cases[i].columns),
		    cases[i].width);
		CHECK_STR(text_of(&b), cases[i].left);
	}
	buffer_fini(&b);
}

static void
draws_bars(void)
{
	static const struct {
		double part;
		size_t columns;
		const char *bar;
	} cases[] = {
		{ 0, 10, "" },
		{ 0.001, 10, "" },
		{ 0.0125, 10, "\xe2\x96\x8f" },
		{ 0.5, 1, "\xe2\x96\x8c" },
		{ 0.75, 2, "\xe2\x96\x88\xe2\x96\x8c" },
		{ 0.99, 2, "\xe2\x96\x88\xe2\x96\x88" },
		{ 1, 3, "\xe2\x96\x88\xe2\x96\x88\xe2\x96\x88" },
	};
	struct buffer b = { 0 };

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		b.n = 0;
		display_put_bar(&b, cases[i].part, cases[i].columns);
		CHECK_STR(text_of(&b), cases[i].bar);
	}
	buffer_fini(&b);
}

int
main(void)
{
	display_init();
	shows();
	cuts();
	draws_bars();
	return check_done("display");
}
