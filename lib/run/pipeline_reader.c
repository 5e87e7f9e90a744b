/*
 * SPDX-License-Identifier: ISC
 */
#include "run/pipeline_reader.h"
#include "base/clock.h"
#include "base/descriptor.h"
#include "base/signals.h"
#include "run/closing_words.h"
#include "run/pipeline_turns.h"

enum {
	/* Tuples between two questions to streams that had nothing to read. */
	ASK_EVERY = 64,
	/* For so long a thread that is scanning is not worth a flush. */
	AHEAD_MS = 5,
};

/* Tell the bolt of the ticks of the clock that are due. */
static void
clock_ticks(struct pipeline *p)
{
	int64_t every = p->bolt->tick_every_ms;

	while (every != 0 && p->now_ms >= p->next_tick_ms) {
		struct tick tick = { .source = TICK_CLOCK,
			.ms = p->next_tick_ms,
			.behind = p->now_ms >= p->next_tick_ms + every };

		p->next_tick_ms += every;
		pipeline_tick(p, &tick);
		if (!tick.behind)
			output_flush(&p->run.out);
	}
}

/* -1 where one of them is not known. */
static int64_t
add_size(int64_t size, int64_t more)
{
	return size < 0 || more < 0 ? -1 : size + more;
}

/* Have tuples executed that the bolt has put off. */
static void
catch_up(struct pipeline *p)
{
	if (p->bolt->catch_up != NULL)
		p->bolt->catch_up(p->bolt->self);
}

/* Tell whether a signal ends the input now. */
static bool
is_ending(struct pipeline *p)
{
	if (run_heed_signals(&p->run, p->now_ms)) {
		if (p->workers != NULL && signals_ending() != 0)
			workers_announce_end(p->workers);
		return false;
	}
	for (size_t i = 0; i < p->nstreams; i++) {
		const struct stream *s = &p->streams[i];

		if (!s->ended &&
		    descriptor_will_end(tuple_source_reads(&s->source))) {
			run_read_on(&p->run, p->now_ms);
			return false;
		}
	}
	return true;
}

/*
 * Look at the clock and do what is due, when all that was put off is done.
 * False: the input is to end.
 */
static bool
keep_up(struct pipeline *p)
{
	int64_t size = 0;

	catch_up(p);
	p->now_ms = clock_now_ms();
	if (p->gave_up || is_ending(p) ||
	    (p->workers != NULL && p->workers->failed))
		return false;
	clock_ticks(p);
	if (p->checkpoint != NULL &&
	    checkpoint_is_due(p->checkpoint, p->now_ms))
		pipeline_commit(p);
	if (p->progress.wanted && p->now_ms >= p->progress.next_ms) {
		for (size_t i = 0; i < p->nstreams; i++)
			size = add_size(size, p->streams[i].source.in.size);
		run_count(&p->run, NULL);
		progress_draw(&p->progress, &p->run.counters, size, p->now_ms);
	}
	return true;
}

/*
 * Wait until a stream that is waited for can be read, or until then; what
 * workers can do meanwhile is done.  With only, look at no other stream.
 * Returns whether some stream is ready.
 */
static bool
wait_for(struct pipeline *p, const struct stream *only, int64_t until)
{
	struct workers *w = p->workers;
	bool full = w != NULL && workers_is_full(w), ready = false;
	size_t n = p->nstreams;

	for (size_t i = 0; i < p->nstreams; i++) {
		const struct stream *s = &p->streams[i];
		bool wanted = !full && s->tuple == NULL && !s->ended &&
		    (only == NULL || only == s);

		p->fds[i] = (struct pollfd){ .events = POLLIN,
			.fd = wanted ? tuple_source_fd(&s->source) : -1 };
	}
	if (w != NULL)
		n += workers_poll(w, p->fds + n);
	run_wait(&p->run, p->fds, n, p->now_ms, until);
	if (w != NULL)
		workers_turn(w, p->fds + p->nstreams,
		    until > p->now_ms ? clock_now_ms() : p->now_ms);
	for (size_t i = 0; i < p->nstreams; i++)
		ready = ready || p->fds[i].revents != 0;
	return ready;
}

/* Tell whether reading from a stream would not block. */
static bool
is_ready(struct pipeline *p, const struct stream *s)
{
	if (p->workers == NULL && tuple_source_never_blocks(&s->source))
		return true;
	return wait_for(p, s, p->now_ms);
}

/*
 * Read more of a stream that is ready.  Once it has shown to be long, other
 * threads do it.
 */
static void
read_more(struct pipeline *p, struct stream *s)
{
	if (tuple_source_is_long(&s->source)) {
		if (p->more_threads != 0)
			scan_threads_start(&p->scan_threads, p->more_threads,
			    p->nstreams, s->source.scanner);
		p->more_threads = 0;
		if (p->scan_threads.n != 0)
			tuple_source_read_ahead(&s->source, &p->scan_threads);
	}
	tuple_source_read(&s->source);
}

/* When something has to be done, whether the input says more or not. */
static int64_t
next_due(const struct pipeline *p)
{
	int64_t due = INT64_MAX;

	if (p->bolt->tick_every_ms != 0)
		due = p->next_tick_ms;
	if (p->progress.wanted && p->progress.next_ms < due)
		due = p->progress.next_ms;
	if (p->checkpoint != NULL && checkpoint_due_ms(p->checkpoint) < due)
		due = checkpoint_due_ms(p->checkpoint);
	/* A tuple that waits for its turn stops it, see _let_time_go_on. */
	if (p->nready == 0 && live_time_due(&p->live) < due)
		due = live_time_due(&p->live);
	return due;
}

