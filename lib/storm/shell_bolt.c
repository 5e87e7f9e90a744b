/*
 * SPDX-License-Identifier: ISC
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include "base/diagnostics.h"
#include "storm/shell_bolt.h"
#include "json/text.h"

/* So many complaints a minute go to Storm, which keeps them. */
enum { COMPLAINTS = 10, COMPLAINTS_MS = 60000 };

static struct shell_bolt *
bolt_of(struct collector *c)
{
	return (struct shell_bolt *)(void *)((char *)c -
	    offsetof(struct shell_bolt, collector));
}

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

/* Emit an object, which is followed by a newline and JSON_PAD bytes. */
static void
put_row(struct shell_bolt *b, struct multilang_sink *s, struct span object,
    const uint64_t *anchors, size_t n)
{
	struct multilang_origin origin = {
		.ids = &b->ids, .anchors = anchors, .nanchors = n
	};
	struct buffer *out = &b->run.out.rows;
	size_t from = out->n;

	if (!multilang_sink_put(s, out, &origin, object))
		return;
	if (b->in.has_nan)
		multilang_restore_nan(out, from);
	b->run.counters.emitted++;
	if (out->n >= OUTPUT_BLOCK)
		output_flush(&b->run.out);
}

/* What the scanner needs to find after a line; not part of it. */
static struct span
padded(struct buffer *line)
{
	memset(buffer_room(line, JSON_PAD), '\n', JSON_PAD);
	return buffer_span(line);
}

static void
emit(struct collector *c, const uint64_t *anchors, size_t n)
{
	struct shell_bolt *b = bolt_of(c);

	put_row(b, &b->rows, padded(&b->row), anchors, n);
	b->row.n = 0;
}

/* Storm has ticks of its own. */
static void
emit_tick(struct collector *c, int64_t ms)
{
	(void)c;
	(void)ms;
}

static void
ack(struct collector *c, uint64_t id)
{
	struct shell_bolt *b = bolt_of(c);

	multilang_put_ack(&b->run.out.rows, tuple_ids_release(&b->ids, id));
}

static void
fail(struct collector *c, uint64_t id)
{
	struct shell_bolt *b = bolt_of(c);

	multilang_put_fail(&b->run.out.rows, tuple_ids_release(&b->ids, id));
}

/* Hand a line on to a stream, if it is declared, and to the file. */
static bool
hand_on(struct shell_bolt *b, struct multilang_sink *s, uint64_t id,
    struct span line)
{
	if (b->side.fd >= 0)
		output_line(&b->side, line);
	if (!s->open)
		return false;
	b->copy.n = 0;
	buffer_put(&b->copy, line);
	put_row(b, s, padded(&b->copy), &id, 1);
	return true;
}

static bool
side(struct collector *c, uint64_t id, struct span line)
{
	struct shell_bolt *b = bolt_of(c);

	return hand_on(b, &b->expired, id, line);
}

static void
late(struct collector *c, const struct tuple *t, int64_t by_ms)
{
	struct shell_bolt *b = bolt_of(c);

	counters_add_late(&b->run.counters, by_ms);
	hand_on(b, &b->late, t->id, t->line);
	ack(c, t->id);
}

static bool
declares(struct collector *c, struct span field)
{
	return tuple_layout_has(&bolt_of(c)->rows.layout, field);
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
	const struct declared_streams *outputs = &b->context.outputs;

	multilang_sink_init(&b->rows, outputs, SPAN("default"), true);
	multilang_sink_init(&b->late, outputs, SPAN("late"), false);
	multilang_sink_init(&b->expired, outputs, SPAN("expired"), false);
	b->run.update = update_counters;
	b->collector = (struct collector){ .rows = &b->row,
		.emit = emit,
		.tick = emit_tick,
		.ack = ack,
		.fail = fail,
		.late = late,
		.side = side,
		.has_side = b->side.fd >= 0 || b->expired.open,
		.declares = declares };
	b->slots = projection_new_slots(projection);
	b->tuple = (struct tuple){ .projection = projection,
		.slots = b->slots,
		.scratch = &b->scratch };
}

void
shell_bolt_fini(struct shell_bolt *b)
{
	for (size_t i = 0; i < b->nsources; i++) {
		tuple_layout_fini(&b->sources[i].layout);
		span_free(b->sources[i].component);
		span_free(b->sources[i].name);
	}
	free(b->sources);
	free(b->streams);
	multilang_sink_fini(&b->rows);
	multilang_sink_fini(&b->late);
	multilang_sink_fini(&b->expired);
	tuple_ids_fini(&b->ids);
	multilang_input_fini(&b->in);
	topology_context_fini(&b->context);
	free(b->slots);
	buffer_fini(&b->row);
	buffer_fini(&b->line);
	buffer_fini(&b->scratch);
	buffer_fini(&b->copy);
}

