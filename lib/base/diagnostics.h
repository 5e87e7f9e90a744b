/*
 * diagnostics - the messages of a command on stderr, and its exit statuses.
 *
 * Every message is one line, `PROG: ...`, in lower case.  Control bytes in it
 * are made visible, so that no input can control a terminal.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef BASE_DIAGNOSTICS_H
#define BASE_DIAGNOSTICS_H

#include "base/span.h"

enum exit_status {
	EXIT_OK = 0,   /* all input was used */
	EXIT_DATA = 1, /* finished, but dropped bad lines or late tuples */
	EXIT_TROUBLE =
	    2, /* usage; cannot open, read or write; too many errors */
};

/*
 * Set the program's name to argv[0] without its directories, and see that no
 * file that is opened takes the place of a standard descriptor that is closed.
 * To be called before any is.
 *
 * Owns:   argv0 is kept, not copied.
 * Errors: none; stops the program if one is closed and there is no /dev/null.
 */
void diagnostics_init(const char *argv0);

/*
 * Write one message, with the program's name before it.  warn_errno adds `: `
 * and the system's reason.
 *
 * Errors: none; if stderr cannot be written, the message is lost.
 */
void warn_plain(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void warn_errno(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/*
 * Pass warnings to fn instead of stderr, without the program's name; NULL
 * undoes it.
 *
 * Owns:   text is valid during the call.
 * Errors: none.
 */
void diagnostics_divert(void (*fn)(void *arg, struct span text), void *arg);

/* Write a message like warn_*, always to stderr, and exit with EXIT_TROUBLE. */
void die(const char *fmt, ...) __attribute__((noreturn, format(printf, 1, 2)));
void die_errno(const char *fmt, ...)
    __attribute__((noreturn, format(printf, 1, 2)));

/*
 * Write a message about a text that the user wrote, show the line of it, or of a
 * long one what is around the mistake, with a caret below that, and exit with
 * EXIT_TROUBLE.
 *
 * Shape:  column counts the bytes of text from 1, and is at most one more than
 *         there are.
 */
void die_at(struct span text, size_t column, const char *message)
    __attribute__((noreturn));

/*
 * Show a line on stderr, which is a terminal, until it is replaced, erased, or
 * a message is written.  The cursor stays at its start, so that other output
 * overwrites it.
 *
 * Shape:  text has no control bytes; it is cut off at the terminal's width.
 * Errors: none.
 */
void diagnostics_show_line(const char *text);
void diagnostics_erase_line(void);

/*
 * Copy s into out in a form that can be shown: control bytes and bytes that
 * are not UTF-8 become \xNN, and a text that is too long ends in `...`.
 *
 * Shape:  size >= 8; out is NUL-terminated.
 * Errors: none.  Returns out.
 */
char *diagnostics_scrub(char *out, size_t size, struct span s);

#endif
