/*
 * SPDX-License-Identifier: ISC
 */
#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

#include "bad_lines.h"
#include "checkpoint.h"
#include "clock.h"
#include "diagnostics.h"
#include "pipe_runner.h"
#include "progress.h"
#include "run.h"
#include "signals.h"
#include "source.h"

enum {
	/* Tuples between two looks at streams that had nothing to read. */
	LOOK_EVERY = 64,
	/* What is shorter is done before a thread would have started. */
	AHEAD_BYTES = 1 << 20,
	/* For so long a thread that is scanning is not worth a flush. */
	AHEAD_MS = 5,
};

static struct {
	struct bad_lines_policy bad_lines;
	int64_t threads;
	const char *stats;
	bool progress;
} options = { .bad_lines = { .max_errors = -1, .max_line = 64 << 20 } };

static const char *const on_error_names[] = { "report", "skip", "stop", NULL };

const struct option_spec pipe_runner_options[] = {
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
	{ .name = "on-error",
	    .arg = "WHAT",
	    .kind = OPTION_CHOICE,
	    .to = &options.bad_lines.on_error,
	    .choices = on_error_names,
	    .help = "at a bad line: report (default), skip or stop" },
	{ .name = "progress",
	    .kind = OPTION_FLAG,
	    .to = &options.progress,
	    .help = "show how far it is, if stderr is a terminal" },
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
	{ .name = "threads",
	    .arg = "N",
	    .kind = OPTION_COUNT,
	    .to = &options.threads,
	    .min = 1,
	    .max = 1024,
	    .help = "use so many processors (as many as there are)" },
	{ 0 },
};

/* A source, and how it stands with the tuple in it that is next. */
struct stream {
	struct source source;
	bool has_tuple, ended, idle;
	int64_t dry_ms; /* since when it is waited for; 0: it is not */
};

struct pipe {
	struct run run; /* first: see pipe_of_run */
	struct collector collector;
	const struct pipe_runner *runner;
	const struct bolt *bolt;
	struct stream *streams;
	size_t nstreams, turn; /* turn: the stream to be asked next */
	int64_t threads; /* this one, and those that may still be started */
	struct pollfd *fds;
	struct bad_lines bad_lines;
	struct output side;
	struct checkpoint *checkpoint; /* NULL: no --state */
	struct progress progress;
	int64_t now_ms; /* of the last look at the clock */
	int64_t next_tick_ms;
};

static struct pipe *
pipe_of_run(struct run *r)
{
	return (struct pipe *)(void *)r;
}

static struct pipe *
pipe_of(struct collector *c)
{
	return (struct pipe *)(void *)((char *)c -
	    offsetof(struct pipe, collector));
}

static void
emit(struct collector *c, const uint64_t *anchors, size_t n)
{
	struct run *r = &pipe_of(c)->run;

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
	struct output *out = &pipe_of(c)->run.out;

	tuple_put_tick(&out->rows, ms);
	output_flush(out);
}

/* In a pipe there is nobody to tell. */
static void
settle(struct collector *c, uint64_t id)
{
	(void)c;
	(void)id;
}

static void
side(struct collector *c, struct span line)
{
	struct pipe *p = pipe_of(c);

	if (p->side.fd >= 0)
		output_line(&p->side, line);
}

static void
late(struct collector *c, const struct tuple *t)
{
	pipe_of(c)->run.counters.late++;
	side(c, t->line);
}

static void
update_counters(struct run *r, struct buffer *members)
{
	struct pipe *p = pipe_of_run(r);
	const struct pipe_runner *runner = p->runner;

	r->counters.bytes = 0;
	for (size_t i = 0; i < p->nstreams; i++)
		r->counters.bytes += source_bytes(&p->streams[i].source);
	r->counters.rejects = p->bad_lines.n;
	if (runner->workers != NULL)
		r->counters.emitted = runner->workers->sent;
	if (runner->nparts != 0)
		r->counters.emitted = 0;
	for (size_t i = 0; i < runner->nparts; i++)
		r->counters.emitted += runner->parts[i].lines;
	p->bolt->count(p->bolt->self, &r->counters);
	if (members != NULL && p->bolt->report != NULL)
		p->bolt->report(p->bolt->self, members);
}

