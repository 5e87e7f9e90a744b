/*
 * shell_sources - the streams that a bolt receives, and which of its own
 * streams each of them is.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef STORM_SHELL_SOURCES_H
#define STORM_SHELL_SOURCES_H

#include "storm/shell_bolt.h"

/*
 * Add a stream of a component, and find by the operands which of the bolt's
 * streams it is, if any.
 *
 * Shape:  fields is NULL if they are not known.
 * Owns:   copies all; the result is valid until the next call.
 * Errors: none; stops the program if two operands fit.
 */
struct multilang_source *shell_sources_add(struct shell_bolt *b,
    struct span component, struct span name, const struct span *fields,
    size_t n);
void shell_sources_fini(struct shell_bolt *b);

/* The stream of that component and name, or NULL. */
struct multilang_source *shell_sources_find(struct shell_bolt *b,
    struct span component, struct span name);

/* The field that asks which task sent a tuple; p->nfields if there is none. */
size_t shell_sources_task_field(const struct projection *p);

#endif
