/*
 * SPDX-License-Identifier: ISC
 */
#include <math.h>
#include <stddef.h>

#include "base/clock.h"
#include "base/diagnostics.h"
#include "base/hash.h"
#include "base/rights.h"
#include "base/signals.h"
#include "bolt/run.h"
#include "io/file_uses.h"
#include "run/spout_main.h"
#include "storm/shell_spout.h"

/* What the options of every spout say. */
struct settings {
	const char *name, *state, *stats;
	int64_t max_pending, retries;
	bool multilang;
};

#define AT(member) offsetof(struct settings, member)

const struct option_spec spout_main_options[] = {
	{ .name = "stats",
	    .arg = "FILE",
	    .kind = OPTION_OPTIONAL_FILE,
	    .to = AT(stats),
	    .help = "write counters at the end, to FILE or stderr" },
	{ 0 },
};

const struct option_spec spout_main_storm_options[] = {
	{ .name = "multilang",
	    .kind = OPTION_FLAG,
	    .to = AT(multilang),
	    .help = "be a spout of an Apache Storm topology" },
	{ .name = "state",
	    .arg = "FILE",
	    .kind = OPTION_FILE,
	    .to = AT(state),
	    .help = "remember in FILE what was acked, and go on there",
	    .needs = "--multilang" },
	{ .name = "name",
	    .arg = "NAME",
	    .kind = OPTION_TEXT,
	    .to = AT(name),
	    .help = "of this spout's part of the state",
	    .needs = "--state" },
	{ .name = "max-pending",
	    .arg = "N",
	    .kind = OPTION_COUNT,
	    .to = AT(max_pending),
	    .min = 1,
	    .max = 1000000000,
	    .help = "so many tuples not acked yet (1000)",
	    .needs = "--multilang" },
	{ .name = "retries",
	    .arg = "N",
	    .kind = OPTION_COUNT,
	    .to = AT(retries),
	    .min = 0,
	    .max = INT64_MAX,
	    .help = "give up what failed so often again (never)",
	    .needs = "--multilang" },
	{ 0 },
};

#undef AT

/* False: a signal asks for the end. */
static bool
goes_on(struct run *r)
{
	if (r->out.rows.n == 0) /* once a block */
		run_heed_signals(r, 0);
	return signals_ending() == 0;
}

/*
 * Wait until a line is due, after those that were written.  False: a signal
 * asks for the end.
 */
static bool
pace(struct run *r, uint64_t written, double rate)
{
	struct pollfd fds[RUN_EXTRA];

	for (;;) {
		int64_t now = clock_now_ms();
		int64_t due = r->start_ns / 1000000 +
		    (int64_t)fmin((double)written * 1000 / rate, 1e15);

		run_heed_signals(r, now);
		if (signals_ending() != 0)
			return false;
		if (now >= due)
			return true;
		output_flush(&r->out);
		run_wait(r, fds, 0, now, due);
	}
}

/* Hold all files that the command line names against each other. */
static void
check_files(const struct settings *s, const struct command *command,
    const struct spout *spout)
{
	struct file_uses uses = { 0 };

	if (spout->in != NULL)
		file_uses_read(&uses, spout->in->names, spout->in->nnames);
	if (s->state != NULL)
		file_uses_keep(&uses, s->state);
	file_uses_write_stdout(&uses);
	file_uses_write(&uses, "--stats", s->stats, false);
	file_uses_check(&uses, command);
}

static int
run_multilang(const struct settings *s, const struct options *given,
    const struct spout *spout, const char *what)
{
	const char *name = s->name == NULL ? given->command->name : s->name;

	return shell_spout_run(&(struct shell_spout){ .options = given,
	    .spout = spout,
	    .what = what,
	    .max_pending = s->max_pending,
	    .retries = s->retries,
	    .state = s->state,
	    .name = name,
	    .stats = s->stats });
}

/*
 * Wait until a spout may have its next tuple, with what it has sent written.
 * False: there is no more.
 */
static bool
wait_for_more(struct run *r, const struct spout *spout)
{
	struct pollfd fds[1 + RUN_EXTRA] = { { .events = POLLIN } };

	fds[0].fd =
	    spout->waits_for == NULL ? -1 : spout->waits_for(spout->self);
	if (fds[0].fd < 0)
		return false;
	output_flush(&r->out);
	run_wait(r, fds, 1, 0, INT64_MAX);
	return true;
}

/* A spout in a pipe. */
struct pipe_spout {
	struct run run; /* first */
	const struct spout *spout;
	uint64_t written; /* lines: tuples, and ticks */
	uint64_t ticks;	  /* among them */
};

/* Note how many ticks there were, after a line was written. */
static void
note_ticks(struct pipe_spout *p)
{
	struct counters c = { 0 };

	if (p->spout->count != NULL)
		p->spout->count(p->spout->self, &c);
	p->ticks = c.ticks;
}

static void
update_counters(struct run *r, struct buffer *members)
{
	struct pipe_spout *p = (struct pipe_spout *)(void *)r;

	(void)members;
	if (p->spout->count != NULL)
		p->spout->count(p->spout->self, &r->counters);
	/* Else one that was read may wait until it is due. */
	if (p->spout->rate == 0)
		note_ticks(p);
	r->counters.emitted = p->written - p->ticks;
}

static int
run_pipe(const struct settings *s, const struct command *command,
    const struct spout *spout)
{
	struct pipe_spout p = { .run.update = update_counters, .spout = spout };
	struct run *r = &p.run;
	struct buffer waiting = { 0 };
	/* One that is not due yet waits beside what is written. */
	struct buffer *next = spout->rate == 0 ? &r->out.rows : &waiting;
	bool failed;

	run_start(r, command->name);
	run_open_stats(r, s->stats);
	while (goes_on(r)) {
		if (!spout->next(spout->self, next)) {
			if (!wait_for_more(r, spout))
				break;
			continue;
		}
		buffer_byte(next, '\n');
		if (spout->rate != 0 && !pace(r, p.written, spout->rate))
			break;
		buffer_put(&r->out.rows, buffer_span(&waiting));
		waiting.n = 0;
		p.written++;
		if (spout->rate != 0)
			note_ticks(&p);
		output_rows_added(&r->out);
	}
	failed = spout->in != NULL &&
	    (input_report_failure(spout->in) || input_report_damage(spout->in));
	run_finish(r);
	buffer_fini(&waiting);
	return failed ? EXIT_TROUBLE : EXIT_OK;
}

int
spout_main(const struct command *command, struct spout *spout, int argc,
    char *argv[])
{
	struct settings s = { .retries = -1 };
	struct options_kept kept = { spout->self, NULL, &s, &s };
	struct options options;
	int first, status;

	diagnostics_init(argv[0]);
	hash_init();
	first = options_read(&options, command, &kept, argc, argv);
	options_finish(&options, NULL);
	spout->configure(spout,
	    &(struct spout_setup){ .operands = argv + first,
		.noperands = (size_t)(argc - first),
		.multilang = s.multilang,
		.has_state = s.state != NULL });
	check_files(&s, command, spout);
	rights_drop();
	status = s.multilang ?
	    run_multilang(&s, &options, spout, argv[argc - 1]) :
	    run_pipe(&s, command, spout);
	status = spout->cleanup(spout->self, status);
	options_fini(&options);
	return run_status(status);
}
