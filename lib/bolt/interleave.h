/*
 * interleave - read the files of a bolt side by side, the tuple with the oldest
 * time first.
 *
 * The watermark is the least of the files', but for those that have ended or
 * are silent.  With --state a file that has ended may go on in the next run,
 * and holds it.
 *
 * A bolt has one as the first member of its own state, and asks it for times
 * whether or not files are interleaved.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef BOLT_INTERLEAVE_H
#define BOLT_INTERLEAVE_H

#include "bolt/time_options.h"
#include "state/store.h"
#include "tuple/watermark.h"

struct interleave {
	/*
	 * For the bolt to set: the watermark has come to ms.  NULL if the bolt
	 * calls neither _see nor _go_on.
	 */
	void (*move)(void *self, int64_t ms);
	/*
	 * For the bolt to set: read all that a tuple must have, except its
	 * time; -1 if it is bad, and f says why.  A bad one has no place in the
	 * order.  execute reads it again, as others come between.
	 */
	int (*read)(void *self, const struct tuple *t, struct fault *f);

	/*
	 * For the bolt to set, with move: a file that holds back rows of so
	 * many milliseconds, or more, is told of.
	 */
	int64_t held_ms;

	/* Its own. */
	const struct time_options *options;
	struct field_range time; /* its field, if tuples have one */
	size_t n; /* files; 0: they are read one after the other */
	struct span *names, *streams;
	const struct span *old_names; /* during restore; NULL: the same */
	struct watermark watermark;   /* in milliseconds */
	bool goes_on;		      /* another run will follow */
	bool restored;		      /* just now: nothing was read since */
	/* The largest time of files that are read one after the other. */
	int64_t latest;
};

/*
 * Make sense of the options (see time_options_configure), and have the bolt's
 * runner read side by side if they say so; time is the field of -t.
 *
 * Owns:   options are kept, not copied.
 * Errors: none; stops the program by options_misuse.
 */
void interleave_configure(struct interleave *i, const struct time_options *o,
    const struct field_range *time, struct bolt *bolt,
    struct bolt_setup *setup);
void interleave_prepare(struct interleave *i,
    const struct bolt_context *context);
void interleave_fini(struct interleave *i);

/* Keep how far each file has come, and get it back, with --state. */
void interleave_save(const struct interleave *i, struct store *store);
void interleave_restore(struct interleave *i, struct store *store);

/*
 * Read the time of a tuple, unless that was done before.
 *
 * Units:  *ms is milliseconds.
 * Errors: -1 if it has none; f says why.
 */
static inline int
interleave_time(const struct interleave *i, const struct tuple *t, int64_t *ms,
    struct fault *f)
{
	*ms = t->time_ns;
	if (!t->timed && !i->options->interleave &&
	    tuple_time(t, i->time.first, &i->options->form, ms, f) < 0)
		return -1;
	*ms = ns_to_ms(*ms);
	return 0;
}

/* Note the time of a good tuple.  With --interleave, let the watermark see it. */
static inline void
interleave_see(struct interleave *i, const struct tuple *t, int64_t ms)
{
	if (i->options->interleave) {
		if (watermark_see(&i->watermark, t->stream, ms))
			i->move(i, i->watermark.now);
	} else if (ms > i->latest) {
		i->latest = ms;
	} else if (i->latest - ms > i->watermark.disorder) {
		i->watermark.disorder = i->latest - ms;
	}
}

/*
 * Count how far times were out of order, and the tuples that came behind the
 * watermark; NULL: there are none.
 */
void interleave_count(const struct interleave *i, const struct behind *behind,
    struct counters *c);

/*
 * No line comes: move time on, if it has begun.
 *
 * Shape:  tick is a TICK_LIVE; now_ms is set if it has begun.
 */
void interleave_go_on(struct interleave *i, bool begun, int64_t now_ms,
    const struct tick *tick);

#endif
