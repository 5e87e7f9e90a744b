/*
 * growth - by how much a number of each key has grown since its last tuple.
 *
 *	cc -o growth growth.c $(pkg-config --cflags --libs libtuple)
 *	tail -F counters.ndjson | ./growth -k host -v bytes -w 1h
 *
 * SPDX-License-Identifier: ISC
 */
#include <libtuple.h>

struct growth {
	struct lt_fields key, value;
	int64_t forget_ms;
	struct lt_expiring_map *last; /* a double for each key */
};

static const struct lt_option options[] = {
	{ 'k', "key", "FIELDS", LT_FIELDS, offsetof(struct growth, key),
	    .required = true, .help = "whose number it is" },
	{ 'v', "value", "PATH", LT_FIELD, offsetof(struct growth, value),
	    .required = true, .help = "the number that grows" },
	{ 'w', "window", "D", LT_DURATION, offsetof(struct growth, forget_ms),
	    .help = "forget a key that has been silent for so long (1h)" },
	{ 0 },
};

static void
prepare(void *self)
{
	struct growth *g = self;

	g->last = lt_expiring_map_new(g->forget_ms, sizeof(double));
}

static int
execute(void *self, const struct lt_tuple *t, struct lt_collector *c)
{
	struct growth *g = self;
	int64_t now = lt_arrival_ms(t);
	struct lt_number x;
	struct lt_key key;
	double *last;
	bool is_new;

	if (lt_key(t, g->key, &key) < 0 || lt_number(t, g->value.first, &x) < 0)
		return -1;
	lt_expiring_map_expire(g->last, now, NULL, NULL);
	last = lt_expiring_map_put(g->last, &key, now, &is_new);
	if (!is_new) {
		lt_put_text(c, "{");
		lt_put_key(c, g->key, key.spelling);
		lt_put_text(c, ",\"growth\":");
		lt_put_double(c, x.d - *last);
		lt_put_text(c, "}");
		lt_emit(c, t);
		lt_expiring_map_renew(g->last, &key, now);
	}
	*last = x.d;
	lt_ack(c, lt_id(t));
	return 0;
}

static void
cleanup(void *self)
{
	lt_expiring_map_free(((struct growth *)self)->last);
}

int
main(int argc, char *argv[])
{
	struct growth growth = { .forget_ms = 3600000 };
	struct lt_bolt bolt = { "growth", "-k FIELDS -v PATH [-w D] [FILE...]",
		"by how much a number of each key has grown",
		"  growth -k host -v bytes counters.ndjson\n", options, &growth,
		0, prepare, execute, NULL, NULL, cleanup };

	return lt_main(&bolt, argc, argv);
}
