/*
 * SPDX-License-Identifier: ISC
 */
#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/descriptor.h"
#include "base/diagnostics.h"
#include "base/memory.h"
#include "base/signals.h"
#include "run/closing_words.h"
#include "run/pipeline_reader.h"
#include "run/pipeline_runner.h"
#include "run/pipeline_tasks.h"
#include "run/pipeline_turns.h"

/* More threads would scan faster than one executes. */
enum { THREADS_MOST = 8 };

static void
open_streams(struct pipeline *p, const struct pipeline_runner *runner)
{
	bool side_by_side = p->bolt->streams != NULL && runner->nfiles != 0;

	p->nstreams = side_by_side ? runner->nfiles : 1;
	/* A compressed one takes three: the file, and a pipe. */
	descriptor_raise_limit(3 * p->nstreams);
	p->streams = memory_new(p->nstreams, sizeof *p->streams);
	p->fds = memory_new(p->nstreams + 2 * p->bolt->tasks.n + RUN_EXTRA,
	    sizeof *p->fds);
	for (size_t i = 0; i < p->nstreams; i++) {
		struct stream *s = &p->streams[i];
		struct time_field time = { 0 };

		if (p->bolt->time_field != NULL)
			time = p->bolt->time_field(p->bolt->self, i);
		tuple_source_init(&s->source, (uint32_t)i,
		    side_by_side ? runner->files + i : runner->files,
		    side_by_side ? 1 : runner->nfiles,
		    (size_t)runner->settings->bad_lines.max_line,
		    runner->projection, &time, p->streams[0].source.scanner);
		s->source.watch.on = runner->settings->stats != NULL;
	}
}

/* Open the file for rows, if it is not stdout, as `open` does it. */
static void
open_rows(struct pipeline *p, const struct pipeline_settings *settings,
    void (*open)(struct output *o, const char *name))
{
	if (settings->checkpoint.output != NULL) {
		open(&p->run.out, settings->checkpoint.output);
		output_enlarge_block(&p->run.out);
		p->run.stdout_is_pipe = false;
	}
	p->run.out.watch.on = settings->stats != NULL;
}

/* Open what is written to. */
static void
open_outputs(struct pipeline *p, const struct pipeline_settings *settings)
{
	bool state = settings->checkpoint.state != NULL;

	/* What of the rows is to stay, the state says. */
	if (!settings->checkpoint.dump)
		open_rows(p, settings, state ? output_append : output_open);
	bad_lines_init(&p->bad_lines, &settings->bad_lines, state);
	p->fault.unsaid = p->bad_lines.unsaid;
	(state ? output_continue : output_open)(&p->side, p->bolt->side);
	p->collector.has_side = p->side.fd >= 0;
	run_open_stats(&p->run, settings->stats);
	pipeline_tasks_open(p);
}

static void
prepare(struct pipeline *p, const struct pipeline_runner *runner)
{
	const struct pipeline_settings *settings = runner->settings;
	struct bolt_context context = { .collector = &p->collector,
		.now_ms = p->now_ms,
		.projection = runner->projection,
		.has_state = settings->checkpoint.state != NULL,
		.final = settings->checkpoint.final,
		.advises = p->advises,
		.has_stats = settings->stats != NULL };

	p->bolt->prepare(p->bolt->self, &context);
}

/* How many threads are of use, besides this one. */
static size_t
more_threads(const struct pipeline *p, const struct pipeline_settings *settings)
{
	long processors = sysconf(_SC_NPROCESSORS_ONLN);
	size_t most =
	    settings->threads == 0 ? THREADS_MOST : THREADS_MOST + p->nstreams;
	size_t n = processors < 1 ? 1 : (size_t)processors;

	if (settings->threads != 0)
		n = (size_t)settings->threads;
	else if (p->bolt->tasks.argv != NULL)
		n = 1; /* workers need the processors more */
	return (n < most ? n : most) - 1;
}

/* Open and start all there is, and let the bolt get ready. */
static void
start(struct pipeline *p, const struct pipeline_runner *runner)
{
	const struct pipeline_settings *settings = runner->settings;

	run_start(&p->run, runner->options->command->name);
	pipeline_init(p);
	p->progress.wanted =
	    settings->progress && isatty(STDERR_FILENO) && !p->screen.is_dumb;
	p->advises = isatty(STDERR_FILENO) && !settings->bad_lines.quiet;
	unseen_fields_init(&p->unseen, runner->projection, p->advises);
	if (!settings->checkpoint.dump)
		open_streams(p, runner);
	p->more_threads = more_threads(p, settings);
	open_outputs(p, settings);
	p->now_ms = clock_now_ms();
	p->next_tick_ms = p->now_ms + p->bolt->tick_every_ms;
	live_time_init(&p->live, p->bolt->live_ms, p->now_ms);
	prepare(p, runner);
}

