/*
 * bad_lines - report and count bad lines: a message for the first few of each
 * kind of fault, a copy in the file of --rejects, and an end when there are too
 * many.  A file that is clearly not NDJSON gets a single message.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef IO_BAD_LINES_H
#define IO_BAD_LINES_H

#include <stdint.h>

#include "base/fault.h"
#include "io/output.h"

enum on_error { ON_ERROR_REPORT, ON_ERROR_SKIP, ON_ERROR_STOP };

/* What the options ask for. */
struct bad_lines_policy {
	int on_error;	     /* enum on_error */
	bool quiet;	     /* no messages */
	int64_t max_errors;  /* how many are allowed; -1: any number */
	const char *rejects; /* the file for them; NULL: none */
	int64_t max_line;    /* in bytes; a longer line is bad */
};

/* Where a line is from. */
struct place {
	const char *name;
	uint64_t line;
	bool is_first;	 /* before it the file has nothing but blanks */
	uint64_t nlines; /* so far, of all files, but blank ones */
};

enum { BAD_LINES_SHOWN = 10 }; /* messages of each kind of fault */

struct bad_lines {
	const struct bad_lines_policy *policy;
	struct output rejects;
	uint64_t n, shown;
	uint64_t kinds[FAULT_KINDS];
	unsigned unsaid; /* kinds that are not shown any more: a bit for each */
	/* The first field that was missing, as in struct fault, and where. */
	size_t missing;
	const char *missing_in;
	/* Files that do not look like NDJSON. */
	struct foreign_file {
		const char *name;
		uint64_t nobjects; /* before it */
	} foreign[BAD_LINES_SHOWN];
	size_t nforeign;
	uint64_t nbroken; /* bad lines that are no object */
	/* The file of --rejects ends within this line; NULL: with a whole one. */
	const struct long_line *open;
};

/* A line beyond the limit, which comes part by part; one for each input. */
struct long_line {
	struct buffer text; /* what is to be written of it */
	const char *hint;   /* what its file looks like, or NULL */
};

/*
 * Begin, and open the file of --rejects, which is emptied unless go_on.
 *
 * Owns:   policy is kept, not copied.
 * Errors: none; stops the program if the file cannot be opened.
 */
void bad_lines_init(struct bad_lines *b, const struct bad_lines_policy *policy,
    bool go_on);

/*
 * Count a bad line, report f, and write the line to the file of --rejects.
 *
 * Owns:   place->name is kept, not copied.
 * Errors: false if the command must end now, by --max-errors or --on-error.
 */
bool bad_lines_add(struct bad_lines *b, const struct place *place,
    const struct fault *f, struct span line);

/*
 * bad_lines_add for a line beyond the limit, which comes part by part from
 * input_line; begins: this is the first part.  The last one has the newline: with
 * it the line is counted and written.  A line more than a block beyond the limit
 * is written in pieces, and bad lines of other inputs may come between them.
 *
 * Owns:   l is the input's, zero at first; long_line_fini frees it.
 */
bool bad_lines_add_long(struct bad_lines *b, struct long_line *l,
    const struct place *place, struct span part, bool begins);
void long_line_fini(struct long_line *l);

/* Write the lines that are still in the buffer of --rejects. */
void bad_lines_flush(struct bad_lines *b);

/*
 * Report how many messages were not shown, and close the file of --rejects.
 * Returns true if bad lines make the exit status 1.
 */
bool bad_lines_close(struct bad_lines *b);

#endif
