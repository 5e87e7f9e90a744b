/*
 * reported - what a counter reports, as text: `a:2 b:1 c:0`, a farewell
 * with an exclamation mark, `c:0!`.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef REPORTED_H
#define REPORTED_H

#include "window/slot_counter.h"

struct reported {
	struct sum_pool *sums;
	struct buffer text;
};

static inline void
reported_add(void *arg, struct span spelling, struct total total,
    const void *value, bool farewell)
{
	struct reported *r = arg;

	(void)value;
	if (r->text.n > 0)
		buffer_byte(&r->text, ' ');
	buffer_put(&r->text, spelling);
	buffer_byte(&r->text, ':');
	sum_put(r->sums, &r->text, total);
	if (farewell)
		buffer_byte(&r->text, '!');
}

/* The text since the last call, as a C string. */
static inline const char *
reported_take(struct reported *r)
{
	buffer_byte(&r->text, '\0');
	r->text.n = 0;
	return r->text.p;
}

static inline struct key
reported_key(const char *text)
{
	struct key k = { 0 };

	k.bytes = k.spelling = span_of(text);
	k.hash = hash_bytes(k.bytes);
	return k;
}

#endif
