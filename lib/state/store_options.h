/*
 * store_options - the options that a part of a store was begun with, `-k` and
 * `roomId`: what opens a part lists them, and the store compares.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef STATE_STORE_OPTIONS_H
#define STATE_STORE_OPTIONS_H

#include "tuple/options.h"

/* Both end in NUL. */
struct store_option {
	struct span name, text;
};

struct store_options {
	struct store_option *list;
	size_t n, cap;
};

/*
 * Add an option, or all of a command's own that may not change from run to
 * run.
 *
 * Owns:   copies what it is given.
 * Errors: none.
 */
void store_options_add(struct store_options *o, const char *name,
    struct span text);
void store_options_add_given(struct store_options *o,
    const struct options *given);
void store_options_fini(struct store_options *o);

#endif
