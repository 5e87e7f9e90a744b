/*
 * SPDX-License-Identifier: ISC
 */
#include <sys/stat.h>

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "clock.h"
#include "counters.h"
#include "diagnostics.h"
#include "hash.h"
#include "input.h"
#include "json_text.h"
#include "output.h"
#include "pipe_runner.h"
#include "signals.h"

enum {
	SHOWN_OF_A_KIND = 10,	 /* messages about bad lines */
	GRACE_MS = 1000,	 /* from the first signal to the end */
	PROGRESS_MS = 200,	 /* between two redraws */
	LONG_WAIT_MS = 86400000, /* what is longer is for ever */
	OTHER_FDS = 3,		 /* of input, signals and stdout */
};

enum on_error { ON_ERROR_REPORT, ON_ERROR_SKIP, ON_ERROR_STOP };

static const char *const on_error_names[] = { "report", "skip", "stop", NULL };

static struct {
	int64_t max_line;
	int64_t max_errors;
	int on_error;
	const char *rejects, *stats;
	bool progress;
} options = { .max_line = 64 << 20, .max_errors = -1 };

const struct option_spec pipe_runner_options[] = {
	{ .name = "max-errors",
	    .arg = "N",
	    .kind = OPTION_COUNT,
	    .to = &options.max_errors,
	    .min = 0,
	    .max = INT64_MAX,
	    .help = "end at the N+1st bad line" },
	{ .name = "max-line",
	    .arg = "SIZE",
	    .kind = OPTION_SIZE,
	    .to = &options.max_line,
	    .min = 1,
	    .max = 1 << 30,
	    .help = "longest line, in bytes, K, M or G (64M)" },
	{ .name = "on-error",
	    .arg = "WHAT",
	    .kind = OPTION_CHOICE,
	    .to = &options.on_error,
	    .choices = on_error_names,
	    .help = "at a bad line: report (default), skip or stop" },
	{ .name = "progress",
	    .kind = OPTION_FLAG,
	    .to = &options.progress,
	    .help = "show how far it is, if stderr is a terminal" },
	{ .name = "rejects",
	    .arg = "FILE",
	    .kind = OPTION_TEXT,
	    .to = &options.rejects,
	    .help = "keep bad lines in FILE" },
	{ .name = "stats",
	    .arg = "FILE",
	    .kind = OPTION_OPTIONAL,
	    .to = &options.stats,
	    .help = "write counters at the end, to FILE or stderr" },
};
const size_t pipe_runner_noptions =
    sizeof pipe_runner_options / sizeof pipe_runner_options[0];

const struct option_spec pipe_spout_options[] = {
	{ .name = "stats",
	    .arg = "FILE",
	    .kind = OPTION_OPTIONAL,
	    .to = &options.stats,
	    .help = "write counters at the end, to FILE or stderr" },
};
const size_t pipe_spout_noptions =
    sizeof pipe_spout_options / sizeof pipe_spout_options[0];

/* All that is alive during a run. */
struct run {
	struct collector collector; /* first: see run_of */
	const struct command *command;
	const struct bolt *bolt;
	void (*report)(const void *self, struct buffer *members);
	struct projection *projection;
	struct value *slots;
	struct buffer scratch;
	struct input in;
	struct output out, rejects, late;
	struct workers *workers;
	struct output *parts;
	size_t nparts;
	struct pollfd *fds; /* OTHER_FDS and those of the workers */
	FILE *stats;
	struct counters counters;
	uint64_t kinds[FAULT_KINDS]; /* bad lines by kind */
	int64_t start_ns;
	int64_t next_tick_ms;
	int64_t ending_ms; /* when the grace after a signal is over; 0: none */
	int64_t progress_ms;
	bool stdout_is_pipe, progress, progress_drawn;
};

/* The collector is the run's first member. */
static struct run *
run_of(struct collector *c)
{
	return (struct run *)(void *)c;
}

