/*
 * time_options - the options of commands that go by event time.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef BOLT_TIME_OPTIONS_H
#define BOLT_TIME_OPTIONS_H

#include "bolt/bolt.h"

struct time_options {
	struct time_form form;
	int64_t lateness; /* ms, or LATENESS_ALL */
	int64_t live;	  /* ms; 0: off */
	int64_t idle;	  /* ms; 0: what is usual */
	bool interleave;
	const char *align; /* a time, or NULL */
};

/* For a command's table; `to_` is where its struct time_options is. */
#define OPTION_LATENESS(to_)                                            \
	{                                                               \
		'l', "lateness", "D", OPTION_DURATION_ALL,              \
		    (to_) + offsetof(struct time_options, lateness),    \
		    .needs = "-t",                                      \
		    .help = "how much disorder to wait for (0), or all" \
	}

#define OPTION_LIVE(to_)                                               \
	{                                                              \
		.name = "live", .arg = "D", .kind = OPTION_DURATION,   \
		.to = (to_) + offsetof(struct time_options, live),     \
		.changeable = true, .needs = "-t",                     \
		.help = "let event time go on when nothing came for D" \
	}

#define OPTION_ALIGN(to_)                                            \
	{                                                            \
		.name = "align", .arg = "TIME", .kind = OPTION_TEXT, \
		.to = (to_) + offsetof(struct time_options, align),  \
		.needs = "-t",                                       \
		.help = "count from this time, not from the epoch"   \
	}

#define OPTIONS_INTERLEAVE(to_)                                          \
	{ .name = "interleave",                                          \
		.kind = OPTION_FLAG,                                     \
		.to = (to_) + offsetof(struct time_options, interleave), \
		.needs = "-t",                                           \
		.help = "read the files side by side, by their times" }, \
	{                                                                \
		.name = "idle", .arg = "D", .kind = OPTION_DURATION,     \
		.to = (to_) + offsetof(struct time_options, idle),       \
		.changeable = true, .needs = "--interleave",             \
		.help = "how long to wait for a silent one of them (1s)" \
	}

#define OPTION_MAX_AHEAD(to_)                                                 \
	{                                                                     \
		.name = "max-ahead", .arg = "D", .kind = OPTION_DURATION,     \
		.to =                                                         \
		    (to_) + offsetof(struct time_options, form.max_ahead_ms), \
		.changeable = true, .needs = "-t",                            \
		.help = "a time further ahead of the clock is a bad line"     \
	}

#define OPTIONS_TIME(to_)                                                  \
	OPTION_MAX_AHEAD(to_),                                             \
	    OPTIONS_TIME_FORM((to_) + offsetof(struct time_options, form), \
		"-t")

/* `to_` is where the file's name is. */
#define OPTION_LATE(to_)                                            \
	{                                                           \
		.name = "late", .arg = "FILE", .kind = OPTION_FILE, \
		.to = (to_), .changeable = true,                    \
		.help = "keep late tuples in FILE"                  \
	}

/*
 * Check the options together, and set the members of the bolt that they ask
 * for.
 *
 * Errors: none; stops the program by options_misuse.
 */
void time_options_configure(const struct time_options *o,
    const struct command *command, struct bolt *bolt);

/*
 * The time that slots are counted from, --align or the epoch.
 *
 * Units:  milliseconds.
 * Errors: none; stops the program by options_misuse if it is no time.
 */
int64_t time_options_start(const struct time_options *o,
    const struct command *command);

#endif
