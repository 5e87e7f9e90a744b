/*
 * options_value - what one option of a command is given.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef TUPLE_OPTIONS_VALUE_H
#define TUPLE_OPTIONS_VALUE_H

#include "tuple/options.h"

/*
 * Take what the command line gives an option, NULL if that is nothing; lists
 * are only collected.
 *
 * Owns:   keeps arg for as long as the option is in use.
 * Errors: options_misuse if it is not what the option takes.
 */
void option_take(const struct command *c, struct option_given *g,
    const char *arg);

/*
 * All has been taken: set an option that was not given to its standard, check
 * that a required one was given, add what it lists to p.
 *
 * Errors: options_misuse.
 */
void option_finish(const struct command *c, struct option_given *g,
    struct projection *p);

#endif
