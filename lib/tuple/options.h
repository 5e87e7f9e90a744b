/*
 * options - read the command line by the tables of a command.
 *
 * The name of an option, its argument and its meaning are written once, in a
 * table.  --help, messages and completion are made from it, and the tests
 * compare the manual page with it.  A command's own table is in its file; the
 * options of every bolt are in run/bolt_main.c, those of every spout in
 * run/spout_main.c, those that go with --state in run/checkpoint.c.
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

/* What argument an option takes, and the type of the variable for it. */
enum option_kind {
	OPTION_FLAG,	      /* bool: true when given */
	OPTION_TEXT,	      /* const char * */
	OPTION_FILE,	      /* const char *: a file to write, or a state */
	OPTION_NAMES,	      /* const char *; repeating adds, after a comma */
	OPTION_COUNT,	      /* int64_t in min..max */
	OPTION_REAL,	      /* double in min..max */
	OPTION_SIZE,	      /* int64_t bytes in min..max: 4096, 64K, 1G */
	OPTION_TIME_FORMAT,   /* const char *, see time_format */
	OPTION_DURATION,      /* int64_t ms, at least 1 */
	OPTION_DURATION_OR_0, /* int64_t ms, at least 0 */
	OPTION_DURATION_ALL,  /* int64_t ms, at least 0, or LATENESS_ALL */
	OPTION_REACH,	      /* struct duration_reach */
	OPTION_CHOICE,	      /* int: index into choices */
	OPTION_FIELD,	      /* struct field_range with n = 1 */
	OPTION_KEY,	      /* of a key: struct field_range with n = 1 */
	OPTION_FIELDS,	      /* of a key: struct field_range; repeating adds */
	OPTION_OPTIONAL,      /* const char *: "" when given without =VALUE */
	OPTION_OPTIONAL_FILE, /* the same, a file */
	OPTION_LIST,	      /* what add makes of it; repeating adds */
};

/* The value of `-l all`: the watermark does not move before the input ends. */
#define LATENESS_ALL INT64_MAX

/*
 * BEFORE..AFTER, two durations of which each may be negative, but not their
 * sum; or one duration, which is both.  It may be 0.
 */
struct duration_reach {
	int64_t before_ms, after_ms;
	bool is_pair;
};

/* Fields of a projection; n is 0 if the option was not given. */
struct field_range {
	size_t first, n;
};

struct option_spec {
	char letter;	  /* 0: none */
	const char *name; /* long */
	const char *arg;  /* what help calls the argument; NULL: none */
	enum option_kind kind;
	/* offsetof the variable, which has the default before options_read. */
	size_t to;
	int64_t min, max;
	const char *const *choices; /* ends in NULL */
	const char *help;
	bool required;
	bool changeable;      /* may differ between runs over one state */
	const char *standard; /* the argument if the option is not given */
	/*
	 * Options of which one must be given with it, and options that must
	 * not: names as in messages, with blanks between them, or NULL.
	 */
	const char *needs, *excludes;
	/*
	 * Add text to the list at `to`.  NULL, or what is wrong; text is then
	 * the part of it that is wrong.
	 */
	const char *(*add)(void *to, struct projection *p, struct span *text);
};

static inline bool
option_is_optional(const struct option_spec *s)
{
	return s->kind == OPTION_OPTIONAL || s->kind == OPTION_OPTIONAL_FILE;
}

/*
 * Options of every command that reads times; kept in a struct time_form.
 * needs_ is the option that names the time, or NULL if there always is one.
 */
#define OPTIONS_TIME_FORM(to_, needs_)                                         \
	{ .name = "time-unit",                                                 \
		.arg = "UNIT",                                                 \
		.kind = OPTION_CHOICE,                                         \
		.to = (to_) + offsetof(struct time_form, unit),                \
		.choices = time_unit_names,                                    \
		.needs = (needs_),                                             \
		.help = "of numeric times: auto (default), s, ms, us or ns" }, \
	{                                                                      \
		.name = "time-format", .arg = "FMT",                           \
		.kind = OPTION_TIME_FORMAT,                                    \
		.to = (to_) + offsetof(struct time_form, format),              \
		.needs = (needs_), .excludes = "--time-unit",                  \
		.help = "times are as strptime(3) reads them; %f: fraction"    \
	}

