/*
 * SPDX-License-Identifier: ISC
 */
#include <stdlib.h>

#include "base/memory.h"
#include "window/sessions.h"

void
sessions_init(struct sessions *s, int64_t gap, struct aggregates *aggregates)
{
	*s = (struct sessions){
		.gap = gap, .aggregates = aggregates, .closed = INT64_MIN
	};
	hash_map_init(&s->keys, sizeof(struct pointer_list));
	s->keys.fill_holes = true;
}

static void
free_session(struct sessions *s, struct session *session)
{
	aggregates_drop(s->aggregates, session->value);
	free(session->value);
	span_free(session->spelling);
	free(session);
}

void
sessions_fini(struct sessions *s)
{
	for (size_t i = 0; i < s->n; i++)
		if (s->sessions[i] != NULL)
			free_session(s, s->sessions[i]);
	for (uint32_t id = hash_map_next(&s->keys, 0); id != HASH_MAP_NONE;
	     id = hash_map_next(&s->keys, id + 1))
		pointer_list_fini(hash_map_value(&s->keys, id));
	hash_map_fini(&s->keys);
	heap_fini(&s->ends);
	free(s->sessions);
	free(s->free);
	free(s->closing);
	free(s->touched);
	free(s->gone);
}

/* The open sessions of a key, by time. */
static struct pointer_list *
sessions_of(const struct sessions *s, uint32_t key)
{
	return hash_map_value(&s->keys, key);
}

static struct session *
session_at(struct pointer_list *k, size_t place)
{
	return *pointer_list_at(k, place);
}

struct span
sessions_spelling(const struct sessions *s, const struct session *session)
{
	return session->spelling.p != NULL ?
	    session->spelling :
	    hash_map_label(&s->keys, session->key);
}

/* Forget the touched that are no more; an id may be that of another by now. */
static void
weed_touched(struct sessions *s)
{
	size_t n = 0;

	for (size_t i = 0; i < s->ntouched; i++) {
		struct session *session = s->sessions[s->touched[i]];

		if (session == NULL || !session->touched)
			continue;
		session->touched = false;
		s->touched[n++] = session->id;
	}
	s->ntouched = n;
	for (size_t i = 0; i < n; i++)
		s->sessions[s->touched[i]]->touched = true;
}

static void
touch(struct sessions *s, struct session *session)
{
	if (!s->kept || session->touched)
		return;
	if (s->ntouched >= 2 * (s->n - s->nfree) + 64)
		weed_touched(s);
	session->touched = true;
	s->touched = memory_grow(s->touched, &s->touched_cap, s->ntouched + 1,
	    sizeof *s->touched);
	s->touched[s->ntouched++] = session->id;
}

static uint32_t
new_id(struct sessions *s)
{
	if (s->nfree != 0)
		return s->free[--s->nfree];
	s->sessions =
	    memory_grow(s->sessions, &s->cap, s->n + 1, sizeof *s->sessions);
	return (uint32_t)s->n++;
}

/* The heap has the id no longer. */
static void
give_back(struct sessions *s, uint32_t id)
{
	s->free =
	    memory_grow(s->free, &s->free_cap, s->nfree + 1, sizeof *s->free);
	s->free[s->nfree++] = id;
}

/* Make a session at a place among those of its key. */
static struct session *
insert(struct sessions *s, uint32_t key, size_t place, int64_t end,
    uint64_t order)
{
	struct session *new = memory_new(1, sizeof *new);

	*new = (struct session){ .end = end,
		.order = order,
		.key = key,
		.id = new_id(s),
		.value = memory_new(1, s->aggregates->size) };
	s->sessions[new->id] = new;
	heap_push(&s->ends, (struct heap_entry){ .time = end, .id = new->id });
	pointer_list_put(sessions_of(s, key), place, new);
	return new;
}

/*
 * Take a session away from its place among those of its key; its id stays
 * taken for as long as the heap has it.
 */
static void
take_away(struct sessions *s, struct session *session, size_t place)
{
	struct pointer_list *k = sessions_of(s, session->key);

	pointer_list_take(k, place);
	s->sessions[session->id] = NULL;
	if (session->stored) {
		s->gone = memory_grow(s->gone, &s->gone_cap, s->ngone + 1,
		    sizeof *s->gone);
		s->gone[s->ngone++] = session->order;
	}
	if (k->n == 0) {
		pointer_list_fini(k);
		hash_map_del(&s->keys, session->key);
	}
	free_session(s, session);
}

static bool
ends_before(const void *session, int64_t time)
{
	return ((const struct session *)session)->end < time;
}

/* The place of the first session that ends at a time or later. */
static size_t
find(struct pointer_list *k, int64_t time)
{
	return pointer_list_find(k, ends_before, time);
}

