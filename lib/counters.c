/*
 * SPDX-License-Identifier: ISC
 */
#include <assert.h>
#include <string.h>

#include <jansson.h>

#include "counters.h"
#include "diagnostics.h"

void
counters_set(struct counters *c, const char *name, uint64_t n)
{
	size_t i = 0;

	while (i < c->nextra && strcmp(c->extra[i].name, name) != 0)
		i++;
	assert(i < COUNTERS_EXTRA);
	c->extra[i] = (struct counter){ name, n };
	if (i == c->nextra)
		c->nextra++;
}

int
counters_print(const struct counters *c, const char *command, FILE *fp)
{
	json_t *o = json_pack("{s:s, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I}",
	    "command", command, "lines", (json_int_t)c->lines, "bytes",
	    (json_int_t)c->bytes, "blank", (json_int_t)c->blank, "ticks",
	    (json_int_t)c->ticks, "rejects", (json_int_t)c->rejects, "late",
	    (json_int_t)c->late, "emitted", (json_int_t)c->emitted, "live_keys",
	    (json_int_t)c->live_keys);
	int status;

	if (o == NULL ||
	    json_object_set_new(o, "seconds",
		json_real((double)(c->ns / 1000) / 1e6)) < 0)
		die("out of memory");
	for (size_t i = 0; i < c->nextra; i++)
		if (json_object_set_new(o, c->extra[i].name,
			json_integer((json_int_t)c->extra[i].n)) < 0)
			die("out of memory");
	status = json_dumpf(o, fp, JSON_COMPACT | JSON_REAL_PRECISION(9));
	json_decref(o);
	if (status < 0 || putc('\n', fp) == EOF || fflush(fp) == EOF)
		return -1;
	return 0;
}
