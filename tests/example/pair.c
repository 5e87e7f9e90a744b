/*
 * pair - rows of two fields: the second must be a string, the first a string or
 * a number.  A row is begun before it is known whether the tuple is good.
 *
 * SPDX-License-Identifier: ISC
 */
#include <stdlib.h>

#include <libtuple.h>

struct pair {
	struct lt_fields a, b;
	bool twice;
};

static const struct lt_option options[] = {
	{ 'a', "first", "PATH", LT_FIELD, offsetof(struct pair, a),
	    .required = true, .help = "a string or a number" },
	{ 'b', "second", "PATH", LT_FIELD, offsetof(struct pair, b),
	    .required = true, .help = "a string" },
	{ .name = "twice",
	    .kind = LT_FLAG,
	    .to = offsetof(struct pair, twice),
	    .help = "ack each tuple twice, which is a mistake" },
	{ 0 },
};

static int
execute(void *self, const struct lt_tuple *t, struct lt_collector *c)
{
	const struct pair *pair = self;
	struct lt_number x = { .text = { NULL, 0 } };
	struct lt_span a = { NULL, 0 }, b;

	lt_put_text(c, "{\"a\":");
	if (lt_number(t, pair->a.first, &x) < 0 &&
	    lt_string(t, pair->a.first, &a) < 0)
		return lt_reject(t, pair->a.first, "a string or a number");
	if (lt_string(t, pair->b.first, &b) < 0)
		return -1;
	if (x.text.p != NULL)
		lt_put(c, x.text);
	else
		lt_put_string(c, a);
	lt_put_text(c, ",\"b\":");
	lt_put_string(c, b);
	lt_put_text(c, "}");
	lt_emit(c, t);
	lt_ack(c, lt_id(t));
	if (pair->twice)
		lt_ack(c, lt_id(t));
	lt_put_text(c, "{\"never emitted\":");
	return 0;
}

int
main(int argc, char *argv[])
{
	struct pair pair = { .a = { 0, 0 } };
	struct lt_bolt bolt = { .name = "pair",
		.synopsis = "-a PATH -b PATH [FILE...]",
		.purpose = "write two fields",
		.examples = "  pair -a user -b host\n",
		.options = options,
		.self = &pair,
		.tick_every_ms = getenv("EVERY") != NULL ? -1 : 0,
		.execute = execute };

	return lt_main(&bolt, argc, argv);
}
