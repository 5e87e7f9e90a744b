/*
 * diagnostics - what a command says on stderr, and its exit statuses.
 *
 * Every message is one line, `PROG: ...`, in lower case; bytes of user data
 * are scrubbed, so that no input can write on a terminal.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef BASE_DIAGNOSTICS_H
#define BASE_DIAGNOSTICS_H

#include "base/span.h"

enum exit_status {
	EXIT_OK = 0,	/* all input used */
	EXIT_DATA = 1,	/* finished, but lines were skipped or came late */
	EXIT_USAGE = 2, /* usage; cannot open, read or write; too many errors */
};

/*
 * Take the program's name from argv[0], without its directories.
 *
 * Owns:   argv0 is kept, not copied.
 * Errors: none.
 */
void diagnostics_init(const char *argv0);

/*
 * Write one message, scrubbed, with the program's name in front.  The
 * _errno forms add `: ` and the system's reason.
 *
 * Errors: none; what stderr does not take is lost.
 */
void warn_plain(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void warn_errno(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/*
 * Have warnings go elsewhere, without the program's name: scrubbed text that
 * is good during the call.  NULL: to stderr again.
 */
void diagnostics_divert(void (*fn)(void *arg, struct span text), void *arg);

/* The same, on stderr always, then exit with EXIT_USAGE. */
void die(const char *fmt, ...) __attribute__((noreturn, format(printf, 1, 2)));
void die_errno(const char *fmt, ...)
    __attribute__((noreturn, format(printf, 1, 2)));

/*
 * Say what is wrong with a text that the user wrote, show the line of it that
 * the column is in, with a caret below, and exit with EXIT_USAGE.
 *
 * Shape:  column is of a byte of text, or the one behind it, from 1.
 */
void die_at(struct span text, size_t column, const char *message)
    __attribute__((noreturn));

/*
 * Keep a line on the terminal that stderr is, in place of the last one, until
 * a message comes or it is erased.  The cursor stays at its start, so that
 * nothing is appended to it.
 *
 * Shape:  text has no control bytes; what the terminal is too narrow for is
 *         cut off.
 * Errors: none.
 */
void diagnostics_show_line(const char *text);
void diagnostics_erase_line(void);

/*
 * Copy s into out so that it can be shown: control bytes and bytes that are
 * not UTF-8 become \xNN, and what is longer than the room ends in `...`.
 *
 * Shape:  size >= 8; out is NUL-terminated.
 * Errors: none.  Returns out.
 */
char *diagnostics_scrub(char *out, size_t size, struct span s);

#endif
