/*
 * The windows, expiring maps and rankings of libtuple.h.
 *
 * SPDX-License-Identifier: ISC
 */
#include <stdlib.h>

#include "join/time_cache_map.h"
#include "run/libtuple_span.h"
#include "tuple/key.h"
#include "window/rankings.h"
#include "window/sliding_window_counter.h"

struct lt_window {
	struct sliding_window_counter counter;
};

struct lt_expiring_map {
	struct time_cache_map map;
	size_t value_size;
	uint64_t order;
};

struct lt_rankings {
	struct rankings rankings;
	struct buffer text; /* of a number that has none */
};

static struct key
key_in(const struct lt_key *k)
{
	return (struct key){ .bytes = span_in(k->bytes),
		.spelling = span_in(k->spelling),
		.hash = k->hash,
		.hint = HASH_MAP_NONE };
}

/*
 * Windows
 */
struct lt_window *
lt_window_new(int64_t nslots)
{
	struct lt_window *w = memory_new(1, sizeof *w);

	sliding_window_counter_init(&w->counter, nslots, NULL);
	return w;
}

void
lt_window_free(struct lt_window *w)
{
	if (w == NULL)
		return;
	sliding_window_counter_fini(&w->counter);
	free(w);
}

bool
lt_window_add(struct lt_window *w, const struct lt_key *key, int64_t slot,
    int64_t count)
{
	const struct key k = key_in(key);
	const struct number x = { .is_int = true, .i = count };

	return sliding_window_counter_add(&w->counter, &k, slot, &x);
}

struct report {
	lt_window_fn *fn;
	void *arg;
	int64_t end;
};

static void
report(void *arg, struct span spelling, struct total total, const void *value,
    bool farewell)
{
	const struct report *r = arg;

	(void)value;
	(void)farewell;
	r->fn(r->arg, r->end, span_out(spelling), total.word);
}

void
lt_window_advance(struct lt_window *w, int64_t end, lt_window_fn *fn, void *arg)
{
	struct report r = { fn, arg, 0 };

	while (sliding_window_counter_next(&w->counter, &r.end) && r.end <= end)
		sliding_window_counter_advance(&w->counter, r.end, report, &r);
	sliding_window_counter_reach(&w->counter, end);
}

/*
 * Expiring maps
 */
struct lt_expiring_map *
lt_expiring_map_new(int64_t timeout, size_t value_size)
{
	struct lt_expiring_map *m = memory_new(1, sizeof *m);

	/* The size of several entries is not to overflow. */
	if (value_size > PTRDIFF_MAX / 256)
		memory_exhausted();
	time_cache_map_init(&m->map, timeout, timeout, TIME_CACHE_MAP_BUCKETS,
	    value_size);
	m->value_size = value_size;
	return m;
}

void
lt_expiring_map_free(struct lt_expiring_map *m)
{
	if (m == NULL)
		return;
	time_cache_map_fini(&m->map);
	free(m);
}

size_t
lt_expiring_map_size(const struct lt_expiring_map *m)
{
	return time_cache_map_size(&m->map);
}

static uint32_t
find(const struct lt_expiring_map *m, const struct lt_key *key)
{
	return time_cache_map_get(&m->map, HASH_MAP_NONE, span_in(key->bytes),
	    key->hash);
}

void *
lt_expiring_map_get(const struct lt_expiring_map *m, const struct lt_key *key)
{
	uint32_t id = find(m, key);

	return id == HASH_MAP_NONE ? NULL : time_cache_map_value(&m->map, id);
}

void *
lt_expiring_map_put(struct lt_expiring_map *m, const struct lt_key *key,
    int64_t time, bool *added)
{
	uint32_t id = find(m, key);
	void *value;

	*added = id == HASH_MAP_NONE;
	if (!*added)
		return time_cache_map_value(&m->map, id);
	id = time_cache_map_add(&m->map, span_in(key->bytes),
	    span_in(key->spelling), key->hash, time, m->order++);
	value = time_cache_map_value(&m->map, id);
	memset(value, 0, m->value_size);
	return value;
}

void
lt_expiring_map_renew(struct lt_expiring_map *m, const struct lt_key *key,
    int64_t time)
{
	uint32_t id = find(m, key);

	if (id != HASH_MAP_NONE)
		time_cache_map_set_time(&m->map, id, time, m->order++);
}

void
lt_expiring_map_delete(struct lt_expiring_map *m, const struct lt_key *key)
{
	uint32_t id = find(m, key);

	if (id != HASH_MAP_NONE)
		time_cache_map_del(&m->map, id);
}

void
lt_expiring_map_expire(struct lt_expiring_map *m, int64_t now,
    lt_expired_fn *fn, void *arg)
{
	uint32_t id;

	while ((id = time_cache_map_expired(&m->map, now)) != HASH_MAP_NONE) {
		uint64_t order = time_cache_map_order(&m->map, id);

		if (fn != NULL)
			fn(arg, span_out(time_cache_map_label(&m->map, id)),
			    time_cache_map_time(&m->map, id),
			    time_cache_map_value(&m->map, id));
		/* Unless fn has deleted or renewed it. */
		if (hash_map_is_live(time_cache_map_keys(&m->map), id) &&
		    time_cache_map_order(&m->map, id) == order)
			time_cache_map_del(&m->map, id);
	}
}

/*
 * Rankings
 */
struct lt_rankings *
lt_rankings_new(size_t n, bool keyed, bool smallest)
{
	struct lt_rankings *r = memory_new(1, sizeof *r);

	rankings_init(&r->rankings, n, keyed, smallest);
	return r;
}

void
lt_rankings_free(struct lt_rankings *r)
{
	if (r == NULL)
		return;
	rankings_fini(&r->rankings);
	buffer_fini(&r->text);
	free(r);
}

void
lt_rankings_update(struct lt_rankings *r, const struct lt_key *key,
    const struct lt_number *value, struct lt_span line)
{
	struct number x = { .is_int = value->is_integer,
		.i = value->i,
		.d = value->d,
		.text = span_in(value->text) };
	struct key k = { 0 };

	if (key != NULL)
		k = key_in(key);
	if (x.text.n == 0) {
		r->text.n = 0;
		if (x.is_int)
			buffer_int(&r->text, x.i);
		else
			buffer_double(&r->text, x.d);
		x.text = buffer_span(&r->text);
	}
	rankings_update(&r->rankings, key == NULL ? NULL : &k, &x,
	    span_in(line));
}

struct ranking {
	lt_ranking_fn *fn;
	void *arg;
};

static void
put_rank(void *arg, size_t rank, struct span line)
{
	const struct ranking *r = arg;

	r->fn(r->arg, rank, span_out(line));
}

void
lt_rankings_report(struct lt_rankings *r, lt_ranking_fn *fn, void *arg)
{
	struct ranking ranking = { fn, arg };

	rankings_report(&r->rankings, put_rank, &ranking);
}

void
lt_rankings_clear(struct lt_rankings *r)
{
	rankings_clear(&r->rankings);
}
