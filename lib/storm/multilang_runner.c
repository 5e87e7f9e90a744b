/*
 * SPDX-License-Identifier: ISC
 */
#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/diagnostics.h"
#include "bolt/live_time.h"
#include "storm/multilang_runner.h"
#include "storm/shell_bolt.h"
#include "storm/shell_collector.h"
#include "storm/shell_sources.h"

struct runner {
	struct shell_bolt bolt; /* first */
	const struct multilang_runner *given;
	int64_t every_ms, next_tick_ms;
	struct live_time live;
};

/* Tell whether something of the bolt's stream k comes in. */
static bool
is_sent(const struct shell_bolt *b, size_t k)
{
	for (size_t i = 0; i < b->nsources; i++)
		if (!b->sources[i].skipped && b->sources[i].stream == k)
			return true;
	return false;
}

/* Add what the topology sends us, and hold it against the operands. */
static void
add_sources(struct shell_bolt *b)
{
	const struct declared_streams *known = &b->context.sources;

	for (size_t i = 0; i < known->n; i++) {
		const struct declared_stream *d = &known->list[i];

		shell_sources_add(b, d->component, d->name, d->fields, d->n);
	}
	for (size_t k = 0; k < b->noperands; k++)
		if (known->known && !is_sent(b, k))
			die("%s: no such component and stream is sent to %.*s",
			    b->operands[k], (int)b->context.component.n,
			    b->context.component.p);
}

/* Say where Storm's ticks are not what the bolt expects. */
static void
check_ticks(const struct runner *r)
{
	const struct bolt *bolt = r->bolt.bolt;
	int64_t ms = r->bolt.context.tick_ms;

	if (!bolt->emits_at_ticks)
		return;
	if (ms == 0 && bolt->tick_every_ms == 0)
		warn_plain("warning: topology.tick.tuple.freq.secs is not "
			   "set, nothing is emitted without ticks");
	if (ms != 0 && bolt->every_option != NULL && bolt->tick_every_ms != 0 &&
	    bolt->tick_every_ms != ms)
		warn_plain("warning: %s is %g s, but ticks come each %g s, "
			   "and they count",
		    bolt->every_option, (double)bolt->tick_every_ms / 1000,
		    (double)ms / 1000);
}

static void
start(struct runner *r)
{
	const struct multilang_runner *given = r->given;
	struct shell_bolt *b = &r->bolt;
	bool alarms;

	run_start(&b->run, given->command);
	run_open_stats(&b->run, given->stats);
	output_continue(&b->side, b->bolt->side);
	multilang_input_init(&b->in, STDIN_FILENO, (size_t)given->max_message);
	topology_context_receive(&b->context, &b->in, &b->run.out);
	shell_bolt_init(b, given->projection);
	b->operands = given->streams;
	b->noperands = given->nstreams;
	add_sources(b);
	check_ticks(r);
	b->now_ms = clock_now_ms();
	b->complaints_ms = b->now_ms;
	alarms = b->bolt->emits_at_ticks && b->context.tick_ms != 0;
	r->every_ms = alarms ? 0 : b->bolt->tick_every_ms;
	r->next_tick_ms = b->now_ms + r->every_ms;
	live_time_init(&r->live, b->bolt->live_ms, b->now_ms);
	if (b->bolt->time_of != NULL && b->bolt->stream != NULL)
		b->streams = memory_new(given->nstreams, sizeof *b->streams);
	for (size_t i = 0; b->streams != NULL && i < given->nstreams; i++)
		b->streams[i].heard_ms = b->now_ms;
	b->bolt->prepare(b->bolt->self,
	    &(struct bolt_context){ .collector = &b->collector,
		.now_ms = b->now_ms,
		.projection = given->projection,
		.multilang = true,
		.ntasks = b->ntasks,
		.has_stats = given->stats != NULL });
}

