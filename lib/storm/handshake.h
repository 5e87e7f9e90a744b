/*
 * handshake - the beginning of a conversation with Storm: it sends the setup
 * message, and is told our process id.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef STORM_HANDSHAKE_H
#define STORM_HANDSHAKE_H

#include "io/output.h"
#include "storm/multilang.h"
#include "storm/topology_context.h"

/*
 * Read the setup message, answer it, and leave the empty file that is named
 * as the process is.  From here on warnings go into Storm's log, through
 * out, and stderr, which Storm rarely reads, never makes us wait.
 *
 * Errors: none; stops the program where Storm does not say what it should.
 */
void handshake(struct multilang_input *in, struct topology_context *context,
    struct output *out);

#endif
