/*
 * SPDX-License-Identifier: ISC
 */
#include <sys/ioctl.h>

#include <stdlib.h>
#include <termios.h>

#include "io/screen.h"

/* Lines that are too long are cut off, not wrapped, between the two. */
#define NO_WRAP "\x1b[?7l"
#define WRAP "\x1b[?7h"
#define ERASE_LINE "\x1b[K"
#define ERASE_BELOW "\x1b[J"

enum { USUAL_COLUMNS = 80, USUAL_LINES = 24, MOST = 10000 };

void
screen_init(struct screen *s, struct output *out)
{
	const char *terminal = getenv("TERM");

	*s = (struct screen){ .out = out };
	s->is_dumb = terminal != NULL && strcmp(terminal, "dumb") == 0;
}

void
screen_fini(struct screen *s)
{
	buffer_fini(&s->picture);
}

/* A number in the environment, 0 where there is none. */
static size_t
number_of(const char *name)
{
	const char *text = getenv(name);
	long n = text == NULL ? 0 : strtol(text, NULL, 10);

	return n < 0 || n > MOST ? 0 : (size_t)n;
}

bool
screen_size(const struct screen *s, size_t *columns, size_t *lines)
{
	struct winsize size = { 0 };

	*columns = number_of("COLUMNS");
	*lines = 0;
	if (!s->out->on_terminal)
		return false;
	*lines = number_of("LINES");
	if (ioctl(s->out->fd, TIOCGWINSZ, &size) == 0 && size.ws_col != 0 &&
	    size.ws_row != 0) {
		*columns = size.ws_col;
		*lines = size.ws_row;
	}
	if (*columns == 0 || *lines == 0) {
		*columns = USUAL_COLUMNS;
		*lines = USUAL_LINES;
	}
	if (s->is_dumb)
		*lines = 0;
	return true;
}

static void
put_picture(struct screen *s)
{
	struct buffer *b = &s->out->rows;
	const char *p = s->picture.p, *end = p + s->picture.n;

	s->lines = 0;
	buffer_put(b, SPAN("\r" NO_WRAP ERASE_LINE));
	while (p < end) {
		const char *newline = memchr(p, '\n', (size_t)(end - p));

		buffer_put(b, SPAN("\n" ERASE_LINE));
		buffer_put(b, (struct span){ p, (size_t)(newline - p) });
		s->lines++;
		p = newline + 1;
	}
	buffer_put(b, SPAN(WRAP ERASE_BELOW "\r"));
	if (s->lines != 0) {
		buffer_put(b, SPAN("\x1b["));
		buffer_int(b, (int64_t)s->lines);
		buffer_byte(b, 'A');
	}
	output_flush(s->out);
}

void
screen_draw(struct screen *s, struct span picture)
{
	s->picture.n = 0;
	buffer_put(&s->picture, picture);
	put_picture(s);
}

void
screen_redraw(struct screen *s)
{
	if (s->lines != 0)
		put_picture(s);
}

void
screen_erase(struct screen *s)
{
	if (s->lines != 0)
		buffer_put(&s->out->rows, SPAN("\r" ERASE_BELOW));
	s->lines = 0;
}

void
screen_leave(struct screen *s)
{
	if (s->lines == 0)
		return;
	buffer_put(&s->out->rows, SPAN("\x1b["));
	buffer_int(&s->out->rows, (int64_t)s->lines);
	buffer_put(&s->out->rows, SPAN("B\n"));
	s->lines = 0;
}