/* Sleep until one of the streams that are waited for can be read. */
static void
sleep_for_input(struct pipeline *p, int64_t until)
{
	const struct workers *w = p->workers;
	bool full = w != NULL && workers_is_full(w);
	int64_t due = p->now_ms + AHEAD_MS;

	if (p->scan_threads.n != 0 &&
	    wait_for(p, NULL, due < until ? due : until))
		return;
	pipeline_let_time_go_on(p);
	closing_words_of_late_so_far(p);
	due = next_due(p);
	/*
	 * A look at the workers may change what is to be waited for.  What they
	 * have written must not lie here meanwhile.
	 */
	if (w != NULL) {
		wait_for(p, NULL, p->now_ms);
		if (w->failed || full != workers_is_full(w))
			return;
	}
	pipeline_flush(p);
	wait_for(p, NULL, due < until ? due : until);
}

void
pipeline_reader_drain(struct pipeline *p)
{
	struct workers *w = p->workers;
	const struct stream *none = p->streams + p->nstreams;
	bool told = false;

	for (;;) {
		p->now_ms = clock_now_ms();
		run_heed_signals(&p->run, p->now_ms);
		if (!told || signals_ending() != 0)
			workers_end(w, signals_ending(), p->now_ms);
		told = true;
		if (workers_are_done(w))
			return;
		wait_for(p, none, p->now_ms);
		pipeline_flush(p);
		if (!workers_are_done(w))
			wait_for(p, none, workers_due(w));
	}
}

static void
read_one(struct pipeline *p)
{
	struct stream *s = p->streams;

	for (;;) {
		while (pipeline_next_tuple(p, s))
			pipeline_execute(p, s);
		if (s->ended || !keep_up(p))
			return;
		if (is_ready(p, s))
			read_more(p, s);
		else
			sleep_for_input(p, INT64_MAX);
	}
}

/*
 * Get the next tuple of a source if that does not block.  False: the input
 * is to end.
 */
static bool
refill(struct pipeline *p, struct stream *s)
{
	while ((s->tuple = pipeline_next_tuple(p, s)) == NULL && !s->ended) {
		if (!keep_up(p))
			return false;
		if (!is_ready(p, s)) {
			/* By times, _turns_choose notes since when. */
			if (p->bolt->time_of == NULL && s->dry_ms == 0)
				s->dry_ms = p->now_ms;
			return true;
		}
		read_more(p, s);
	}
	s->dry_ms = 0;
	if (!s->ended)
		pipeline_turns_set_idle(p, s, false);
	return true;
}

/* Do that for those that go before others, or for the others. */
static bool
refill_some(struct pipeline *p, bool ask, bool first)
{
	for (size_t i = 0; i < p->nlacking; i++) {
		struct stream *s = p->lacking[i];

		if (pipeline_turns_goes_first(p, s) == first &&
		    (ask || s->dry_ms == 0 ||
			tuple_source_never_blocks(&s->source)) &&
		    !refill(p, s))
			return false;
	}
	return true;
}

/*
 * Get the sources that have no tuple their next one, where that does not
 * block; those that had nothing to read are not asked each time.  The end of a
 * stream can let time go on, so none ends before what goes first.  False: all
 * have ended, or the input is to end.
 */
static bool
refill_all(struct pipeline *p, bool ask)
{
	if (p->bolt->first != NULL && !refill_some(p, ask, true))
		return false;
	if (p->nlacking != 0 && pipeline_turns_first(p) == NULL &&
	    !refill_some(p, ask, false))
		return false;
	pipeline_turns_refilled(p);
	return p->nready + p->nlacking != 0;
}

/* Execute the tuple of a stream, and those behind it that go before others. */
static void
execute_turn(struct pipeline *p, struct stream *s)
{
	int64_t end = pipeline_turns_end(p, s);

	/* It may have been read before the last commit, which lacks it then. */
	if (p->checkpoint != NULL)
		checkpoint_touch(p->checkpoint);
	do {
		s->tuple = NULL;
		pipeline_execute(p, s);
		if (end != INT64_MIN)
			s->tuple = pipeline_next_tuple(p, s);
	} while (s->tuple != NULL && s->tuple->time_ns < end);
	pipeline_turns_executed(p, s);
}

/* Read all sources side by side. */
static void
read_many(struct pipeline *p)
{
	unsigned asks = 0;
	struct stream *next;
	int64_t until;

	pipeline_turns_init(p);
	while (refill_all(p, asks++ % ASK_EVERY == 0)) {
		next = pipeline_turns_choose(p, &until);
		if (next != NULL) {
			execute_turn(p, next);
			continue;
		}
		if (!keep_up(p))
			return;
		sleep_for_input(p, until);
		asks = 0;
	}
}

/*
 * Get the sources that have no tuple their next one, of what has been read.
 * False: there is none, or a file lacks one, which has more.
 */
static bool
refill_from_memory(struct pipeline *p)
{
	for (size_t i = 0; i < p->nlacking; i++)
		p->lacking[i]->tuple = pipeline_next_tuple(p, p->lacking[i]);
	pipeline_turns_refilled(p);
	for (size_t i = 0; i < p->nlacking; i++)
		if (tuple_source_is_steady(&p->lacking[i]->source))
			return false;
	return p->nready != 0 && !p->gave_up;
}

/* A signal has ended the input: no pipe is waited for any more. */
static void
use_up(struct pipeline *p)
{
	while (refill_from_memory(p))
		execute_turn(p, pipeline_turns_next(p));
}

void
pipeline_reader_read(struct pipeline *p)
{
	if (p->bolt->streams != NULL) {
		read_many(p);
		if (signals_ending() != 0 && !p->gave_up)
			use_up(p);
	} else {
		read_one(p);
	}
	catch_up(p);
	p->now_ms = clock_now_ms();
	if (!p->gave_up)
		clock_ticks(p);
}
