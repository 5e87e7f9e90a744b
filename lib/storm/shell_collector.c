/*
 * SPDX-License-Identifier: ISC
 */
#include <stddef.h>
#include <stdlib.h>

#include "storm/shell_collector.h"

static struct shell_bolt *
bolt_of(struct collector *c)
{
	return (struct shell_bolt *)(void *)((char *)c -
	    offsetof(struct shell_bolt, collector));
}

void
shell_collector_flush(struct shell_bolt *b)
{
	output_flush(&b->side);
	output_flush(&b->run.out);
}

/* Emit an object or a block.  False: there is no such stream. */
static bool
emit_now(struct shell_bolt *b, struct multilang_sink *s, size_t task,
    struct span row, const uint64_t *anchors, size_t n)
{
	struct multilang_origin origin = { .ids = &b->ids,
		.task = s->tasks == NULL ? 0 : s->tasks[task],
		.anchors = anchors,
		.nanchors = n };
	struct buffer *out = &b->run.out.rows;
	size_t from = out->n;

	if (!multilang_sink_put(s, out, &origin, row))
		return false;
	if (b->in.has_nan)
		multilang_restore_nan(out, from);
	if (out->n >= OUTPUT_BLOCK)
		shell_collector_flush(b);
	return true;
}

/* Give back a share of a tuple, which ends with the last. */
static void
release(struct shell_bolt *b, uint64_t id)
{
	const struct tuple_id *t = tuple_ids_release(&b->ids, id);

	if (t != NULL)
		(t->failed ? multilang_put_fail :
			     multilang_put_ack)(&b->run.out.rows,
		    buffer_span(&t->text));
}

static void
send_block(struct shell_bolt *b, struct multilang_sink *s, size_t task)
{
	struct line_block *k = &s->blocks[task];

	line_block_sort(k);
	emit_now(b, s, task, buffer_span(&k->lines), k->anchors, k->nanchors);
	for (size_t i = 0; i < k->nanchors; i++)
		release(b, k->anchors[i]);
	k->lines.n = k->nanchors = 0;
}

/*
 * Put an object into a block, or emit it if it is followed by a newline and
 * JSON_PAD bytes.  What a block is anchored to stays held until it is sent.
 */
static void
put_row(struct shell_bolt *b, struct multilang_sink *s, size_t task,
    struct span object, const uint64_t *anchors, size_t n)
{
	struct line_block *k = &s->blocks[task];

	if (!s->layout.is_block) {
		b->run.counters.emitted +=
		    emit_now(b, s, task, object, anchors, n);
		return;
	}
	if (line_block_is_full(k, object))
		send_block(b, s, task);
	line_block_add(k, object, b->now_ms);
	for (size_t i = 0; i < n; i++)
		if (line_block_anchor(k, anchors[i]))
			tuple_ids_share(&b->ids, anchors[i]);
	b->run.counters.emitted++;
}

static void
emit(struct collector *c, const uint64_t *anchors, size_t n)
{
	struct shell_bolt *b = bolt_of(c);

	put_row(b, &b->rows, 0, json_padded(&b->row), anchors, n);
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
	release(bolt_of(c), id);
}

static void
fail(struct collector *c, uint64_t id)
{
	struct shell_bolt *b = bolt_of(c);

	tuple_ids_fail(&b->ids, id);
	release(b, id);
}

/* Emit a line of input, anchored to its tuple. */
static void
put_line(struct shell_bolt *b, struct multilang_sink *s, size_t task,
    struct span line, uint64_t id)
{
	if (!s->layout.is_block) {
		b->copy.n = 0;
		buffer_put(&b->copy, line);
		line = json_padded(&b->copy);
	}
	put_row(b, s, task, line, &id, 1);
}

static void
send(struct collector *c, size_t task, uint64_t id, struct span line)
{
	struct shell_bolt *b = bolt_of(c);

	put_line(b, &b->rows, task, line, id);
}

/* Hand a line on to a stream, if it is declared, and to the file. */
static bool
hand_on(struct shell_bolt *b, struct multilang_sink *s, uint64_t id,
    struct span line)
{
	if (b->side.fd >= 0)
		output_line(&b->side, line);
	if (s->open)
		put_line(b, s, 0, line, id);
	return s->open;
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

void
shell_collector_init(struct shell_bolt *b)
{
	const struct declared_streams *outputs = &b->context.outputs;
	const struct bolt_tasks *tasks = &b->bolt->tasks;

	multilang_sink_init(&b->rows, outputs, SPAN("default"), true);
	multilang_sink_init(&b->late, outputs, SPAN("late"), false);
	multilang_sink_init(&b->expired, outputs, SPAN("expired"), false);
	if (tasks->of_component) {
		b->tasks = topology_context_targets(&b->context,
		    tasks->component, &b->ntasks);
		multilang_sink_direct(&b->rows, b->tasks, b->ntasks);
	}
	b->collector = (struct collector){ .rows = &b->row,
		.emit = emit,
		.send = send,
		.tick = emit_tick,
		.ack = ack,
		.fail = fail,
		.late = late,
		.side = side,
		.has_side = b->side.fd >= 0 || b->expired.open,
		.declares = declares };
}

void
shell_collector_fini(struct shell_bolt *b)
{
	multilang_sink_fini(&b->rows);
	multilang_sink_fini(&b->late);
	multilang_sink_fini(&b->expired);
	free(b->tasks);
	buffer_fini(&b->row);
	buffer_fini(&b->copy);
}

int64_t
shell_collector_send_due(struct shell_bolt *b)
{
	struct multilang_sink *sinks[] = { &b->rows, &b->late, &b->expired };
	int64_t next = INT64_MAX, due;

	for (size_t i = 0; i < sizeof sinks / sizeof sinks[0]; i++)
		for (size_t k = 0; k < sinks[i]->ntasks; k++) {
			if (sinks[i]->blocks[k].lines.n == 0)
				continue;
			due = sinks[i]->blocks[k].since_ms + LINE_BLOCK_MS;
			if (b->now_ms >= due)
				send_block(b, sinks[i], k);
			else if (due < next)
				next = due;
		}
	return next;
}
