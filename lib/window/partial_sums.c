/*
 * SPDX-License-Identifier: ISC
 */
#include "window/partial_sums.h"

struct key_state {
	uint32_t parts;	 /* index + 1 */
	uint32_t report; /* index + 1; 0: not in this batch */
};

void
partial_sums_init(struct partial_sums *p)
{
	*p = (struct partial_sums){ 0 };
	hash_map_init(&p->keys, sizeof(struct key_state));
	hash_map_init(&p->sources, 0);
}

void
partial_sums_fini(struct partial_sums *p)
{
	hash_map_fini(&p->keys);
	hash_map_fini(&p->sources);
	sum_pool_fini(&p->sums);
	free(p->parts);
	free(p->reports);
	buffer_fini(&p->text);
}

static struct key_state *
state_of(struct partial_sums *p, uint32_t key)
{
	return hash_map_value(&p->keys, key);
}

/* The link, of a key's list, to the part of a source; or to the end. */
static uint32_t *
find_part(struct partial_sums *p, struct key_state *s, uint32_t source)
{
	uint32_t *link = &s->parts;

	while (*link != 0 && p->parts[*link - 1].source != source)
		link = &p->parts[*link - 1].next;
	return link;
}

static void
add_part(struct partial_sums *p, struct key_state *s, uint32_t source)
{
	uint32_t at = p->free;

	if (at != 0) {
		p->free = p->parts[at - 1].next;
	} else {
		p->parts = memory_grow(p->parts, &p->parts_cap, p->nparts + 1,
		    sizeof *p->parts);
		at = (uint32_t)++p->nparts;
	}
	p->parts[at - 1] = (struct part){ .source = source };
	*find_part(p, s, source) = at;
}

/* Let the part of a source be value; 0 is no part. */
static void
set_part(struct partial_sums *p, struct key_state *s, uint32_t source,
    const struct number *value)
{
	bool zero = value->is_int && value->i == 0;
	uint32_t *link = find_part(p, s, source), at = *link;
	struct part *part;

	if (at == 0 && zero)
		return;
	if (at == 0) {
		add_part(p, s, source);
		at = *find_part(p, s, source);
	}
	part = &p->parts[at - 1];
	sum_clear(&p->sums, &part->value);
	if (!zero) {
		sum_add_number(&p->sums, &part->value, value);
		return;
	}
	*link = part->next;
	part->next = p->free;
	p->free = at;
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

void
partial_sums_put(struct partial_sums *p, const struct key *key,
    const struct key *source, const struct number *value, struct span before,
    struct span after)
{
	bool added;
	uint32_t id =
	    hash_map_put(&p->keys, key->bytes, key->bytes, key->hash, &added);
	uint32_t from = hash_map_put(&p->sources, source->bytes, source->bytes,
	    source->hash, &added);
	struct key_state *s = state_of(p, id);

	set_part(p, s, from, value);
	if (s->report == 0) {
		p->reports = memory_grow(p->reports, &p->reports_cap,
		    p->nreports + 1, sizeof *p->reports);
		p->reports[p->nreports++] = (struct report){ .key = id };
		s->report = (uint32_t)p->nreports;
	}
	keep_row(p, &p->reports[s->report - 1], before, after);
}

void
partial_sums_report(struct partial_sums *p, partial_sums_fn fn, void *self)
{
	for (size_t i = 0; i < p->nreports; i++) {
		const struct report *r = &p->reports[i];
		struct key_state *s = state_of(p, r->key);
		const char *row = p->text.p + r->at;
		struct total sum = { 0 };

		for (uint32_t at = s->parts; at != 0;
		     at = p->parts[at - 1].next)
			sum_add(&p->sums, &sum, p->parts[at - 1].value);
		fn(self, (struct span){ row, r->value_at }, sum,
		    (struct span){ row + r->value_at, r->n - r->value_at });
		sum_clear(&p->sums, &sum);
		s->report = 0;
		if (s->parts == 0)
			hash_map_del(&p->keys, r->key);
	}
	p->nreports = 0;
	p->text.n = 0;
	if (hash_map_is_sparse(&p->keys))
		hash_map_compact(&p->keys, NULL);
}
