/*
 * watermark_state - keep in a store how far each of several streams has come,
 * by the names of the streams.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef STATE_WATERMARK_STATE_H
#define STATE_WATERMARK_STATE_H

#include "state/store.h"
#include "tuple/watermark.h"

/*
 * Put the watermark into the store; names has one for each stream.
 *
 * Errors: none.
 */
void watermark_state_save(const struct watermark *w, const struct span *names,
    struct store *store);

/*
 * Go on from what the store has, if it has been there before.  A stream that
 * it does not know has not been seen; one that is not named is forgotten.
 *
 * Shape:  nothing has been seen.
 * Errors: none; stops the program if what the store has cannot be right.
 */
void watermark_state_restore(struct watermark *w, const struct span *names,
    struct store *store);

#endif