struct command {
	const char *name;
	const char *synopsis; /* after the name; the page's SYNOPSIS */
	const char *purpose;  /* the page's .Nd */
	const char *examples; /* lines for --help */
	const struct option_spec *options; /* each list ends in { 0 } */
	const struct option_spec *state;   /* for --state, or NULL */
	const struct option_spec *common;  /* of every command */
	const struct option_spec *storm;   /* for Storm, or NULL */
	bool runs_command;		   /* what stands behind -- is one */
};

/* For each of these lists, the struct that has its variables. */
struct options_kept {
	void *options, *state, *common, *storm;
};

enum { OPTIONS_MOST = 64 };
#define OPTIONS_NO_DASHES SIZE_MAX

/* All options of a command, and which of them were given. */
struct options {
	const struct command *command;
	size_t n, nown; /* the first nown are those of command->options */
	size_t nbehind; /* arguments behind --, or OPTIONS_NO_DASHES */
	struct option_given {
		const struct option_spec *spec;
		void *to;
		struct buffer text; /* its argument; of a list, all of them */
		bool given;
	} list[OPTIONS_MOST];
};

/*
 * Read the command line, and check that the options that are given go together.
 * --help and --version print and exit.  Returns the index of the first operand.
 *
 * Owns:   command is kept, not copied; texts are valid as long as o.
 * Errors: none; a mistake is reported by options_misuse.
 */
int options_read(struct options *o, const struct command *command,
    const struct options_kept *kept, int argc, char *argv[]);
void options_fini(struct options *o);

/*
 * Set an option, unless the command line has it.  Flags and empty values are
 * ignored.
 *
 * Shape:  name is as in messages; value is from options_put_value.
 */
void options_give(struct options *o, const char *name, const char *value);

/*
 * Set options that were not given to their standard, check that required ones
 * are given, and add the fields that options name to p, in the order of the
 * tables.
 *
 * Shape:  p is NULL for a command without options that name fields.
 * Errors: as for options_read.
 */
void options_finish(struct options *o, struct projection *p);

/*
 * Append the value of an option, after options_finish, for a state to compare
 * and for messages.  Values that mean the same have the same text.
 */
void options_put_value(const struct option_given *g, struct buffer *b);

/*
 * Tell whether the command has an option that was not given.
 *
 * Shape:  name is as in messages.
 */
bool options_lack(const struct options *o, const char *name);

/* Tell whether -l all was given. */
bool options_wait_for_end(const struct options *o);

/* Tell whether an operand stands for standard input. */
static inline bool
operand_is_stdin(const char *operand)
{
	return strcmp(operand, "-") == 0;
}

/* What messages call an operand. */
static inline const char *
operand_name(const char *operand)
{
	return operand_is_stdin(operand) ? "stdin" : operand;
}

/*
 * Find the command in operands [FILE...] -- COMMAND...
 *
 * Shape:  operands are the *n last of argv; *n becomes the number of files.
 * Errors: options_misuse if there is none behind --, or if there is no -- and
 *         the first file does not exist.  NULL if there is no --.
 */
char *const *options_take_command(const struct options *o,
    char *const *operands, size_t *n);

/*
 * The name of an option in messages, `-k` or `--drain`.
 *
 * Owns:   one of two static buffers, which take turns.
 */
const char *option_name(const struct option_spec *o);

/*
 * Print what is wrong with the command line, the usage line, and that --help
 * tells more; exit with status 2.
 */
_Noreturn void options_misuse(const struct command *command, const char *fmt,
    ...) __attribute__((format(printf, 2, 3)));

/*
 * If wrong is not NULL, call options_misuse: `OPTION: WRONG, got 'GIVEN'`.
 */
void options_check(const struct command *command, const char *option,
    const char *wrong, const char *given);

/*
 * Call options_misuse if two members of a row have the same name, or one is
 * named __tick: nkeys fields of the key, and n others, by their names without
 * quotes.
 */
void options_check_names(const struct command *command, const struct field *key,
    size_t nkeys, const struct span *others, size_t n);

/*
 * Call options_misuse unless the duration of an option is a multiple of that of
 * another; note is put behind the former.
 */
void options_check_multiple(const struct command *command, const char *option,
    int64_t ms, const char *note, const char *other, int64_t other_ms);

/*
 * Print a short help on stderr and exit with status 2, for a command whose
 * standard input is a terminal.  takes_files: the operands can be files.
 */
_Noreturn void options_short_help(const struct command *command,
    bool takes_files);

/* --help and --version, which options_read does; ends in { 0 }. */
extern const struct option_spec options_answered[];

/* Print --help, and exit. */
_Noreturn void options_help(const struct command *command);

#endif
