/*
 * input - read files one after the other, as cat does, line by line.
 *
 * Lines are handed out where they are in the read buffer, without copying.
 * Reading is a call of its own, so that a caller can do other things before a
 * read that may block:
 *
 *	for (;;)
 *		switch (input_line(&in, &line)) {
 *		case INPUT_LINE: ...
 *		case INPUT_EMPTY: wait for in.fd; input_fill(&in); ...
 *
 * A file that begins like gzip or zstd data is decompressed, by a thread of its
 * own.  All that is said of bytes and offsets is then of what comes out.
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
	INPUT_LONG,  /* the first part of a line beyond the limit */
	INPUT_REST,  /* another part of it; the last has its newline */
	INPUT_EMPTY, /* all that was read is handed out: call input_fill */
	INPUT_END,   /* all files are read, or one could not be */
	INPUT_BACK,  /* on a loan: give it back (input_take_back) */
};

/* Where to begin with a compressed file that has nothing new. */
enum { INPUT_USED_UP = -1 };

/*
 * How a state follows an input: it says where to begin with each file, and is
 * told how far each was used.  All functions but opened may be NULL.
 */
struct input_hooks {
	void *arg;

	/*
	 * The at-th file was opened, or is to be read again from the start.
	 * Return the offset to begin at, and set *line to the number of lines
	 * before it.  A pipe or a compressed file is read and skipped up
	 * to there, unless this is INPUT_USED_UP.
	 */
	off_t (*opened)(void *arg, size_t at, int fd, uint64_t *line);

	/* These bytes, the next ones of the file, were used or skipped. */
	void (*used)(void *arg, struct span bytes);

	/* A line beyond the limit begins after the bytes that were used. */
	void (*long_line)(void *arg);

	/*
	 * A regular file was just read.  Return whether the bytes that were
	 * used before, and rest, which was read and is not used yet, are still
	 * in the file.  If not, the file is read again from the start.
	 */
	bool (*stands)(void *arg, struct span rest);

	/* The file is used up and about to be closed. */
	void (*left)(void *arg);

	/* Do not hand out a last line without newline, except of pipes... */
	bool keep_last;
	bool keep_last_of_pipes; /* ...or of pipes too */
};

/*
 * A compressed file that is damaged or cut off; or, with an errno, one that could
 * no longer be opened when its turn came.
 */
struct input_damage {
	const char *name, *reason;
	int error;
};

struct input {
	char *const *names;
	size_t nnames, at; /* at: the file being read */
	size_t max_line;
	char *p; /* the buffer; [start, end) is not handed out yet */
	size_t start, end, cap;
	size_t searched; /* bytes from start on without a newline */
	int fd;		 /* of the open file; -1: none */
	uint64_t line;	 /* number of the last line handed out, from 1 */
	uint64_t bytes;	 /* read so far, of all files */
	off_t size;	 /* of all files together; -1: not known */
	bool files;	 /* all of them are regular ones */
	bool regular;	 /* the open file is one: reading never blocks */
	bool compressed; /* the open file is one, and compressed */
	bool unknown;	 /* not known yet whether the pipe is compressed */
	bool wide;	 /* the open file is a pipe that was made larger */
	bool first;	 /* nothing of the open file is handed out yet */
	bool in_long, ended;
	bool padded; /* the last line had no newline; one was added */

	int error;	    /* the errno that ended the input; 0: none */
	const char *failed; /* the name of the file that cannot be read */

	struct decompressor *decompressor; /* of the open file, or NULL */
	int compressed_fd;		   /* what it reads */
	bool is_damaged;	      /* the rest of the open file is lost */
	struct input_damage *damages; /* of all files so far */
	size_t ndamages, damages_cap;

	const struct input_hooks *hooks; /* NULL: none */
	off_t offset;			 /* of p[end] in the file */
	off_t long_at;			 /* of the line that is in_long */
	off_t skip;			 /* bytes that are still to skip */
	size_t told; /* [told, start) is used, but hooks do not know yet */

