/*
 * SPDX-License-Identifier: ISC
 */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/diagnostics.h"
#include "base/display.h"
#include "base/utf8.h"

enum { MESSAGE_MAX = 1024 };

static const char *program = "tupletools";
static void (*divert)(void *arg, struct span text);
static void *divert_arg;
static bool line_shown;

/*
 * Open those that are closed, so that no file gets their numbers; but stdin for
 * writing and the others for reading, so that they fail as closed ones do.
 */
static void
guard_standard(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0 &&
		    open("/dev/null",
			fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) < 0)
			die_errno("/dev/null");
}

void
diagnostics_init(const char *argv0)
{
	const char *slash = strrchr(argv0, '/');

	program = slash == NULL ? argv0 : slash + 1;
	guard_standard();
}

char *
diagnostics_scrub(char *out, size_t size, struct span s)
{
	size_t n = 0, i = 0, kept = 0; /* kept: where `...` fits behind */

	while (i < s.n) {
		unsigned char c = (unsigned char)s.p[i];
		size_t len = c < 0x80 ? c >= 0x20 && c != 0x7f :
					utf8_length(s.p + i, s.p + s.n);

		/* Characters beyond ASCII can control a terminal, too. */
		if (len > 1 && display_is_escaped(s.p + i, s.p + s.n))
			len = 0;
		if (n + 4 <= size)
			kept = n;
		if (n + (len == 0 ? 4 : len) + 1 > size) {
			memcpy(out + kept, "...", 3);
			n = kept + 3;
			break;
		}
		if (len == 0) {
			n += (size_t)snprintf(out + n, 5, "\\x%02x", c);
			i++;
		} else {
			memcpy(out + n, s.p + i, len);
			n += len;
			i += len;
		}
	}
	out[n] = '\0';
	return out;
}

void
diagnostics_divert(void (*fn)(void *arg, struct span text), void *arg)
{
	divert = fn;
	divert_arg = arg;
}

void
diagnostics_show_line(const char *text)
{
	/* One that went on in a second line could not be erased. */
	fprintf(stderr, "\r\033[K\033[?7l%s\033[?7h\r", text);
	line_shown = true;
}

void
diagnostics_erase_line(void)
{
	if (line_shown)
		fputs("\r\033[K", stderr);
	line_shown = false;
}

static void
say(const char *reason, const char *fmt, va_list ap)
{
	char text[MESSAGE_MAX], clean[MESSAGE_MAX];
	size_t n;

	vsnprintf(text, sizeof text, fmt, ap);
	if (reason != NULL && (n = strlen(text)) < sizeof text)
		snprintf(text + n, sizeof text - n, ": %s", reason);
	diagnostics_scrub(clean, sizeof clean, span_of(text));
	diagnostics_erase_line();
	if (divert != NULL)
		divert(divert_arg, span_of(clean));
	else
		fprintf(stderr, "%s: %s\n", program, clean);
}

void
warn_plain(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	say(NULL, fmt, ap);
	va_end(ap);
}

void
warn_errno(const char *fmt, ...)
{
	va_list ap;
	const char *reason = strerror(errno);

	va_start(ap, fmt);
	say(reason, fmt, ap);
	va_end(ap);
}

void
die(const char *fmt, ...)
{
	va_list ap;

	divert = NULL;
	va_start(ap, fmt);
	say(NULL, fmt, ap);
	va_end(ap);
	exit(EXIT_TROUBLE);
}

void
die_errno(const char *fmt, ...)
{
	va_list ap;
	const char *reason = strerror(errno);

	divert = NULL;
	va_start(ap, fmt);
	say(reason, fmt, ap);
	va_end(ap);
	exit(EXIT_TROUBLE);
}

/* How many columns s takes, shown. */
static int
width(struct span s)
{
	char shown[MESSAGE_MAX];
	struct buffer text = { 0 };
	size_t n;

	diagnostics_scrub(shown, sizeof shown, s);
	display_init();
	n = display_put(&text, span_of(shown));
	buffer_fini(&text);
	return (int)n;
}

void
die_at(struct span text, size_t column, const char *message)
{
	enum { FAR = 200, NEAR = 60 }; /* bytes before the mistake */
	const char *at = text.p + column - 1, *end = text.p + text.n;
	struct span line = { at, 0 }, before = SPAN("");
	char shown[MESSAGE_MAX];

	while (line.p > text.p && line.p[-1] != '\n')
		line.p--;
	if (at - line.p > FAR) {
		before = SPAN("...");
		line.p = at - NEAR;
		while (line.p < at && (*line.p & 0xc0) == 0x80) /* of UTF-8 */
			line.p++;
	}
	while (line.p + line.n < end && line.p[line.n] != '\n')
		line.n++;
	divert = NULL;
	warn_plain("%s", message);
	fprintf(stderr, "  %s%s\n  %*s^\n", before.p,
	    diagnostics_scrub(shown, sizeof shown, line),
	    (int)before.n +
		width((struct span){ line.p, (size_t)(at - line.p) }),
	    "");
	exit(EXIT_TROUBLE);
}
