/*
 * SPDX-License-Identifier: ISC
 */
#include "bolt/time_options.h"

void
time_options_configure(const struct time_options *o,
    const struct command *command, struct bolt *bolt)
{
	if (o->live != 0 && o->lateness == LATENESS_ALL)
		options_misuse(command, "--live and -l all exclude each other");
	bolt->live_ms = o->live;
	bolt->lateness_ms = o->lateness;
}

int64_t
time_options_start(const struct time_options *o, const struct command *command)
{
	int64_t ns;

	if (o->align == NULL)
		return 0;
	if (timestamp_parse(span_of(o->align), (enum time_unit)o->form.unit,
		&ns) != TIMESTAMP_OK)
		options_check(command, "--align",
		    "expected a time from 1677 to 2262", o->align);
	return ns_to_ms(ns);
}
