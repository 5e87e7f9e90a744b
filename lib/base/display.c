/*
 * SPDX-License-Identifier: ISC
 */
#include <locale.h>
#include <stdio.h>
#include <wchar.h>

#include "base/display.h"
#include "base/utf8.h"

static const char ellipsis[] = "\xe2\x80\xa6";
static const char left_to_right_mark[] = "\xe2\x80\x8e";

void
display_init(void)
{
	if (setlocale(LC_CTYPE, "C.UTF-8") == NULL)
		setlocale(LC_CTYPE, "");
}

/* Read the character at *p, which may be a surrogate, and go behind it. */
static uint32_t
next_char(const char **p, const char *end)
{
	const unsigned char *s = (const unsigned char *)*p;
	size_t left = (size_t)(end - *p), n;
	uint32_t c = s[0];

	n = c < 0xc0 ? 1 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : 4;
	n = n < left ? n : left;
	*p += n;
	if (n > 1)
		c &= 0x7fU >> n;
	for (size_t i = 1; i < n; i++)
		c = c << 6 | (s[i] & 0x3f);
	return c;
}

/*
 * Tell whether a terminal, or a reader, would be misled by c, or XML cannot hold
 * it.
 */
static bool
is_obeyed(uint32_t c)
{
	return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0x061c ||
	    c == 0x200e || c == 0x200f || (c >= 0x2028 && c <= 0x202e) ||
	    (c >= 0x2066 && c <= 0x2069) || (c >= 0xd800 && c <= 0xdfff) ||
	    c == 0xfffe || c == 0xffff;
}

/* Tell whether c belongs to a script that is written from right to left. */
static bool
is_right_to_left(uint32_t c)
{
	return (c >= 0x0590 && c <= 0x08ff) || (c >= 0xfb1d && c <= 0xfdff) ||
	    (c >= 0xfe70 && c <= 0xfefe) || (c >= 0x10800 && c <= 0x10fff) ||
	    (c >= 0x1e800 && c <= 0x1efff);
}

/* What is not assigned yet takes one column as well as two. */
static size_t
char_width(uint32_t c)
{
	int width = c < 0x7f ? 1 : wcwidth((wchar_t)c);

	return width < 0 ? 1 : (size_t)width;
}

static size_t
put_escape(struct buffer *b, uint32_t c)
{
	static const char letters[] = "\tt\nn\rr";
	const char *letter = strchr(letters, (int)c);
	char text[16];
	int n;

	if (c != 0 && c < 0x20 && letter != NULL)
		n = snprintf(text, sizeof text, "\\%c", letter[1]);
	else if (c < 0x80)
		n = snprintf(text, sizeof text, "\\x%02x", (unsigned)c);
	else
		n = snprintf(text, sizeof text, "\\u%04x", (unsigned)c);
	buffer_put(b, (struct span){ text, (size_t)n });
	return (size_t)n;
}

bool
display_is_escaped(const char *p, const char *end)
{
	return is_obeyed(next_char(&p, end));
}

size_t
display_put(struct buffer *b, struct span text)
{
	const char *p = text.p, *end, *start;
	size_t width = 0;

	if (text.n == 0) /* what is empty may be at NULL */
		return 0;
	end = p + text.n;
	while (p < end) {
		uint32_t c;

		start = p;
		c = next_char(&p, end);
		if (is_obeyed(c)) {
			width += put_escape(b, c);
			continue;
		}
		buffer_put(b, (struct span){ start, (size_t)(p - start) });
		width += char_width(c);
	}
	return width;
}

size_t
display_put_cut(struct buffer *b, struct span text, size_t columns)
{
	const char *p = text.p, *end, *cut = p;
	size_t width = 0, kept = 0;
	bool turned = false;

	if (text.n == 0)
		return 0;
	end = p + text.n;
	while (p < end && width <= columns) {
		uint32_t c = next_char(&p, end);

		width += char_width(c);
		turned = turned || is_right_to_left(c);
		/* Room for the ellipsis, should it be needed. */
		if (width < columns) {
			cut = p;
			kept = width;
		}
	}
	if (width <= columns) {
		buffer_put(b, text);
		kept = width;
	} else {
		buffer_put(b, (struct span){ text.p, (size_t)(cut - text.p) });
		if (columns > 0) {
			buffer_put(b, span_of(ellipsis));
			kept++;
		}
	}
	if (turned)
		buffer_put(b, span_of(left_to_right_mark));
	return kept;
}

void
display_put_blanks(struct buffer *b, size_t n)
{
	if (n == 0)
		return;
	memset(buffer_room(b, n), ' ', n);
	b->n += n;
}

void
display_put_bar(struct buffer *b, double part, size_t columns)
{
	/* U+2588 is the full block, U+2589 to U+258F are 7/8 to 1/8 of it. */
	char block[] = "\xe2\x96\x88";
	size_t eighths = (size_t)(part * 8 * (double)columns + 0.5);
	size_t whole = eighths / 8;

	for (size_t i = 0; i < whole; i++)
		buffer_put(b, span_of(block));
	if (eighths % 8 == 0)
		return;
	block[2] = (char)((unsigned char)block[2] + 8 - eighths % 8);
	buffer_put(b, span_of(block));
}
