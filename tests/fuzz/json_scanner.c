/*
 * json_scanner - any bytes at all, in an allocation of exactly their length
 * and the pad, as the scanner and as jansson take them (see
 * tests/unit/json_jansson.c for what they may differ in), with fields looked
 * for, and what is found taken for keys, numbers and times.
 *
 * SPDX-License-Identifier: ISC
 */
#include <assert.h>
#include <stdio.h>

#include "../unit/jansson_limits.h"
#include "../unit/padded.h"
#include "json/text.h"
#include "tuple/key.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
must(bool held, const char *what)
{
	if (held)
		return;
	fprintf(stderr, "%s\n", what);
	abort();
}

/* Use the line like a command does: nothing to compare, only to survive. */
static void
use(struct scanned *s)
{
	const struct time_form form = { .unit = TIME_UNIT_AUTO };
	struct key key = { 0 };
	struct buffer out = { 0 };
	struct number x;
	int64_t t;

	for (size_t i = 0; i < s->projection.nfields; i++) {
		struct fault f = { 0 };

		tuple_number(&s->tuple, i, &x, &f);
		tuple_time(&s->tuple, i, &form, &t, &f);
		if (key_of(&key, &s->tuple, i, 1, &f) == 0) {
			must(key_cmp(key.bytes, key.bytes) == 0, "key_cmp");
			key_put(&out, &s->projection.fields[i], 1,
			    key.spelling);
		}
	}
	tuple_is_tick(&s->tuple, &t, NULL);
	out.n = 0;
	tuple_put_without(&out, SPAN("\"rank\":1"), s->tuple.line, SPAN("a"));
	memset(buffer_room(&out, JSON_PAD), '\n', JSON_PAD);
	must(json_validate(buffer_span(&out), NULL) == 0, "tuple_put_without");
	key_fini(&key);
	buffer_fini(&out);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct scanned s;
	struct span text = { (const char *)data, size };
	struct span line = json_trim(text);
	struct fault f = { 0 };
	json_error_t e;
	json_t *j =
	    json_loadb(text.p, text.n, JSON_DECODE_ANY | JSON_ALLOW_NUL, &e);
	bool good = padded_validate(text, &f) == 0;

	if (s.slots == NULL)
		scanned_init(&s, "a,a.b,.a[1],.b[\"\"],/a/0,x=.a[0].b");
	/* jansson loses a NUL after a number. */
	if (size > 0 && memchr(data, '\0', size) != NULL)
		must(!good, "a NUL is accepted");
	else
		must(good == (j != NULL) ||
			(j == NULL && is_limit_of_jansson(&e)) ||
			f.kind == FAULT_LIMIT,
		    good ? "jansson refuses" : "jansson accepts");
	json_decref(j);
	if (line.n > 0 && *line.p == '{') {
		bool object = scanned_line(&s, line) == 0;

		must(object == good, "a line is no document");
		if (object)
			use(&s);
	}
	return 0;
}
