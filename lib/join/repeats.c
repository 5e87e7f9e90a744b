/*
 * SPDX-License-Identifier: ISC
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/packed.h"
#include "base/timestamp.h"
#include "join/repeats.h"

void
repeats_init(struct repeats *r, int64_t length, int64_t lateness)
{
	int64_t span;

	assert(length > 0);
	*r = (struct repeats){
		.length = length, .latest = INT64_MIN, .forgotten = INT64_MIN
	};
	if (__builtin_add_overflow(length, lateness, &span))
		span = INT64_MAX;
	/* What is LENGTH past is forgotten, where the map keeps it. */
	time_cache_map_init(&r->passed, length - 1, span,
	    TIME_CACHE_MAP_BUCKETS, 0);
}

void
repeats_fini(struct repeats *r)
{
	time_cache_map_fini(&r->passed);
	buffer_fini(&r->later);
	buffer_fini(&r->fresh_keys);
	free(r->fresh);
}

/* Forget what is LENGTH or more before now. */
static void
forget(struct repeats *r, int64_t now)
{
	uint32_t id;

	while ((id = time_cache_map_expired(&r->passed, now)) !=
	    HASH_MAP_NONE) {
		int64_t time = time_cache_map_time(&r->passed, id);

		if (time > r->forgotten)
			r->forgotten = time;
		time_cache_map_del(&r->passed, id);
	}
}

static struct span
name_of(const struct repeats_near *near, int i)
{
	return (struct span){ near->names.p + near->entries[i].at,
		near->entries[i].n };
}

/* Append the name of an entry; a packed number ends by itself. */
static void
put_name(struct buffer *b, int64_t period, struct span key)
{
	pack_int(b, period);
	buffer_put(b, key);
}

void
repeats_look(const struct repeats *r, struct repeats_near *near,
    struct span key, int64_t time)
{
	int64_t period = floor_div(time, r->length);

	near->key = key;
	near->time = time;
	near->names.n = 0;
	for (int i = 0; i < 2; i++) {
		size_t at = near->names.n;

		put_name(&near->names, period - i, key);
		near->entries[i].at = at;
		near->entries[i].n = near->names.n - at;
	}
	/* Not above: a name that was just written is waited for. */
	for (int i = 0; i < 2; i++) {
		near->entries[i].hash = hash_bytes(name_of(near, i));
		hash_map_prefetch(repeats_keys(r), near->entries[i].hash);
	}
}

void
repeats_near_fini(struct repeats_near *near)
{
	buffer_fini(&near->names);
}

/* Tell whether what an entry has passed is less than LENGTH from a time. */
static bool
is_near(const struct repeats *r, struct span name, uint64_t hash, int64_t time)
{
	uint32_t id = time_cache_map_get(&r->passed, HASH_MAP_NONE, name, hash);
	int64_t other;

	if (id == HASH_MAP_NONE)
		return false;
	other = time_cache_map_time(&r->passed, id);
	return (other > time ? other - time : time - other) < r->length;
}

/* is_near for the entry of the period after that of a time, if there is one. */
static bool
is_near_later(struct repeats *r, int64_t period, struct span key, int64_t time)
{
	struct span name;

	if (period >= r->latest)
		return false;
	r->later.n = 0;
	put_name(&r->later, period + 1, key);
	name = buffer_span(&r->later);
	return is_near(r, name, hash_bytes(name), time);
}

/* Count what is LENGTH or more before now. */
static void
count_late(struct repeats *r, int64_t time, int64_t now)
{
	int64_t by = now - time - r->length + 1;

	r->nlate++;
	if (by > r->max_late)
		r->max_late = by;
}

/* Tell whether a time is LENGTH or more before now. */
static bool
is_past(const struct repeats *r, int64_t time, int64_t now)
{
	int64_t past;

	return !__builtin_sub_overflow(now, time, &past) && past >= r->length;
}

void
repeats_weed(struct repeats *r, int64_t now)
{
	size_t n = 0, bytes = 0;

	for (size_t i = 0; i < r->nfresh; i++) {
		struct repeats_fresh f = r->fresh[i];

		if (is_past(r, f.time, now))
			continue;
		memmove(r->fresh_keys.p + bytes, r->fresh_keys.p + f.at, f.n);
		r->fresh[n++] = (struct repeats_fresh){ f.time, bytes, f.n };
		bytes += f.n;
	}
	r->nfresh = n;
	r->fresh_keys.n = bytes;
}

static void
note(struct repeats *r, struct span key, int64_t time, int64_t now)
{
	/* What is forgotten may be most of it. */
	if (r->nfresh >= 2 * repeats_keys(r)->live + 64)
		repeats_weed(r, now);
	r->fresh = memory_grow(r->fresh, &r->fresh_cap, r->nfresh + 1,
	    sizeof *r->fresh);
	r->fresh[r->nfresh++] =
	    (struct repeats_fresh){ time, r->fresh_keys.n, key.n };
	buffer_put(&r->fresh_keys, key);
}

bool
repeats_pass(struct repeats *r, const struct repeats_near *near, int64_t now)
{
	int64_t time = near->time, period = floor_div(time, r->length);
	struct key name = { .bytes = name_of(near, 0),
		.hash = near->entries[0].hash,
		.hint = HASH_MAP_NONE };

	forget(r, now);
	if (is_near(r, name.bytes, name.hash, time) ||
	    is_near(r, name_of(near, 1), near->entries[1].hash, time) ||
	    is_near_later(r, period, near->key, time))
		return false;
	if (is_past(r, time, now)) {
		count_late(r, time, now);
		return true;
	}
	if (key_limit_refuses(r->limit, repeats_keys(r)->live, repeats_keys(r),
		&name))
		return false;
	if (time < now && r->forgotten > time - r->length)
		behind_note(&r->behind, now, time);
	time_cache_map_add(&r->passed, name.bytes, name.bytes, name.hash, time,
	    r->order++);
	if (period > r->latest)
		r->latest = period;
	if (r->notes)
		note(r, near->key, time, now);
	return true;
}

void
repeats_note(struct repeats *r)
{
	r->nfresh = r->fresh_keys.n = 0;
	r->notes = true;
}
