/*
 * SPDX-License-Identifier: ISC
 */
#include <stdlib.h>

#include "base/memory.h"
#include "join/join_streams.h"

void
join_streams_init(struct join_streams *s)
{
	s->next = memory_new(s->names.n, sizeof *s->next);
	unmet_streams_init(&s->unmet, &s->names);
}

void
join_streams_fini(struct join_streams *s)
{
	for (size_t i = 0; i < s->names.n; i++) {
		key_fini(&s->next[i].one);
		keys_ahead_fini(&s->next[i].ahead);
	}
	free(s->next);
	stream_fields_fini(&s->key);
	stream_fields_fini(&s->time);
	stream_names_fini(&s->names);
	unmet_streams_fini(&s->unmet);
}

int
join_streams_find_named(struct join_streams *s, const struct tuple *t,
    size_t *stream, struct fault *f)
{
	struct span name = { NULL, 0 };

	if (tuple_string(t, s->split_field, &name, f) < 0)
		return -1;
	*stream = stream_names_find(&s->names, name);
	unmet_streams_note(&s->unmet, *stream, name);
	return 0;
}

int
join_streams_look(struct join_streams *s, const struct tuple *t, int64_t *ns,
    struct fault *f)
{
	size_t stream;

	if (join_streams_find(s, t, &stream, f) < 0)
		return -1;
	if (stream == s->names.n)
		return 0;
	if (join_streams_key(s, t, stream, f) == NULL)
		return -1;
	return join_streams_time(s, t, stream, ns, f);
}

void
join_streams_look_ahead(struct join_streams *s, const struct hash_map *waiting,
    struct tuple *const *tuples, size_t n)
{
	size_t stream = tuples[0]->stream;
	const struct field_range *r = &s->key.ranges[stream];

	keys_look_ahead(&s->next[stream].ahead, waiting, tuples, n, r->first,
	    r->n);
	for (size_t i = 0; s->timed && i < n; i++) {
		struct tuple *t = tuples[i];

		if (!join_streams_has_time(s, stream)) {
			t->time_ns = INT64_MIN;
			t->timed = true;
		}
		/* A bad line has no part in who goes first. */
		t->timed = t->timed && t->key != NULL;
	}
}

bool
join_streams_read_again(struct join_streams *s, const struct tuple *t,
    size_t stream, int64_t time, struct key *key)
{
	const struct field_range *r = &s->key.ranges[stream];
	size_t found;
	int64_t ns;

	if (key_of(key, t, r->first, r->n, NULL) < 0)
		return false;
	if (s->split &&
	    (join_streams_find(s, t, &found, NULL) < 0 || found != stream))
		return false;
	return !s->timed ||
	    (join_streams_time(s, t, stream, &ns, NULL) == 0 && ns == time);
}
