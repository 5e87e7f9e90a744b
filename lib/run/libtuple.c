/*
 * SPDX-License-Identifier: ISC
 */
#include <stdlib.h>

#include "base/diagnostics.h"
#include "json/text.h"
#include "run/bolt_main.h"
#include "run/libtuple_options.h"
#include "run/libtuple_span.h"
#include "tuple/key.h"

struct lt_collector {
	struct collector *rows;
	const struct projection *projection;
	size_t row; /* where the row that is not emitted yet begins */
};

/* A copy of a text. */
struct kept_text {
	struct kept_text *next;
	char text[];
};

struct lt_tuple {
	const struct tuple *t;
	struct key *key;	 /* room for lt_key */
	struct kept_text **kept; /* until the next tuple */
	struct fault *f;
};

/* What bolt_main takes for a bolt. */
struct adapter {
	const struct lt_bolt *bolt;
	struct lt_collector collector;
	struct key key;
	struct kept_text *kept;
};

/* The next row begins here. */
static void
begin_row(struct lt_collector *c)
{
	c->row = collector_row(c->rows)->n;
}

/* Drop what was appended and not emitted. */
static void
drop_row(struct lt_collector *c)
{
	collector_row(c->rows)->n = c->row;
}

static void
free_kept(struct adapter *a)
{
	for (struct kept_text *next; a->kept != NULL; a->kept = next) {
		next = a->kept->next;
		free(a->kept);
	}
}

/*
 * The bolt
 */
static void
prepare(void *self, const struct bolt_context *context)
{
	struct adapter *a = self;

	a->collector.rows = context->collector;
	a->collector.projection = context->projection;
	if (a->bolt->prepare != NULL)
		a->bolt->prepare(a->bolt->self);
}

static int
execute(void *self, const struct tuple *t, struct fault *f)
{
	struct adapter *a = self;
	const struct lt_tuple tuple = { t, &a->key, &a->kept, f };
	bool good;

	free_kept(a);
	begin_row(&a->collector);
	good = a->bolt->execute(a->bolt->self, &tuple, &a->collector) == 0;
	drop_row(&a->collector);
	return good ? 0 : fault_set(f, FAULT_TYPE, 1, "refused");
}

static void
tick(void *self, const struct tick *tick)
{
	struct adapter *a = self;
	static const enum lt_tick_source sources[] = {
		[TICK_CLOCK] = LT_TICK_CLOCK,
		[TICK_INPUT] = LT_TICK_INPUT,
		[TICK_ALARM] = LT_TICK_STORM,
	};

	if (a->bolt->tick == NULL)
		return;
	begin_row(&a->collector);
	a->bolt->tick(a->bolt->self, sources[tick->source], tick->ms,
	    &a->collector);
	drop_row(&a->collector);
}

static void
finish(void *self, int64_t now_ms)
{
	struct adapter *a = self;

	(void)now_ms;
	if (a->bolt->finish == NULL)
		return;
	begin_row(&a->collector);
	a->bolt->finish(a->bolt->self, &a->collector);
	drop_row(&a->collector);
}

static void
cleanup(void *self)
{
	struct adapter *a = self;

	key_fini(&a->key);
	free_kept(a);
	if (a->bolt->cleanup != NULL)
		a->bolt->cleanup(a->bolt->self);
}

int
lt_main(const struct lt_bolt *own, int argc, char *argv[])
{
	struct option_spec specs[LIBTUPLE_OPTIONS_MOST + 1] = { { 0 } };
	const struct command command = { .name = own->name,
		.synopsis = own->synopsis,
		.purpose = own->purpose,
		.examples = own->examples,
		.options = specs,
		.common = bolt_main_options,
		.storm = bolt_main_storm_options };
	struct adapter a = { .bolt = own };
	struct bolt bolt = { .self = &a,
		.options = own->self,
		.tick_every_ms = own->tick_every_ms,
		.emits_at_ticks = own->tick_every_ms != 0,
		.prepare = prepare,
		.execute = execute,
		.tick = tick,
		.finish = finish,
		.cleanup = cleanup };

	diagnostics_init(argv[0]); /* bolt_main does so too, but later */
	if (own->tick_every_ms < 0)
		die("tick_every_ms is below 0");
	libtuple_options(own->options, specs);
	return bolt_main(&command, &bolt, argc, argv);
}

/*
 * Tuples
 */
struct lt_span
lt_line(const struct lt_tuple *t)
{
	return span_out(t->t->line);
}

