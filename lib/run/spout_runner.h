/*
 * spout_runner - drive a spout in a shell pipeline: its tuples to stdout, at
 * its pace; or in a topology of Storm.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef RUN_SPOUT_RUNNER_H
#define RUN_SPOUT_RUNNER_H

#include "bolt/spout.h"
#include "tuple/options.h"

/* The options of every spout, and those that are for Storm. */
extern const struct option_spec spout_runner_options[],
    spout_runner_storm_options[];

/* Tell whether --multilang was given: Storm runs the spout. */
bool spout_runner_is_multilang(void);

/* Tell whether --state was given: the next run goes on after this one. */
bool spout_runner_remembers(void);

/*
 * Write what the spout gives to stdout, or send it through Storm; what tells
 * one spout of the command from another.
 *
 * Errors: the exit status; what cannot be written ends the program with a
 *         message and status 2.
 */
int spout_runner_run(const struct command *command, const struct spout *spout,
    const char *what);

#endif