/* Tell whether the bolt asks for a field of that name. */
static bool
asks_for(const struct projection *p, struct span name)
{
	for (size_t i = 0; i < p->nfields; i++)
		if (span_eq(p->fields[i].text, name))
			return true;
	return false;
}

/* Tell whether text is COMPONENT, or COMPONENT:STREAM. */
static bool
names(const char *text, struct span component, struct span stream)
{
	struct span s = span_of(text);

	if (s.n < component.n ||
	    !span_eq((struct span){ s.p, component.n }, component))
		return false;
	s.p += component.n;
	s.n -= component.n;
	if (s.n == 0)
		return span_eq(stream, SPAN("default"));
	return *s.p == ':' &&
	    span_eq((struct span){ s.p + 1, s.n - 1 }, stream);
}

/* Find the stream of a source among the operands. */
static void
find_stream(struct shell_bolt *b, struct multilang_source *s)
{
	s->passed = b->noperands != 0;
	for (size_t i = 0; i < b->noperands; i++) {
		if (!names(b->operands[i], s->component, s->name))
			continue;
		if (!s->passed)
			die("%s: expected different components and streams, "
			    "got one twice",
			    b->operands[i]);
		s->passed = false;
		s->stream = (uint32_t)i;
	}
	if (s->passed)
		warn_plain("warning: no operand is for component "
			   "%.*s, stream %.*s: its tuples are skipped",
		    (int)s->component.n, s->component.p, (int)s->name.n,
		    s->name.p);
}

struct multilang_source *
shell_bolt_add_source(struct shell_bolt *b, struct span component,
    struct span name, const struct span *fields, size_t n)
{
	struct multilang_source *s;

	b->sources = memory_grow(b->sources, &b->cap, b->nsources + 1,
	    sizeof *b->sources);
	s = &b->sources[b->nsources++];
	*s = (struct multilang_source){ .component = span_dup(component),
		.name = span_dup(name) };
	tuple_layout_init(&s->layout, fields, n);
	s->wants_task = asks_for(b->tuple.projection, SPAN("task")) &&
	    !tuple_layout_has(&s->layout, SPAN("task"));
	find_stream(b, s);
	return s;
}

static struct multilang_source *
find_source(struct shell_bolt *b, struct span component, struct span name)
{
	for (size_t i = 0; i < b->nsources; i++)
		if (span_eq(b->sources[i].component, component) &&
		    span_eq(b->sources[i].name, name))
			return &b->sources[i];
	return NULL;
}

/* Make a line of the message's values, and a tuple of that. */
static int
read_tuple(struct shell_bolt *b, const struct multilang_source *s,
    const struct multilang_message *m)
{
	struct tuple *t = &b->tuple;
	struct span first = { "", 0 };

	if (m->tuple.p == NULL || *m->tuple.p != '[')
		return fault_set(&b->fault, FAULT_MISSING, 1,
		    "expected a tuple");
	if (s->wants_task && m->task.p != NULL) {
		b->scratch.n = 0;
		buffer_put(&b->scratch, SPAN("\"task\":"));
		buffer_put(&b->scratch, m->task);
		first = buffer_span(&b->scratch);
	}
	b->line.n = 0;
	if (tuple_layout_put_object(&s->layout, &b->line, m->tuple, first,
		&b->fault) < 0)
		return -1;
	t->line = padded(&b->line);
	t->task = m->task;
	t->stream = s->stream;
	t->now_ms = b->now_ms;
	if (json_scan(&t->projection->root, t->line, b->slots, &b->fault) < 0)
		return -1;
	return b->bolt->time_of == NULL ?
	    0 :
	    b->bolt->time_of(b->bolt->self, t, &t->time_ns, &b->fault);
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

static void
take_tuple(struct shell_bolt *b, const struct multilang_source *s,
    const struct multilang_message *m)
{
	b->run.counters.lines++;
	b->fault.kind = FAULT_NONE;
	b->tuple.id = tuple_ids_hold(&b->ids, m->id);
	if (s->passed) {
		ack(&b->collector, b->tuple.id);
		return;
	}
	if (read_tuple(b, s, m) == 0) {
		hear(b, s->stream);
		if (b->bolt->execute(b->bolt->self, &b->tuple, &b->fault) >= 0)
			return;
	}
	b->run.counters.rejects++;
	fail(&b->collector, b->tuple.id);
	shell_bolt_complain(b, "a tuple from %.*s, stream %.*s, failed: %s",
	    (int)s->component.n, s->component.p, (int)s->name.n, s->name.p,
	    b->fault.message);
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
		s = find_source(b, component, stream);
		if (s == NULL)
			s = shell_bolt_add_source(b, component, stream, NULL,
			    0);
		take_tuple(b, s, &m);
	}
	buffer_fini(&names[0]);
	buffer_fini(&names[1]);
}
