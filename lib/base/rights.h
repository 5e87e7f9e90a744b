/*
 * rights - what a command gives up that it will not need.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef BASE_RIGHTS_H
#define BASE_RIGHTS_H

/*
 * Give up for good whatever reading and writing files, and standard input and
 * output, does not need.  On Linux a program that is started afterwards gains
 * no rights by its set-user-ID bit or its capabilities; on OpenBSD none can be
 * started and no network be reached; elsewhere nothing happens.
 *
 * Errors: none; stops the program if the system refuses.
 */
void rights_drop(void);

#endif
