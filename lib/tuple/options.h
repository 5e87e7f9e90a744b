/*
 * options - the command line, from one table per command.
 *
 * What an option is called, what it takes and what it means is written once,
 * in the table; --help, the messages and (through --help) the completion
 * come from it, and the tests hold the manual page against it.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef TUPLE_OPTIONS_H
#define TUPLE_OPTIONS_H

#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "base/timestamp.h"
#include "tuple/projection.h"

/* What an option takes, and the type of what it is kept in. */
enum option_kind {
	OPTION_FLAG,	      /* bool: true when given */
	OPTION_TEXT,	      /* const char * */
	OPTION_NAMES,	      /* const char *; repeating adds, after a comma */
	OPTION_COUNT,	      /* int64_t in min..max */
	OPTION_REAL,	      /* double in min..max */
	OPTION_SIZE,	      /* int64_t bytes in min..max: 4096, 64K, 1G */
	OPTION_TIME_FORMAT,   /* const char *, see time_format */
	OPTION_DURATION,      /* int64_t ms, at least 1 */
	OPTION_DURATION_OR_0, /* int64_t ms, at least 0 */
	OPTION_DURATION_ALL,  /* the same, or LATENESS_ALL */
	OPTION_REACH,	      /* struct duration_reach */
	OPTION_CHOICE,	      /* int: index into choices */
	OPTION_FIELD,	      /* struct field_range with n = 1 */
	OPTION_FIELDS,	      /* of a key: struct field_range; repeating adds */
	OPTION_OPTIONAL,      /* const char *: "" when given without =VALUE */
	OPTION_LIST,	      /* what add makes of it; repeating adds */
};

/* What `-l all` is kept as: time stands still until the input ends. */
#define LATENESS_ALL INT64_MAX

/*
 * BEFORE..AFTER, two durations of which each may be negative, but not their
 * sum; or one duration, which is both.  It may be 0.
 */
struct duration_reach {
	int64_t before_ms, after_ms;
	bool is_pair;
};

/* Fields of a projection; n is 0 where the option was not given. */
struct field_range {
	size_t first, n;
};

struct option_spec {
	char letter;	  /* 0: none */
	const char *name; /* long */
	const char *arg;  /* what help calls the argument; NULL: none */
	enum option_kind kind;
	/* Where it is kept, by offsetof: the default before, the value after */
	size_t to;
	int64_t min, max;
	const char *const *choices; /* ends in NULL */
	const char *help;
	bool required;
	bool changeable;      /* from run to run over the same state */
	const char *standard; /* what an option that is not given is given */
	/* Add text to the list at `to`; NULL, or what is wrong with it. */
	const char *(*add)(void *to, struct projection *p, const char *text);
};

/* What every command that reads times has: an int64_t, a struct time_form. */
#define OPTION_LATENESS(to_)                                            \
	{                                                               \
		'l', "lateness", "D", OPTION_DURATION_ALL, (to_),       \
		    .help = "how much disorder to wait for (0), or all" \
	}

#define OPTIONS_TIME_FORM(to_)                                                 \
	{ .name = "time-unit",                                                 \
		.arg = "UNIT",                                                 \
		.kind = OPTION_CHOICE,                                         \
		.to = (to_) + offsetof(struct time_form, unit),                \
		.choices = time_unit_names,                                    \
		.help = "of numeric times: auto (default), s, ms, us or ns" }, \
	{                                                                      \
		.name = "time-format", .arg = "FMT",                           \
		.kind = OPTION_TIME_FORMAT,                                    \
		.to = (to_) + offsetof(struct time_form, format),              \
		.help = "times are as strptime(3) reads them; %f: fraction"    \
	}

struct command {
	const char *name;
	const char *synopsis; /* after the name; the page's SYNOPSIS */
	const char *purpose;  /* the page's .Nd */
	const char *examples; /* lines for --help */
	const struct option_spec *options; /* each list ends in { 0 } */
	const struct option_spec *state;   /* those of checkpoints, if any */
	const struct option_spec *common;  /* those of the runner */
	const struct option_spec *storm;   /* its for Storm, if any */
	bool in_order; /* options end at the first operand */
};

/* The structs that the lists of a command are kept in. */
struct options_kept {
	void *options, *state, *common, *storm;
};

enum { OPTIONS_MOST = 64 };

/* All options of a command, and what they were given. */
struct options {
	const struct command *command;
	size_t n, nown; /* nown: of these, the first, in command->options */
	struct option_given {
		const struct option_spec *spec;
		void *to;
		struct buffer text; /* of those that are lists */
		bool given;
	} list[OPTIONS_MOST];
};

/*
 * Read the command line; --help and --version print and exit.
 *
 * Owns:   keeps command; texts that options are kept in live as long as argv
 *         and o.
 * Errors: none; a mistake is explained, with the usage line, and the program
 *         exits with status 2.  Returns the index of the first operand.
 */
int options_read(struct options *o, const struct command *command,
    const struct options_kept *kept, int argc, char *argv[]);
void options_fini(struct options *o);

/*
 * Give an option of the command, named as in messages, the value that
 * options_put_value has written, unless the command line has given it one.
 */
void options_give(struct options *o, const char *name, const char *value);

/*
 * Give what was not given its standard, check that nothing lacks, and add the
 * fields that options name to a projection, in the order of the tables.
 *
 * Shape:  p is NULL for a command without such options.
 * Errors: as for options_read.
 */
void options_finish(struct options *o, struct projection *p);

/*
 * Append the value of an option, after options_finish: the same for values
 * that mean the same, and fit to be shown.
 */
void options_put_value(const struct option_given *g, struct buffer *b);

/* Tell whether -l all was given. */
bool options_wait_for_end(const struct options *o);

/* Tell whether an operand stands for standard input. */
static inline bool
operand_is_stdin(const char *operand)
{
	return strcmp(operand, "-") == 0;
}

/* The name a message gives an option, `-k` or `--drain`. */
const char *option_name(const struct option_spec *o);

/* Say what is wrong with the command line, print the usage line, exit. */
_Noreturn void options_misuse(const struct command *command, const char *fmt,
    ...) __attribute__((format(printf, 2, 3)));

/*
 * options_misuse if something is wrong with what an option was given, which
 * wrong then tells, "expected ..."; else it is NULL.
 */
void options_check(const struct command *command, const char *option,
    const char *wrong, const char *given);

/* options_misuse if a form of times is given twice, or nothing has any. */
void options_check_time_form(const struct command *command,
    const struct time_form *form, bool has_times);

/*
 * options_misuse if a row of these members has one twice: nkeys of the key,
 * and n others, by their names without quotes.
 */
void options_check_names(const struct command *command, const struct field *key,
    size_t nkeys, const struct span *others, size_t n);

/*
 * Short help on stderr and exit 2, for a command that would read a tty, and
 * takes files or reads nothing else.
 */
_Noreturn void options_short_help(const struct command *command,
    bool takes_files);

/* Print all of --help, and exit. */
_Noreturn void options_help(const struct command *command);

#endif