uint64_t
lt_id(const struct lt_tuple *t)
{
	return t->t->id;
}

int64_t
lt_arrival_ms(const struct lt_tuple *t)
{
	return t->t->now_ms;
}

struct lt_span
lt_json(const struct lt_tuple *t, size_t field)
{
	const struct value *v = tuple_field(t->t, field);

	return v == NULL ? (struct lt_span){ NULL, 0 } : span_out(value_raw(v));
}

/* What fails last is reported: what failed before need not have mattered. */
static int
fail(const struct lt_tuple *t, const struct fault *f)
{
	*t->f = *f;
	return -1;
}

/* The text of a field; what was decoded is a copy, as the next call decodes. */
static struct lt_span
keep(const struct lt_tuple *t, size_t field, struct span text)
{
	struct kept_text *kept;

	if (!tuple_field(t->t, field)->escaped)
		return span_out(text);
	kept = memory_new(1, sizeof *kept + text.n);
	memcpy(kept->text, text.p, text.n);
	kept->next = *t->kept;
	*t->kept = kept;
	return (struct lt_span){ kept->text, text.n };
}

int
lt_number(const struct lt_tuple *t, size_t field, struct lt_number *x)
{
	struct number number;
	struct fault f = { .unsaid = t->f->unsaid };

	if (tuple_number(t->t, field, &number, &f) < 0)
		return fail(t, &f);
	*x = (struct lt_number){ number.is_int, number.i, number.d,
		keep(t, field, number.text) };
	return 0;
}

int
lt_time(const struct lt_tuple *t, size_t field, int64_t *ns)
{
	static const struct time_form any = { 0 };
	struct fault f = { .unsaid = t->f->unsaid };

	return tuple_time(t->t, field, &any, ns, &f) < 0 ? fail(t, &f) : 0;
}

int
lt_string(const struct lt_tuple *t, size_t field, struct lt_span *s)
{
	struct span text;
	struct fault f = { .unsaid = t->f->unsaid };

	if (tuple_string(t->t, field, &text, &f) < 0)
		return fail(t, &f);
	*s = keep(t, field, text);
	return 0;
}

int
lt_reject(const struct lt_tuple *t, size_t field, const char *expected)
{
	t->f->kind = FAULT_NONE;
	if (tuple_field(t->t, field) == NULL)
		return tuple_missing(t->t, field, t->f);
	return tuple_mismatch(t->t, field, FAULT_TYPE, expected, t->f);
}

int
lt_key(const struct lt_tuple *t, struct lt_fields fields, struct lt_key *key)
{
	struct fault f = { .unsaid = t->f->unsaid };

	if (key_of(t->key, t->t, fields.first, fields.n, &f) < 0)
		return fail(t, &f);
	*key = (struct lt_key){ span_out(t->key->bytes),
		span_out(t->key->spelling), t->key->hash };
	return 0;
}

/*
 * Rows
 */
void
lt_put(struct lt_collector *c, struct lt_span text)
{
	buffer_put(collector_row(c->rows), span_in(text));
}

void
lt_put_text(struct lt_collector *c, const char *text)
{
	buffer_put(collector_row(c->rows), span_of(text));
}

void
lt_put_string(struct lt_collector *c, struct lt_span decoded)
{
	json_put_string(collector_row(c->rows), span_in(decoded));
}

void
lt_put_integer(struct lt_collector *c, int64_t x)
{
	buffer_int(collector_row(c->rows), x);
}

void
lt_put_double(struct lt_collector *c, double x)
{
	buffer_double(collector_row(c->rows), x);
}

void
lt_put_key(struct lt_collector *c, struct lt_fields fields,
    struct lt_span spelling)
{
	key_put(collector_row(c->rows), c->projection->fields + fields.first,
	    fields.n, span_in(spelling));
}

void
lt_emit(struct lt_collector *c, const struct lt_tuple *t)
{
	collector_emit(c->rows, t == NULL ? NULL : &t->t->id, t != NULL);
	begin_row(c);
}

void
lt_emit_for(struct lt_collector *c, const uint64_t *ids, size_t n)
{
	collector_emit(c->rows, ids, n);
	begin_row(c);
}

void
lt_tick(struct lt_collector *c, int64_t ms)
{
	drop_row(c);
	collector_tick(c->rows, ms);
	begin_row(c);
}

void
lt_ack(struct lt_collector *c, uint64_t id)
{
	collector_ack(c->rows, id);
}

void
lt_fail(struct lt_collector *c, uint64_t id)
{
	collector_fail(c->rows, id);
}
