/*
 * SPDX-License-Identifier: ISC
 */
#include <ctype.h>

#include "base/diagnostics.h"
#include "run/bolt_main.h"
#include "run/libtuple_options.h"

/* Tell whether one of specs has the letter or the name of an option. */
static bool
is_taken(const struct option_spec *specs, const struct lt_option *o)
{
	for (; specs->name != NULL; specs++)
		if (strcmp(specs->name, o->name) == 0 ||
		    (o->letter != '\0' && specs->letter == o->letter))
			return true;
	return false;
}

/* End the program if an option cannot be one, with those before it. */
static void
check_option(const struct option_spec *before, const struct lt_option *o)
{
	const struct option_spec *lists[] = { before, options_answered,
		bolt_main_options, bolt_main_storm_options };

	if (o->letter != '\0' && !isalnum((unsigned char)o->letter))
		die("--%s: '%c' is no letter or digit", o->name, o->letter);
	for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
		if (is_taken(lists[i], o))
			die("--%s: another option has its name or its letter",
			    o->name);
}

void
libtuple_options(const struct lt_option *from, struct option_spec *to)
{
	static const enum option_kind kinds[] = {
		[LT_FLAG] = OPTION_FLAG,
		[LT_TEXT] = OPTION_TEXT,
		[LT_COUNT] = OPTION_COUNT,
		[LT_REAL] = OPTION_REAL,
		[LT_DURATION] = OPTION_DURATION,
		[LT_FIELD] = OPTION_FIELD,
		[LT_FIELDS] = OPTION_FIELDS,
	};
	const struct option_spec *before = to;

	for (size_t n = 0; from != NULL && from->name != NULL; from++, n++) {
		if (n == LIBTUPLE_OPTIONS_MOST)
			die("a bolt has at most %d options",
			    LIBTUPLE_OPTIONS_MOST);
		check_option(before, from);
		to[n] = (struct option_spec){ .letter = from->letter,
			.name = from->name,
			.arg = from->arg,
			.kind = kinds[from->kind],
			.to = from->to,
			.min = from->min,
			.max = from->max,
			.required = from->required,
			.help = from->help };
	}
}
