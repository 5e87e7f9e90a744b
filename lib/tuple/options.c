/*
 * SPDX-License-Identifier: ISC
 */
#include <assert.h>
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/buffer.h"
#include "base/diagnostics.h"
#include "base/duration.h"
#include "tuple/field_path.h"
#include "tuple/options.h"

#ifndef TUPLETOOLS_VERSION
#define TUPLETOOLS_VERSION "0.1"
#endif

enum {
	MAX_OPTIONS = 64,
	FIRST_LONG = 256, /* getopt's value of option i is FIRST_LONG + i */
	HELP = 1000,
	VERSION,
	HELP_COLUMN = 28,
};

/* All options of a command, and the texts of those that are lists. */
struct options {
	const struct command *command;
	const struct option_spec *specs[MAX_OPTIONS];
	struct buffer texts[MAX_OPTIONS];
	bool given[MAX_OPTIONS];
	size_t n;
};

/* The command line, once it is read. */
static struct options parsed;

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
	exit(EXIT_USAGE);
}

void
options_check(const struct command *c, const char *option, const char *wrong,
    const char *given)
{
	if (wrong != NULL)
		options_misuse(c, "%s: %s, got '%s'", option, wrong, given);
}

void
options_check_names(const struct command *c, struct field_range key,
    const struct span *others, size_t nothers)
{
	size_t n = key.n + nothers;
	struct span *names =
	    field_plain_names(key.n == 0 ? NULL :
					   c->projection->fields + key.first,
		key.n, nothers);

	for (size_t i = key.n; i < n; i++)
		names[i] = others[i - key.n];
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < i; k++)
			if (span_eq(names[i], names[k]))
				options_misuse(c,
				    "two members are named '%.*s'; NAME= gives "
				    "one another name",
				    (int)names[i].n, names[i].p);
	free(names);
}

void
options_short_help(const struct command *c, bool takes_files)
{
	fprintf(stderr, "%s - %s\n", c->name, c->purpose);
	print_usage(c, stderr);
	fprintf(stderr, "stdin is a terminal%s; %s --help tells more\n",
	    takes_files ? ": name a FILE, or - to type" : "", c->name);
	exit(EXIT_USAGE);
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
	if (o->kind == OPTION_OPTIONAL)
		n += snprintf(head + n, sizeof head - (size_t)n, "[=%s]",
		    o->arg);
	else if (o->arg != NULL)
		n += snprintf(head + n, sizeof head - (size_t)n, " %s", o->arg);
	printf("%-*s  %s\n", HELP_COLUMN, head, o->help);
}

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

static void
print_help(const struct command *c)
{
	static const struct option_spec help = { 'h', "help",
		.help = "print this, and exit" };
	static const struct option_spec version = { .name = "version",
		.help = "print the version, and exit" };

	print_usage(c, stdout);
	printf("\n%s\n", c->purpose);
	print_list("options", c->options);
	print_list("options to go on from run to run", c->state);
	print_list("options of every command", c->common);
	print_option(&help);
	print_option(&version);
	print_list("options for Apache Storm", c->storm);
	printf("\nexamples:\n%s", c->examples);
	if (fflush(stdout) == EOF)
		die_errno("stdout");
	exit(EXIT_OK);
}

static void
parse_count(const struct options *o, const struct option_spec *s,
    const char *arg)
{
	char *end;
	intmax_t v;

	errno = 0;
	v = strtoimax(arg, &end, 10);
	if (end == arg || *end != '\0')
		options_misuse(o->command,
		    "%s: expected a whole number, got '%s'", option_name(s),
		    arg);
	if (errno == ERANGE || v < s->min || v > s->max)
		options_misuse(o->command,
		    "%s: %s is not in %" PRId64 "..%" PRId64, option_name(s),
		    arg, s->min, s->max);
	*(int64_t *)s->to = v;
}