static void
flush_all(struct pipe *p)
{
	output_flush(&p->run.out);
	output_flush(&p->bad_lines.rejects);
	output_flush(&p->side);
	for (size_t i = 0; i < p->runner->nparts; i++)
		output_flush(&p->runner->parts[i]);
}

/* Too many bad lines: nothing that is open is emitted any more. */
static _Noreturn void
give_up(struct pipe *p, const struct stream *s)
{
	flush_all(p);
	run_write_stats(&p->run);
	die("ended at %s:%" PRIu64 " by %s", s->source.place.name,
	    s->source.place.line,
	    options.bad_lines.on_error == ON_ERROR_STOP ? "--on-error stop" :
							  "--max-errors");
}

static void
reject(struct pipe *p, const struct stream *s, struct fault *f)
{
	f->column += (size_t)(s->source.tuple.line.p - s->source.raw.p);
	progress_clear(&p->progress);
	if (!bad_lines_add(&p->bad_lines, &s->source.place, f, s->source.raw))
		give_up(p, s);
}

static void
heed_tick(struct pipe *p, int64_t ms)
{
	struct tick tick = { .source = TICK_INPUT, .ms = ms };

	p->run.counters.ticks++;
	p->bolt->tick(p->bolt->self, &p->collector, &tick);
	output_flush(&p->run.out);
}

/* Make a tuple of a line, if it is one. */
static void
take_line(struct pipe *p, struct stream *s)
{
	struct tuple *t = &s->source.tuple;
	struct fault f = { 0 };
	int64_t tick_ms;
	int found;

	t->id = ++p->run.counters.lines;
	t->now_ms = p->now_ms;
	found = source_scan(&s->source, &f);
	if (found == 0)
		p->run.counters.blank++;
	else if (found < 0)
		reject(p, s, &f);
	else if (tuple_is_tick(t, &tick_ms))
		heed_tick(p, tick_ms);
	else if (p->bolt->time_of != NULL &&
	    p->bolt->time_of(p->bolt->self, t, &t->time_ns, &f) < 0)
		reject(p, s, &f);
	else
		s->has_tuple = true;
}

static void
execute(struct pipe *p, struct stream *s)
{
	struct fault f = { 0 };

	s->has_tuple = false;
	if (p->bolt->execute(p->bolt->self, &p->collector, &s->source.tuple,
		&f) >= 0)
		return;
	collector_fail(&p->collector, s->source.tuple.id);
	reject(p, s, &f);
}

static void
take_long(struct pipe *p, struct stream *s, enum input_status status)
{
	if (status == INPUT_LONG)
		p->run.counters.lines++;
	progress_clear(&p->progress);
	if (!bad_lines_add_long(&p->bad_lines, &s->source.place, s->source.raw))
		give_up(p, s);
}

/*
 * Find the next tuple of a source in what has been read of it.  False: there
 * is none before more is read, or the source has ended.
 */
static bool
find_tuple(struct pipe *p, struct stream *s)
{
	while (!s->has_tuple) {
		enum input_status status = source_line(&s->source);

		if (status == INPUT_LINE) {
			take_line(p, s);
		} else if (status == INPUT_EMPTY) {
			return false;
		} else if (status == INPUT_END) {
			s->ended = true;
			if (p->bolt->stream != NULL)
				p->bolt->stream(p->bolt->self, &p->collector,
				    s->source.tuple.stream, STREAM_ENDED);
			return false;
		} else {
			take_long(p, s, status);
		}
	}
	return true;
}

