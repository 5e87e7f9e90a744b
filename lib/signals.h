/*
 * signals - SIGINT, SIGTERM and SIGUSR1, noted and left for the runner.
 *
 * The first SIGINT or SIGTERM asks for an end, the second one is that end.
 * Signals that were ignored at the start (nohup) stay ignored.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef SIGNALS_H
#define SIGNALS_H

#include <stdbool.h>

/* Errors: none; stops the program where handlers cannot be set. */
void signals_init(void);

/* A descriptor that can be read when a signal has come; do not read it. */
int signals_fd(void);

/* Forget that signals_fd was readable. */
void signals_drain(void);

/* The SIGINT or SIGTERM that has come, or 0. */
int signals_ending(void);

/* Tell, once for each, whether SIGUSR1 has come. */
bool signals_take_report(void);

/* Die by the signal, so that the parent sees what happened. */
_Noreturn void signals_die(int number);

#endif