static void
parse_real(const struct options *o, const struct option_spec *s,
    const char *arg)
{
	char *end;
	double v = strtod(arg, &end);

	if (end == arg || *end != '\0' || isnan(v))
		options_misuse(o->command, "%s: expected a number, got '%s'",
		    option_name(s), arg);
	if (v < (double)s->min || v > (double)s->max)
		options_misuse(o->command,
		    "%s: %s is not in %" PRId64 "..%" PRId64, option_name(s),
		    arg, s->min, s->max);
	*(double *)s->to = v;
}

static void
parse_size(const struct options *o, const struct option_spec *s,
    const char *arg)
{
	static const char units[] = "KMG";
	const char *unit;
	char *end;
	intmax_t v;
	int shift = 0;

	errno = 0;
	v = strtoimax(arg, &end, 10);
	if (end != arg && *end != '\0' && end[1] == '\0' &&
	    (unit = strchr(units, *end)) != NULL) {
		shift = 10 * (int)(unit - units + 1);
		end++;
	}
	if (end == arg || *end != '\0')
		options_misuse(o->command,
		    "%s: expected a size like 4096, 64K or 16M, got '%s'",
		    option_name(s), arg);
	if (errno == ERANGE || v > s->max >> shift || v < 0 ||
	    v << shift < s->min)
		options_misuse(o->command,
		    "%s: %s is not in %" PRId64 "..%" PRId64 " bytes",
		    option_name(s), arg, s->min, s->max);
	*(int64_t *)s->to = v << shift;
}

static void
parse_duration(const struct options *o, const struct option_spec *s,
    const char *arg)
{
	bool or_all = s->kind == OPTION_DURATION_ALL;
	const char *wrong;

	if (or_all && strcmp(arg, "all") == 0) {
		*(int64_t *)s->to = LATENESS_ALL;
		return;
	}
	wrong = duration_parse(arg, s->to);
	if (wrong != NULL && or_all)
		options_misuse(o->command, "%s: %s, or all, got '%s'",
		    option_name(s), wrong, arg);
	options_check(o->command, option_name(s), wrong, arg);
	if (s->kind == OPTION_DURATION && *(int64_t *)s->to == 0)
		options_misuse(o->command, "%s: must be at least 1ms, got '%s'",
		    option_name(s), arg);
}

static void
parse_choice(const struct options *o, const struct option_spec *s,
    const char *arg)
{
	struct buffer list = { 0 };

	for (int i = 0; s->choices[i] != NULL; i++) {
		if (strcmp(s->choices[i], arg) == 0) {
			*(int *)s->to = i;
			buffer_fini(&list);
			return;
		}
		buffer_put(&list, i == 0 ? SPAN("") : SPAN(", "));
		buffer_put(&list, span_of(s->choices[i]));
	}
	options_misuse(o->command, "%s: expected one of %.*s, got '%s'",
	    option_name(s), (int)list.n, list.p, arg);
}

/* Append a list less the blanks around its commas. */
static void
put_list(struct buffer *b, struct span list)
{
	static const char blanks[] = " \t";
	size_t n;

	for (;;) {
		n = field_path_until(list, ',');
		buffer_put(b, (struct span){ list.p, n });
		if (n == list.n)
			break;
		while (b->n != 0 && strchr(blanks, b->p[b->n - 1]) != NULL)
			b->n--;
		buffer_byte(b, ',');
		for (n++; n < list.n && strchr(blanks, list.p[n]) != NULL; n++)
			;
		list.p += n;
		list.n -= n;
	}
}

static void
take_option(struct options *o, size_t i, const char *arg)
{
	const struct option_spec *s = o->specs[i];

	switch (s->kind) {
	case OPTION_FLAG:
		*(bool *)s->to = true;
		break;
	case OPTION_TEXT:
		*(const char **)s->to = arg;
		break;
	case OPTION_OPTIONAL:
		*(const char **)s->to = arg == NULL ? "" : arg;
		break;
	case OPTION_COUNT:
		parse_count(o, s, arg);
		break;
	case OPTION_REAL:
		parse_real(o, s, arg);
		break;
	case OPTION_SIZE:
		parse_size(o, s, arg);
		break;
	case OPTION_DURATION:
	case OPTION_DURATION_OR_0:
	case OPTION_DURATION_ALL:
		parse_duration(o, s, arg);
		break;
	case OPTION_CHOICE:
		parse_choice(o, s, arg);
		break;
	case OPTION_FIELD:
		o->texts[i].n = 0;
		buffer_put(&o->texts[i], span_of(arg));
		break;
	case OPTION_FIELDS:
	case OPTION_LIST:
	case OPTION_NAMES:
		if (o->given[i])
			buffer_byte(&o->texts[i], ',');
		put_list(&o->texts[i], span_of(arg));
		break;
	}
	o->given[i] = true;
}

