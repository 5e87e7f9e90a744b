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
#include "storm/multilang_sink.h"
#include "storm/pending_tuples.h"
#include "storm/shell_spout.h"

enum {
	/* So many tuples go with one `next`, which costs two switches. */
	BATCH = 100,
	AGAIN_MS = 1000,
	/* Storm is kept waiting so long where there is nothing to send. */
	NOTHING_MS = 10,
	COMMIT_MS = 1000,
	MAX_COMMAND = 1 << 20,
};

struct spout_task {
	struct run run; /* first */
	const struct shell_spout *given;
	const struct spout *spout;
	struct multilang_input in;
	struct topology_context context;
	struct multilang_sink sink;
	struct pending_tuples pending;
	size_t max_pending;
	uint64_t number; /* of the next tuple */
	bool dry;	 /* the spout had no more when last asked */
	struct buffer line, scratch;
	struct store *store; /* NULL: nothing is remembered */
	uint64_t committed;  /* number of the first not acked, in the store */
	int64_t commit_ms, now_ms;
};

static void
send(struct spout_task *s, const struct pending_tuple *t)
{
	char id[32];
	struct multilang_origin origin = { .id = { id, 0 } };
	struct span line;

	origin.id.n =
	    (size_t)snprintf(id, sizeof id, "\"%" PRIu64 "\"", t->number);
	s->line.n = 0;
	buffer_put(&s->line, buffer_span(&t->line));
	line = buffer_span(&s->line);
	memset(buffer_room(&s->line, JSON_PAD), '\n', JSON_PAD);
	line.p = s->line.p;
	multilang_sink_put(&s->sink, &s->run.out.rows, &origin, line);
	s->run.counters.emitted++;
}

/* Get the next tuple, whosever it is.  False: there is none. */
static bool
next_of(struct spout_task *s)
{
	s->line.n = 0;
	return s->spout->next(s->spout->self, &s->line);
}

/* There is none: end if that is so because the file cannot all be read. */
static void
check_input(struct spout_task *s)
{
	const struct input *in = s->spout->in;

	if (in == NULL || (!input_failed(in) && !input_damaged(in)))
		return;
	output_flush(&s->run.out);
	exit(EXIT_USAGE);
}

/* Get the next tuple that is ours, and keep it.  False: there is none. */
static bool
take_next(struct spout_task *s)
{
	const struct spout *spout = s->spout;
	size_t ntasks = s->context.ntasks;
	int64_t place;

	do {
		place = spout->place == NULL ? 0 : spout->place(spout->self);
		if (!next_of(s))
			return false;
	} while (s->number++ % ntasks != s->context.index);
	pending_tuples_add(&s->pending, s->number - 1, place,
	    buffer_span(&s->line));
	return true;
}

/* How many tuples this task's share of the rate lets go now. */
static size_t
due(const struct spout_task *s)
{
	double seconds = (double)(clock_now_ns() - s->run.start_ns) / 1e9;
	double n = seconds * s->spout->rate / (double)s->context.ntasks -
	    (double)s->run.counters.lines;

	return s->spout->rate == 0 || n > BATCH ? BATCH : n < 0 ? 0 : (size_t)n;
}

/* Answer `next`: what failed first, then new ones. */
static void
next(struct spout_task *s)
{
	size_t n = 0, most = due(s);
	struct pending_tuple *t;
	struct pollfd fds[RUN_EXTRA];

	while (n < BATCH &&
	    (t = pending_tuples_again(&s->pending, s->now_ms)) != NULL) {
		send(s, t);
		n++;
	}
	for (; n < most && s->pending.n < s->max_pending && take_next(s); n++) {
		s->run.counters.lines++;
		send(s, pending_tuples_find(&s->pending, s->number - 1));
	}
	if (n != 0)
		return;
	check_input(s);
	run_wait(&s->run, fds, 0, s->now_ms, s->now_ms + NOTHING_MS);
}

static void
give_up(struct spout_task *s, struct pending_tuple *t)
{
	char text[256], clean[256];

	snprintf(text, sizeof text,
	    "tuple %" PRIu64 " has failed %" PRId64 " times and is given up: "
	    "%.*s",
	    t->number, t->failures + 1,
	    (int)(t->line.n < 128 ? t->line.n : 128), t->line.p);
	diagnostics_scrub(clean, sizeof clean, span_of(text));
	multilang_put_error(&s->run.out.rows, span_of(clean));
	s->run.counters.rejects++;
	pending_tuples_drop(&s->pending, t);
}

/* Storm has done with a tuple, or could not. */
static void
settle(struct spout_task *s, struct span id, bool acked)
{
	int64_t most = s->given->retries;
	struct pending_tuple *t;
	char text[32];

	if (id.n == 0 || id.n >= sizeof text)
		return;
	memcpy(text, id.p, id.n);
	text[id.n] = '\0';
	t = pending_tuples_find(&s->pending, strtoull(text, NULL, 10));
	if (t == NULL || t->again_ms != 0)
		return;
	if (acked)
		pending_tuples_drop(&s->pending, t);
	else if (most >= 0 && t->failures >= most)
		give_up(s, t);
	else
		pending_tuples_fail(&s->pending, t, s->now_ms + AGAIN_MS);
}

static void
take_command(struct spout_task *s, struct span text)
{
	struct multilang_message m;
	struct fault f;
	struct span command, id;

	if (multilang_parse(&s->in, text, &m, &f) != MULTILANG_OBJECT)
		return;
	command = multilang_text(m.command, &s->scratch);
	if (span_eq(command, SPAN("next"))) {
		next(s);
	} else if (span_eq(command, SPAN("ack")) ||
	    span_eq(command, SPAN("fail"))) {
		bool acked = span_eq(command, SPAN("ack"));

		id = multilang_text(m.id, &s->scratch);
		settle(s, id, acked);
	}
	/* Whatever it was, activate or deactivate say, Storm waits for it. */
	multilang_put_sync(&s->run.out.rows);
}

/* The number and the place of the first tuple that is not acked. */
static uint64_t
first_open(const struct spout_task *s, int64_t *place)
{
	const struct pending_tuple *t = pending_tuples_oldest(&s->pending);

	*place = 0;
	if (t != NULL)
		*place = t->place;
	else if (s->spout->place != NULL)
		*place = s->spout->place(s->spout->self);
	return t != NULL ? t->number : s->number;
}

/* Remember the first tuple that is not acked, unless that is not news. */
static void
commit(struct spout_task *s)
{
	int64_t place;
	uint64_t open;

	if (s->store == NULL || s->now_ms < s->commit_ms)
		return;
	open = first_open(s, &place);
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
	while (s->number < acked && next_of(s))
		s->number++;
	if (s->number < acked)
		check_input(s);
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
	s->max_pending = most == 0 ? MULTILANG_PENDING : (size_t)most;
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
		    MULTILANG_MESSAGE)
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
	buffer_fini(&s.line);
	buffer_fini(&s.scratch);
	return EXIT_OK;
}
