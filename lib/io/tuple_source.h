/*
 * tuple_source - read an input and hand out its lines as tuples, in order.
 *
 * Lines are read and scanned in batches, by this thread or by others that work
 * ahead.  _take makes tuples of up to TUPLE_AHEAD lines of a batch;
 * _next goes through these one by one.
 *
 *	for (;;) {
 *		status = tuple_source_take(s);
 *		if (status == INPUT_LINE)
 *			while (tuple_source_next(s))
 *				use tuple_source_line(s)->kind and s->tuple;
 *		else if (status == INPUT_EMPTY)
 *			wait for tuple_source_fd(s); tuple_source_read(s);
 *		...
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef IO_TUPLE_SOURCE_H
#define IO_TUPLE_SOURCE_H

#include "base/clock.h"
#include "base/prefetch.h"
#include "io/bad_lines.h"
#include "io/input.h"
#include "io/line_batch.h"
#include "io/scan_ahead.h"
#include "json/line_scanner.h"
#include "tuple/tuple.h"

/* At most so much text of a line is fetched: of long lines little is read. */
enum { FETCHED_TEXT = 256 };

struct tuple_source {
	struct input in;
	struct line_scanner *scanner;
	bool owns_scanner;
	struct time_slot time;	  /* of the times that are read with lines */
	struct scan_ahead *ahead; /* what other threads do, or NULL: nothing */
	uint64_t ahead_from;	  /* read ahead after this many bytes */
	struct line_batch own;	  /* scanned by this thread */
	struct line_batch *batch; /* in use: own, or one of ahead's */
	size_t at;	/* lines of the batch that _next has gone to */
	size_t end;	/* lines of the batch that _take has taken */
	size_t settled; /* lines of the batch that the input knows are used */
	struct tuple *tuple; /* of the line that _next went to */
	struct tuple *next;  /* of that which it goes to next, before end */
	struct tuple tuples[TUPLE_AHEAD]; /* of the lines that are taken */
	/* How long each is, about, if another thread has read them; else 0. */
	size_t text_each;
	struct buffer scratch;
	size_t file;	     /* the input's file that the batch is from */
	uint64_t last_line;  /* number in that file of the batch's last line */
	uint64_t nblank;     /* lines before the batch, if all are blank */
	uint64_t bytes_read; /* before the batch */
	struct stopwatch watch; /* of reading and scanning by this thread */
	bool steady;	 /* what is read ahead is one file, and no pipe */
	uint32_t stream; /* what its tuples have as their stream */
};

/*
 * Open an input of the named files (see input_init).  Its tuples belong to
 * `stream`.  If time is not NULL, that field is read as their time.
 *
 * Shape:  scanner is that of another source of the same projection, which the
 *         same thread reads; or NULL.
 * Owns:   names, projection and scanner are kept, not copied; the other source
 *         is not freed before the last tuple was taken.
 * Errors: none; stops the program if the environment variable
 *         TUPLETOOLS_INDEX names a version of the index that does not run on
 *         this processor.
 */
void tuple_source_init(struct tuple_source *s, uint32_t stream,
    char *const *names, size_t n, size_t max_line,
    const struct projection *projection, const struct time_field *time,
    struct line_scanner *scanner);
void tuple_source_fini(struct tuple_source *s);

/*
 * Make a source of lines that the caller has: _take hands out those that were
 * given last, then says INPUT_END.  _give scans lines of this stream.
 *
 * Shape:  the lines end in a newline, with JSON_PAD readable bytes behind it,
 *         and are shorter than 4 GiB; _next has gone to all that were given
 *         before.
 * Owns:   projection is kept, not copied; the lines are the caller's, and
 *         their tuples valid until the next _give.
 * Errors: none; see tuple_source_init.
 */
void tuple_source_init_given(struct tuple_source *s,
    const struct projection *projection);
void tuple_source_give(struct tuple_source *s, uint32_t stream,
    struct span lines);

