/*
 * SPDX-License-Identifier: ISC
 */
#include "bolt/time_options.h"

void
time_options_configure(const struct time_options *o,
    const struct command *command, bool has_times, struct bolt *bolt)
{
	const struct {
		bool given;
		const char *name;
	} needs[] = {
		{ o->lateness != 0, "-l" },
		{ o->live != 0, "--live" },
		{ o->align != NULL, "--align" },
		{ o->interleave, "--interleave" },
		{ o->form.max_ahead_ms != 0, "--max-ahead" },
	};

	for (size_t i = 0; i < sizeof needs / sizeof needs[0]; i++)
		if (needs[i].given && !has_times)
			options_misuse(command, "%s needs -t", needs[i].name);
	options_check_time_form(command, &o->form, has_times);
	if (o->idle != 0 && !o->interleave)
		options_misuse(command, "--idle needs --interleave");
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
