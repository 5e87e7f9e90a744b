/*
 * SPDX-License-Identifier: ISC
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/diagnostics.h"
#include "json/text.h"
#include "storm/shell_bolt.h"
#include "storm/shell_collector.h"
#include "storm/shell_sources.h"

/* After so many tuples it is time to say which fields none of them had. */
enum { UNSEEN_AFTER = 1000 };

/* So many complaints a minute go to Storm, which keeps them. */
enum { COMPLAINTS = 10, COMPLAINTS_MS = 60000 };

void
shell_bolt_complain(struct shell_bolt *b, const char *fmt, ...)
{
	struct buffer plain = { 0 };
	char text[512], clean[512];
	va_list ap;

	if (b->now_ms - b->complaints_ms >= COMPLAINTS_MS) {
		if (b->complaints > COMPLAINTS)
			warn_plain("%" PRIu64 " more errors are not shown",
			    b->complaints - COMPLAINTS);
		b->complaints_ms = b->now_ms;
		b->complaints = 0;
	}
	if (b->complaints++ >= COMPLAINTS)
		return;
	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	buffer_put(&plain, span_of(text));
	multilang_restore_nan(&plain, 0);
	diagnostics_scrub(clean, sizeof clean, buffer_span(&plain));
	multilang_put_error(&b->run.out.rows, span_of(clean));
	buffer_fini(&plain);
}

static void
update_counters(struct run *r, struct buffer *members)
{
	struct shell_bolt *b = (struct shell_bolt *)(void *)r;

	if (b->bolt->count != NULL)
		b->bolt->count(b->bolt->self, &r->counters);
	if (members != NULL && b->bolt->report != NULL)
		b->bolt->report(b->bolt->self, members);
}

void
shell_bolt_init(struct shell_bolt *b, const struct projection *projection)
{
	b->run.update = update_counters;
	shell_collector_init(b);
	tuple_source_init_given(&b->block, projection);
	unseen_fields_init(&b->unseen, projection, false);
	b->slots = projection_new_slots(projection);
	b->tuple = (struct tuple){ .projection = projection,
		.slots = b->slots,
		.scratch = &b->scratch };
}

void
shell_bolt_fini(struct shell_bolt *b)
{
	shell_sources_fini(b);
	free(b->streams);
	shell_collector_fini(b);
	tuple_ids_fini(&b->ids);
	tuple_source_fini(&b->block);
	unseen_fields_fini(&b->unseen);
	multilang_input_fini(&b->in);
	topology_context_fini(&b->context);
	free(b->slots);
	buffer_fini(&b->line);
	buffer_fini(&b->scratch);
	buffer_fini(&b->lines);
}

/* The member that says which task sent a message; nothing if nobody asks. */
static struct span
task_member(struct shell_bolt *b, const struct multilang_source *s,
    const struct multilang_message *m)
{
	if (!s->wants_task || m->task.p == NULL)
		return (struct span){ "", 0 };
	b->scratch.n = 0;
	buffer_put(&b->scratch, SPAN("\"task\":"));
	buffer_put(&b->scratch, m->task);
	return buffer_span(&b->scratch);
}

/* Make a tuple of b->line. */
static int
scan(struct shell_bolt *b, const struct multilang_source *s)
{
	struct tuple *t = &b->tuple;

	t->line = json_padded(&b->line);
	t->stream = s->stream;
	return json_scan(&t->projection->root, t->line, b->slots, &b->fault);
}

/* Make a line of the message's values, and a tuple of that. */
static int
read_tuple(struct shell_bolt *b, const struct multilang_source *s,
    const struct multilang_message *m)
{
	b->line.n = 0;
	if (tuple_layout_put_object(&s->layout, &b->line, m->tuple,
		task_member(b, s, m), &b->fault) < 0)
		return -1;
	return scan(b, s);
}