/*
 * Take the next lines that have been read, TUPLE_AHEAD at most, and make
 * tuples of them.
 *
 * Shape:  _next has gone to all lines that were taken before.
 * Owns:   lines and tuples that were taken before are no longer valid.
 * Errors: INPUT_LINE: some were taken.  INPUT_EMPTY: all that has been read is
 *         used up; call tuple_source_read.  INPUT_END: the input has ended;
 *         input_report_failure says how.
 */
enum input_status tuple_source_take(struct tuple_source *s);

/*
 * List the tuples of the lines that were just taken, so that a bolt can
 * prepare for them.  Lines that are not objects are left out.  Returns how
 * many there are.
 *
 * Shape:  next has room for TUPLE_AHEAD; _next was not called since _take.
 * Owns:   the tuples are those that _next hands out later, with whatever the
 *         caller has put into them.
 * Errors: none.
 */
size_t tuple_source_look_ahead(struct tuple_source *s, struct tuple **next);

/*
 * Go to the next of the lines that were taken, or return false when all have
 * been gone to.
 *
 * Owns:   s->tuple is valid until the next call.  The tuple of a line that is
 *         not an object has only its text.
 * Errors: none.
 */
static inline bool tuple_source_next(struct tuple_source *s);

/*
 * The line that _next went to.
 *
 * Owns:   valid as long as s->tuple.
 */
static inline const struct scanned_line *
tuple_source_line(const struct tuple_source *s)
{
	return &s->batch->lines.lines[s->at - 1];
}

/*
 * Say what is wrong with that line, which is LINE_INVALID.
 *
 * Errors: none.
 */
void tuple_source_explain(struct tuple_source *s, struct fault *f);

/*
 * The file and number of that line; its bytes as they were read.
 *
 * Owns:   valid as long as s->tuple.
 */
struct place tuple_source_place(const struct tuple_source *s);
struct span tuple_source_raw(const struct tuple_source *s);

/*
 * The lines up to the current one are used; a saved state begins after them.
 * held: the current one is not used yet.
 */
void tuple_source_settle(struct tuple_source *s, bool held);

/*
 * Read more, after INPUT_EMPTY.  This can block.
 *
 * Errors: none; the next _take returns INPUT_END if reading failed.
 */
void tuple_source_read(struct tuple_source *s);

/*
 * _is_long: so much was read that threads are worth their start.  _read_ahead:
 * let them do the reading and scanning from here on.
 *
 * Shape:  _next has gone to all lines that were taken.
 * Owns:   the caller stops the threads before _fini.
 * Errors: none; if no thread is left for the input, nothing changes.
 */
bool tuple_source_is_long(const struct tuple_source *s);
void tuple_source_read_ahead(struct tuple_source *s,
    struct scan_threads *threads);

/*
 * The descriptor to poll before _read; and whether there is no need to: _read
 * then waits for nothing but a thread that decompresses a file.
 */
int tuple_source_fd(const struct tuple_source *s);
bool tuple_source_never_blocks(const struct tuple_source *s);

/* The descriptor of the file that is read, by this thread or by others. */
int tuple_source_reads(const struct tuple_source *s);

/* Tell whether _read never blocks, up to the end of the input: it is one file. */
bool tuple_source_is_steady(const struct tuple_source *s);

/*
 * Fetch what another thread has made of the line that comes TUPLE_AHEAD lines
 * later.  For all of the next lines at once the processor would wait.
 */
static inline __attribute__((always_inline)) void
tuple_source_fetch(const struct tuple_source *s)
{
	const struct scanned_line *line = tuple_source_line(s);
	const struct tuple *t = s->tuple;
	size_t slots = (size_t)t->projection->nslots * sizeof *t->slots;

	prefetch_behind(line, TUPLE_AHEAD * sizeof *line, sizeof *line);
	prefetch_behind(t->slots, TUPLE_AHEAD * slots, slots);
	prefetch_behind(t->line.p, TUPLE_AHEAD * s->text_each,
	    s->text_each < FETCHED_TEXT ? s->text_each : FETCHED_TEXT);
}

static inline bool
tuple_source_next(struct tuple_source *s)
{
	if (s->at == s->end)
		return false;
	s->at++;
	s->tuple = s->next++;
	if (s->text_each != 0)
		tuple_source_fetch(s);
	return true;
}

#endif