static void
emit(struct collector *c, const uint64_t *anchors, size_t n)
{
	struct run *r = run_of(c);

	(void)anchors;
	(void)n;
	buffer_byte(&r->out.rows, '\n');
	r->counters.emitted++;
	if (r->out.rows.n >= OUTPUT_BLOCK)
		output_flush(&r->out);
}

static void
emit_tick(struct collector *c, int64_t ms)
{
	struct run *r = run_of(c);

	tuple_put_tick(&r->out.rows, ms);
	output_flush(&r->out);
}

/* In a pipe there is nobody to tell. */
static void
settle(struct collector *c, uint64_t id)
{
	(void)c;
	(void)id;
}

static void
late(struct collector *c, const struct tuple *t)
{
	struct run *r = run_of(c);

	r->counters.late++;
	if (r->late.fd >= 0)
		output_line(&r->late, t->line);
}

static void
update_counters(struct run *r)
{
	r->counters.bytes = r->in.bytes;
	if (r->workers != NULL)
		r->counters.emitted = r->workers->sent;
	if (r->nparts != 0)
		r->counters.emitted = 0;
	for (size_t i = 0; i < r->nparts; i++)
		r->counters.emitted += r->parts[i].lines;
	r->counters.live_keys =
	    r->bolt == NULL ? 0 : r->bolt->live_keys(r->bolt->self);
	r->counters.ns = clock_now_ns() - r->start_ns;
}

/* Write the counters, and what else there is to report. */
static int
report(struct run *r, FILE *fp)
{
	struct buffer more = { 0 };
	int status;

	update_counters(r);
	if (r->report != NULL)
		r->report(r->bolt->self, &more);
	status = counters_print(&r->counters, r->command->name,
	    buffer_span(&more), fp);
	buffer_fini(&more);
	return status;
}

/* Write the counters where --stats says. */
static void
write_stats(struct run *r)
{
	if (r->stats == NULL)
		return;
	if (report(r, r->stats) < 0 ||
	    (r->stats != stderr && fclose(r->stats) == EOF))
		die_errno("%s", options.stats);
}

static void
clear_progress(struct run *r)
{
	if (r->progress_drawn)
		fputs("\r\033[K", stderr);
	r->progress_drawn = false;
}

static void
draw_progress(struct run *r, int64_t now)
{
	enum { WIDTH = 20 };
	double seconds, part;

	if (!r->progress || now < r->progress_ms)
		return;
	r->progress_ms = now + PROGRESS_MS;
	update_counters(r);
	seconds = (double)r->counters.ns / 1e9;
	fputs("\r\033[K", stderr);
	if (r->in.size > 0) {
		part = (double)r->in.bytes / (double)r->in.size;
		part = part > 1 ? 1 : part;
		fprintf(stderr, "[%-*.*s] %3.0f%% ", WIDTH, (int)(part * WIDTH),
		    "####################", part * 100);
	}
	fprintf(stderr,
	    "%.1f MB, %" PRIu64 " lines, %.0f lines/s, %" PRIu64 " keys",
	    (double)r->in.bytes / 1e6, r->counters.lines,
	    seconds > 0 ? (double)r->counters.lines / seconds : 0,
	    r->counters.live_keys);
	fflush(stderr);
	r->progress_drawn = true;
}

/* Count a bad line, say why it is bad, and end where that was asked for. */
static void
reject(struct run *r, const struct fault *f)
{
	uint64_t limit = options.on_error == ON_ERROR_STOP ?
	    0 :
	    (uint64_t)options.max_errors;

	r->counters.rejects++;
	if (r->kinds[f->kind]++ < SHOWN_OF_A_KIND) {
		clear_progress(r);
		warn_plain("%s:%" PRIu64 ":%zu: %s", input_name(&r->in),
		    r->in.line, f->column, f->message);
	}
	if (r->counters.rejects <= limit)
		return;
	output_flush(&r->out);
	output_flush(&r->rejects);
	output_flush(&r->late);
	write_stats(r);
	die("ended at %s:%" PRIu64 " by %s", input_name(&r->in), r->in.line,
	    options.on_error == ON_ERROR_STOP ? "--on-error stop" :
						"--max-errors");
}