/* Tell the bolt of the ticks of the clock that are due. */
static void
clock_ticks(struct runner *r)
{
	struct shell_bolt *b = &r->bolt;

	while (r->every_ms != 0 && b->now_ms >= r->next_tick_ms) {
		struct tick tick = { .source = TICK_CLOCK,
			.ms = r->next_tick_ms,
			.behind = b->now_ms >= r->next_tick_ms + r->every_ms };

		r->next_tick_ms += r->every_ms;
		b->bolt->tick(b->bolt->self, &tick);
	}
}

/* No tuple is there: let event time go on. */
static void
let_time_go_on(struct runner *r)
{
	struct shell_bolt *b = &r->bolt;
	struct tick tick = { .source = TICK_LIVE,
		.ms = live_time_pass(&r->live, b->run.counters.lines,
		    b->ntuples, b->now_ms) };

	if (tick.ms != 0)
		b->bolt->tick(b->bolt->self, &tick);
}

/*
 * No longer wait for streams that have been silent too long while another
 * was not.  Returns when the next one will have been.
 */
static int64_t
idle_streams(struct runner *r)
{
	struct shell_bolt *b = &r->bolt;
	int64_t next = INT64_MAX;

	for (size_t i = 0; b->streams != NULL && i < r->given->nstreams; i++) {
		struct multilang_liveness *s = &b->streams[i];
		int64_t due = s->heard_ms + b->bolt->idle_ms;

		if (s->idle || s->heard == b->heard)
			continue;
		if (b->now_ms >= due) {
			s->idle = true;
			b->bolt->stream(b->bolt->self, i, STREAM_IDLE);
		} else if (due < next) {
			next = due;
		}
	}
	return next;
}

/* Do what messages ask for, all that are there.  False: it is the end. */
static bool
take_messages(struct runner *r, enum multilang_status *status)
{
	struct shell_bolt *b = &r->bolt;
	struct span text;

	for (;;) {
		*status = multilang_next(&b->in, &text);
		if (*status == MULTILANG_MESSAGE)
			shell_bolt_take(b, text);
		else if (*status == MULTILANG_LONG)
			shell_bolt_complain(b,
			    "a message of more than %" PRId64
			    " bytes was skipped",
			    r->given->max_message);
		else
			return *status == MULTILANG_EMPTY;
	}
}

/* Wait until there is something to do. */
static void
sleep_for_input(struct runner *r, int64_t until)
{
	struct pollfd fds[1 + RUN_EXTRA] = { { STDIN_FILENO, POLLIN, 0 } };
	struct shell_bolt *b = &r->bolt;

	if (r->every_ms != 0 && r->next_tick_ms < until)
		until = r->next_tick_ms;
	if (live_time_due(&r->live) < until)
		until = live_time_due(&r->live);
	if (run_wait(&b->run, fds, 1, b->now_ms, until) != 0)
		multilang_fill(&b->in);
}

int
multilang_runner_run(const struct multilang_runner *given)
{
	struct runner r = { .bolt = { .bolt = given->bolt }, .given = given };
	struct shell_bolt *b = &r.bolt;
	enum multilang_status status;
	int64_t until, due;

	start(&r);
	while (take_messages(&r, &status)) {
		clock_ticks(&r);
		until = idle_streams(&r);
		let_time_go_on(&r);
		due = shell_collector_send_due(b);
		until = due < until ? due : until;
		/* One write for all that was read at once. */
		shell_collector_flush(b);
		sleep_for_input(&r, until);
		b->now_ms = clock_now_ms();
		if (!run_heed_signals(&b->run, b->now_ms))
			break;
	}
	/* There is nobody left to emit to. */
	diagnostics_divert(NULL, NULL);
	if (status == MULTILANG_BROKEN)
		warn_plain("stdin: ended within a message");
	b->run.out.rows.n = 0;
	output_close(&b->side);
	run_finish(&b->run);
	shell_bolt_fini(b);
	return status == MULTILANG_BROKEN ? EXIT_DATA : EXIT_OK;
}
