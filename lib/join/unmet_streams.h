/*
 * unmet_streams - find the streams of sjoin -s of which no tuple came, since
 * their names may be misspelled.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef JOIN_UNMET_STREAMS_H
#define JOIN_UNMET_STREAMS_H

#include "base/known_names.h"
#include "join/stream_names.h"

struct unmet_streams {
	const struct stream_names *names;
	bool *met;		   /* of each stream: a tuple came */
	size_t n;		   /* streams of which none came */
	struct known_names others; /* names in tuples that are no stream's */
};

/*
 * Begin, when no tuple has come.
 *
 * Owns:   names is kept, not copied.
 * Errors: none.
 */
void unmet_streams_init(struct unmet_streams *u,
    const struct stream_names *names);
void unmet_streams_fini(struct unmet_streams *u);

/*
 * Note a tuple and the name in it.  stream is the index of the stream of that
 * name, or names->n.  Once tuples of all streams have come, this does nothing.
 */
static inline void unmet_streams_note(struct unmet_streams *u, size_t stream,
    struct span name);

/*
 * Append the i-th message: that no tuple of some stream came, and which name
 * may have been meant.  Some i have no text.
 *
 * Errors: false if i is beyond the last message.
 */
bool unmet_streams_hint(const struct unmet_streams *u, size_t i,
    struct buffer *text);

/* unmet_streams_note while a stream is missing. */
void unmet_streams_meet(struct unmet_streams *u, size_t stream,
    struct span name);

static inline void
unmet_streams_note(struct unmet_streams *u, size_t stream, struct span name)
{
	if (u->n != 0)
		unmet_streams_meet(u, stream, name);
}

#endif
