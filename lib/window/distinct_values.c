/*
 * SPDX-License-Identifier: ISC
 */
#include <math.h>
#include <stdlib.h>

#include "base/hash.h"
#include "base/hyperloglog.h"
#include "base/memory.h"
#include "window/distinct_values.h"

enum { CAP_MIN = 4 };

void
distinct_values_fini(struct distinct_values *d)
{
	free(d->kept.hashes);
	*d = (struct distinct_values){ 0 };
}

uint64_t
distinct_values_hash(struct span canonical)
{
	uint64_t hash = hash_seeded(canonical, 0);

	return hash == 0 ? 1 : hash; /* 0 is an empty place */
}

static bool
has_registers(const struct distinct_values *d)
{
	return d->cap == 0 && d->kept.registers != NULL;
}

static struct hyperloglog
registers_of(const struct distinct_values *d)
{
	return (struct hyperloglog){ d->kept.registers, DISTINCT_VALUES_BITS };
}

/* Where the hash is, or would be. */
static uint64_t *
place_of(uint64_t *hashes, uint32_t cap, uint64_t hash)
{
	uint64_t at = hash & (cap - 1);

	while (hashes[at] != 0 && hashes[at] != hash)
		at = (at + 1) & (cap - 1);
	return &hashes[at];
}

static void
grow(struct distinct_values *d)
{
	uint32_t cap = d->cap == 0 ? CAP_MIN : 2 * d->cap;
	uint64_t *hashes = memory_new(cap, sizeof *hashes);

	for (uint32_t i = 0; i < d->cap; i++)
		if (d->kept.hashes[i] != 0)
			*place_of(hashes, cap, d->kept.hashes[i]) =
			    d->kept.hashes[i];
	free(d->kept.hashes);
	d->kept.hashes = hashes;
	d->cap = cap;
}

/* Count in registers from here on. */
static void
end_exactness(struct distinct_values *d)
{
	uint64_t *hashes = d->kept.hashes;
	struct hyperloglog h;

	hyperloglog_init(&h, DISTINCT_VALUES_BITS);
	for (uint32_t i = 0; i < d->cap; i++)
		if (hashes[i] != 0)
			hyperloglog_add(&h, hashes[i]);
	free(hashes);
	*d = (struct distinct_values){ .kept.registers = h.registers };
}

void
distinct_values_add(struct distinct_values *d, uint64_t hash)
{
	struct hyperloglog h;
	uint64_t *place;

	if (!has_registers(d)) {
		if (d->n == d->cap / 2 && d->n < DISTINCT_VALUES_EXACT)
			grow(d);
		place = place_of(d->kept.hashes, d->cap, hash);
		if (*place == hash)
			return;
		if (d->n < DISTINCT_VALUES_EXACT) {
			*place = hash;
			d->n++;
			return;
		}
		end_exactness(d);
	}
	h = registers_of(d);
	hyperloglog_add(&h, hash);
}

void
distinct_values_merge(struct distinct_values *d,
    const struct distinct_values *other)
{
	struct hyperloglog h, more;

	for (uint32_t i = 0; i < other->cap; i++)
		if (other->kept.hashes[i] != 0)
			distinct_values_add(d, other->kept.hashes[i]);
	if (!has_registers(other))
		return;
	if (!has_registers(d))
		end_exactness(d);
	h = registers_of(d);
	more = registers_of(other);
	hyperloglog_merge(&h, &more);
}

uint64_t
distinct_values_count(const struct distinct_values *d)
{
	struct hyperloglog h = registers_of(d);

	return has_registers(d) ? (uint64_t)round(hyperloglog_estimate(&h)) :
				  d->n;
}