/* A tuple of the bolt's stream has come. */
static void
hear(struct shell_bolt *b, size_t stream)
{
	if (b->streams == NULL)
		return;
	b->streams[stream].heard_ms = b->now_ms;
	b->streams[stream].heard = b->run.counters.lines;
	b->heard = b->run.counters.lines;
	if (b->streams[stream].idle)
		b->bolt->stream(b->bolt->self, stream, STREAM_ACTIVE);
	b->streams[stream].idle = false;
}

/* Say which fields no tuple has had, when there were some. */
static void
look_for_fields(struct shell_bolt *b, const struct tuple *t)
{
	struct buffer text = { 0 };

	unseen_fields_look(&b->unseen, t);
	if (b->unseen.n == 0 || b->run.counters.lines < UNSEEN_AFTER)
		return;
	for (size_t i = 0; unseen_fields_hint(&b->unseen, i, &text); i++) {
		if (text.n != 0)
			warn_plain("warning: after %d tuples: %.*s",
			    UNSEEN_AFTER, (int)text.n, text.p);
		text.n = 0;
	}
	b->unseen.n = 0;
	buffer_fini(&text);
}

/* Have the bolt take a tuple that the message has brought. */
static int
execute(struct shell_bolt *b, struct tuple *t, uint64_t id,
    const struct multilang_message *m)
{
	t->id = id;
	t->task = m->task;
	t->now_ms = b->now_ms;
	look_for_fields(b, t);
	if (b->bolt->time_of != NULL && !t->timed &&
	    b->bolt->time_of(b->bolt->self, t, &t->time_ns, &b->fault) < 0)
		return -1;
	hear(b, t->stream);
	if (b->bolt->execute(b->bolt->self, t, &b->fault) < 0)
		return -1;
	b->ntuples++;
	return 0;
}

/* Count and tell of a tuple, or a line, that could not be used. */
static void
reject(struct shell_bolt *b, const struct multilang_source *s, const char *what)
{
	b->run.counters.rejects++;
	shell_bolt_complain(b, "a %s from %.*s, stream %.*s, failed: %s", what,
	    (int)s->component.n, s->component.p, (int)s->name.n, s->name.p,
	    b->fault.message);
}

static void
take_tuple(struct shell_bolt *b, const struct multilang_source *s,
    const struct multilang_message *m, uint64_t id)
{
	if (read_tuple(b, s, m) == 0 && execute(b, &b->tuple, id, m) >= 0)
		return;
	collector_fail(&b->collector, id);
	reject(b, s, "tuple");
}

/* The tuple of the line in hand, with its task if the bolt asks for that. */
static struct tuple *
tuple_of_line(struct shell_bolt *b, const struct multilang_source *s,
    const struct multilang_message *m)
{
	struct tuple *t = b->block.tuple;
	struct span first = task_member(b, s, m);

	if (first.n == 0 ||
	    tuple_field(t, shell_sources_task_field(t->projection)) != NULL)
		return t;
	b->line.n = 0;
	tuple_put_after(&b->line, first, t->line);
	scan(b, s);
	return &b->tuple;
}

/* Take the line in hand of a block, which it holds until it is done. */
static int
take_line(struct shell_bolt *b, const struct multilang_source *s,
    const struct multilang_message *m, uint64_t id)
{
	int64_t ms;
	int tick;

	switch (tuple_source_line(&b->block)->kind) {
	case LINE_BLANK:
		b->run.counters.blank++;
		return 0;
	case LINE_INVALID:
		tuple_source_explain(&b->block, &b->fault);
		return -1;
	default:
		tick = tuple_is_tick(b->block.tuple, &ms, &b->fault);
	}
	if (tick != 0) /* it is none of Storm's */
		return tick < 0 ? -1 : 0;
	tuple_ids_share(&b->ids, id);
	if (execute(b, tuple_of_line(b, s, m), id, m) >= 0)
		return 0;
	collector_ack(&b->collector, id);
	return -1;
}

