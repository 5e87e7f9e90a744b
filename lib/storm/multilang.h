/*
 * multilang - read and write the messages that Storm and its shell components
 * exchange over stdin and stdout.
 *
 * A message is a JSON value on one or more lines, followed by a line `end`.
 * Messages are parsed in place, so that numbers keep their digits and strings
 * their escapes; messages to Storm are appended to a buffer.
 *
 * Storm writes a double that is not a number as NaN, which JSON does not allow.
 * It is read as the string MULTILANG_NAN, whose spelling no other string has,
 * and becomes NaN again in messages to Storm.  Infinity, which Storm writes
 * only within arrays of doubles, is read as a string, as Storm itself does.
 *
 * Source: Storm's JsonSerializer, ShellBolt and ShellSpout.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef STORM_MULTILANG_H
#define STORM_MULTILANG_H

#include <stdint.h>

#include "base/buffer.h"
#include "base/span.h"
#include "tuple/projection.h"

#define MULTILANG_NAN "\"\\u004eaN\""

enum multilang_status {
	MULTILANG_MESSAGE, /* a message */
	MULTILANG_LONG,	   /* a message beyond the limit was skipped */
	MULTILANG_EMPTY,   /* all that was read is used: call multilang_fill */
	MULTILANG_END,	   /* the input has ended */
	MULTILANG_BROKEN,  /* the input has ended within a message */
};

enum multilang_kind {
	MULTILANG_OBJECT,
	MULTILANG_TASK_IDS, /* an array: the tasks that an emit went to */
	MULTILANG_INVALID,
};

/* The members that are used, as JSON text; p is NULL if one is missing. */
struct multilang_message {
	struct span text;
	struct span id, component, stream, task, tuple, command;
	struct span first, second; /* of the values of tuple */
};

struct multilang_input {
	int fd;
	char *p; /* the buffer; [start, end) is not handed out yet */
	size_t start, end, cap;
	size_t line;	 /* where the last, incomplete line begins */
	size_t searched; /* where searching for its end goes on */
	size_t max;
	bool ended, in_long, has_nan; /* has_nan: a message had a NaN */
	struct projection projection;
	struct value *slots;
	struct buffer mended;
};

/*
 * Begin to read messages, of at most max bytes, from fd.
 *
 * Owns:   fd stays the caller's.
 * Errors: none.
 */
void multilang_input_init(struct multilang_input *in, int fd, size_t max);
void multilang_input_fini(struct multilang_input *in);

/*
 * Hand out the next message, without its `end`.
 *
 * Owns:   text is valid until the next multilang_fill, has no white space at
 *         its ends, and is followed by a newline and JSON_PAD bytes.
 * Errors: MULTILANG_LONG, MULTILANG_BROKEN.
 */
enum multilang_status multilang_next(struct multilang_input *in,
    struct span *text);

/*
 * Read once.
 *
 * Errors: none; stops the program if reading fails.
 */
void multilang_fill(struct multilang_input *in);

/*
 * Parse a message.
 *
 * Shape:  text is from multilang_next.
 * Owns:   m is valid until the next _fill or _parse.
 * Errors: MULTILANG_INVALID if it is not JSON as Storm writes it; f says why.
 */
enum multilang_kind multilang_parse(struct multilang_input *in,
    struct span text, struct multilang_message *m, struct fault *f);

/*
 * The content of a JSON string without quotes and escapes, in raw or in
 * scratch; empty if raw is not a string.
 */
struct span multilang_text(struct span raw, struct buffer *scratch);

/* The levels of Storm's log. */
enum multilang_level {
	MULTILANG_WARN = 3,
};

/* Append a message. */
void multilang_put_sync(struct buffer *b);
void multilang_put_pid(struct buffer *b, int64_t pid);
void multilang_put_log(struct buffer *b, enum multilang_level level,
    struct span text);
void multilang_put_error(struct buffer *b, struct span text);

/* Append an ack or a fail of a tuple; id is a JSON string. */
void multilang_put_ack(struct buffer *b, struct span id);
void multilang_put_fail(struct buffer *b, struct span id);

/*
 * Append an emit, piece by piece:
 *
 *	_put_emit, [_put_anchor ...], _put_tuple, values, _end_tuple
 *
 * The caller itself appends the values, separated by commas.
 *
 * Shape:  the id of a spout's tuple and the name of a stream have p NULL if
 *         there is none; task is 0 if Storm is to decide who gets the tuple;
 *         the id of an anchor is a JSON string.
 */
void multilang_put_emit(struct buffer *b, struct span id, struct span stream,
    int64_t task);
void multilang_put_anchor(struct buffer *b, struct span id, bool first);
void multilang_put_tuple(struct buffer *b, bool anchored);
void multilang_end_tuple(struct buffer *b);

/* Turn MULTILANG_NAN back into NaN, from the byte `from` on. */
void multilang_restore_nan(struct buffer *b, size_t from);

#endif
