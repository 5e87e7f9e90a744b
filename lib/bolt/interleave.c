/*
 * SPDX-License-Identifier: ISC
 */
#include <stdlib.h>

#include "base/duration.h"
#include "base/memory.h"
#include "bolt/interleave.h"
#include "state/watermark_state.h"

static int
time_of(void *self, const struct tuple *t, int64_t *ns, struct fault *f)
{
	const struct interleave *i = self;

	if (i->read(self, t, f) < 0)
		return -1;
	return tuple_time(t, i->time.first, &i->options->form, ns, f);
}

/* A file that held the watermark may not be named in this run. */
static void
settle(struct interleave *i)
{
	if (!i->restored)
		return;
	i->restored = false;
	if (watermark_update(&i->watermark) && i->move != NULL)
		i->move(i, i->watermark.now);
}

/*
 * The times of tuples were read with their lines.  Those of bad ones are not
 * used, so that time_of is called, which says what is wrong.
 */
static void
look_ahead(void *self, struct tuple *const *tuples, size_t n)
{
	struct interleave *i = self;

	settle(i);
	for (size_t k = 0; k < n; k++)
		if (tuples[k]->timed && i->read(self, tuples[k], NULL) < 0)
			tuples[k]->timed = false;
}

static struct time_field
time_field(const void *self, size_t stream)
{
	const struct interleave *i = self;

	(void)stream;
	return (struct time_field){ i->time, &i->options->form };
}

static void
stream_changed(void *self, size_t stream, enum stream_state state)
{
	struct interleave *i = self;

	settle(i);
	if (state == STREAM_ENDED && i->goes_on)
		return;
	if (watermark_set_idle(&i->watermark, stream, state != STREAM_ACTIVE) &&
	    i->move != NULL)
		i->move(self, i->watermark.now);
}

/*
 * Say which file rows wait for.  At the end of a run there is one only with
 * --state, where a file that has ended may go on in the next run.
 */
static bool
held(const void *self, size_t i, struct buffer *text)
{
	const struct interleave *own = self;
	size_t file;
	int64_t ms =
	    own->move == NULL ? 0 : watermark_held_by(&own->watermark, &file);

	if (i != 0 || ms == 0 || ms < own->held_ms)
		return false;
	buffer_byte(text, '\'');
	buffer_put(text, own->names[file]);
	if (ms == INT64_MAX) {
		buffer_put(text, SPAN("' has had no tuple, and rows wait"));
	} else {
		buffer_put(text, SPAN("' ends "));
		duration_put(text, ms);
		buffer_put(text,
		    SPAN(" before the latest tuple, and rows wait"));
	}
	buffer_put(text,
	    SPAN(" for it; once it has ended for good, name it "
		 "no longer"));
	return true;
}

/* A log that was renamed goes on where it was. */
static void
had_names(void *self, const struct span *names)
{
	struct interleave *i = self;

	i->old_names = names;
}

void
interleave_configure(struct interleave *i, const struct time_options *o,
    const struct field_range *time, struct bolt *bolt, struct bolt_setup *setup)
{
	i->options = o;
	i->time = *time;
	bolt->time_field = time_field;
	time_options_configure(o, setup->command, bolt);
	if (!o->interleave)
		return;
	i->n = setup->noperands == 0 ? 1 : setup->noperands;
	i->names = memory_new(i->n, sizeof *i->names);
	i->streams = memory_new(i->n, sizeof *i->streams);
	for (size_t k = 0; k < i->n; k++) {
		i->names[k] = setup->noperands == 0 ?
		    SPAN("-") :
		    span_of(setup->operands[k]);
		i->streams[k] = SPAN("");
	}
	bolt->streams = i->streams;
	bolt->time_of = time_of;
	bolt->stream = stream_changed;
	bolt->held = held;
	bolt->had_names = had_names;
	/* The bolt's own would look for the keys of one file alone. */
	bolt->look_ahead = look_ahead;
}

void
interleave_prepare(struct interleave *i, const struct bolt_context *context)
{
	watermark_init(&i->watermark, i->n == 0 ? 1 : i->n,
	    i->options->lateness);
	i->latest = INT64_MIN;
	i->goes_on = context->has_state && !context->final;
}

void
interleave_fini(struct interleave *i)
{
	watermark_fini(&i->watermark);
	free(i->names);
	free(i->streams);
}

void
interleave_count(const struct interleave *i, const struct behind *behind,
    struct counters *c)
{
	c->disorder_ms = i->watermark.disorder;
	if (behind == NULL || behind->n == 0)
		return;
	c->behind = behind->n;
	/* With -l all there is no -l that is larger. */
	if (i->options->lateness != LATENESS_ALL)
		c->max_behind_ms = i->options->lateness + behind->most;
}

void
interleave_go_on(struct interleave *i, bool begun, int64_t now_ms,
    const struct tick *tick)
{
	if (!begun)
		return;
	watermark_advance_by(&i->watermark, tick->ms);
	i->move(i, now_ms + tick->ms);
}

void
interleave_save(const struct interleave *i, struct store *store)
{
	if (i->options->interleave)
		watermark_state_save(&i->watermark, i->names, store);
}

void
interleave_restore(struct interleave *i, struct store *store)
{
	if (i->options->interleave)
		watermark_state_restore(&i->watermark,
		    i->old_names != NULL ? i->old_names : i->names, store);
	i->old_names = NULL; /* they are valid no longer */
	i->restored = i->options->interleave;
}