static void
look_ahead(struct shell_bolt *b)
{
	struct tuple *next[TUPLE_AHEAD];
	size_t n = tuple_source_look_ahead(&b->block, next);

	if (b->bolt->look_ahead != NULL && n != 0)
		b->bolt->look_ahead(b->bolt->self, next, n);
}

static void
take_block(struct shell_bolt *b, const struct multilang_source *s,
    const struct multilang_message *m, uint64_t id)
{
	struct span text = m->first;

	if (text.p == NULL || *text.p != '"' || m->second.p != NULL) {
		fault_set(&b->fault, FAULT_TYPE, 1,
		    "expected lines in a string, as declared");
		collector_fail(&b->collector, id);
		reject(b, s, "block");
		return;
	}
	b->lines.n = 0;
	json_decode(&b->lines, (struct span){ text.p + 1, text.n - 2 });
	if (b->lines.n != 0 && b->lines.p[b->lines.n - 1] != '\n')
		buffer_byte(&b->lines, '\n');
	tuple_ids_set_block(&b->ids, id);
	tuple_source_give(&b->block, s->stream, json_padded(&b->lines));
	while (tuple_source_take(&b->block) == INPUT_LINE) {
		look_ahead(b);
		while (tuple_source_next(&b->block)) {
			b->run.counters.lines++;
			b->fault.kind = FAULT_NONE;
			if (take_line(b, s, m, id) < 0)
				reject(b, s, "line");
		}
	}
	collector_ack(&b->collector, id);
}

/* Take a tuple or a block. */
static void
take_values(struct shell_bolt *b, const struct multilang_source *s,
    const struct multilang_message *m)
{
	uint64_t id = tuple_ids_hold(&b->ids, m->id);

	b->run.counters.lines += !s->layout.is_block;
	b->fault.kind = FAULT_NONE;
	if (s->skipped) {
		collector_ack(&b->collector, id);
		return;
	}
	if (m->tuple.p == NULL || *m->tuple.p != '[') {
		fault_set(&b->fault, FAULT_MISSING, 1, "expected a tuple");
		collector_fail(&b->collector, id);
		reject(b, s, "tuple");
		return;
	}
	(s->layout.is_block ? take_block : take_tuple)(b, s, m, id);
}

static void
take_tick(struct shell_bolt *b, struct span id)
{
	struct tick tick = { .source = TICK_ALARM, .ms = b->now_ms };

	b->run.counters.ticks++;
	if (b->bolt->tick != NULL)
		b->bolt->tick(b->bolt->self, &tick);
	/* Storm holds on to a tick, too, until it is acked. */
	multilang_put_ack(&b->run.out.rows, id);
}

void
shell_bolt_take(struct shell_bolt *b, struct span text)
{
	struct buffer names[2] = { 0 };
	struct multilang_message m;
	struct multilang_source *s;
	struct span component, stream;
	enum multilang_kind kind = multilang_parse(&b->in, text, &m, &b->fault);

	if (kind == MULTILANG_INVALID)
		shell_bolt_complain(b, "a message was skipped: %s",
		    b->fault.message);
	if (kind != MULTILANG_OBJECT)
		return;
	component = multilang_text(m.component, &names[0]);
	stream = multilang_text(m.stream, &names[1]);
	if (span_eq(stream, SPAN("__heartbeat"))) {
		multilang_put_sync(&b->run.out.rows);
	} else if (m.id.p == NULL) {
		shell_bolt_complain(b, "a message without an id was skipped");
	} else if (span_eq(component, SPAN("__system")) &&
	    span_eq(stream, SPAN("__tick"))) {
		take_tick(b, m.id);
	} else {
		s = shell_sources_find(b, component, stream);
		if (s == NULL)
			s = shell_sources_add(b, component, stream, NULL, 0);
		take_values(b, s, &m);
	}
	buffer_fini(&names[0]);
	buffer_fini(&names[1]);
}
