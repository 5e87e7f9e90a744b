/*
 * SPDX-License-Identifier: ISC
 */
#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/diagnostics.h"
#include "base/memory.h"
#include "base/signals.h"
#include "run/closing_words.h"
#include "run/pipeline_reader.h"
#include "run/pipeline_runner.h"
#include "storm/multilang_runner.h"

static struct {
	struct bad_lines_policy bad_lines;
	int64_t threads;
	const char *stats;
	bool progress, multilang;
} options = { .bad_lines = { .max_errors = -1, .max_line = 64 << 20 } };

static const char *const on_error_names[] = { "report", "skip", "stop", NULL };

const struct option_spec pipeline_runner_options[] = {
	{ 'q', "quiet", NULL, OPTION_FLAG, &options.bad_lines.quiet,
	    .help = "say nothing of bad lines and late tuples" },
	{ .name = "rejects",
	    .arg = "FILE",
	    .kind = OPTION_TEXT,
	    .to = &options.bad_lines.rejects,
	    .help = "keep bad lines in FILE" },
	{ .name = "stats",
	    .arg = "FILE",
	    .kind = OPTION_OPTIONAL,
	    .to = &options.stats,
	    .help = "write counters at the end, to FILE or stderr" },
	{ .name = "progress",
	    .kind = OPTION_FLAG,
	    .to = &options.progress,
	    .help = "show how far it is, if stderr is a terminal" },
	{ .name = "on-error",
	    .arg = "WHAT",
	    .kind = OPTION_CHOICE,
	    .to = &options.bad_lines.on_error,
	    .choices = on_error_names,
	    .help = "at a bad line: report (default), skip or stop" },
	{ .name = "max-errors",
	    .arg = "N",
	    .kind = OPTION_COUNT,
	    .to = &options.bad_lines.max_errors,
	    .min = 0,
	    .max = INT64_MAX,
	    .help = "end at the N+1st bad line" },
	{ .name = "max-line",
	    .arg = "SIZE",
	    .kind = OPTION_SIZE,
	    .to = &options.bad_lines.max_line,
	    .min = 1,
	    .max = 1 << 30,
	    .help = "longest line, in bytes, K, M or G (64M)" },
	{ .name = "threads",
	    .arg = "N",
	    .kind = OPTION_COUNT,
	    .to = &options.threads,
	    .min = 1,
	    .max = 1024,
	    .help = "use so many processors (as many as there are)" },
	{ 0 },
};

const struct option_spec pipeline_runner_storm_options[] = {
	{ .name = "multilang",
	    .kind = OPTION_FLAG,
	    .to = &options.multilang,
	    .help = "be a bolt of an Apache Storm topology" },
	{ 0 },
};

static void
open_streams(struct pipeline *p, const struct pipeline_runner *runner,
    char *const *files, size_t nfiles)
{
	bool one = runner->streams != NULL;

	p->nstreams = one ? nfiles : 1;
	p->streams = memory_new(p->nstreams, sizeof *p->streams);
	p->scan_threads = memory_new(p->nstreams, sizeof *p->scan_threads);
	p->fds = memory_new(p->nstreams + 2 * runner->nworkers + RUN_EXTRA,
	    sizeof *p->fds);
	for (size_t i = 0; i < p->nstreams; i++) {
		struct stream *s = &p->streams[i];

		tuple_source_init(&s->source, (uint32_t)i,
		    one ? files + i : files, one ? 1 : nfiles,
		    (size_t)options.bad_lines.max_line,
		    runner->command->projection);
	}
}

/* Open what is written to. */
static void
open_outputs(struct pipeline *p, const struct pipeline_runner *runner)
{
	bool state = checkpoint_is_wanted();

	/* What of the rows is to stay, the state says. */
	if (checkpoint_output() != NULL) {
		(state ? output_append : output_open)(&p->run.out,
		    checkpoint_output());
		p->run.stdout_is_pipe = false;
	}
	bad_lines_init(&p->bad_lines, &options.bad_lines, state);
	(state ? output_continue : output_open)(&p->side, runner->side);
	p->collector.has_side = p->side.fd >= 0;
	run_open_stats(&p->run, options.stats);
	if (runner->parts != NULL) {
		part_files_open(runner->parts);
		p->parts = runner->parts->files;
		p->nparts = runner->parts->n;
	}
}

