/*
 * SPDX-License-Identifier: ISC
 */
#include "window/partial_sums.h"
#include "base/hash.h"

struct key_state {
	struct total sum;
	uint32_t nparts;
	uint32_t report; /* index + 1; 0: not in this batch */
};

void
partial_sums_init(struct partial_sums *p)
{
	*p = (struct partial_sums){ 0 };
	hash_map_init(&p->keys, sizeof(struct key_state));
	hash_map_init(&p->parts, sizeof(struct total));
}

void
partial_sums_fini(struct partial_sums *p)
{
	hash_map_fini(&p->keys);
	hash_map_fini(&p->parts);
	sum_pool_fini(&p->sums);
	free(p->reports);
	buffer_fini(&p->place);
	buffer_fini(&p->text);
}

static struct key_state *
state_of(struct partial_sums *p, uint32_t key)
{
	return hash_map_value(&p->keys, key);
}

/* Let the part that has its place in p->place be value; 0 is no part. */
static void
set_part(struct partial_sums *p, struct key_state *s,
    const struct number *value)
{
	struct span bytes = buffer_span(&p->place);
	uint64_t hash = hash_bytes(bytes);
	bool is_zero = value->is_int && value->i == 0, is_new;
	uint32_t id = hash_map_get(&p->parts, bytes, hash);
	struct total *part;

	if (id == HASH_MAP_NONE && is_zero)
		return;
	id = hash_map_put(&p->parts, bytes, bytes, hash, &is_new);
	part = hash_map_value(&p->parts, id);
	s->nparts += is_new;
	sum_sub(&p->sums, &s->sum, *part);
	sum_clear(&p->sums, part);
	if (is_zero) {
		s->nparts--;
		hash_map_del(&p->parts, id);
		if (hash_map_is_sparse(&p->parts))
			hash_map_compact(&p->parts, NULL);
	} else {
		sum_add_number(&p->sums, part, value);
		sum_add(&p->sums, &s->sum, *part);
	}
}

/* Tell whether the key's last row of this batch differs in more than the value. */
static bool
differs(const struct partial_sums *p, const struct report *r,
    struct span before, struct span after)
{
	const char *row = p->text.p + r->at;

	return !span_eq(before, (struct span){ row, r->value_at }) ||
	    !span_eq(after,
		(struct span){ row + r->value_at, r->n - r->value_at });
}

/* Keep the row, where the key's last one in this batch was if it fits. */
static void
keep_row(struct partial_sums *p, struct report *r, struct span before,
    struct span after)
{
	size_t n = before.n + after.n;
	char *to;

	if (n > r->cap) {
		buffer_room(&p->text, n);
		r->at = p->text.n;
		r->cap = n;
		p->text.n += n;
	}
	to = p->text.p + r->at;
	memcpy(to, before.p, before.n);
	memcpy(to + before.n, after.p, after.n);
	r->n = n;
	r->value_at = before.n;
}

bool
partial_sums_put(struct partial_sums *p, const struct key *key,
    const struct key *source, const struct number *value, struct span before,
    struct span after)
{
	struct key_state *s;
	struct report *r;
	uint32_t id;
	bool added;

	if (key_limit_refuses(p->limit, p->keys.live, &p->keys, key))
		return false;
	id = hash_map_put(&p->keys, key->bytes, key->bytes, key->hash, &added);
	s = state_of(p, id);
	/* One part after the other, as a key of both has them. */
	p->place.n = 0;
	buffer_put(&p->place, key->bytes);
	buffer_byte(&p->place, (char)KEY_SEPARATOR);
	buffer_put(&p->place, source->bytes);
	set_part(p, s, value);
	if (s->report == 0) {
		p->reports = memory_grow(p->reports, &p->reports_cap,
		    p->nreports + 1, sizeof *p->reports);
		p->reports[p->nreports++] = (struct report){ .key = id };
		s->report = (uint32_t)p->nreports;
	}
	r = &p->reports[s->report - 1];
	p->differ = p->differ ||
	    (r->n != 0 && r->source != source->hash &&
		differs(p, r, before, after));
	r->source = source->hash;
	keep_row(p, r, before, after);
	return true;
}

void
partial_sums_report(struct partial_sums *p, partial_sums_fn fn, void *self)
{
	for (size_t i = 0; i < p->nreports; i++) {
		const struct report *r = &p->reports[i];
		struct key_state *s = state_of(p, r->key);
		const char *row = p->text.p + r->at;

		fn(self, (struct span){ row, r->value_at }, s->sum,
		    (struct span){ row + r->value_at, r->n - r->value_at });
		s->report = 0;
		if (s->nparts == 0)
			hash_map_del(&p->keys, r->key);
	}
	p->nreports = 0;
	p->text.n = 0;
	if (hash_map_is_sparse(&p->keys))
		hash_map_compact(&p->keys, NULL);
	if (hash_map_is_sparse(&p->parts))
		hash_map_compact(&p->parts, NULL);
}
