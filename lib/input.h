/*
 * input - files read one after the other like cat, taken apart into lines.
 *
 * Lines are handed out in place, in the buffer that they were read into;
 * reading is apart from that, so that whoever drives an input can do other
 * things before a read that may block:
 *
 *	for (;;)
 *		switch (input_line(&in, &line)) {
 *		case INPUT_LINE: ...
 *		case INPUT_EMPTY: wait for input_fd(&in); input_fill(&in); ...
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef INPUT_H
#define INPUT_H

#include <stdint.h>
#include <sys/types.h>

#include "span.h"

enum input_status {
	INPUT_LINE,  /* a line, without its newline */
	INPUT_LONG,  /* the beginning of one that is beyond the limit */
	INPUT_REST,  /* more of that one; its newline too where it ends */
	INPUT_EMPTY, /* nothing until input_fill has been called */
	INPUT_END,   /* all files are at their end */
};

struct input {
	char *const *names;
	size_t nnames, at; /* at: the file being read */
	size_t max_line;
	char *p; /* [start, end) is read and not yet handed out */
	size_t start, end, cap;
	size_t searched; /* bytes from start on without a newline */
	int fd;		 /* -1 where none is open */
	uint64_t line;	 /* of the last line handed out, from 1 */
	uint64_t bytes;	 /* read in all */
	off_t size;	 /* of all files, -1 where that is not known */
	bool regular;	 /* the open file: reading never blocks */
	bool first;	 /* nothing of the open file is handed out yet */
	bool in_long, ended;
};

/*
 * Read the named files, `-` being stdin; stdin where there are none.
 *
 * Shape:  max_line >= 1.
 * Owns:   names is kept, not copied.
 * Errors: none; stops the program where a file cannot be read.
 */
void input_init(struct input *in, char *const *names, size_t n,
    size_t max_line);
void input_fini(struct input *in);

/*
 * Hand out the next line.  A BOM at the start of a file is passed over; a
 * last line without newline counts.
 *
 * Owns:   line is good until the next input_fill, is followed by a newline
 *         where it is whole, and by JSON_PAD readable bytes.
 * Errors: none.
 */
enum input_status input_line(struct input *in, struct span *line);

/*
 * Read once, from the file after where one has ended.
 *
 * Errors: none; stops the program where reading fails.
 */
void input_fill(struct input *in);

/* What messages call the file of the last line. */
const char *input_name(const struct input *in);

#endif
