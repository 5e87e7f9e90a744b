/*
 * store_options - the options that a part of a store is made with, such as `-k`
 * and `roomId`.  Who opens a part lists its options, and the store compares
 * them with those that it has.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef STATE_STORE_OPTIONS_H
#define STATE_STORE_OPTIONS_H

#include "tuple/options.h"

/* Both are C strings. */
struct store_option {
	struct span name, text;
	bool is_flag;
};

struct store_options {
	struct store_option *list;
	size_t n, cap;
};

/*
 * Add an option; add all options of the command itself that must stay the same
 * from run to run.
 *
 * Owns:   copies name and text.
 * Errors: none.
 */
void store_options_add(struct store_options *o, const char *name,
    struct span text);
void store_options_add_given(struct store_options *o,
    const struct options *given);
void store_options_fini(struct store_options *o);

#endif
