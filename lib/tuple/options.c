/*
 * SPDX-License-Identifier: ISC
 */
#include <assert.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/diagnostics.h"
#include "base/known_names.h"
#include "base/memory.h"
#include "base/version.h"
#include "tuple/options_value.h"

enum {
	FIRST_LONG = 256, /* getopt's value of option i is FIRST_LONG + i */
	HELP = 1000,
	VERSION,
};

/* getopt's two tables. */
static void
getopt_tables(const struct options *o, char *letters, struct option *longs)
{
	*letters++ = ':'; /* tell a missing argument from no such option */
	*letters++ = 'h';
	for (size_t i = 0; i < o->n; i++) {
		const struct option_spec *s = o->list[i].spec;

		longs[i] = (struct option){ s->name,
			s->arg == NULL		  ? no_argument :
			    option_is_optional(s) ? optional_argument :
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
		if (o->list[i].spec->letter == letter)
			option_take(o->command, &o->list[i], arg);
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
		put_begun(&begun, o->list[i].spec->name, word);
	for (size_t i = 0; options_answered[i].name != NULL; i++)
		put_begun(&begun, options_answered[i].name, word);
	if (begun.n == 0)
		return;
	buffer_byte(&begun, '\0');
	options_misuse(o->command, "'%s' may be %s", word, begun.p);
}

/* What other programs and languages call an option; the last one counts. */
static const struct {
	const char *there, *here;
} elsewhere[] = {
	{ "group-by", "key" },
	{ "group-by", "group" },
	{ "order-by", "value" },
	{ "fields", "key" },
	{ "size", "window" },
	{ "length", "window" },
	{ "within", "window" },
	{ "slide", "every" },
	{ "hop", "every" },
	{ "advance", "every" },
	{ "grace", "lateness" },
	{ "delay", "lateness" },
	{ "timestamp", "time" },
	{ "ts", "time" },
	{ "left", "also" },
	{ "outer", "also" },
	{ "full", "also" },
	{ "anti", "only" },
	{ "lookup", "table" },
	{ "limit", "count" },
	{ "limit", "rows" },
	{ "head", "count" },
	{ "timeout", "gap" },
	{ "inactivity", "gap" },
	{ "by", "key" },
	{ "by", "value" },
	{ "sort", "value" },
	{ "window", "gap" },
};

/* What only other commands have. */
static const struct {
	char letter;
	const char *name, *who;
} others[] = {
	{ 'w', "window", "rollcount, dedup and sjoin have it" },
	{ 0, "state",
	    "dedup, rollcount, sessions, sjoin, tally and timeline have it" },
	{ 0, "sort", "topn ranks tuples" },
	{ 0, "where", "keep takes a condition as its first operand" },
	{ 0, "filter", "keep takes a condition as its first operand" },
	{ 0, "having", "keep takes a condition as its first operand" },
};

/* Stop, since there is no such option; word is as given, name without dashes. */
static _Noreturn void
lacking(const struct options *o, const char *word, struct span name)
{
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		if ((name.n == 1 && *name.p == others[i].letter) ||
		    span_eq(span_of(others[i].name), name))
			options_misuse(o->command, "no option '%s'; %s", word,
			    others[i].who);
	options_misuse(o->command, "no option '%s'", word);
}

/* Name the option that a word may be misspelled from, or called elsewhere. */
static _Noreturn void
unknown(const struct options *o, const char *word)
{
	struct span name = { word + 2, strcspn(word, "=") - 2 }, like;
	struct known_names names;

	known_names_init(&names);
	for (size_t i = 0; i < o->n; i++) {
		like = span_of(o->list[i].spec->name);
		known_names_add(&names, like, like);
	}
	like = (struct span){ NULL, 0 };
	for (size_t i = 0; i < sizeof elsewhere / sizeof *elsewhere; i++)
		if (span_eq(name, span_of(elsewhere[i].there)) &&
		    known_names_has(&names, span_of(elsewhere[i].here)))
			like = span_of(elsewhere[i].here);
	if (like.p == NULL)
		like = known_names_like(&names, name);
	/* It is like --stats. */
	if (like.p == NULL || span_eq(name, SPAN("state")))
		lacking(o, word, name);
	options_misuse(o->command, "no option '%s'; did you mean '--%.*s'?",
	    word, (int)like.n, like.p);
}

/* The long option that a word names with only one dash; NULL: none. */
static const char *
lacks_dash(const struct options *o, const char *word)
{
	size_t n = strcspn(word, "=");

	for (size_t i = 0; i < o->n && *word == '-'; i++) {
		const char *name = o->list[i].spec->name;

		if (strlen(name) == n - 1 && memcmp(name, word + 1, n - 1) == 0)
			return name;
	}
	return NULL;
}

/*
 * Say what getopt has stopped at.  word is the one that it has passed last; if it
 * stopped at a letter within a word, that is next.
 */
static _Noreturn void
misused(const struct options *o, int c, const char *word, const char *next)
{
	const struct command *command = o->command;
	bool letter = optopt > 0 && optopt < FIRST_LONG;
	const char *name = NULL;

	if (c == ':' && letter)
		options_misuse(command, "-%c needs an argument", optopt);
	if (c == ':')
		options_misuse(command, "%s needs an argument", word);
	if (letter && next != NULL && strchr(next, optopt) != NULL)
		name = lacks_dash(o, next);
	if (name != NULL)
		options_misuse(command, "no option '-%c'; did you mean '--%s'?",
		    optopt, name);
	if (letter)
		lacking(o, (char[]){ '-', (char)optopt, '\0' },
		    (struct span){ (char[]){ (char)optopt }, 1 });
	if (optopt == 0) {
		check_ambiguous(o, word);
		unknown(o, word);
	}
	options_misuse(command, "%.*s takes no argument",
	    (int)strcspn(word, "="), word);
}

/* Add a list of options, which may be NULL, that are kept in a struct. */
static void
add_list(struct options *o, const struct option_spec *list, void *kept)
{
	for (; list != NULL && list->name != NULL; list++) {
		assert(o->n < OPTIONS_MOST && list->letter != 'h');
		o->list[o->n++] = (struct option_given){ .spec = list,
			.to = (char *)kept + list->to };
	}
}

static _Noreturn void
print_version(const struct command *command)
{
	printf("%s (tupletools) " TUPLETOOLS_VERSION "\n", command->name);
	if (fflush(stdout) == EOF)
		die_errno("stdout");
	exit(EXIT_OK);
}

/* How many arguments stand behind the first -- but those of so many options. */
static size_t
count_behind(int argc, char *const *argv, size_t options)
{
	for (int i = 1; i < argc; i++)
		if (strcmp(argv[i], "--") == 0 && options-- == 0)
			return (size_t)(argc - i - 1);
	return OPTIONS_NO_DASHES;
}

/* Of names with blanks between them, the first whose option is given, or "". */
static struct span
first_given(const struct options *o, const char *names)
{
	for (size_t n; *names != '\0'; names += n + (names[n] == ' ')) {
		struct span name = { names, n = strcspn(names, " ") };

		for (size_t i = 0; i < o->n; i++)
			if (o->list[i].given &&
			    span_eq(span_of(option_name(o->list[i].spec)),
				name))
				return name;
	}
	return SPAN("");
}

/* Check that an option that is given goes with the others. */
static void
check_company(const struct options *o, const struct option_spec *s)
{
	struct span other;

	if (s->needs != NULL && first_given(o, s->needs).n == 0)
		options_misuse(o->command, "%s needs %s", option_name(s),
		    s->needs);
	if (s->excludes == NULL)
		return;
	other = first_given(o, s->excludes);
	if (other.n != 0)
		options_misuse(o->command, "%s and %.*s exclude each other",
		    option_name(s), (int)other.n, other.p);
}

int
options_read(struct options *o, const struct command *command,
    const struct options_kept *kept, int argc, char *argv[])
{
	struct option longs[OPTIONS_MOST + 3];
	char letters[2 * OPTIONS_MOST + 4];
	/* getopt changes the order. */
	char **given = memory_new((size_t)argc, sizeof *given);
	size_t dashes = 0;
	int c;

	memcpy(given, argv, (size_t)argc * sizeof *given);
	*o = (struct options){ .command = command };
	add_list(o, command->options, kept->options);
	o->nown = o->n;
	add_list(o, command->state, kept->state);
	add_list(o, command->common, kept->common);
	add_list(o, command->storm, kept->storm);
	getopt_tables(o, letters, longs);
	opterr = 0;
	while ((c = getopt_long(argc, argv, letters, longs, NULL)) != -1) {
		const char *at = argv[optind - 1];

		dashes += optarg != NULL && strcmp(optarg, "--") == 0;
		if (c == HELP || c == 'h')
			options_help(command);
		else if (c == VERSION)
			print_version(command);
		else if (c == ':' || c == '?')
			misused(o, c, at, argv[optind]);
		else if (c >= FIRST_LONG)
			option_take(command, &o->list[c - FIRST_LONG], optarg);
		else
			take_letter(o, c, optarg);
		optarg = NULL; /* which musl leaves where an option has none */
	}
	for (size_t i = 0; i < o->n; i++)
		if (o->list[i].given)
			check_company(o, o->list[i].spec);
	o->nbehind = count_behind(argc, given, dashes);
	free(given);
	return optind;
}

void
options_fini(struct options *o)
{
	for (size_t i = 0; i < o->n; i++)
		buffer_fini(&o->list[i].text);
}

void
options_give(struct options *o, const char *name, const char *value)
{
	for (size_t i = 0; i < o->n; i++) {
		struct option_given *g = &o->list[i];

		if (!g->given && value[0] != '\0' &&
		    g->spec->kind != OPTION_FLAG &&
		    strcmp(option_name(g->spec), name) == 0)
			option_take(o->command, g, value);
	}
}

void
options_finish(struct options *o, struct projection *p)
{
	for (size_t i = 0; i < o->n; i++)
		option_finish(o->command, &o->list[i], p);
}

bool
options_lack(const struct options *o, const char *name)
{
	for (size_t i = 0; i < o->n; i++)
		if (strcmp(option_name(o->list[i].spec), name) == 0)
			return !o->list[i].given;
	return false;
}

bool
options_wait_for_end(const struct options *o)
{
	for (size_t i = 0; i < o->n; i++)
		if (o->list[i].spec->kind == OPTION_DURATION_ALL &&
		    *(const int64_t *)o->list[i].to == LATENESS_ALL)
			return true;
	return false;
}

char *const *
options_take_command(const struct options *o, char *const *operands, size_t *n)
{
	if (o->nbehind == OPTIONS_NO_DASHES) {
		if (*n != 0 && !operand_is_stdin(*operands) &&
		    access(*operands, F_OK) < 0)
			options_misuse(o->command,
			    "expected a file, or -- before a command, got '%s'",
			    *operands);
		return NULL;
	}
	if (o->nbehind == 0)
		options_misuse(o->command, "expected a command after --");
	*n -= o->nbehind;
	operands += *n;
	/* getopt has passed over the --, but where no file may come before. */
	if (*n != 0 && strcmp(operands[-1], "--") == 0)
		--*n;
	return operands;
}
