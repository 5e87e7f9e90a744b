/*
 * SPDX-License-Identifier: ISC
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/diagnostics.h"
#include "base/packed.h"
#include "base/signals.h"
#include "bolt/run.h"
#include "state/store.h"
#include "storm/shell_spout.h"
#include "storm/spout_task.h"

enum { COMMIT_MS = 1000, MAX_COMMAND = 1 << 20 };

/* Tell Storm of a message that is none; it waits for an answer to it, too. */
static void
skip_message(struct spout_task *s, const char *why)
{
	s->scratch.n = 0;
	buffer_put(&s->scratch, SPAN("a message was skipped: "));
	buffer_put(&s->scratch, span_of(why));
	multilang_put_error(&s->run.out.rows, buffer_span(&s->scratch));
	multilang_put_sync(&s->run.out.rows);
}

static void
take_command(struct spout_task *s, struct span text)
{
	struct multilang_message m;
	struct fault f = { 0 };
	struct span command, id;
	enum multilang_kind kind = multilang_parse(&s->in, text, &m, &f);

	if (kind == MULTILANG_INVALID)
		skip_message(s, f.message);
	if (kind != MULTILANG_OBJECT)
		return;
	command = multilang_text(m.command, &s->scratch);
	if (span_eq(command, SPAN("next"))) {
		spout_task_next(s);
	} else if (span_eq(command, SPAN("ack")) ||
	    span_eq(command, SPAN("fail"))) {
		bool acked = span_eq(command, SPAN("ack"));

		id = multilang_text(m.id, &s->scratch);
		spout_task_settle(s, id, acked);
	}
	/* Whatever it was, activate or deactivate say, Storm waits for it. */
	multilang_put_sync(&s->run.out.rows);
}

/* Remember the first tuple that is not acked, unless that is not news. */
static void
commit(struct spout_task *s)
{
	int64_t place;
	uint64_t open;

	if (s->store == NULL || s->now_ms < s->commit_ms)
		return;
	open = spout_task_first_open(s, &place);
	s->commit_ms = s->now_ms + COMMIT_MS;
	if (open == s->committed && !store_is_new(s->store))
		return;
	store_begin(s->store);
	store_put_int(s->store, "acked", (int64_t)open);
	if (s->spout->keep != NULL)
		s->spout->keep(s->spout->self, s->store, place);
	store_commit(s->store);
	s->committed = open;
}

/* Go to the first tuple that was not acked when the state was written. */
static void
go_on(struct spout_task *s)
{
	const struct spout *spout = s->spout;
	uint64_t acked;

	if (store_is_new(s->store))
		return;
	acked =
	    (uint64_t)store_get_int_within(s->store, "acked", 0, PACKED_MOST);
	if (acked == 0)
		return;
	if (spout->go_on != NULL) {
		if (!spout->go_on(spout->self, s->store))
			return;
		s->number = acked;
	}
	while (s->number < acked && spout_task_read(s))
		s->number++;
	if (s->number < acked)
		spout_task_check_input(s);
	s->committed = s->number;
}

static void
open_state(struct spout_task *s)
{
	const struct options *options = s->given->options;
	struct store_part part = { .path = s->given->state,
		.command = options->command->name };
	struct buffer name = { 0 }, tasks = { 0 };

	buffer_put(&name, span_of(s->given->name));
	if (s->context.ntasks > 1) {
		buffer_byte(&name, '_');
		buffer_int(&name, (int64_t)s->context.index);
	}
	buffer_byte(&name, '\0');
	part.name = name.p;
	buffer_int(&tasks, (int64_t)s->context.ntasks);
	store_options_add(&part.options, "of", span_of(s->given->what));
	store_options_add(&part.options, "tasks", buffer_span(&tasks));
	store_options_add_given(&part.options, options);
	s->store = store_open(&part);
	store_options_fini(&part.options);
	buffer_fini(&tasks);
	buffer_fini(&name);
	go_on(s);
}

static void
start(struct spout_task *s)
{
	const struct shell_spout *given = s->given;
	int64_t most = given->max_pending;

	run_start(&s->run, given->options->command->name);
	run_open_stats(&s->run, given->stats);
	multilang_input_init(&s->in, STDIN_FILENO, 64 * MAX_COMMAND);
	topology_context_receive(&s->context, &s->in, &s->run.out);
	multilang_sink_init(&s->sink, &s->context.outputs, SPAN("default"),
	    true);
	pending_tuples_init(&s->pending);
	if (most == 0)
		most = s->context.max_pending;
	if (most == 0)
		most = s->sink.layout.is_block ? MULTILANG_PENDING_BLOCKS :
						 MULTILANG_PENDING;
	s->max_pending = (size_t)most;
	if (given->state != NULL) {
		open_state(s);
		commit(s);
	}
}

/* False: a signal asks for the end. */
static bool
wait_for_command(struct spout_task *s)
{
	struct pollfd fds[1 + RUN_EXTRA] = { { STDIN_FILENO, POLLIN, 0 } };
	int64_t until = s->store == NULL ? INT64_MAX : s->commit_ms;

	if (run_wait(&s->run, fds, 1, s->now_ms, until) != 0)
		multilang_fill(&s->in);
	run_heed_signals(&s->run, s->now_ms);
	return signals_ending() == 0;
}

int
shell_spout_run(const struct shell_spout *given)
{
	struct spout_task s = { .given = given, .spout = given->spout };
	enum multilang_status status;
	struct span text;

	start(&s);
	for (;;) {
		s.now_ms = clock_now_ms();
		while ((status = multilang_next(&s.in, &text)) ==
			MULTILANG_MESSAGE ||
		    status == MULTILANG_LONG)
			if (status == MULTILANG_LONG)
				skip_message(&s, "it is too long");
			else
				take_command(&s, text);
		output_flush(&s.run.out);
		if (status == MULTILANG_END || status == MULTILANG_BROKEN)
			break;
		commit(&s);
		if (!wait_for_command(&s))
			break;
	}
	diagnostics_divert(NULL, NULL);
	s.commit_ms = 0;
	commit(&s);
	if (s.store != NULL)
		store_close(s.store);
	run_finish(&s.run);
	pending_tuples_fini(&s.pending);
	multilang_sink_fini(&s.sink);
	multilang_input_fini(&s.in);
	topology_context_fini(&s.context);
	line_block_fini(&s.block);
	buffer_fini(&s.line);
	buffer_fini(&s.scratch);
	return EXIT_OK;
}