static bool
is_list(enum option_kind kind)
{
	return kind == OPTION_FIELD || kind == OPTION_FIELDS ||
	    kind == OPTION_LIST || kind == OPTION_NAMES;
}

/* Add the fields in the order of the table, and check what must be. */
static void
finish(struct options *o)
{
	for (size_t i = 0; i < o->n; i++) {
		const struct option_spec *s = o->specs[i];
		struct field_range *range = s->to;
		const char *wrong;

		if (s->required && !o->given[i])
			options_misuse(o->command, "%s is required",
			    option_name(s));
		if (!is_list(s->kind) || !o->given[i])
			continue;
		buffer_byte(&o->texts[i], '\0');
		if (s->kind == OPTION_NAMES) {
			*(const char **)s->to = o->texts[i].p;
			continue;
		}
		if (s->kind == OPTION_LIST)
			wrong = s->add(s->to, o->command->projection,
			    o->texts[i].p);
		else
			wrong = projection_add(o->command->projection,
			    o->texts[i].p, &range->first, &range->n);
		if (wrong == NULL && s->kind == OPTION_FIELD && range->n != 1)
			wrong = "expected one field";
		options_check(o->command, option_name(s), wrong, o->texts[i].p);
	}
}

/* getopt's two tables. */
static void
getopt_tables(const struct options *o, char *letters, struct option *longs)
{
	if (o->command->in_order)
		*letters++ = '+';
	*letters++ = ':'; /* tell a missing argument from no such option */
	*letters++ = 'h';
	for (size_t i = 0; i < o->n; i++) {
		const struct option_spec *s = o->specs[i];

		longs[i] = (struct option){ s->name,
			s->arg == NULL		       ? no_argument :
			    s->kind == OPTION_OPTIONAL ? optional_argument :
							 required_argument,
			NULL, FIRST_LONG + (int)i };
		if (s->letter == 0)
			continue;
		*letters++ = s->letter;
		if (s->arg != NULL)
			*letters++ = ':';
	}
	*letters = '\0';
	longs[o->n] = (struct option){ "help", no_argument, NULL, HELP };
	longs[o->n + 1] =
	    (struct option){ "version", no_argument, NULL, VERSION };
	longs[o->n + 2] = (struct option){ 0 };
}

static void
take_letter(struct options *o, int letter, const char *arg)
{
	for (size_t i = 0; i < o->n; i++)
		if (o->specs[i]->letter == letter)
			take_option(o, i, arg);
}

/* Append the name of an option that word, `--st`, is the beginning of. */
static void
put_begun(struct buffer *b, const char *name, const char *word)
{
	size_t n = strcspn(word + 2, "=");

	if (n == 0 || strncmp(name, word + 2, n) != 0)
		return;
	buffer_put(b, b->n == 0 ? SPAN("--") : SPAN(" or --"));
	buffer_put(b, span_of(name));
}

/* Say which options a word may be, if it may be some. */
static void
check_ambiguous(const struct options *o, const char *word)
{
	struct buffer begun = { 0 };

	for (size_t i = 0; i < o->n; i++)
		put_begun(&begun, o->specs[i]->name, word);
	put_begun(&begun, "help", word);
	put_begun(&begun, "version", word);
	if (begun.n == 0)
		return;
	buffer_byte(&begun, '\0');
	options_misuse(o->command, "'%s' may be %s", word, begun.p);
}

