/*
 * SPDX-License-Identifier: ISC
 */
#include <string.h>

#include "base/memory.h"
#include "io/input_internal.h"
#include "json/scanner.h"

static const char bom[] = "\xef\xbb\xbf";

/* Tell whether more must be read to know how the file begins. */
static bool
is_unclear(const struct input *in)
{
	size_t n = in->end - in->start;

	return in->unknown ||
	    (in->first && n < 3 &&
		(n == 0 || memcmp(in->p + in->start, bom, n) == 0));
}

void
input_skip_bom(struct input *in)
{
	if (in->end - in->start >= 3 && memcmp(in->p + in->start, bom, 3) == 0)
		in->start += 3;
	in->first = false;
}

/* Hand out n bytes, and forget the newline after them. */
static void
take(struct input *in, struct span *line, size_t n, bool newline)
{
	line->p = in->p + in->start;
	line->n = n;
	in->start += n + newline;
	in->searched = 0;
}

enum input_status
input_line(struct input *in, struct span *line)
{
	size_t n = in->end - in->start;
	char *newline;

	if (in->at == in->nnames)
		return INPUT_END;
	if (is_unclear(in))
		return in->loan_over ? INPUT_BACK : INPUT_EMPTY;
	if (in->first) {
		input_skip_bom(in);
		n = in->end - in->start;
	}
	newline = n == in->searched ?
	    NULL :
	    memchr(in->p + in->start + in->searched, '\n', n - in->searched);
	if (newline != NULL)
		n = (size_t)(newline - (in->p + in->start));
	if (in->in_long) {
		if (newline == NULL && n == 0)
			return INPUT_EMPTY;
		in->in_long = newline == NULL;
		take(in, line, n + (newline != NULL), false);
		return INPUT_REST;
	}
	if (newline == NULL && n <= in->max_line) {
		in->searched = n;
		return in->loan_over ? INPUT_BACK : INPUT_EMPTY;
	}
	if (n > in->max_line && in->on_loan)
		return INPUT_BACK;
	in->line++;
	if (n <= in->max_line) {
		take(in, line, n, true);
		return INPUT_LINE;
	}
	/* The rest, at least the newline, is handed out next. */
	in->long_at = input_offset(in);
	input_tell(in);
	if (in->hooks != NULL && in->hooks->long_line != NULL)
		in->hooks->long_line(in->hooks->arg);
	in->in_long = true;
	take(in, line, n, false);
	return INPUT_LONG;
}

/* The lines at the beginning of text before the first beyond the limit. */
static struct span
within_limit(const struct input *in, struct span text)
{
	const char *p = text.p, *end = p + text.n, *newline;

	if (text.n <= in->max_line)
		return text;
	for (; p < end; p = newline + 1) {
		newline = memchr(p, '\n', (size_t)(end - p));
		if ((size_t)(newline - p) > in->max_line)
			break;
	}
	return (struct span){ text.p, (size_t)(p - text.p) };
}

struct span
input_ahead(struct input *in, size_t n)
{
	const char *p, *newline = NULL;
	size_t have;

	if (in->at == in->nnames || in->in_long || is_unclear(in))
		return (struct span){ 0 };
	if (in->first)
		input_skip_bom(in);
	p = in->p + in->start;
	have = in->end - in->start;
	if (n > have)
		n = have;
	if (in->searched < n)
		newline =
		    memory_find_last(p + in->searched, '\n', n - in->searched);
	if (newline == NULL) {
		/* The first line is longer, or not all there. */
		if (in->searched < n)
			in->searched = n;
		newline = memchr(p + in->searched, '\n', have - in->searched);
	}
	if (newline != NULL)
		return within_limit(in,
		    (struct span){ p, (size_t)(newline + 1 - p) });
	in->searched = have;
	return (struct span){ 0 };
}

void
input_hand_over(struct input *in, size_t n, struct buffer *other)
{
	size_t left = in->end - in->start - n;
	struct buffer taken = { in->p, in->start + n, in->cap };

	/* Growing by half again, each would outgrow the other for ever. */
	if (other->cap < in->cap)
		buffer_fini(other);
	other->n = 0;
	buffer_room(other, in->cap);
	memcpy(other->p, in->p + in->start + n, left);
	memset(other->p + left, '\n', JSON_PAD);
	in->p = other->p;
	in->cap = other->cap;
	in->start = in->searched = in->told = 0;
	in->end = left;
	*other = taken;
}

bool
input_lend(struct input *in, struct input *loan)
{
	bool hooked = in->hooks != NULL;

	if (hooked && (in->first || in->ended || in->in_long || in->skip != 0))
		return false;
	input_tell(in);
	*loan = *in;
	loan->hooks = NULL;
	loan->on_loan = hooked;
	in->p = NULL;
	in->start = in->end = in->cap = in->searched = in->told = 0;
	return true;
}

void
input_take_back(struct input *in, struct input *loan)
{
	loan->hooks = in->hooks;
	loan->line = in->line;
	loan->told = loan->start;
	loan->on_loan = loan->loan_over = false;
	*in = *loan;
}

void
input_used(struct input *in, size_t lines, struct span text)
{
	in->line += lines;
	if (in->hooks != NULL && in->hooks->used != NULL)
		in->hooks->used(in->hooks->arg, text);
}
