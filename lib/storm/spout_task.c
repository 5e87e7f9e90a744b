/*
 * SPDX-License-Identifier: ISC
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/diagnostics.h"
#include "base/digits.h"
#include "storm/spout_task.h"

enum {
	/* So many tuples go with one `next`, which costs two switches. */
	BATCH = 100,
	AGAIN_MS = 1000,
	/* Storm is kept waiting so long where there is nothing to send. */
	NOTHING_MS = 10,
};

static void
send(struct spout_task *s, struct pending_tuple *t)
{
	char id[32];
	struct multilang_origin origin = { .id = { id, 0 } };

	origin.id.n =
	    (size_t)snprintf(id, sizeof id, "\"%" PRIu64 "\"", t->number);
	multilang_sink_put(&s->sink, &s->run.out.rows, &origin,
	    json_padded(&t->line));
	s->run.counters.emitted++;
}

bool
spout_task_read(struct spout_task *s)
{
	s->line.n = 0;
	return s->spout->next(s->spout->self, &s->line);
}

void
spout_task_check_input(struct spout_task *s)
{
	const struct input *in = s->spout->in;

	if (in == NULL ||
	    (!input_report_failure(in) && !input_report_damage(in)))
		return;
	output_flush(&s->run.out);
	exit(EXIT_TROUBLE);
}

/* Where in the input the spout is. */
static int64_t
place_of(const struct spout_task *s)
{
	return s->spout->place == NULL ? 0 : s->spout->place(s->spout->self);
}

/* Get the next tuple that is ours into s->line.  False: there is none. */
static bool
fetch(struct spout_task *s)
{
	while (!s->is_fetched) {
		s->place = place_of(s);
		if (!spout_task_read(s))
			return false;
		if (s->number % s->context.ntasks == s->context.index)
			s->is_fetched = true;
		else
			s->number++;
	}
	return true;
}

/* The tuple that was fetched is put where it will not be lost. */
static void
take(struct spout_task *s)
{
	s->is_fetched = false;
	s->number++;
	s->run.counters.lines++;
}

/* How many tuples this task's share of the rate lets go now. */
static size_t
due(const struct spout_task *s)
{
	size_t most = s->sink.layout.is_block ? LINE_BLOCK_BYTES : BATCH;
	double seconds = (double)(clock_now_ns() - s->run.start_ns) / 1e9;
	double n = seconds * s->spout->rate / (double)s->context.ntasks -
	    (double)s->run.counters.lines;

	return s->spout->rate == 0 || n > (double)most ? most :
	    n < 0				       ? 0 :
							 (size_t)n;
}

/* Keep a tuple or a block until it is acked, and send it. */
static void
send_new(struct spout_task *s, uint64_t number, int64_t place, struct span text)
{
	pending_tuples_add(&s->pending, number, place, text);
	send(s, pending_tuples_find(&s->pending, number));
}

/* Send new tuples that are due.  Returns how many. */
static size_t
send_tuples(struct spout_task *s, size_t most)
{
	size_t n = 0;

	for (; n < most && s->pending.n < s->max_pending && fetch(s); n++) {
		send_new(s, s->number, s->place, buffer_span(&s->line));
		take(s);
	}
	return n;
}

/*
 * Fill the block with tuples that are due, and send it when it is full or old.
 * Returns how many were sent.
 */
static size_t
send_block(struct spout_task *s, size_t most)
{
	struct line_block *k = &s->block;
	bool is_full = false;

	if (s->pending.n >= s->max_pending)
		return 0;
	for (; most > 0 && fetch(s); most--) {
		is_full = line_block_is_full(k, buffer_span(&s->line));
		if (is_full)
			break;
		if (k->lines.n == 0) {
			s->first = s->number;
			s->first_place = s->place;
		}
		line_block_add(k, buffer_span(&s->line), s->now_ms);
		take(s);
	}
	if (!is_full &&
	    (k->lines.n == 0 || s->now_ms < k->since_ms + LINE_BLOCK_MS))
		return 0;
	send_new(s, s->first, s->first_place, buffer_span(&k->lines));
	k->lines.n = 0;
	return 1;
}

void
spout_task_next(struct spout_task *s)
{
	size_t n = 0, most = due(s);
	struct pending_tuple *t;
	struct pollfd fds[RUN_EXTRA];

	while (n < BATCH &&
	    (t = pending_tuples_again(&s->pending, s->now_ms)) != NULL) {
		send(s, t);
		n++;
	}
	if (s->sink.layout.is_block)
		n += send_block(s, most);
	else if (n < most)
		n += send_tuples(s, most - n);
	if (n != 0)
		return;
	if (s->block.lines.n == 0)
		spout_task_check_input(s);
	run_wait(&s->run, fds, 0, s->now_ms, s->now_ms + NOTHING_MS);
}

static void
give_up(struct spout_task *s, struct pending_tuple *t)
{
	char text[256], clean[256];

	snprintf(text, sizeof text,
	    "%s %" PRIu64 " has failed %" PRId64 " times and is given up: "
	    "%.*s",
	    s->sink.layout.is_block ? "block" : "tuple", t->number,
	    t->failures + 1, (int)(t->line.n < 128 ? t->line.n : 128),
	    t->line.p);
	diagnostics_scrub(clean, sizeof clean, span_of(text));
	multilang_put_error(&s->run.out.rows, span_of(clean));
	s->run.counters.rejects++;
	pending_tuples_drop(&s->pending, t);
}

void
spout_task_settle(struct spout_task *s, struct span id, bool acked)
{
	int64_t most = s->given->retries;
	struct pending_tuple *t;
	char text[32];

	/* What is no number of ours would be read as one. */
	if (id.n == 0 || id.n >= sizeof text || !digits_are(id) ||
	    (*id.p == '0' && id.n > 1))
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

uint64_t
spout_task_first_open(const struct spout_task *s, int64_t *place)
{
	const struct pending_tuple *t = pending_tuples_oldest(&s->pending);

	if (t != NULL) {
		*place = t->place;
		return t->number;
	}
	if (s->block.lines.n != 0) {
		*place = s->first_place;
		return s->first;
	}
	*place = s->is_fetched ? s->place : place_of(s);
	return s->number;
}
