/*
 * unmet_streams - the streams of one input that is split by a name, as far as
 * no tuple has been of them: they may be misspelled.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef JOIN_UNMET_STREAMS_H
#define JOIN_UNMET_STREAMS_H

#include "base/known_names.h"
#include "join/stream_names.h"

struct unmet_streams {
	const struct stream_names *names;
	bool *met; /* for each */
	size_t n;  /* that were not */
	struct known_names others;
};

/*
 * Owns:   names is kept, not copied.
 */
void unmet_streams_init(struct unmet_streams *u,
    const struct stream_names *names);
void unmet_streams_fini(struct unmet_streams *u);

/*
 * Note the name that a tuple has, which is that of a stream, or of none where
 * it is names->n.  Once all have been met it costs nothing.
 */
static inline void unmet_streams_note(struct unmet_streams *u, size_t stream,
    struct span name);

/*
 * Append the i-th thing there is to say: that no tuple was of a stream, and
 * which one may be meant.
 *
 * Shape:  text may stay as it is.
 * Errors: false where there is no more.
 */
bool unmet_streams_hint(const struct unmet_streams *u, size_t i,
    struct buffer *text);

/* unmet_streams_note where not all have been met. */
void unmet_streams_meet(struct unmet_streams *u, size_t stream,
    struct span name);

static inline void
unmet_streams_note(struct unmet_streams *u, size_t stream, struct span name)
{
	if (u->n != 0)
		unmet_streams_meet(u, stream, name);
}

#endif