/* Let a session have what the next one of its key has, which goes. */
static void
unite(struct sessions *s, struct session *session, size_t place)
{
	struct session *other =
	    session_at(sessions_of(s, session->key), place + 1);

	session->end = other->end;
	aggregates_merge(s->aggregates, session->value, other->value);
	if (other->order < session->order) {
		struct span spelling = session->spelling;
		uint64_t order = session->order;
		bool stored = session->stored;

		/* What is stored is known by its order. */
		session->spelling = other->spelling;
		session->order = other->order;
		session->stored = other->stored;
		other->spelling = spelling;
		other->order = order;
		other->stored = stored;
	}
	take_away(s, other, place + 1);
}

static struct span
own_spelling(const struct sessions *s, uint32_t key, struct span spelling)
{
	if (span_eq(hash_map_label(&s->keys, key), spelling))
		return (struct span){ NULL, 0 };
	return span_dup(spelling);
}

/* A tuple has become the start of a session. */
static void
note_start(struct sessions *s, int64_t time, int64_t now)
{
	if (time < now && s->closed >= time - s->gap)
		behind_note(&s->behind, now, time);
}

bool
sessions_add(struct sessions *s, const struct key *key, int64_t time,
    int64_t now)
{
	uint32_t id =
	    hash_map_get_hinted(&s->keys, key->hint, key->bytes, key->hash);
	struct pointer_list *k =
	    id == HASH_MAP_NONE ? NULL : sessions_of(s, id);
	size_t place = k == NULL ? 0 : find(k, time - s->gap);
	struct session *session;
	bool added;

	if (k != NULL && place < k->n &&
	    session_at(k, place)->start - s->gap <= time) {
		session = session_at(k, place);
		if (time < session->start) {
			session->start = time;
			note_start(s, time, now);
		}
		if (time > session->end)
			session->end = time;
		if (place + 1 < k->n &&
		    session_at(k, place + 1)->start - s->gap <= time)
			unite(s, session, place);
	} else {
		if (time + s->gap < now ||
		    key_limit_refuses(s->limit, s->keys.live, &s->keys, key))
			return false;
		if (k == NULL)
			id = hash_map_put(&s->keys, key->bytes, key->spelling,
			    key->hash, &added);
		session = insert(s, id, place, time, s->order++);
		session->start = time;
		session->spelling = own_spelling(s, id, key->spelling);
		note_start(s, time, now);
	}
	aggregates_reduce(s->aggregates, session->value);
	touch(s, session);
	return true;
}

struct session *
sessions_put_back(struct sessions *s, const struct key *key, int64_t start,
    int64_t end, uint64_t order)
{
	bool added;
	uint32_t id = hash_map_put(&s->keys, key->bytes, key->spelling,
	    key->hash, &added);
	struct pointer_list *k = sessions_of(s, id);
	size_t place = find(k, start - s->gap);
	struct session *session;

	if (place < k->n && session_at(k, place)->start - s->gap <= end)
		return NULL;
	session = insert(s, id, place, end, order);
	session->start = start;
	session->spelling = own_spelling(s, id, key->spelling);
	session->stored = true;
	return session;
}

static int
by_end(const void *a, const void *b)
{
	const struct session *x = *(struct session *const *)a;
	const struct session *y = *(struct session *const *)b;

	if (x->end != y->end)
		return x->end < y->end ? -1 : 1;
	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return (x->order > y->order) - (x->order < y->order);
}

/* Find the sessions that ended before a time. */
static void
find_closing(struct sessions *s, int64_t before)
{
	s->nclosing = 0;
	while (heap_has_before(&s->ends, before)) {
		struct heap_entry first = heap_pop(&s->ends);
		struct session *session = s->sessions[first.id];

		if (session == NULL) {
			give_back(s, first.id);
		} else if (session->end != first.time) {
			first.time = session->end;
			heap_push(&s->ends, first);
		} else {
			s->closing = memory_grow(s->closing, &s->closing_cap,
			    s->nclosing + 1, sizeof *s->closing);
			s->closing[s->nclosing++] = session;
		}
	}
}

static void
close_before(struct sessions *s, int64_t before, sessions_fn *fn, void *arg)
{
	find_closing(s, before);
	if (s->nclosing > 1)
		qsort(s->closing, s->nclosing, sizeof *s->closing, by_end);
	for (size_t i = 0; i < s->nclosing; i++) {
		struct session *session = s->closing[i];
		uint32_t id = session->id;

		if (session->end > s->closed)
			s->closed = session->end;
		fn(arg, sessions_spelling(s, session), session);
		/* Of its key none ended before. */
		take_away(s, session, 0);
		give_back(s, id);
	}
}

void
sessions_close(struct sessions *s, int64_t now, sessions_fn *fn, void *arg)
{
	if (heap_has_before(&s->ends, now - s->gap))
		close_before(s, now - s->gap, fn, arg);
}

void
sessions_close_all(struct sessions *s, sessions_fn *fn, void *arg)
{
	close_before(s, INT64_MAX, fn, arg);
}