/* Say what getopt has stopped at; only a letter may be within its word. */
static _Noreturn void
misused(const struct options *o, int c, const char *word)
{
	const struct command *command = o->command;
	bool letter = optopt > 0 && optopt < FIRST_LONG;

	if (c == ':' && letter)
		options_misuse(command, "-%c needs an argument", optopt);
	if (c == ':')
		options_misuse(command, "%s needs an argument", word);
	if (letter)
		options_misuse(command, "no option '-%c'", optopt);
	if (optopt == 0) {
		check_ambiguous(o, word);
		options_misuse(command, "no option '%s'", word);
	}
	options_misuse(command, "%.*s takes no argument",
	    (int)strcspn(word, "="), word);
}

/* Add a list of options, which may be NULL. */
static void
add_specs(struct options *o, const struct option_spec *list)
{
	for (; list != NULL && list->name != NULL; list++) {
		assert(o->n < MAX_OPTIONS && list->letter != 'h');
		o->specs[o->n++] = list;
	}
}

void
options_give(const char *name, const char *value)
{
	struct options *o = &parsed;

	for (size_t i = 0; i < o->n; i++) {
		if (o->given[i] || value[0] == '\0' ||
		    o->specs[i]->kind == OPTION_FLAG ||
		    strcmp(option_name(o->specs[i]), name) != 0)
			continue;
		take_option(o, i, value);
	}
}

int
options_parse(const struct command *command, int argc, char *argv[])
{
	struct options *o = &parsed;
	struct option longs[MAX_OPTIONS + 3];
	char letters[2 * MAX_OPTIONS + 4];
	int c;

	*o = (struct options){ .command = command };
	add_specs(o, command->options);
	add_specs(o, command->state);
	add_specs(o, command->common);
	add_specs(o, command->storm);
	getopt_tables(o, letters, longs);
	opterr = 0;
	while ((c = getopt_long(argc, argv, letters, longs, NULL)) != -1) {
		const char *at = argv[optind - 1];

		if (c == HELP || c == 'h')
			print_help(command);
		if (c == VERSION) {
			printf("%s (tupletools) " TUPLETOOLS_VERSION "\n",
			    command->name);
			exit(fflush(stdout) == EOF ? EXIT_USAGE : EXIT_OK);
		}
		if (c == ':' || c == '?')
			misused(o, c, at);
		if (c >= FIRST_LONG)
			take_option(o, (size_t)(c - FIRST_LONG), optarg);
		else
			take_letter(o, c, optarg);
	}
	if (command->recall != NULL)
		command->recall(command);
	finish(o);
	return optind;
}

void
options_put_value(const struct option_spec *s, struct buffer *b)
{
	switch (s->kind) {
	case OPTION_FLAG:
		buffer_put(b, *(bool *)s->to ? SPAN("on") : SPAN("off"));
		break;
	case OPTION_COUNT:
	case OPTION_SIZE:
		buffer_int(b, *(int64_t *)s->to);
		break;
	case OPTION_REAL:
		buffer_double(b, *(double *)s->to);
		break;
	case OPTION_DURATION:
	case OPTION_DURATION_OR_0:
	case OPTION_DURATION_ALL:
		if (*(int64_t *)s->to == LATENESS_ALL) {
			buffer_put(b, SPAN("all"));
			break;
		}
		buffer_seconds(b, *(int64_t *)s->to);
		buffer_byte(b, 's');
		break;
	case OPTION_CHOICE:
		buffer_put(b, span_of(s->choices[*(int *)s->to]));
		break;
	case OPTION_TEXT:
	case OPTION_OPTIONAL:
		if (*(const char **)s->to != NULL)
			buffer_put(b, span_of(*(const char **)s->to));
		break;
	case OPTION_FIELD:
	case OPTION_FIELDS:
	case OPTION_LIST:
	case OPTION_NAMES:
		for (size_t i = 0; i < parsed.n; i++)
			if (parsed.specs[i] == s && parsed.given[i])
				buffer_put(b, span_of(parsed.texts[i].p));
		break;
	}
}
