/*
 * multilang - the messages that Storm and its shell components exchange over
 * stdin and stdout.
 *
 * A message is a JSON value on a line or more, and then a line `end`.  What
 * comes in is taken apart where it lies, so that numbers keep their digits
 * and strings their escapes; what goes out is appended to a buffer.
 *
 * Storm writes a double that is no number as a bare NaN, which is no JSON.
 * It is read as the string MULTILANG_NAN, spelled as nobody spells it, and
 * turned back on its way out.  Infinity, which it only writes within arrays
 * of doubles, is read as a string, as Storm reads it.
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
	MULTILANG_MESSAGE, /* one */
	MULTILANG_LONG,	   /* one beyond the limit was passed over */
	MULTILANG_EMPTY,   /* nothing until multilang_fill has been called */
	MULTILANG_END,	   /* the input has ended */
	MULTILANG_BROKEN,  /* it has ended within a message */
};

enum multilang_kind {
	MULTILANG_OBJECT,
	MULTILANG_TASK_IDS, /* an array: where an emit has gone to */
	MULTILANG_INVALID,
};

/* The members that are of interest, as they are; p is NULL without one. */
struct multilang_message {
	struct span text;
	struct span id, component, stream, task, tuple, command;
};

struct multilang_input {
	int fd;
	char *p; /* [start, end) is read and not yet handed out */
	size_t start, end, cap;
	size_t line;	 /* where the line that is not yet whole begins */
	size_t searched; /* up to there for its end */
	size_t max;
	bool ended, in_long, has_nan; /* has_nan: some message had one */
	struct projection projection;
	struct value *slots;
	struct buffer mended;
};

/*
 * Shape:  a message has at most max bytes.
 * Owns:   fd stays the caller's.
 */
void multilang_input_init(struct multilang_input *in, int fd, size_t max);
void multilang_input_fini(struct multilang_input *in);

/*
 * Hand out the next message, without its end.
 *
 * Owns:   text is good until the next multilang_fill, has no white space at
 *         its ends, and is followed by a newline and JSON_PAD bytes.
 */
enum multilang_status multilang_next(struct multilang_input *in,
    struct span *text);

/*
 * Read once.
 *
 * Errors: none; stops the program where reading fails.
 */
void multilang_fill(struct multilang_input *in);

/*
 * Take a message apart.
 *
 * Shape:  text is as _next gave it.
 * Owns:   m is good until the next _fill or _parse.
 * Errors: MULTILANG_INVALID where it is no JSON, not even Storm's; f tells.
 */
enum multilang_kind multilang_parse(struct multilang_input *in,
    struct span text, struct multilang_message *m, struct fault *f);

/*
 * What a JSON string stands for: the bytes between its quotes, or those
 * decoded into scratch.  Nothing where raw is no string.
 */
struct span multilang_text(struct span raw, struct buffer *scratch);

/* What the log is told, Storm's numbers. */
enum multilang_level {
	MULTILANG_INFO = 2,
	MULTILANG_WARN = 3,
};

/* Append a message. */
void multilang_put_sync(struct buffer *b);
void multilang_put_pid(struct buffer *b, int64_t pid);
void multilang_put_log(struct buffer *b, enum multilang_level level,
    struct span text);
void multilang_put_error(struct buffer *b, struct span text);

/* Tell that a tuple is done with, or could not be; id as a JSON string. */
void multilang_put_ack(struct buffer *b, struct span id);
void multilang_put_fail(struct buffer *b, struct span id);

/*
 * Append an emit, in pieces: the head; a comma-separated list of JSON
 * strings, anchors; a stream, unless it is `default`; then the tuple from
 * the byte after its opening bracket, which is the caller's; and the end.
 *
 *	_put_emit, [_put_anchor ...], _put_tuple, values, _end_tuple
 *
 * Shape:  id is that of a spout's tuple, stream a name; p is NULL for none.
 */
void multilang_put_emit(struct buffer *b, struct span id, struct span stream);
void multilang_put_anchor(struct buffer *b, struct span id, bool first);
void multilang_put_tuple(struct buffer *b, bool anchored);
void multilang_end_tuple(struct buffer *b);

/* Turn MULTILANG_NAN back into NaN, from the byte `from` on. */
void multilang_restore_nan(struct buffer *b, size_t from);

#endif