/* Open and start all there is, and let the bolt get ready. */
static void
start(struct pipeline *p, const struct pipeline_runner *runner,
    char *const *files, size_t nfiles)
{
	struct workers *w = runner->workers;

	run_start(&p->run, runner->command->name);
	pipeline_init(p);
	p->idle_ms = runner->idle_ms;
	p->workers = w;
	/* Workers need the processors more. */
	p->threads = options.threads != 0 ? options.threads :
	    w != NULL			  ? 1 :
					    sysconf(_SC_NPROCESSORS_ONLN);
	p->progress.wanted = options.progress && isatty(STDERR_FILENO);
	unseen_fields_init(&p->unseen, runner->command->projection);
	if (!checkpoint_is_dump())
		open_streams(p, runner, files, nfiles);
	open_outputs(p, runner);
	if (w != NULL) {
		workers_init(w, runner->nworkers, runner->worker_order,
		    runner->worker_tag, &p->run.out);
		workers_start(w, runner->worker_argv);
	}
	p->now_ms = clock_now_ms();
	p->next_tick_ms = p->now_ms + p->bolt->tick_every_ms;
	p->bolt->prepare(p->bolt->self, &p->collector, p->now_ms);
}

static void
open_checkpoint(struct pipeline *p, const struct pipeline_runner *runner)
{
	struct input **inputs = memory_new(p->nstreams, sizeof *inputs);

	for (size_t i = 0; i < p->nstreams; i++)
		inputs[i] = &p->streams[i].source.in;
	p->checkpoint = checkpoint_open(runner->command, p->bolt,
	    &(struct checkpoint_ends){ .inputs = inputs,
		.streams = runner->streams,
		.n = p->nstreams,
		.out = &p->run.out,
		.operands = runner->operands });
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
	if (checkpoint_is_wanted()) {
		open_checkpoint(p, runner);
		/* Time has passed since the run before. */
		p->next_tick_ms = last_tick(p);
	}
	pipeline_reader_read(p, runner->streams != NULL);
	/* What comes now may be on the terminal when a later command has it. */
	diagnostics_erase_line();
	if (p->gave_up)
		return;
	/* What is open stays so where another run goes on with it. */
	if (p->checkpoint == NULL ||
	    (signals_ending() == 0 &&
		(!p->bolt->stays_open || checkpoint_is_final())))
		p->bolt->finish(p->bolt->self, p->now_ms);
	if (p->checkpoint != NULL)
		pipeline_commit(p);
}

/* Emit what the state holds. */
static void
dump(struct pipeline *p, const struct pipeline_runner *runner)
{
	p->checkpoint = checkpoint_open(runner->command, p->bolt, NULL);
	p->bolt->dump(p->bolt->self);
}

/*
 * Write the rest of everything, and say what there is to be said of it all.
 * Returns the exit status.
 */
static int
finish(struct pipeline *p, const struct pipeline_runner *runner, bool is_part)
{
	bool unasked;

	pipeline_flush(p);
	output_close(&p->side);
	for (size_t i = 0; i < p->nparts; i++)
		output_close(&p->parts[i]);
	unasked = bad_lines_close(&p->bad_lines);
	run_finish(&p->run);
	closing_words_of_missing(p, is_part);
	run_count(&p->run, NULL);
	if (p->run.counters.late != 0 && runner->side == NULL) {
		closing_words_of_late(p, runner->lateness_helps);
		unasked = unasked || p->dropped;
	}
	if (p->gave_up)
		return EXIT_USAGE;
	if (p->workers != NULL && p->workers->status != 0)
		return p->workers->status;
	return unasked ? EXIT_DATA : EXIT_OK;
}

static void
cleanup(struct pipeline *p, const struct pipeline_runner *runner)
{
	/* They still use what is the bolt's, as the names of files. */
	for (size_t i = 0; i < p->nscan_threads; i++)
		scan_thread_stop(&p->scan_threads[i]);
	p->bolt->cleanup(p->bolt->self);
	for (size_t i = 0; i < p->nstreams; i++)
		tuple_source_fini(&p->streams[i].source);
	free(p->scan_threads);
	free(p->streams);
	free(p->fds);
	unseen_fields_fini(&p->unseen);
	projection_fini(runner->command->projection);
}

