/*
 * run - how long the input of a command that is told to end is read on.
 *
 * SPDX-License-Identifier: ISC
 */
#include <signal.h>

#include "base/signals.h"
#include "bolt/run.h"
#include "check.h"

/*
 * A command that shows what others write ended a second after the signal, and
 * what a command before it still had to say was lost: that had got the signal,
 * and its second, too.
 */
static void
waits_for_what_comes_before(void)
{
	struct run run = { 0 }, waits = { .waits = true };

	CHECK(run_heed_signals(&run, 1000));
	CHECK(run_heed_signals(&waits, 1000));
	raise(SIGTERM);
	CHECK(run_heed_signals(&run, 1000));
	CHECK(run_heed_signals(&run, 1000 + RUN_GRACE_MS - 1));
	CHECK(!run_heed_signals(&run, 1000 + RUN_GRACE_MS));
	CHECK(run_heed_signals(&waits, 1000));
	CHECK(run_heed_signals(&waits, 1000000000));
}

int
main(void)
{
	signals_init();
	waits_for_what_comes_before();
	return check_done("run");
}
