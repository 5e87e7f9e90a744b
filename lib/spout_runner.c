/*
 * SPDX-License-Identifier: ISC
 */
#include "spout_runner.h"
#include "clock.h"
#include "diagnostics.h"
#include "run.h"
#include "signals.h"

static const char *stats;

const struct option_spec spout_runner_options[] = {
	{ .name = "stats",
	    .arg = "FILE",
	    .kind = OPTION_OPTIONAL,
	    .to = &stats,
	    .help = "write counters at the end, to FILE or stderr" },
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

int
spout_runner_run(const struct command *command, const struct spout *spout)
{
	struct run r = { 0 };

	run_start(&r, command->name, stats);
	while (pace(&r, spout->rate) && spout->next(spout->self, &r.out.rows)) {
		buffer_byte(&r.out.rows, '\n');
		r.counters.emitted++;
		if (r.out.rows.n >= OUTPUT_BLOCK)
			output_flush(&r.out);
	}
	run_finish(&r);
	return run_status(EXIT_OK);
}