bool
pipeline_runner_has_stats(void)
{
	return options.stats != NULL;
}

bool
pipeline_runner_is_multilang(void)
{
	return options.multilang;
}

/* Tell whether everything is to wait for an end of the input. */
static bool
waits_for_end(const struct command *command)
{
	for (const struct option_spec *o = command->options; o->name != NULL;
	     o++)
		if (o->kind == OPTION_DURATION_ALL &&
		    *(int64_t *)o->to == LATENESS_ALL)
			return true;
	return false;
}

/* Complain of what makes no sense in a topology. */
static void
check_multilang(const struct pipeline_runner *runner, size_t nfiles)
{
	const struct {
		bool given;
		const char *name;
	} excluded[] = {
		{ options.bad_lines.max_errors >= 0, "--max-errors" },
		{ options.bad_lines.on_error != ON_ERROR_REPORT, "--on-error" },
		{ options.bad_lines.rejects != NULL, "--rejects" },
		{ options.bad_lines.quiet, "-q" },
		{ options.progress, "--progress" },
		{ options.threads != 0, "--threads" },
		{ checkpoint_is_wanted() || checkpoint_is_dump(), "--state" },
		{ checkpoint_output() != NULL, "--output" },
		{ waits_for_end(runner->command), "-l all" },
	};

	for (size_t i = 0; i < sizeof excluded / sizeof excluded[0]; i++)
		if (excluded[i].given)
			options_misuse(runner->command,
			    "--multilang and %s exclude each other",
			    excluded[i].name);
	if (nfiles != 0 && runner->streams == NULL)
		options_misuse(runner->command,
		    "--multilang takes its tuples from Storm, not from files");
}

/* Hold all files that the command line names against each other. */
static void
check_files(const struct pipeline_runner *runner, char *const *files,
    size_t nfiles)
{
	struct file_uses uses = { 0 };

	if (!checkpoint_is_dump())
		file_uses_read(&uses, files, nfiles);
	checkpoint_add_uses(&uses);
	file_uses_write(&uses, "--rejects", options.bad_lines.rejects, true);
	file_uses_write(&uses, runner->side_option, runner->side, true);
	file_uses_write(&uses, "--stats", options.stats, false);
	for (size_t i = 0; runner->parts != NULL && i < runner->parts->n; i++)
		file_uses_write(&uses, "--files", runner->parts->names[i].p,
		    false);
	file_uses_check(&uses, runner->command);
}

static int
run_multilang(const struct pipeline_runner *runner, char *const *files,
    size_t nfiles)
{
	struct multilang_runner m = { .command = runner->command,
		.bolt = runner->bolt,
		.streams = files,
		.nstreams = nfiles,
		.idle_ms = runner->idle_ms,
		.side = runner->side,
		.stats = options.stats,
		.max_message = options.bad_lines.max_line };

	check_multilang(runner, nfiles);
	check_files(runner, NULL, 0); /* the operands are components */
	return multilang_runner_run(&m);
}

/* Look at the command line once more, before anything is opened. */
static void
check_usage(const struct pipeline_runner *runner, char *const *files,
    size_t nfiles)
{
	const struct command *command = runner->command;

	if (nfiles == 0 && isatty(STDIN_FILENO) && !checkpoint_is_dump())
		options_short_help(command,
		    !command->in_order && runner->operands == NULL);
	check_files(runner, files, nfiles);
}

int
pipeline_runner_run(const struct pipeline_runner *runner, char *const *files,
    size_t nfiles)
{
	struct pipeline p = { .bolt = runner->bolt };
	bool is_part;
	int status;

	checkpoint_check_options(runner->command);
	if (options.multilang)
		return run_multilang(runner, files, nfiles);
	projection_compile(runner->command->projection);
	check_usage(runner, files, nfiles);
	start(&p, runner, files, nfiles);
	if (checkpoint_is_dump())
		dump(&p, runner);
	else
		run_bolt(&p, runner);
	is_part = p.gave_up || checkpoint_goes_on(p.checkpoint);
	checkpoint_close(p.checkpoint);
	if (p.workers != NULL)
		pipeline_reader_drain(&p);
	status = finish(&p, runner, is_part);
	cleanup(&p, runner);
	return run_status(status);
}