/* Tell the bolt of the ticks of the clock that are due. */
static void
clock_ticks(struct pipe *p)
{
	int64_t every = p->bolt->tick_every_ms;

	while (every != 0 && p->now_ms >= p->next_tick_ms) {
		struct tick tick = { .source = TICK_CLOCK,
			.ms = p->next_tick_ms,
			.behind = p->now_ms >= p->next_tick_ms + every };

		p->next_tick_ms += every;
		p->bolt->tick(p->bolt->self, &p->collector, &tick);
		if (!tick.behind)
			output_flush(&p->run.out);
	}
}

static void
commit(struct pipe *p)
{
	output_flush(&p->bad_lines.rejects);
	output_flush(&p->side);
	checkpoint_commit(p->checkpoint);
}

/* -1 where one of them is not known. */
static int64_t
add_size(int64_t size, int64_t more)
{
	return size < 0 || more < 0 ? -1 : size + more;
}

/* Look at the clock and do what is due.  False: the input is to end. */
static bool
keep_up(struct pipe *p)
{
	int64_t size = 0;

	p->now_ms = clock_now_ms();
	if (!run_heed_signals(&p->run, p->now_ms) ||
	    (p->runner->workers != NULL && p->runner->workers->failed))
		return false;
	clock_ticks(p);
	if (p->checkpoint != NULL &&
	    p->now_ms >= checkpoint_due_ms(p->checkpoint))
		commit(p);
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
wait_for(struct pipe *p, const struct stream *only, int64_t until)
{
	struct workers *w = p->runner->workers;
	bool full = w != NULL && workers_is_full(w), ready = false;
	size_t n = p->nstreams;

	for (size_t i = 0; i < p->nstreams; i++) {
		const struct stream *s = &p->streams[i];
		bool wanted = !full && !s->has_tuple && !s->ended &&
		    (only == NULL || only == s);

		p->fds[i] = (struct pollfd){ .events = POLLIN,
			.fd = wanted ? source_fd(&s->source) : -1 };
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
is_ready(struct pipe *p, const struct stream *s)
{
	if (p->runner->workers == NULL && source_never_blocks(&s->source))
		return true;
	return wait_for(p, s,
	    s->source.ahead != NULL ? p->now_ms + AHEAD_MS : p->now_ms);
}

/*
 * Read more of a stream that is ready.  Once it has shown to be long, and a
 * processor is left, another thread does it.
 */
static void
read_more(struct pipe *p, struct stream *s)
{
	if (p->threads >= 2 && s->source.ahead == NULL &&
	    p->checkpoint == NULL && s->source.in.bytes >= AHEAD_BYTES &&
	    source_start_thread(&s->source))
		p->threads--;
	source_read(&s->source);
}

/* When something has to be done, whether the input says more or not. */
static int64_t
next_due(const struct pipe *p)
{
	int64_t due = INT64_MAX;

	if (p->bolt->tick_every_ms != 0)
		due = p->next_tick_ms;
	if (p->progress.wanted && p->progress.next_ms < due)
		due = p->progress.next_ms;
	if (p->checkpoint != NULL && checkpoint_due_ms(p->checkpoint) < due)
		due = checkpoint_due_ms(p->checkpoint);
	return due;
}

/* Sleep until one of the streams that are waited for can be read. */
static void
sleep_for_input(struct pipe *p, int64_t until)
{
	const struct workers *w = p->runner->workers;
	bool full = w != NULL && workers_is_full(w);
	int64_t due = next_due(p);

	flush_all(p);
	/* A look at the workers may change what is to be waited for. */
	if (w != NULL) {
		wait_for(p, NULL, p->now_ms);
		if (w->failed || full != workers_is_full(w))
			return;
	}
	wait_for(p, NULL, due < until ? due : until);
}

/* The input has ended: go on until the workers have, too. */
static void
drain(struct pipe *p, struct workers *w)
{
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
		flush_all(p);
		if (!workers_are_done(w))
			wait_for(p, none, workers_due(w));
	}
}

static void
read_one(struct pipe *p)
{
	struct stream *s = p->streams;

	for (;;) {
		while (find_tuple(p, s))
			execute(p, s);
		if (s->ended || !keep_up(p))
			return;
		if (is_ready(p, s))
			read_more(p, s);
		else
			sleep_for_input(p, INT64_MAX);
	}
}

static void
set_idle(struct pipe *p, struct stream *s, bool idle)
{
	if (s->idle == idle)
		return;
	s->idle = idle;
	if (p->bolt->stream != NULL)
		p->bolt->stream(p->bolt->self, &p->collector,
		    s->source.tuple.stream, idle ? STREAM_IDLE : STREAM_ACTIVE);
}

/*
 * Get the next tuple of a source if that does not block.  False: the input
 * is to end.
 */
static bool
refill(struct pipe *p, struct stream *s)
{
	while (!find_tuple(p, s) && !s->ended) {
		if (!keep_up(p))
			return false;
		if (!is_ready(p, s))
			return true;
		read_more(p, s);
	}
	s->dry_ms = 0;
	if (!s->ended)
		set_idle(p, s, false);
	return true;
}

/*
 * Choose whose tuple goes next: the oldest, or by turns.  NULL where there
 * is none, or where one that has nothing to read is still waited for, until
 * *until.
 */
static struct stream *
choose(struct pipe *p, int64_t *until)
{
	struct stream *best = NULL;
	bool by_time = p->bolt->time_of != NULL;

	*until = INT64_MAX;
	for (size_t i = 0; i < p->nstreams; i++) {
		struct stream *s =
		    &p->streams[by_time ? i : (p->turn + i) % p->nstreams];

		if (s->has_tuple &&
		    (best == NULL ||
			(by_time &&
			    s->source.tuple.time_ns <
				best->source.tuple.time_ns)))
			best = s;
	}
	if (best == NULL || !by_time)
		return best;
	for (size_t i = 0; i < p->nstreams; i++) {
		struct stream *s = &p->streams[i];

		if (s->has_tuple || s->ended || s->idle)
			continue;
		if (s->dry_ms == 0)
			s->dry_ms = p->now_ms = clock_now_ms();
		if (p->now_ms >= s->dry_ms + p->runner->idle_ms)
			set_idle(p, s, true);
		else if (s->dry_ms + p->runner->idle_ms < *until)
			*until = s->dry_ms + p->runner->idle_ms;
	}
	return *until == INT64_MAX ? best : NULL;
}

/* Read all sources side by side. */
static void
read_many(struct pipe *p)
{
	unsigned looks = 0;
	int64_t until;

	for (;;) {
		struct stream *next;
		bool look = looks++ % LOOK_EVERY == 0, any = false;

		for (size_t i = 0; i < p->nstreams; i++) {
			struct stream *s = &p->streams[i];

			/* Those that had nothing are not asked each time. */
			if (!s->has_tuple && !s->ended &&
			    (look || s->dry_ms == 0 ||
				source_never_blocks(&s->source)) &&
			    !refill(p, s))
				return;
			any = any || !s->ended;
		}
		if (!any)
			return;
		next = choose(p, &until);
		if (next == NULL) {
			if (!keep_up(p))
				return;
			sleep_for_input(p, until);
			looks = 0;
			continue;
		}
		p->turn = next->source.tuple.stream + 1;
		execute(p, next);
	}
}

static void
open_streams(struct pipe *p, char *const *files, size_t nfiles)
{
	p->nstreams = p->runner->side_by_side ? nfiles : 1;
	p->streams = memory_new(p->nstreams, sizeof *p->streams);
	p->fds = memory_new(p->nstreams + 2 * p->runner->nworkers + RUN_EXTRA,
	    sizeof *p->fds);
	for (size_t i = 0; i < p->nstreams; i++) {
		struct stream *s = &p->streams[i];

		bool one = p->runner->side_by_side;

		source_init(&s->source, one ? files + i : files,
		    one ? 1 : nfiles, (size_t)options.bad_lines.max_line,
		    p->runner->command->projection);
		s->source.tuple.stream = (uint32_t)i;
	}
}

/* Open what rows, bad lines and late tuples go to. */
static void
open_outputs(struct pipe *p)
{
	bool state = checkpoint_is_wanted();
	void (*open_one)(struct output *, const char *) =
	    state ? output_continue : output_open;

	if (checkpoint_output() != NULL) {
		open_one(&p->run.out, checkpoint_output());
		p->run.stdout_is_pipe = false;
	}
	bad_lines_init(&p->bad_lines, &options.bad_lines, state);
	open_one(&p->side, p->runner->side);
}

static void
start(struct pipe *p)
{
	run_start(&p->run, p->runner->command->name, options.stats);
	p->run.update = update_counters;
	p->collector = (struct collector){ &p->run.out.rows, emit, emit_tick,
		settle, settle, late, side };
	p->threads = options.threads != 0 ? options.threads :
					    sysconf(_SC_NPROCESSORS_ONLN);
	p->progress.wanted = options.progress && isatty(STDERR_FILENO);
}

/* Read all input, and let the bolt have its last words. */
static void
run_bolt(struct pipe *p)
{
	if (checkpoint_is_wanted())
		p->checkpoint = checkpoint_open(p->runner->command, p->bolt,
		    &p->streams->source.in, &p->run.out);
	if (p->runner->side_by_side)
		read_many(p);
	else
		read_one(p);
	p->now_ms = clock_now_ms();
	clock_ticks(p);
	/* What is open stays so where another run goes on with it. */
	if (p->checkpoint == NULL ||
	    (signals_ending() == 0 &&
		(!p->bolt->stays_open || checkpoint_is_final())))
		p->bolt->finish(p->bolt->self, &p->collector, p->now_ms);
	if (p->checkpoint != NULL)
		commit(p);
}

/* Emit what the state holds. */
static void
dump(struct pipe *p)
{
	p->checkpoint =
	    checkpoint_open(p->runner->command, p->bolt, NULL, NULL);
	p->bolt->dump(p->bolt->self, &p->collector);
}

static void
cleanup(struct pipe *p)
{
	p->bolt->cleanup(p->bolt->self);
	for (size_t i = 0; i < p->nstreams; i++)
		source_fini(&p->streams[i].source);
	free(p->streams);
	free(p->fds);
	projection_fini(p->runner->command->projection);
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
	struct pipe p = { .runner = runner, .bolt = runner->bolt };
	bool unasked;
	int status;

	projection_compile(runner->command->projection);
	checkpoint_check_options(runner->command);
	if (nfiles == 0 && isatty(STDIN_FILENO) && !checkpoint_is_dump())
		options_short_help(runner->command);
	start(&p);
	if (!checkpoint_is_dump())
		open_streams(&p, files, nfiles);
	open_outputs(&p);
	if (runner->workers != NULL) {
		workers_init(runner->workers, runner->nworkers,
		    runner->worker_order, runner->worker_tag, &p.run.out);
		workers_start(runner->workers, runner->worker_argv);
	}
	p.now_ms = clock_now_ms();
	p.next_tick_ms = p.now_ms + p.bolt->tick_every_ms;
	p.bolt->prepare(p.bolt->self, p.now_ms);
	if (checkpoint_is_dump())
		dump(&p);
	else
		run_bolt(&p);
	checkpoint_close(p.checkpoint);
	if (runner->workers != NULL)
		drain(&p, runner->workers);

	progress_clear(&p.progress);
	output_flush(&p.run.out);
	output_close(&p.side);
	for (size_t i = 0; i < runner->nparts; i++)
		output_close(&runner->parts[i]);
	unasked = bad_lines_close(&p.bad_lines);
	run_finish(&p.run);
	if (p.run.counters.late != 0 && runner->side == NULL) {
		warn_plain("warning: %" PRIu64 " late tuples were dropped; "
			   "--late FILE keeps them",
		    p.run.counters.late);
		unasked = true;
	}
	status = unasked ? EXIT_DATA : EXIT_OK;
	if (runner->workers != NULL && runner->workers->status != 0)
		status = runner->workers->status;
	cleanup(&p);
	return run_status(status);
}
