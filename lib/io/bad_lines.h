/*
 * bad_lines - what becomes of lines that are no good: a message for the
 * first few of each kind, a copy in a side file, and an end where there are
 * too many.  A file that is no NDJSON from its first line on has one message.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef IO_BAD_LINES_H
#define IO_BAD_LINES_H

#include <stdint.h>

#include "base/fault.h"
#include "io/output.h"

enum on_error { ON_ERROR_REPORT, ON_ERROR_SKIP, ON_ERROR_STOP };

/* As the options say. */
struct bad_lines_policy {
	int on_error;	     /* enum on_error */
	bool quiet;	     /* no messages */
	int64_t max_errors;  /* -1: as many as there are */
	const char *rejects; /* file that keeps them; NULL: none */
	int64_t max_line;    /* bytes; a longer line is a bad one */
};

/* Where a line is from. */
struct place {
	const char *name;
	uint64_t line;
};

enum { BAD_LINES_SHOWN = 10 }; /* of a kind */

struct bad_lines {
	const struct bad_lines_policy *policy;
	struct output rejects;
	uint64_t n, shown;
	uint64_t kinds[FAULT_KINDS];
	const char *foreign[BAD_LINES_SHOWN]; /* files that are no NDJSON */
	size_t nforeign;
	bool in_long;	  /* more of a line beyond the limit is to come */
	const char *hint; /* of what that looks like; or NULL */
};

/*
 * Shape:  the side file is emptied, unless it is to go on.
 * Errors: none; stops the program where the side file cannot be opened.
 */
void bad_lines_init(struct bad_lines *b, const struct bad_lines_policy *policy,
    bool go_on);

/*
 * Count a line as bad, say why, and keep it.
 *
 * Errors: false where that was one too many.
 */
bool bad_lines_add(struct bad_lines *b, const struct place *place,
    const struct fault *f, struct span line);

/*
 * The same for a line beyond the limit, part by part as input_line hands
 * them out.  It is counted with the part that has its newline, and is kept
 * in one piece unless it is beyond all measure.
 */
bool bad_lines_add_long(struct bad_lines *b, const struct place *place,
    struct span part);

/*
 * Write what is kept, unless it ends within a line, which others who write to
 * the file would tear.
 */
void bad_lines_flush(struct bad_lines *b);

/* Say how many were not shown.  Returns whether some were not asked for. */
bool bad_lines_close(struct bad_lines *b);

#endif
