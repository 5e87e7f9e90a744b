/*
 * SPDX-License-Identifier: ISC
 */
#include "run/spout_runner.h"
#include "base/clock.h"
#include "base/diagnostics.h"
#include "base/rights.h"
#include "base/signals.h"
#include "bolt/run.h"
#include "io/file_uses.h"
#include "storm/shell_spout.h"

static struct {
	const char *name, *state, *stats;
	int64_t max_pending, retries;
	bool multilang;
} options = { .retries = -1 };

const struct option_spec spout_runner_options[] = {
	{ .name = "stats",
	    .arg = "FILE",
	    .kind = OPTION_OPTIONAL,
	    .to = &options.stats,
	    .help = "write counters at the end, to FILE or stderr" },
	{ 0 },
};

const struct option_spec spout_runner_storm_options[] = {
	{ .name = "multilang",
	    .kind = OPTION_FLAG,
	    .to = &options.multilang,
	    .help = "be a spout of an Apache Storm topology" },
	{ .name = "state",
	    .arg = "FILE",
	    .kind = OPTION_TEXT,
	    .to = &options.state,
	    .help = "remember in FILE what was acked, and go on there" },
	{ .name = "name",
	    .arg = "NAME",
	    .kind = OPTION_TEXT,
	    .to = &options.name,
	    .help = "of this spout's part of the state" },
	{ .name = "max-pending",
	    .arg = "N",
	    .kind = OPTION_COUNT,
	    .to = &options.max_pending,
	    .min = 1,
	    .max = 1000000000,
	    .help = "so many tuples not acked yet (1000)" },
	{ .name = "retries",
	    .arg = "N",
	    .kind = OPTION_COUNT,
	    .to = &options.retries,
	    .min = 0,
	    .max = INT64_MAX,
	    .help = "give up what failed so often again (never)" },
	{ 0 },
};

/* Wait until the next tuple is due.  False: a signal asks for the end. */
static bool
pace(struct run *r, double rate)
{
	struct pollfd fds[RUN_EXTRA];

	if (rate == 0) {
		if (r->out.rows.n == 0) /* once a block */
			run_heed_signals(r, 0);
		return signals_ending() == 0;
	}
	for (;;) {
		int64_t now = clock_now_ms();
		int64_t due = r->start_ns / 1000000 +
		    (int64_t)((double)r->counters.emitted * 1000 / rate);

		run_heed_signals(r, now);
		if (signals_ending() != 0)
			return false;
		if (now >= due)
			return true;
		output_flush(&r->out);
		run_wait(r, fds, 0, now, due);
	}
}

bool
spout_runner_is_multilang(void)
{
	return options.multilang;
}

bool
spout_runner_remembers(void)
{
	return options.state != NULL;
}

/* Complain of what only means something to Storm. */
static void
check_pipe(const struct command *command)
{
	const struct {
		bool given;
		const char *name;
	} needs[] = {
		{ options.max_pending != 0, "--max-pending" },
		{ options.name != NULL, "--name" },
		{ options.retries >= 0, "--retries" },
		{ options.state != NULL, "--state" },
	};

	for (size_t i = 0; i < sizeof needs / sizeof needs[0]; i++)
		if (needs[i].given)
			options_misuse(command, "%s needs --multilang",
			    needs[i].name);
}

/* Hold all files that the command line names against each other. */
static void
check_files(const struct command *command, const struct spout *spout)
{
	struct file_uses uses = { 0 };

	if (spout->in != NULL)
		file_uses_read(&uses, spout->in->names, spout->in->nnames);
	if (options.state != NULL)
		file_uses_keep(&uses, options.state);
	file_uses_write_stdout(&uses);
	file_uses_write(&uses, "--stats", options.stats, false);
	file_uses_check(&uses, command);
}

int
spout_runner_run(const struct command *command, const struct spout *spout,
    const char *what)
{
	struct run r = { 0 };
	bool failed;

	check_files(command, spout);
	rights_give_up();
	if (options.multilang)
		return shell_spout_run(&(struct shell_spout){
		    .command = command,
		    .spout = spout,
		    .what = what,
		    .max_pending = options.max_pending,
		    .retries = options.retries,
		    .state = options.state,
		    .name = options.name == NULL ? command->name : options.name,
		    .stats = options.stats });
	check_pipe(command);
	run_start(&r, command->name);
	run_open_stats(&r, options.stats);
	while (pace(&r, spout->rate) && spout->next(spout->self, &r.out.rows)) {
		buffer_byte(&r.out.rows, '\n');
		r.counters.emitted++;
		if (r.out.rows.n >= OUTPUT_BLOCK)
			output_flush(&r.out);
	}
	failed = spout->in != NULL && input_failed(spout->in);
	run_finish(&r);
	return run_status(failed ? EXIT_USAGE : EXIT_OK);
}