static void
reject_line(struct run *r, const struct fault *f, struct span line)
{
	if (r->rejects.fd >= 0)
		output_line(&r->rejects, line);
	reject(r, f);
}

/* Keep a line that is beyond the limit; its newline comes with the rest. */
static void
reject_long(struct run *r, enum input_status status, struct span part)
{
	struct fault f = { 0 };

	if (r->rejects.fd >= 0) {
		buffer_put(&r->rejects.rows, part);
		output_flush(&r->rejects);
	}
	if (status != INPUT_LONG)
		return;
	r->counters.lines++;
	fault_set(&f, FAULT_LIMIT, (size_t)options.max_line + 1,
	    "expected a line of at most %" PRId64 " bytes, got more",
	    options.max_line);
	reject(r, &f);
}

static void
handle_line(struct run *r, struct span raw)
{
	struct tuple t = { .projection = r->projection,
		.slots = r->slots,
		.scratch = &r->scratch };
	struct fault f = { 0 };
	struct tick tick = { .source = TICK_INPUT };

	t.line = json_trim(raw);
	t.id = ++r->counters.lines;
	if (t.line.n == 0) {
		r->counters.blank++;
	} else if (json_scan(&r->projection->root, t.line, r->slots, &f) < 0) {
		f.column += (size_t)(t.line.p - raw.p);
		reject_line(r, &f, raw);
	} else if (tuple_is_tick(&t, &tick.ms)) {
		r->counters.ticks++;
		r->bolt->tick(r->bolt->self, &r->collector, &tick);
		output_flush(&r->out);
	} else if (r->bolt->execute(r->bolt->self, &r->collector, &t, &f) < 0) {
		f.column += (size_t)(t.line.p - raw.p);
		collector_fail(&r->collector, t.id);
		reject_line(r, &f, raw);
	}
}

/* Tell the bolt of the ticks that are due by now. */
static void
clock_ticks(struct run *r, int64_t now)
{
	int64_t every = r->bolt->tick_every_ms;

	while (every != 0 && now >= r->next_tick_ms) {
		struct tick tick = { .source = TICK_CLOCK,
			.ms = r->next_tick_ms,
			.behind = now >= r->next_tick_ms + every };

		r->next_tick_ms += every;
		r->bolt->tick(r->bolt->self, &r->collector, &tick);
		if (!tick.behind)
			output_flush(&r->out);
	}
}

/* Look what signals have asked for.  False: the input is to end now. */
static bool
heed_signals(struct run *r, int64_t now)
{
	if (signals_take_report()) {
		clear_progress(r);
		report(r, stderr);
	}
	if (signals_ending() == 0)
		return true;
	if (r->ending_ms == 0)
		r->ending_ms = now + GRACE_MS;
	return now < r->ending_ms;
}

/*
 * Sleep until fd can be read, something is due, or a signal has come; what
 * workers can do is done.
 */
static bool
wait_for(struct run *r, int fd, int64_t now, int64_t until)
{
	struct pollfd others[OTHER_FDS];
	struct pollfd *fds = r->workers == NULL ? others : r->fds;
	int64_t left = until > now ? until - now : 0;
	nfds_t n = OTHER_FDS;
	int ready;

	fds[0] = (struct pollfd){ fd, POLLIN, 0 };
	fds[1] = (struct pollfd){ signals_fd(), POLLIN, 0 };
	fds[2] = (struct pollfd){ r->stdout_is_pipe ? STDOUT_FILENO : -1, 0,
		0 };
	if (r->workers != NULL)
		n += workers_poll(r->workers, fds + OTHER_FDS);
	ready = poll(fds, n, left > LONG_WAIT_MS ? -1 : (int)left);
	if (ready < 0)
		for (nfds_t i = 0; i < n; i++)
			fds[i].revents = 0;
	if (fds[1].revents != 0)
		signals_drain();
	/* The reader is gone: end as the next write would. */
	if ((fds[2].revents & (POLLERR | POLLNVAL)) != 0)
		signals_die(SIGPIPE);
	if (r->workers != NULL)
		workers_turn(r->workers, fds + OTHER_FDS,
		    until > now ? clock_now_ms() : now);
	return fds[0].revents != 0;
}

