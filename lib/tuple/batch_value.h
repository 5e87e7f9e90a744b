/*
 * batch_value - tell by a value where a batch of tuples ends: where another one
 * comes (topn -b, and the window_end of rows that no ticks are between).
 * Values are equal as keys are: `1` is `1.0`.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef TUPLE_BATCH_VALUE_H
#define TUPLE_BATCH_VALUE_H

#include "tuple/key.h"
#include "tuple/options.h"

/* A zeroed one is ready for use, but for field. */
struct batch_value {
	struct field_range field; /* one, or none: it does not matter */
	struct key key;
	struct buffer value; /* of the batch, canonical */
	bool known;	     /* value is set */
};

void batch_value_fini(struct batch_value *b);

/*
 * See a tuple, and tell whether another batch begins with it.
 *
 * Errors: -1 if it has no key at the field; f says why.
 */
int batch_value_see(struct batch_value *b, const struct tuple *t, bool *begins,
    struct fault *f);

/* The batch has ended otherwise: the next tuple begins none. */
void batch_value_end(struct batch_value *b);

/*
 * Let the field be window_end; and see a tuple, which is of the batch if it
 * lacks that.
 */
void batch_value_by_window(struct batch_value *b, struct projection *p);
bool batch_value_see_window(struct batch_value *b, const struct tuple *t);

/* Tell whether window_end is one of the fields, so that they tell windows apart. */
bool batch_value_has_window(const struct projection *p,
    const struct field_range *fields);

#endif
