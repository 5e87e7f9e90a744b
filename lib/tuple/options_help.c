/*
 * What is said of a command line: help, and what is wrong with it.
 *
 * SPDX-License-Identifier: ISC
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/diagnostics.h"
#include "base/duration.h"
#include "base/hash_map.h"
#include "tuple/options.h"

enum { HELP_COLUMN = 28 };

static void
print_usage(const struct command *c, FILE *fp)
{
	fprintf(fp, "usage: %s %s\n", c->name, c->synopsis);
}

void
options_misuse(const struct command *c, const char *fmt, ...)
{
	char text[512];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	warn_plain("%s", text);
	print_usage(c, stderr);
	fprintf(stderr, "%s --help tells more\n", c->name);
	exit(EXIT_TROUBLE);
}

void
options_check(const struct command *c, const char *option, const char *wrong,
    const char *given)
{
	if (wrong != NULL)
		options_misuse(c, "%s: %s, got '%s'", option, wrong, given);
}

void
options_check_names(const struct command *c, const struct field *key,
    size_t nkeys, const struct span *others, size_t nothers)
{
	size_t n = nkeys + nothers;
	struct span *names = field_plain_names(key, nkeys, nothers);
	struct hash_map seen;
	bool added;

	hash_map_init(&seen, 0);
	for (size_t i = nkeys; i < n; i++)
		names[i] = others[i - nkeys];
	for (size_t i = 0; i < n; i++) {
		if (span_eq(names[i], SPAN("__tick")))
			options_misuse(c,
			    "no member can be named '__tick', as ticks are");
		hash_map_put(&seen, names[i], names[i], hash_bytes(names[i]),
		    &added);
		if (!added)
			options_misuse(c,
			    "two members are named '%.*s'; NAME= gives one "
			    "another name",
			    (int)names[i].n, names[i].p);
	}
	hash_map_fini(&seen);
	free(names);
}

void
options_check_multiple(const struct command *c, const char *option, int64_t ms,
    const char *note, const char *other, int64_t other_ms)
{
	struct buffer length = { 0 }, part = { 0 };

	if (ms % other_ms == 0)
		return;
	duration_put(&length, ms);
	duration_put(&part, other_ms);
	options_misuse(c, "%s %.*s%s must be a multiple of %s %.*s", option,
	    (int)length.n, length.p, note, other, (int)part.n, part.p);
}

void
options_short_help(const struct command *c, bool takes_files)
{
	fprintf(stderr, "%s - %s\n", c->name, c->purpose);
	print_usage(c, stderr);
	fprintf(stderr, "stdin is a terminal%s; %s --help tells more\n",
	    takes_files ? ": name a FILE, or - to type" : "", c->name);
	exit(EXIT_TROUBLE);
}

const char *
option_name(const struct option_spec *o)
{
	static char text[2][64];
	static int turn;
	char *p = text[turn = !turn];

	if (o->letter != 0)
		snprintf(p, sizeof text[0], "-%c", o->letter);
	else
		snprintf(p, sizeof text[0], "--%s", o->name);
	return p;
}

static void
print_option(const struct option_spec *o)
{
	char head[64];
	int n;

	if (o->letter != 0)
		n = snprintf(head, sizeof head, "  -%c, --%s", o->letter,
		    o->name);
	else
		n = snprintf(head, sizeof head, "      --%s", o->name);
	if (option_is_optional(o))
		snprintf(head + n, sizeof head - (size_t)n, "[=%s]", o->arg);
	else if (o->arg != NULL)
		snprintf(head + n, sizeof head - (size_t)n, " %s", o->arg);
	printf("%-*s  %s\n", HELP_COLUMN, head, o->help);
}

const struct option_spec options_answered[] = {
	{ 'h', "help", .help = "print this, and exit" },
	{ .name = "version", .help = "print the version, and exit" },
	{ 0 },
};

/* Print a list of options, which may be NULL, under a heading. */
static void
print_list(const char *heading, const struct option_spec *list)
{
	if (list == NULL)
		return;
	printf("\n%s:\n", heading);
	for (; list->name != NULL; list++)
		print_option(list);
}

void
options_help(const struct command *c)
{
	print_usage(c, stdout);
	printf("\n%s\n", c->purpose);
	print_list("options", c->options);
	print_list("options to go on from run to run", c->state);
	print_list("options of every command", c->common);
	for (size_t i = 0; options_answered[i].name != NULL; i++)
		print_option(&options_answered[i]);
	print_list("options for Apache Storm", c->storm);
	printf("\nexamples:\n%s", c->examples);
	if (fflush(stdout) == EOF)
		die_errno("stdout");
	exit(EXIT_OK);
}