static void
open_checkpoint(struct pipeline *p, const struct pipeline_runner *runner)
{
	struct input **inputs = memory_new(p->nstreams, sizeof *inputs);

	for (size_t i = 0; i < p->nstreams; i++)
		inputs[i] = &p->streams[i].source.in;
	p->checkpoint = checkpoint_open(&runner->settings->checkpoint,
	    runner->options, p->bolt,
	    &(struct checkpoint_ends){ inputs, p->nstreams, &p->run.out });
	free(inputs);
}

/* When the last tick was due. */
static int64_t
last_tick(const struct pipeline *p)
{
	int64_t every = p->bolt->tick_every_ms, from;

	if (every == 0 || p->bolt->tick_from_ms == NULL)
		return p->now_ms;
	from = *p->bolt->tick_from_ms;
	return from + floor_div(p->now_ms - from, every) * every;
}

/* Read all input, and let the bolt have its last words. */
static void
run_bolt(struct pipeline *p, const struct pipeline_runner *runner)
{
	const struct checkpoint_settings *state = &runner->settings->checkpoint;

	if (state->state != NULL) {
		open_checkpoint(p, runner);
		/* That may have moved the clock. */
		p->now_ms = clock_now_ms();
		/* Time has passed since the run before. */
		p->next_tick_ms = last_tick(p);
	}
	pipeline_reader_read(p);
	/* What comes now may be on the terminal when a later command has it. */
	diagnostics_erase_line();
	if (p->gave_up) {
		if (p->stopped != NULL && p->checkpoint != NULL)
			pipeline_commit(p);
		return;
	}
	/* What is open stays so where another run goes on with it. */
	if (p->bolt->finish != NULL &&
	    (p->checkpoint == NULL ||
		(signals_ending() == 0 &&
		    (!p->bolt->stays_open || state->final))))
		p->bolt->finish(p->bolt->self, p->now_ms);
	if (p->checkpoint != NULL)
		pipeline_commit(p);
}

/* Emit what the state holds. */
static void
dump(struct pipeline *p, const struct pipeline_runner *runner)
{
	p->checkpoint = checkpoint_open(&runner->settings->checkpoint,
	    runner->options, p->bolt, NULL);
	open_rows(p, runner->settings, output_open);
	p->bolt->dump(p->bolt->self);
}

/*
 * Write the rest of everything, and say what there is to be said of it all.
 * Returns the exit status.
 */
static int
finish(struct pipeline *p, const struct options *o, bool is_part)
{
	bool unasked;

	screen_leave(&p->screen);
	pipeline_flush(p);
	output_close(&p->side);
	part_files_close(&p->parts);
	unasked = bad_lines_close(&p->bad_lines);
	run_finish(&p->run);
	run_count(&p->run, NULL);
	closing_words_of_missing(p, is_part);
	if (p->run.counters.late != 0 && p->bolt->side == NULL) {
		closing_words_of_late(p);
		unasked = unasked || p->dropped;
	}
	if (!is_part)
		closing_words_of_advice(p, o);
	if (p->gave_up || p->is_short)
		return EXIT_TROUBLE;
	if (p->workers != NULL && p->workers->status != 0)
		return p->workers->status;
	return unasked ? EXIT_DATA : EXIT_OK;
}

static void
cleanup(struct pipeline *p)
{
	scan_threads_stop(&p->scan_threads);
	for (size_t i = 0; i < p->nstreams; i++) {
		tuple_source_fini(&p->streams[i].source);
		long_line_fini(&p->streams[i].long_line);
	}
	screen_fini(&p->screen);
	pipeline_turns_fini(p);
	free(p->streams);
	free(p->fds);
	unseen_fields_fini(&p->unseen);
	pipeline_tasks_fini(p);
}

int
pipeline_runner_run(const struct pipeline_runner *runner)
{
	struct pipeline p = { .bolt = runner->bolt };
	bool is_part;
	int status;

	start(&p, runner);
	if (runner->settings->checkpoint.dump)
		dump(&p, runner);
	else
		run_bolt(&p, runner);
	is_part = p.gave_up || checkpoint_goes_on(p.checkpoint);
	checkpoint_close(p.checkpoint);
	if (p.workers != NULL)
		pipeline_reader_drain(&p);
	status = finish(&p, runner->options, is_part);
	cleanup(&p);
	return status;
}
