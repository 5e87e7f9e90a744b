/*
 * SPDX-License-Identifier: ISC
 */
#include <stdlib.h>

#include "bolt/seen_keys.h"

static bool
waits(const struct seen_keys *s)
{
	return s->stored && s->length_ms == 0;
}

void
seen_keys_init(struct seen_keys *s)
{
	if (s->length_ms != 0) {
		repeats_init(&s->repeats, s->length_ms, s->lateness_ms);
		s->repeats.limit = s->limit;
		s->keys = repeats_keys(&s->repeats);
	} else if (s->stored) {
		known_keys_init(&s->known, key_nparts(s->key.n), s->limit);
		s->keys = known_keys_held(&s->known);
	} else {
		hash_map_init(&s->once, 0);
		s->keys = &s->once;
	}
}

void
seen_keys_fini(struct seen_keys *s)
{
	if (s->length_ms != 0)
		repeats_fini(&s->repeats);
	else if (s->stored)
		known_keys_fini(&s->known);
	else
		hash_map_fini(&s->once);
	repeat_state_fini(&s->state);
	key_fini(&s->scratch);
	keys_ahead_fini(&s->ahead);
	for (size_t i = 0; i < TUPLE_AHEAD + 1; i++)
		repeats_near_fini(&s->near[i]);
}

/* Make the key of a tuple: of its whole line, which a state has as text. */
static int
make_key(const struct seen_keys *s, struct key *k, const struct tuple *t,
    struct fault *f)
{
	if (s->key.n != 0)
		return key_of(k, t, s->key.first, s->key.n, f);
	key_of_line(k, t->line, s->stored);
	return 0;
}

void
seen_keys_look_ahead(struct seen_keys *s, struct tuple *const *tuples, size_t n)
{
	bool within = s->length_ms != 0;

	if (!within && s->key.n != 0) {
		keys_look_ahead(&s->ahead, s->keys, tuples, n, s->key.first,
		    s->key.n);
		return;
	}
	for (size_t i = 0; i < n; i++) {
		struct tuple *t = tuples[i];
		struct key *k = &s->ahead.keys[i];

		if ((within && !t->timed) || make_key(s, k, t, NULL) < 0)
			continue;
		t->key = k;
		if (within)
			repeats_look(&s->repeats, &s->near[i], k->bytes,
			    ns_to_ms(t->time_ns));
		else
			hash_map_prefetch(s->keys, k->hash);
	}
	if (!within)
		keys_find_ahead(s->ahead.keys, n, s->keys);
}

int
seen_keys_read(struct seen_keys *s, const struct tuple *t, struct fault *f)
{
	s->read = t->key;
	if (s->read != NULL)
		return 0;
	s->read = &s->scratch;
	return make_key(s, &s->scratch, t, f);
}

/* What is near to the tuple that was read: as looked for ahead, or now. */
static const struct repeats_near *
near_to(struct seen_keys *s, int64_t time_ms)
{
	struct repeats_near *near = &s->near[TUPLE_AHEAD];

	if (s->read != &s->scratch)
		return &s->near[s->read - s->ahead.keys];
	repeats_look(&s->repeats, near, s->read->bytes, time_ms);
	return near;
}

enum seen
seen_keys_see(struct seen_keys *s, const struct tuple *t, int64_t time_ms)
{
	const struct key *key = s->read;
	bool added;

	if (s->length_ms != 0)
		return repeats_pass(&s->repeats, near_to(s, time_ms),
			   s->watermark->now) ?
		    SEEN_NOT :
		    SEEN_BEFORE;
	if (waits(s)) {
		known_keys_ask(&s->known, key, t->id, t->line);
		return SEEN_UNKNOWN;
	}
	if (key_limit_refuses(s->limit, s->once.live, &s->once, key))
		return SEEN_NOT;
	hash_map_put_hinted(&s->once, key->hint, key->bytes, key->bytes,
	    key->hash, &added);
	return added ? SEEN_NOT : SEEN_BEFORE;
}

void
seen_keys_answer(struct seen_keys *s, known_keys_fn *fn, void *self)
{
	if (waits(s))
		known_keys_answer(&s->known, fn, self);
}

void
seen_keys_restore(struct seen_keys *s, struct store *store)
{
	struct span *names = field_plain_names(s->fields, s->key.n, 1);

	if (s->key.n == 0)
		names[0] = SPAN("_hash");
	if (s->length_ms != 0) {
		s->state = (struct repeat_state){ .repeats = &s->repeats,
			.watermark = s->watermark,
			.several = s->several,
			.nkeys = key_nparts(s->key.n) };
		repeat_state_open(&s->state, store, names);
	} else {
		known_keys_restore(&s->known, store, names);
	}
	free(names);
}

void
seen_keys_save(struct seen_keys *s, struct store *store)
{
	if (s->length_ms != 0)
		repeat_state_save(&s->state, store);
	else
		known_keys_save(&s->known, store);
}
