/*
 * SPDX-License-Identifier: ISC
 */
#include "bolt/time_options.h"

/* How long a silent stream is waited for. */
enum { IDLE_MS = 1000 };

void
time_options_configure(const struct time_options *o,
    const struct command *command, struct bolt *bolt)
{
	if (o->live != 0 && o->lateness == LATENESS_ALL)
		options_misuse(command, "--live and -l all exclude each other");
	bolt->live_ms = o->live;
	bolt->lateness_ms = o->lateness;
	bolt->idle_ms = o->idle != 0 ? o->idle : IDLE_MS;
}

int64_t
time_options_start(const struct time_options *o, const struct command *command)
{
	int64_t ns;
	int result;

	if (o->align == NULL)
		return 0;
	result = timestamp_parse(span_of(o->align),
	    (enum time_unit)o->form.unit, &ns);
	if (result != TIMESTAMP_OK)
		options_check(command, "--align",
		    result == TIMESTAMP_RANGE ?
			"expected a time from 1677 to 2262" :
			"expected a time such as 2026-01-31T00:00:00+01:00",
		    o->align);
	return ns_to_ms(ns);
}