static void
flush_all(struct run *r)
{
	output_flush(&r->out);
	output_flush(&r->rejects);
	output_flush(&r->late);
	for (size_t i = 0; i < r->nparts; i++)
		output_flush(&r->parts[i]);
}

/* When something has to be done, whether the input says more or not. */
static int64_t
next_due(const struct run *r)
{
	int64_t until = INT64_MAX;

	if (r->bolt->tick_every_ms != 0)
		until = r->next_tick_ms;
	if (r->ending_ms != 0 && r->ending_ms < until)
		until = r->ending_ms;
	if (r->progress && r->progress_ms < until)
		until = r->progress_ms;
	return until;
}

/* Tell whether the workers' turn has changed what is to be waited for. */
static bool
is_stale(const struct run *r, int fd)
{
	return r->workers != NULL &&
	    (r->workers->failed ||
		(fd < 0 && !workers_is_full(r->workers)));
}

/*
 * Read more, but first do what is due, and write what is ready before
 * anything that may take time.  False: the input is to end.
 */
static bool
fill(struct run *r)
{
	for (;;) {
		int64_t now = clock_now_ms();
		int fd = r->in.fd;

		if (!heed_signals(r, now) ||
		    (r->workers != NULL && r->workers->failed))
			return false;
		clock_ticks(r, now);
		draw_progress(r, now);
		if (r->workers != NULL && workers_is_full(r->workers))
			fd = -1;
		if ((r->in.regular && r->workers == NULL) ||
		    wait_for(r, fd, now, now))
			break;
		flush_all(r);
		if (!is_stale(r, fd))
			wait_for(r, fd, now, next_due(r));
	}
	input_fill(&r->in);
	return true;
}

/* The input has ended: go on until the workers have, too. */
static void
drain(struct run *r)
{
	bool told = false;

	for (;;) {
		int64_t now = clock_now_ms();

		heed_signals(r, now);
		if (!told || signals_ending() != 0)
			workers_end(r->workers, signals_ending(), now);
		told = true;
		if (workers_are_done(r->workers))
			return;
		wait_for(r, -1, now, now);
		flush_all(r);
		if (!workers_are_done(r->workers))
			wait_for(r, -1, now, workers_due(r->workers));
	}
}

static void
read_all(struct run *r)
{
	struct span line;

	for (;;) {
		enum input_status status = input_line(&r->in, &line);

		switch (status) {
		case INPUT_LINE:
			handle_line(r, line);
			break;
		case INPUT_LONG:
		case INPUT_REST:
			reject_long(r, status, line);
			break;
		case INPUT_EMPTY:
			if (!fill(r))
				return;
			break;
		case INPUT_END:
			return;
		}
	}
}

/* The last words about bad lines and late tuples.  Returns the status. */
static int
verdict(const struct run *r)
{
	uint64_t hidden = 0;
	bool bad = r->counters.rejects != 0 && options.rejects == NULL &&
	    options.on_error != ON_ERROR_SKIP;
	bool dropped = r->counters.late != 0 && r->late.name == NULL;

	for (int i = 0; i < FAULT_KINDS; i++)
		if (r->kinds[i] > SHOWN_OF_A_KIND)
			hidden += r->kinds[i] - SHOWN_OF_A_KIND;
	if (hidden != 0)
		warn_plain("%" PRIu64 " bad lines in all, %" PRIu64
			   " of them not shown",
		    r->counters.rejects, hidden);
	if (dropped)
		warn_plain("warning: %" PRIu64 " late tuples were dropped; "
			   "--late FILE keeps them",
		    r->counters.late);
	return bad || dropped ? EXIT_DATA : EXIT_OK;
}

