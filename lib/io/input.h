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
#ifndef IO_INPUT_H
#define IO_INPUT_H

#include <stdint.h>
#include <sys/types.h>

#include "base/buffer.h"
#include "base/span.h"

enum input_status {
	INPUT_LINE,  /* a line, without its newline */
	INPUT_LONG,  /* the beginning of one that is beyond the limit */
	INPUT_REST,  /* more of that one; its newline too where it ends */
	INPUT_EMPTY, /* nothing until input_fill has been called */
	INPUT_END,   /* all files are, or one cannot be read */
};

/*
 * Whoever keeps positions is told what is used of which file.  All but opened
 * may be NULL.
 */
struct input_hooks {
	void *arg;

	/*
	 * Tell where to begin with a file that was opened, or that is to be
	 * begun anew, and how many lines lie before that.  A pipe is read and passed over up to there.
	 */
	off_t (*opened)(void *arg, size_t at, int fd, uint64_t *line);

	/* These bytes of it have been used or passed over. */
	void (*used)(void *arg, struct span bytes);

	/* A line that is too long begins behind what has been used. */
	void (*long_line)(void *arg);

	/*
	 * A regular file has been read from.  Tell whether what was used of it
	 * before, and the rest that was read and is not used yet, still stand
	 * there.  If not, the read does not count, and the file is begun anew.
	 */
	bool (*stands)(void *arg, struct span rest);

	/* It has been used up and is about to be closed. */
	void (*left)(void *arg);

	/* A last line without newline is not handed out, unless of a pipe. */
	bool keep_last;
	bool keep_last_of_pipes; /* nor then */
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
	bool wide;	 /* it is a pipe with more room than at first */
	bool first;	 /* nothing of the open file is handed out yet */
	bool in_long, ended;
	bool padded; /* the newline of the last line was put there */

	int error;	    /* what ended it, of errno; 0: nothing did */
	const char *failed; /* the name of the file that cannot be read */

	const struct input_hooks *hooks; /* NULL: none */
	off_t offset;			 /* in the file, of p[end] */
	off_t long_at;			 /* of the line that is in_long */
	off_t skip;			 /* bytes still to be passed over */
	size_t told; /* [told, start) is used, and hooks are to know */
};

/*
 * Read the named files, `-` being stdin; stdin where there are none.
 *
 * Shape:  max_line >= 1.
 * Owns:   names is kept, not copied.
 * Errors: none; stops the program where it is soon seen that a file cannot be
 *         read.
 */
void input_init(struct input *in, char *const *names, size_t n,
    size_t max_line);
void input_fini(struct input *in);

/*
 * Go on where hooks say.
 *
 * Shape:  nothing has been read yet.
 * Owns:   hooks is kept, not copied.
 */
void input_resume(struct input *in, const struct input_hooks *hooks);

/*
 * How far the open file has been used, and the number of the line that is
 * up to there: the end of the last line that was handed out whole.
 */
off_t input_offset(const struct input *in);
uint64_t input_line_number(const struct input *in);

/* Tell the hooks what has been used up to now. */
void input_tell(struct input *in);

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
 * The lines that input_line would hand out next, with their newlines: some n
 * bytes, or the first line if that is longer; none is beyond the limit.
 * Empty where it takes input_line to tell.  What is used of them is to be
 * taken, or handed over.
 *
 * Owns:   as input_line.
 */
struct span input_ahead(struct input *in, size_t n);

/* Take the next lines of those, which have n bytes with their newlines. */
static inline void
input_take(struct input *in, size_t lines, size_t n)
{
	in->line += lines;
	in->start += n;
	in->searched = 0;
}

/*
 * Take the first n bytes of those, with the memory that they are in, and read
 * on into that of other.  Their lines are not counted.
 *
 * Owns:   the lines are in other then, where they were.
 * Shape:  there are no hooks.
 */
void input_hand_over(struct input *in, size_t n, struct buffer *other);

/*
 * Read once, from the file after where one has ended.
 *
 * Errors: a file that cannot be read ends the input, see input_failed.
 */
void input_fill(struct input *in);

/*
 * Tell whether a file that cannot be read has ended the input, and complain of
 * it.  What was made of all before is still to be written.
 */
bool input_failed(const struct input *in);

/* What messages call the file of the last line. */
const char *input_name(const struct input *in);

#endif
