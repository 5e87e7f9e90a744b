/*
 * each_call - a bolt that calls what growth does not: a row says what each
 * function gave.
 *
 * SPDX-License-Identifier: ISC
 */
#include <stdio.h>
#include <stdlib.h>

#include <libtuple.h>

struct each_call {
	struct lt_fields value, time, name;
	bool late, holds;
	uint64_t
	    held; /* a tuple that is acked with the next one, if it holds */
};

#define AT(member) offsetof(struct each_call, member)

static const struct lt_option options[] = {
	{ 'v', "value", "PATH", LT_FIELD, AT(value), .help = "any value" },
	{ 't', "time", "PATH", LT_FIELD, AT(time), .help = "a time" },
	{ 'n', "name", "PATH", LT_FIELD, AT(name), .help = "a string" },
	{ .name = "late",
	    .kind = LT_FLAG,
	    .to = AT(late),
	    .help = "emit a tuple's row with the next one" },
	{ 0 },
};

static int
execute(void *self, const struct lt_tuple *t, struct lt_collector *c)
{
	struct each_call *e = self;
	struct lt_span json = lt_json(t, e->value.first), name;
	int64_t ns;
	int timed = lt_time(t, e->time.first, &ns);

	if (lt_string(t, e->name.first, &name) < 0 || timed < 0)
		return -1;
	if (name.n == 0)
		return lt_reject(t, e->name.first, "a name");
	if (json.p == NULL)
		return lt_reject(t, e->value.first, "a value");
	lt_put_text(c, "{\"line\":");
	lt_put_string(c, lt_line(t));
	lt_put_text(c, ",\"json\":");
	lt_put(c, json);
	lt_put_text(c, ",\"ns\":");
	lt_put_integer(c, ns);
	lt_put_text(c, ",\"name\":");
	lt_put_string(c, name);
	lt_put_text(c, lt_arrival_ms(t) > 0 ? "}" : ",\"early\":true}");
	if (json.n == 5) { /* false */
		lt_emit(c, NULL);
		lt_fail(c, lt_id(t));
	} else if (e->late && !e->holds) {
		e->held = lt_id(t);
		e->holds = true;
		lt_emit(c, t);
	} else if (e->late) {
		lt_emit_for(c, (uint64_t[]){ e->held, lt_id(t) }, 2);
		lt_ack(c, e->held);
		lt_ack(c, lt_id(t));
		e->holds = false;
	} else {
		lt_emit(c, t);
		lt_ack(c, lt_id(t));
	}
	return 0;
}

static void
tick(void *self, enum lt_tick_source source, int64_t ms, struct lt_collector *c)
{
	(void)self;
	if (source == LT_TICK_INPUT)
		lt_tick(c, ms + 1);
	if (source == LT_TICK_CLOCK) {
		lt_put_text(c, "{\"json\":\"clock\"}");
		lt_emit(c, NULL);
	}
}

static void
finish(void *self, struct lt_collector *c)
{
	(void)self;
	lt_put_text(c, "{\"end\":");
	lt_put_double(c, 0.1);
	lt_put_text(c, "}");
	lt_emit(c, NULL);
}

int
main(int argc, char *argv[])
{
	struct each_call e = { .holds = false };
	struct lt_bolt bolt = { .name = "each_call",
		.synopsis = "-v PATH -t PATH -n PATH [--late] [FILE...]",
		.purpose = "show what each function gives",
		.examples = "  each_call -v v -t t -n n\n",
		.options = options,
		.self = &e,
		.execute = execute,
		.tick_every_ms = getenv("EVERY") != NULL ? 1 : 0,
		.tick = tick,
		.finish = finish };

	lt_expiring_map_free(NULL);
	lt_window_free(NULL);
	lt_rankings_free(NULL);
	return lt_main(&bolt, argc, argv);
}
