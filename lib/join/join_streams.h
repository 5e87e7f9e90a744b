/*
 * join_streams - the streams of a join: which of them a tuple belongs to, and
 * what its key and its time are.
 *
 * Each stream is an input of its own; or all are one input, and a field of a
 * tuple names its stream.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef JOIN_JOIN_STREAMS_H
#define JOIN_JOIN_STREAMS_H

#include "base/timestamp.h"
#include "join/stream_names.h"
#include "join/unmet_streams.h"
#include "tuple/key.h"

/* The keys of one input: the next tuple's, or those looked ahead for. */
struct next_keys {
	struct key one;
	struct keys_ahead ahead;
};

struct join_streams {
	struct stream_names names;
	struct stream_fields key, time; /* time: set with timed */
	bool split, timed;
	size_t split_field; /* set with split */
	struct time_form form;
	struct unmet_streams unmet;
	struct next_keys *next; /* of each input */
};

/*
 * Get ready for tuples.
 *
 * Shape:  names is initialised, all else is zero.
 * Owns:   join_streams_fini frees names and fields, too.
 * Errors: none.
 */
void join_streams_init(struct join_streams *s);
void join_streams_fini(struct join_streams *s);

/*
 * Find the stream of a tuple: that of its input, or the one that it names;
 * names.n if there is no stream of that name.
 *
 * Errors: -1 if the tuple must name its stream and does not; f says why.
 */
static inline int join_streams_find(struct join_streams *s,
    const struct tuple *t, size_t *stream, struct fault *f);

/*
 * Make the key of a tuple of a stream, unless it has been looked ahead for.
 *
 * Owns:   good until the next call for a tuple of the same input.
 * Errors: NULL if a field is missing, an object or an array; f says which.
 */
static inline const struct key *
join_streams_key(struct join_streams *s, const struct tuple *t, size_t stream,
    struct fault *f)
{
	const struct field_range *r = &s->key.ranges[stream];

	return key_of_tuple(&s->next[t->stream].one, t, r->first, r->n, f);
}

/*
 * The key that join_streams_key has made of a tuple.
 *
 * Shape:  it was not called for another tuple of the same input since.
 */
static inline const struct key *
join_streams_made_key(const struct join_streams *s, const struct tuple *t)
{
	return t->key != NULL ? t->key : &s->next[t->stream].one;
}

/* join_streams_find, if tuples name their stream. */
int join_streams_find_named(struct join_streams *s, const struct tuple *t,
    size_t *stream, struct fault *f);

static inline int
join_streams_find(struct join_streams *s, const struct tuple *t, size_t *stream,
    struct fault *f)
{
	if (s->split)
		return join_streams_find_named(s, t, stream, f);
	*stream = t->stream;
	return 0;
}

/* Tell whether the tuples of a stream have times; those of a table may not. */
static inline bool
join_streams_has_time(const struct join_streams *s, size_t stream)
{
	return s->timed && s->time.ranges[stream].n != 0;
}

/*
 * Read the time of a tuple of a stream, in nanoseconds; INT64_MIN if the stream
 * has no times.
 *
 * Shape:  s is timed.
 * Errors: -1 if the tuple lacks its time; f says why.
 */
static inline int
join_streams_time(const struct join_streams *s, const struct tuple *t,
    size_t stream, int64_t *ns, struct fault *f)
{
	if (!join_streams_has_time(s, stream)) {
		*ns = INT64_MIN;
		return 0;
	}
	return tuple_time(t, s->time.ranges[stream].first, &s->form, ns, f);
}

/*
 * Read stream, key and time of a tuple before its turn, for the bolt's time_of;
 * bad lines do not affect the order of streams.
 *
 * Shape:  s is timed; *ns stays unset if the tuple is of no stream.
 * Errors: -1 if one is missing or cannot be used; f says why.
 */
int join_streams_look(struct join_streams *s, const struct tuple *t,
    int64_t *ns, struct fault *f);

/*
 * Make the keys of the next tuples of an input, for the bolt's look_ahead; they
 * will be looked up in waiting.  Tuples without a key get no time.
 *
 * Shape:  s is not split: there each tuple may have another key.
 */
void join_streams_look_ahead(struct join_streams *s,
    const struct hash_map *waiting, struct tuple *const *tuples, size_t n);

/*
 * Make the key of a tuple that was kept.
 *
 * Owns:   the key points into t.
 * Errors: false if it has no key, or not this stream and this time any more.
 */
bool join_streams_read_again(struct join_streams *s, const struct tuple *t,
    size_t stream, int64_t time, struct key *key);

#endif
