/*
 * SPDX-License-Identifier: ISC
 */
#include <inttypes.h>

#include "base/clock.h"
#include "base/diagnostics.h"
#include "run/pipeline.h"

static struct pipeline *
pipeline_of_run(struct run *r)
{
	return (struct pipeline *)(void *)r;
}

static void
emit(struct collector *c, const uint64_t *anchors, size_t n)
{
	struct run *r = &pipeline_of(c)->run;

	(void)anchors;
	(void)n;
	buffer_byte(&r->out.rows, '\n');
	r->counters.emitted++;
	output_rows_added(&r->out);
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

static bool
size_of_screen(struct collector *c, size_t *columns, size_t *lines)
{
	return screen_size(&pipeline_of(c)->screen, columns, lines);
}

static void
draw(struct collector *c, struct span picture)
{
	screen_draw(&pipeline_of(c)->screen, picture);
}

static void
erase(struct collector *c)
{
	screen_erase(&pipeline_of(c)->screen);
}

/* The processor time that each stage has taken, for a line that was read. */
static void
put_stages(struct pipeline *p, struct buffer *members)
{
	int64_t lines = (int64_t)p->run.counters.lines, scan = 0;
	int64_t write = p->run.out.watch.ns;
	int64_t bolt = clock_thread_ns() - p->run.start_cpu_ns - write;

	for (size_t i = 0; i < p->nstreams; i++)
		scan += p->streams[i].source.watch.ns;
	bolt -= scan;
	scan += scan_threads_ns(&p->scan_threads);
	/* Of no lines none has taken any time. */
	lines = lines == 0 ? INT64_MAX : lines;
	counters_put_more(members, "", "scan_ns", (uint64_t)(scan / lines));
	counters_put_more(members, "", "bolt_ns", (uint64_t)(bolt / lines));
	counters_put_more(members, "", "write_ns", (uint64_t)(write / lines));
}

static void
update_counters(struct run *r, struct buffer *members)
{
	struct pipeline *p = pipeline_of_run(r);

	r->counters.bytes = 0;
	for (size_t i = 0; i < p->nstreams; i++)
		r->counters.bytes += p->streams[i].source.bytes_read;
	r->counters.rejects = p->bad_lines.n;
	if (p->workers != NULL)
		r->counters.emitted = p->workers->sent;
	if (p->parts.n != 0)
		r->counters.emitted = part_files_lines(&p->parts);
	if (p->bolt->count != NULL)
		p->bolt->count(p->bolt->self, &r->counters);
	if (members != NULL && p->run.out.watch.on)
		put_stages(p, members);
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
	part_files_flush(&p->parts);
}

/* Where the line of a stream is that is looked at. */
static struct place
place_of(const struct pipeline *p, const struct stream *s)
{
	struct place place = tuple_source_place(&s->source);

	place.nlines = p->run.counters.lines - p->run.counters.blank;
	return place;
}

/* The end by an option: nothing that is open is emitted any more. */
static void
give_up(struct pipeline *p, const struct stream *s, const char *option)
{
	struct place place = tuple_source_place(&s->source);

	p->gave_up = true;
	p->stopped = s;
	warn_plain("ended at %s:%" PRIu64 " by %s", place.name, place.line,
	    option);
}

/* Too many bad lines. */
static void
give_up_on_errors(struct pipeline *p, const struct stream *s)
{
	give_up(p, s,
	    p->bad_lines.policy->on_error == ON_ERROR_STOP ? "--on-error stop" :
							     "--max-errors");
}

static void
reject(struct pipeline *p, const struct stream *s)
{
	struct fault *f = &p->fault;
	struct place place = place_of(p, s);
	struct span raw = tuple_source_raw(&s->source);

	f->column += (size_t)(s->source.tuple->line.p - raw.p);
	if (!bad_lines_add(&p->bad_lines, &place, f, raw))
		give_up_on_errors(p, s);
	f->unsaid = p->bad_lines.unsaid;
	screen_redraw(&p->screen);
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

/* Tell whether a line with an object is a tuple, and has a time if it must. */
static bool
take_object(struct pipeline *p, struct stream *s)
{
	struct tuple *t = s->source.tuple;
	int64_t tick_ms;
	int is_tick = tuple_is_tick(t, &tick_ms, &p->fault);

	if (is_tick > 0) {
		heed_tick(p, tick_ms);
		return false;
	}
	if (is_tick == 0) {
		unseen_fields_look(&p->unseen, t);
		if (p->bolt->time_of == NULL || t->timed ||
		    p->bolt->time_of(p->bolt->self, t, &t->time_ns,
			&p->fault) == 0)
			return true;
	}
	reject(p, s);
	return false;
}

/* A piece of a line that is beyond the limit. */
static void
take_piece(struct pipeline *p, struct stream *s, bool begins)
{
	struct span piece = tuple_source_raw(&s->source);
	struct place place = place_of(p, s);

	/* The line counts with its last piece. */
	if (piece.p[piece.n - 1] != '\n')
		p->run.counters.lines--;
	if (!bad_lines_add_long(&p->bad_lines, &s->long_line, &place, piece,
		begins))
		give_up_on_errors(p, s);
}

/* Not in line, for others to stay so. */
__attribute__((noinline)) bool
pipeline_take_line(struct pipeline *p, struct stream *s)
{
	p->fault.kind = FAULT_NONE;
	switch (tuple_source_line(&s->source)->kind) {
	case LINE_OBJECT:
		return take_object(p, s);
	case LINE_BLANK:
		p->run.counters.blank++;
		break;
	case LINE_INVALID:
		tuple_source_explain(&s->source, &p->fault);
		reject(p, s);
		break;
	case LINE_REST:
		take_piece(p, s, false);
		break;
	case LINE_LONG:
		take_piece(p, s, true);
		break;
	}
	return false;
}

void
pipeline_refuse(struct pipeline *p, struct stream *s)
{
	collector_fail(&p->collector, s->source.tuple->id);
	/* With a bad line its file has not had its turn. */
	p->turn = (size_t)(s - p->streams);
	if (p->fault.kind != FAULT_KEYS) {
		reject(p, s);
		return;
	}
	give_up(p, s, "--max-keys");
}

/* The input of a stream has ended. */
static void
end(struct pipeline *p, struct stream *s)
{
	p->gave_up = input_report_failure(&s->source.in);
	if (p->gave_up)
		return;
	if (input_report_damage(&s->source.in))
		p->is_short = true;
	s->ended = true;
	pipeline_tell_stream(p, s, STREAM_ENDED);
}

__attribute__((noinline)) bool
pipeline_take_lines(struct pipeline *p, struct stream *s)
{
	struct tuple *next[TUPLE_AHEAD];
	enum input_status status = tuple_source_take(&s->source);
	size_t n;

	if (status == INPUT_END)
		end(p, s);
	if (status != INPUT_LINE)
		return false;
	n = tuple_source_look_ahead(&s->source, next);
	if (p->bolt->look_ahead != NULL && n != 0)
		p->bolt->look_ahead(p->bolt->self, next, n);
	return tuple_source_next(&s->source);
}

/* Have committed what the bolt has emitted, though nothing was read. */
static void
note_emitted(struct pipeline *p, uint64_t before)
{
	if (p->checkpoint != NULL &&
	    (p->run.counters.emitted != before || p->side.rows.n != 0))
		checkpoint_touch(p->checkpoint);
}

void
pipeline_tick(struct pipeline *p, const struct tick *tick)
{
	uint64_t emitted = p->run.counters.emitted;

	p->bolt->tick(p->bolt->self, tick);
	note_emitted(p, emitted);
}

void
pipeline_tell_stream(struct pipeline *p, const struct stream *s,
    enum stream_state state)
{
	uint64_t emitted = p->run.counters.emitted;

	if (p->bolt->stream == NULL)
		return;
	p->bolt->stream(p->bolt->self, s->source.stream, state);
	note_emitted(p, emitted);
}

void
pipeline_let_time_go_on(struct pipeline *p)
{
	const struct counters *c = &p->run.counters;
	struct tick tick = { .source = TICK_LIVE };

	if (p->nready != 0)
		return;
	tick.ms = live_time_pass(&p->live, c->lines,
	    c->lines - c->blank - c->ticks - p->bad_lines.n, p->now_ms);
	if (tick.ms != 0)
		pipeline_tick(p, &tick);
}

void
pipeline_commit(struct pipeline *p)
{
	bad_lines_flush(&p->bad_lines);
	output_flush(&p->side);
	/*
	 * A tuple that waits for its turn or for room is to be read again, and
	 * so is the line that has ended the run.
	 */
	for (size_t i = 0; i < p->nstreams; i++) {
		struct stream *s = &p->streams[i];

		tuple_source_settle(&s->source,
		    s->tuple != NULL || s == p->stopped);
	}
	checkpoint_commit(p->checkpoint);
}

void
pipeline_init(struct pipeline *p)
{
	p->run.update = update_counters;
	p->run.waits = p->bolt->waits_for_end;
	screen_init(&p->screen, &p->run.out);
	/* In a pipe there is nobody to tell of acks. */
	p->collector = (struct collector){ .rows = &p->run.out.rows,
		.emit = emit,
		.tick = emit_tick,
		.late = late,
		.side = side,
		.screen_size = size_of_screen,
		.draw = draw,
		.erase = erase };
}
