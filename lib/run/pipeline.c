/*
 * SPDX-License-Identifier: ISC
 */
#include <inttypes.h>

#include "base/diagnostics.h"
#include "run/pipeline.h"

static struct pipeline *
pipeline_of_run(struct run *r)
{
	return (struct pipeline *)(void *)r;
}

static struct pipeline *
pipeline_of(struct collector *c)
{
	return (struct pipeline *)(void *)((char *)c -
	    offsetof(struct pipeline, collector));
}

static void
emit(struct collector *c, const uint64_t *anchors, size_t n)
{
	struct run *r = &pipeline_of(c)->run;

	(void)anchors;
	(void)n;
	buffer_byte(&r->out.rows, '\n');
	r->counters.emitted++;
	if (r->out.rows.n >= OUTPUT_BLOCK)
		output_flush(&r->out);
}

static void
emit_tick(struct collector *c, int64_t ms)
{
	struct output *out = &pipeline_of(c)->run.out;

	tuple_put_tick(&out->rows, ms);
	output_flush(out);
}

static bool
side(struct collector *c, uint64_t id, struct span line)
{
	struct pipeline *p = pipeline_of(c);

	(void)id;
	if (p->side.fd >= 0)
		output_line(&p->side, line);
	return false;
}

static void
late(struct collector *c, const struct tuple *t, int64_t by_ms)
{
	struct pipeline *p = pipeline_of(c);

	counters_add_late(&p->run.counters, by_ms);
	p->dropped = true;
	side(c, t->id, t->line);
}

static void
update_counters(struct run *r, struct buffer *members)
{
	struct pipeline *p = pipeline_of_run(r);

	r->counters.bytes = 0;
	for (size_t i = 0; i < p->nstreams; i++)
		r->counters.bytes += tuple_source_bytes(&p->streams[i].source);
	r->counters.rejects = p->bad_lines.n;
	if (p->workers != NULL)
		r->counters.emitted = p->workers->sent;
	if (p->nparts != 0)
		r->counters.emitted = 0;
	for (size_t i = 0; i < p->nparts; i++)
		r->counters.emitted += p->parts[i].lines;
	p->bolt->count(p->bolt->self, &r->counters);
	if (members != NULL && p->bolt->report != NULL)
		p->bolt->report(p->bolt->self, members);
}

void
pipeline_flush(struct pipeline *p)
{
	/* stdout last: if it is full, bad lines are still kept. */
	bad_lines_flush(&p->bad_lines);
	output_flush(&p->side);
	output_flush(&p->run.out);
	for (size_t i = 0; i < p->nparts; i++)
		output_flush(&p->parts[i]);
}

/* Too many bad lines: nothing that is open is emitted any more. */
static void
give_up(struct pipeline *p, const struct stream *s)
{
	p->gave_up = true;
	warn_plain("ended at %s:%" PRIu64 " by %s", s->source.place.name,
	    s->source.place.line,
	    p->bad_lines.policy->on_error == ON_ERROR_STOP ? "--on-error stop" :
							     "--max-errors");
}

static void
reject(struct pipeline *p, const struct stream *s)
{
	struct fault *f = &p->fault;
	struct span raw = tuple_source_raw(&s->source);

	f->column += (size_t)(s->source.tuple->line.p - raw.p);
	if (!bad_lines_add(&p->bad_lines, &s->source.place, f, raw))
		give_up(p, s);
}

static void
heed_tick(struct pipeline *p, int64_t ms)
{
	struct tick tick = { .source = TICK_INPUT, .ms = ms };

	p->run.counters.ticks++;
	if (p->bolt->tick == NULL)
		return;
	p->bolt->tick(p->bolt->self, &tick);
	pipeline_flush(p);
}

/* How many of n tuples in a row come to the bolt as they are. */
static size_t
count_plain(const struct pipeline *p, struct tuple *const *tuples, size_t n)
{
	size_t i = 0;

	while (i < n && tuples[i] == tuples[0] + i &&
	    tuples[i]->slots[PROJECTION_TICK_SLOT].p == NULL &&
	    (tuples[i]->timed || p->bolt->time_of == NULL))
		i++;
	return i;
}