	bool on_loan; /* the hooks are with the owner, see input_lend */
	bool loan_over;
};

/*
 * Begin with the named files; `-`, or no name, is stdin.
 *
 * Shape:  max_line >= 1.
 * Owns:   names is kept, not copied.
 * Errors: none; stops the program if a file does not exist or cannot be opened.
 */
void input_init(struct input *in, char *const *names, size_t n,
    size_t max_line);
void input_fini(struct input *in);

/*
 * Have hooks say where to begin, and tell them what is used.
 *
 * Shape:  nothing has been read yet.
 * Owns:   hooks is kept, not copied.
 * Errors: none.
 */
void input_resume(struct input *in, const struct input_hooks *hooks);

/*
 * The offset in the open file up to which it is used, which is the end of the
 * last whole line that was handed out; and the number of that line.
 */
off_t input_offset(const struct input *in);
uint64_t input_line_number(const struct input *in);

/* Tell the hooks now what is used; otherwise they are told before reads. */
void input_tell(struct input *in);

/*
 * Hand out the next line.  A byte order mark at the start of a file is skipped.
 * A last line without newline is a line.
 *
 * Owns:   line is valid until the next input_fill.  A whole line is followed
 *         by a newline; JSON_PAD bytes after any line can be read.
 * Errors: none.
 */
enum input_status input_line(struct input *in, struct span *line);

/*
 * Look at the next lines without taking them: whole lines with their newlines,
 * none beyond the limit, of about n bytes together, or one that is longer.
 * Returns an empty span if input_line must be called instead.
 *
 * Owns:   as input_line.
 * Errors: none.
 */
struct span input_ahead(struct input *in, size_t n);

/* Take the first lines that input_ahead returned, n bytes with newlines. */
static inline void
input_take(struct input *in, size_t lines, size_t n)
{
	in->line += lines;
	in->start += n;
	in->searched = 0;
}

/*
 * Give the read buffer, with the first n bytes of input_ahead, to other, and go
 * on in other's memory.  The lines are not counted.
 *
 * Shape:  there are no hooks; a loan has none.
 * Owns:   the lines stay where they are, in memory that is now other's.
 * Errors: none.
 */
void input_hand_over(struct input *in, size_t n, struct buffer *other);

/*
 * Read once, from the open file, or from the next one if that has ended.
 *
 * Errors: none; if a file cannot be read, the input ends, and
 *         input_report_failure says so.
 */
void input_fill(struct input *in);

/*
 * Lend an input to another thread, which reads from loan what would come next,
 * while the owner keeps the hooks.  When the hooks must be called (end of file,
 * overlong line), input_line returns INPUT_BACK.
 *
 * Shape:  all lines that were handed out are used.
 * Owns:   what was read is the loan's; input_take_back gives it back.
 * Errors: false if the hooks must be called at once; nothing changes then.
 */
bool input_lend(struct input *in, struct input *loan);
void input_take_back(struct input *in, struct input *loan);

/* The next lines from the loan, text with newlines, were used. */
void input_used(struct input *in, size_t lines, struct span text);

/*
 * _stands: the used bytes, and rest after them, are still in the open file.
 * _start_over: begin it again from the start, dropping unused lines.
 */
bool input_stands(const struct input *in, struct span rest);
void input_start_over(struct input *in);

/*
 * Tell whether the input ended because a file could not be read; if so, print
 * the message.  Rows that were emitted before are still written; what is open is
 * not emitted.
 */
bool input_report_failure(const struct input *in);

/*
 * Complain of the compressed files that are damaged, and of those that were gone;
 * false: there were none.  Lines before the damage, and of the other files, were
 * handed out.
 */
bool input_report_damage(const struct input *in);

/* The name of the last line's file, for messages. */
const char *input_name(const struct input *in);

#endif
