/*
 * signals - SIGINT, SIGTERM and SIGUSR1, noted and left for the runner.
 *
 * The first SIGINT or SIGTERM asks for an end, the second one is that end.
 * Signals that were ignored at the start (nohup) stay ignored.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef BASE_SIGNALS_H
#define BASE_SIGNALS_H

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

/*
 * Have writing to a pipe without reader fail with EPIPE instead of ending
 * the program, and note when child processes end.  _pipe_caught: tell
 * whether the one holds (it does not where SIGPIPE was ignored already);
 * _take_children: whether the other has happened since last asked.
 */
void signals_catch_pipe(void);
bool signals_pipe_caught(void);
void signals_watch_children(void);
bool signals_take_children(void);

/* Die by the signal, so that the parent sees what happened. */
_Noreturn void signals_die(int number);

#endif
