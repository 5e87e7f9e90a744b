/*
 * batch_value - find the ends of batches: where a field changes (topn -b; or
 * window_end, if there are no ticks).  Values are equal as keys are: `1` is
 * `1.0`.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef TUPLE_BATCH_VALUE_H
#define TUPLE_BATCH_VALUE_H

#include "tuple/key.h"
#include "tuple/options.h"

/* A zeroed one is ready for use, but for field. */
struct batch_value {
	struct field_range field; /* one; n is 0 if the owner has none */
	struct key key;
	struct buffer value; /* of the batch, canonical */
	bool known;	     /* value is set */
	int64_t latest;	     /* the latest window_end that one began with */
	bool began;	     /* there was one that is an integer */
};

void batch_value_fini(struct batch_value *b);

/*
 * See a tuple, and tell whether another batch begins with it.
 *
 * Errors: -1 if it has no key at the field; f says why.
 */
int batch_value_see(struct batch_value *b, const struct tuple *t, bool *begins,
    struct fault *f);

/* Something else ended the batch: the next tuple only sets the value. */
void batch_value_end(struct batch_value *b);

/*
 * _by_window: use the field window_end.  _see_window: as _see, but a tuple
 * without it belongs to the batch.  _is_again, called before _see_window: the
 * tuple begins a batch, and its window is not later than the latest with which
 * one began.
 */
void batch_value_by_window(struct batch_value *b, struct projection *p);
bool batch_value_see_window(struct batch_value *b, const struct tuple *t);
bool batch_value_is_again(struct batch_value *b, const struct tuple *t);

/* Tell whether window_end is one of the fields, so that windows differ. */
bool batch_value_has_window(const struct projection *p,
    const struct field_range *fields);

#endif
