/*
 * libtuple_options - the options of a bolt of libtuple.h, as bolt_main reads
 * them.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef RUN_LIBTUPLE_OPTIONS_H
#define RUN_LIBTUPLE_OPTIONS_H

#include "run/libtuple.h"
#include "tuple/options.h"

enum { LIBTUPLE_OPTIONS_MOST = 30 };

/*
 * Translate a bolt's options, which may be NULL.
 *
 * Shape:  to has LIBTUPLE_OPTIONS_MOST + 1 zeroed elements.
 * Owns:   to points to the texts of from.
 * Errors: more options than that, or one whose letter or name is taken or
 *         cannot be, end the program.
 */
void libtuple_options(const struct lt_option *from, struct option_spec *to);

#endif