/* Let the bolt see what comes next. */
static void
look_ahead(struct pipeline *p, struct stream *s)
{
	struct tuple *tuples[TUPLE_AHEAD];
	size_t n = tuple_source_look_ahead(&s->source, tuples);

	if (n == 0)
		return;
	p->bolt->look_ahead(p->bolt->self, tuples, n);
	if (tuples[0] == s->source.next) {
		n = count_plain(p, tuples, n);
		for (size_t i = 1; i < n && p->unseen.n != 0; i++)
			unseen_fields_look(&p->unseen, tuples[i]);
		tuple_source_set_plain(&s->source, n - (n != 0));
	}
}

/* A line has turned out to be a tuple; it may yet lack a time. */
static void
take_tuple(struct pipeline *p, struct stream *s)
{
	struct tuple *t = s->source.tuple;

	unseen_fields_look(&p->unseen, t);
	if (!t->timed && p->bolt->time_of != NULL &&
	    p->bolt->time_of(p->bolt->self, t, &t->time_ns, &p->fault) < 0)
		reject(p, s);
	else
		s->has_tuple = true;
}

/* Make a tuple of a line, if it is one. */
static void
take_line(struct pipeline *p, struct stream *s)
{
	struct tuple *t;
	int64_t tick_ms;
	int found;

	if (p->bolt->look_ahead != NULL &&
	    tuple_source_is_to_look_ahead(&s->source))
		look_ahead(p, s);
	p->fault.kind = FAULT_NONE;
	found = tuple_source_scan(&s->source, &p->fault);
	t = s->source.tuple;
	t->id = ++p->run.counters.lines;
	t->now_ms = p->now_ms;
	if (found == 0)
		p->run.counters.blank++;
	else if (found < 0)
		reject(p, s);
	else if ((found = tuple_is_tick(t, &tick_ms, &p->fault)) < 0)
		reject(p, s);
	else if (found > 0)
		heed_tick(p, tick_ms);
	else
		take_tuple(p, s);
}

void
pipeline_refuse(struct pipeline *p, struct stream *s)
{
	collector_fail(&p->collector, s->source.tuple->id);
	reject(p, s);
}

static void
take_long(struct pipeline *p, struct stream *s, enum input_status status)
{
	if (status == INPUT_LONG)
		p->run.counters.lines++;
	if (!bad_lines_add_long(&p->bad_lines, &s->source.place,
		tuple_source_raw(&s->source)))
		give_up(p, s);
}

/* The input of a stream has ended. */
static void
end(struct pipeline *p, struct stream *s)
{
	p->gave_up = input_failed(&s->source.in);
	if (p->gave_up)
		return;
	s->ended = true;
	if (p->bolt->stream != NULL)
		p->bolt->stream(p->bolt->self, s->source.stream, STREAM_ENDED);
}

bool
pipeline_find_tuple(struct pipeline *p, struct stream *s)
{
	while (!s->has_tuple && !p->gave_up) {
		enum input_status status = tuple_source_line(&s->source);

		if (status == INPUT_LINE) {
			take_line(p, s);
		} else if (status == INPUT_EMPTY) {
			return false;
		} else if (status == INPUT_END) {
			end(p, s);
			return false;
		} else {
			take_long(p, s, status);
		}
	}
	return !p->gave_up;
}

void
pipeline_commit(struct pipeline *p)
{
	bad_lines_flush(&p->bad_lines);
	output_flush(&p->side);
	/* A tuple that waits for its turn is to be read again. */
	for (size_t i = 0; i < p->nstreams; i++)
		if (p->streams[i].has_tuple)
			tuple_source_hold(&p->streams[i].source);
	checkpoint_commit(p->checkpoint);
	for (size_t i = 0; i < p->nstreams; i++)
		tuple_source_release(&p->streams[i].source);
}

void
pipeline_init(struct pipeline *p)
{
	p->run.update = update_counters;
	/* In a pipe there is nobody to tell of acks. */
	p->collector = (struct collector){ .rows = &p->run.out.rows,
		.emit = emit,
		.tick = emit_tick,
		.late = late,
		.side = side };
}
