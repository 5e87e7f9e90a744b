/*
 * join_hints - what no row shows: how many tuples did not join, and which
 * option would help.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef BOLT_JOIN_HINTS_H
#define BOLT_JOIN_HINTS_H

#include "bolt/join_bolt.h"

/*
 * Append the hint for the end, on a terminal, if one is called for.
 *
 * Errors: none; appends nothing where --expired has the tuples.
 */
void join_hints_put(const struct join_bolt *b, struct buffer *text);

#endif