static void
start(struct run *r, const struct command *command)
{
	struct stat st;

	hash_init();
	signals_init();
	r->command = command;
	r->start_ns = clock_now_ns();
	output_init(&r->out, STDOUT_FILENO, "stdout");
	output_init(&r->rejects, -1, NULL);
	output_init(&r->late, -1, NULL);
	if (options.stats != NULL) {
		r->stats = options.stats[0] == '\0' ? stderr :
						      fopen(options.stats, "w");
		if (r->stats == NULL)
			die_errno("%s", options.stats);
	}
	r->stdout_is_pipe = fstat(STDOUT_FILENO, &st) == 0 &&
	    (S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode));
}

/* Write and close all; die by the signal that ended the input, if any. */
static void
finish(struct run *r)
{
	clear_progress(r);
	output_close(&r->out);
	output_close(&r->rejects);
	output_close(&r->late);
	for (size_t i = 0; i < r->nparts; i++)
		output_close(&r->parts[i]);
	write_stats(r);
}

bool
pipe_runner_has_stats(void)
{
	return options.stats != NULL;
}

int
pipe_runner_run(const struct pipe_runner *runner, char *const *files,
    size_t nfiles)
{
	struct run r = { .bolt = runner->bolt,
		.projection = runner->command->projection };
	int status;

	if (nfiles == 0 && isatty(STDIN_FILENO))
		options_short_help(runner->command);
	start(&r, runner->command);
	r.collector = (struct collector){ &r.out.rows, emit, emit_tick, settle,
		settle, late };
	r.slots = memory_new((size_t)r.projection->nslots, sizeof *r.slots);
	r.progress = options.progress && isatty(STDERR_FILENO);
	r.report = runner->report;
	r.workers = runner->workers;
	r.parts = runner->parts;
	r.nparts = runner->nparts;
	input_init(&r.in, files, nfiles, (size_t)options.max_line);
	output_open(&r.rejects, options.rejects);
	output_open(&r.late, runner->late);
	if (r.workers != NULL) {
		r.fds = memory_new(OTHER_FDS + 2 * runner->nworkers,
		    sizeof *r.fds);
		workers_init(r.workers, runner->nworkers, runner->worker_order,
		    runner->worker_tag, &r.out);
		workers_start(r.workers, runner->worker_argv);
	}
	r.bolt->prepare(r.bolt->self, r.start_ns / 1000000);
	r.next_tick_ms = r.start_ns / 1000000 + r.bolt->tick_every_ms;

	read_all(&r);
	clock_ticks(&r, clock_now_ms());
	r.bolt->finish(r.bolt->self, &r.collector, clock_now_ms());
	if (r.workers != NULL)
		drain(&r);

	finish(&r);
	status = verdict(&r);
	if (r.workers != NULL && r.workers->status != 0)
		status = r.workers->status;
	r.bolt->cleanup(r.bolt->self);
	input_fini(&r.in);
	free(r.slots);
	free(r.fds);
	buffer_fini(&r.scratch);
	projection_fini(r.projection);
	if (signals_ending() != 0)
		signals_die(signals_ending());
	return status;
}

/* Wait until the tuple that is to come next is due. */
static bool
pace(struct run *r, double rate)
{
	for (;;) {
		int64_t now = clock_now_ms();
		int64_t due = r->start_ns / 1000000 +
		    (int64_t)((double)r->counters.emitted * 1000 / rate);

		if (signals_ending() != 0)
			return false;
		heed_signals(r, now);
		if (now >= due)
			return true;
		output_flush(&r->out);
		wait_for(r, -1, now, due);
	}
}

int
pipe_runner_spout(const struct command *command, const struct spout *spout)
{
	struct run r = { 0 };

	start(&r, command);
	r.collector.rows = &r.out.rows;
	while ((spout->rate == 0 || pace(&r, spout->rate)) &&
	    signals_ending() == 0 && spout->next(spout->self, &r.out.rows))
		emit(&r.collector, NULL, 0);
	finish(&r);
	if (signals_ending() != 0)
		signals_die(signals_ending());
	return EXIT_OK;
}
