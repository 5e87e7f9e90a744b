/*
 * SPDX-License-Identifier: ISC
 */
#include <stdlib.h>

#include <jansson.h>

#include "base/counters.h"
#include "base/memory.h"

void
counters_put_more(struct buffer *members, const char *prefix, const char *name,
    uint64_t n)
{
	buffer_put(members, SPAN(",\""));
	buffer_put(members, span_of(prefix));
	for (; *name != '\0'; name++)
		buffer_byte(members, *name == '-' ? '_' : *name);
	buffer_put(members, SPAN("\":"));
	buffer_int(members, (int64_t)n);
}

int
counters_print(const struct counters *c, const char *command, struct span more,
    FILE *fp)
{
	json_t *o =
	    json_pack("{s:s, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I}",
		"command", command, "lines", (json_int_t)c->lines, "bytes",
		(json_int_t)c->bytes, "blank", (json_int_t)c->blank, "ticks",
		(json_int_t)c->ticks, "rejects", (json_int_t)c->rejects, "late",
		(json_int_t)c->late, "max_late_ms", (json_int_t)c->max_late_ms,
		"emitted", (json_int_t)c->emitted, "live_keys",
		(json_int_t)c->live_keys);
	char *text = NULL;
	int n;

	if (o != NULL &&
	    json_object_set_new(o, "seconds",
		json_real((double)(c->ns / 1000) / 1e6)) == 0)
		text = json_dumps(o, JSON_COMPACT | JSON_REAL_PRECISION(9));
	if (text == NULL)
		memory_exhausted();
	/* The other members go before the brace. */
	n = fprintf(fp, "%.*s%.*s}\n", (int)strlen(text) - 1, text, (int)more.n,
	    more.n == 0 ? "" : more.p);
	json_decref(o);
	free(text);
	return n < 0 || fflush(fp) == EOF ? -1 : 0;
}
