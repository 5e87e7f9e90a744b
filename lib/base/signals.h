/*
 * signals - note signals for the runner to react to.
 *
 * The first SIGINT, SIGTERM or SIGHUP only asks the runner to end; the second
 * one kills the program.  The same signal again within 20 ms does not count, as
 * timeout(1) sends it twice.  Signals that were ignored when it started, as under
 * nohup, stay ignored.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef BASE_SIGNALS_H
#define BASE_SIGNALS_H

#include <stdbool.h>

/*
 * Set the handlers.
 *
 * Errors: none; stops the program if they cannot be set.
 */
void signals_init(void);

/*
 * A descriptor to poll: it becomes readable when a signal comes.  Call
 * signals_drain instead of reading it.
 */
int signals_fd(void);
void signals_drain(void);

/* The signal to end that has come, or 0. */
int signals_ending(void);

/* Tell whether SIGUSR1 has come since the last call. */
bool signals_take_report(void);

/*
 * Make writing to a pipe without reader fail with EPIPE instead of killing the
 * program.  _pipe_caught tells whether this was done; it is not if SIGPIPE was
 * ignored already.
 */
void signals_catch_pipe(void);
bool signals_pipe_caught(void);

/*
 * Note when child processes end.  _take_children tells whether one has since
 * the last call.
 */
void signals_watch_children(void);
bool signals_take_children(void);

/* Die by the first signal to end that comes, or at once if one has come. */
void signals_let_die(void);

/* Die by a signal, so that the parent process sees which one. */
_Noreturn void signals_die(int number);

#endif
