/*
 * SPDX-License-Identifier: ISC
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/hyperloglog.h"
#include "base/memory.h"
#include "window/distinct_values.h"

/* One place, 4 and 16 are a list, filled from the first one on. */
enum { CAP_LIST = 16 };

/* What is packed is so many registers, or else fewer bytes, of hashes. */
enum { REGISTERS = 1 << DISTINCT_VALUES_BITS, HASH_BYTES = 8 };

/* The table; one place needs no memory of its own. */
static uint64_t *
table_of(struct distinct_values *d)
{
	return d->cap == 1 ? &d->kept.hash : d->kept.hashes;
}

static const uint64_t *
hashes_of(const struct distinct_values *d)
{
	return d->cap == 1 ? &d->kept.hash : d->kept.hashes;
}

static uint64_t
hash_at(const struct distinct_values *d, uint32_t i)
{
	return hashes_of(d)[i];
}

static void
free_kept(struct pool *p, struct distinct_values *d)
{
	if (d->cap == 0)
		free(d->kept.registers);
	else if (d->cap != 1)
		pool_free(p, d->kept.hashes, d->cap * sizeof(uint64_t));
}

void
distinct_values_fini(struct pool *p, struct distinct_values *d)
{
	free_kept(p, d);
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

/* Where the hash is, or would be; a single place may have another in it. */
static uint64_t *
place_of(uint64_t *hashes, uint32_t cap, uint64_t hash)
{
	uint64_t at = cap <= CAP_LIST ? 0 : hash & (cap - 1);

	while (hashes[at] != 0 && hashes[at] != hash && cap != 1)
		at = (at + 1) & (cap - 1);
	return &hashes[at];
}

/* How many places may be taken. */
static uint32_t
room_of(uint32_t cap)
{
	return cap <= 1 ? cap : cap <= CAP_LIST ? cap - 1 : cap / 2;
}

static void
grow(struct pool *p, struct distinct_values *d)
{
	uint32_t times = d->cap <= CAP_LIST ? 4 : 2;
	struct distinct_values more = { d->nseen, d->n,
		d->cap == 0 ? 1 : times * d->cap, { 0 } };
	size_t bytes = more.cap * sizeof(uint64_t);

	if (more.cap != 1)
		more.kept.hashes = memset(pool_new(p, bytes), 0, bytes);
	for (uint32_t i = 0; i < d->cap; i++)
		if (hash_at(d, i) != 0)
			*place_of(table_of(&more), more.cap, hash_at(d, i)) =
			    hash_at(d, i);
	free_kept(p, d);
	*d = more;
}

/* Count in registers from here on. */
static void
end_exactness(struct pool *p, struct distinct_values *d)
{
	struct hyperloglog h;

	hyperloglog_init(&h, DISTINCT_VALUES_BITS);
	hyperloglog_add_table(&h, hashes_of(d), d->cap);
	free_kept(p, d);
	*d = (struct distinct_values){ .nseen = d->nseen,
		.kept.registers = h.registers };
}

static void
add(struct pool *p, struct distinct_values *d, uint64_t hash)
{
	struct hyperloglog h;
	uint64_t *place = NULL;

	if (d->cap != 0) {
		place = place_of(table_of(d), d->cap, hash);
		if (*place == hash)
			return;
		if (d->n == DISTINCT_VALUES_EXACT)
			end_exactness(p, d);
	}
	if (has_registers(d)) {
		h = registers_of(d);
		hyperloglog_add(&h, hash);
		return;
	}
	if (d->n == room_of(d->cap)) {
		grow(p, d);
		place = place_of(table_of(d), d->cap, hash);
	}
	*place = hash;
	d->n++;
}

void
distinct_values_add(struct pool *p, struct distinct_values *d, uint64_t hash)
{
	d->nseen++;
	add(p, d, hash);
}

/* Make d, which has no values, a copy. */
static void
copy(struct pool *p, struct distinct_values *d,
    const struct distinct_values *other)
{
	size_t bytes = other->cap * sizeof(uint64_t);
	struct hyperloglog h;

	*d = *other;
	if (other->cap == 1)
		return;
	if (!has_registers(other)) {
		d->kept.hashes =
		    memcpy(pool_new(p, bytes), other->kept.hashes, bytes);
		return;
	}
	hyperloglog_init(&h, DISTINCT_VALUES_BITS);
	d->kept.registers =
	    memcpy(h.registers, other->kept.registers, REGISTERS);
}

void
distinct_values_merge(struct pool *p, struct distinct_values *d,
    const struct distinct_values *other)
{
	struct hyperloglog h, more;

	if (other->nseen == 0)
		return;
	if (d->nseen == 0) {
		copy(p, d, other);
		return;
	}
	d->nseen += other->nseen;
	if (has_registers(other) && !has_registers(d))
		end_exactness(p, d);
	if (!has_registers(d)) {
		for (uint32_t i = 0; i < other->cap; i++)
			if (hash_at(other, i) != 0)
				add(p, d, hash_at(other, i));
		return;
	}
	h = registers_of(d);
	more = registers_of(other);
	if (has_registers(other))
		hyperloglog_merge(&h, &more);
	else
		hyperloglog_add_table(&h, hashes_of(other), other->cap);
}

uint64_t
distinct_values_count(const struct distinct_values *d)
{
	struct hyperloglog h = registers_of(d);

	if (!has_registers(d))
		return d->n;
	return (uint64_t)fmin(round(hyperloglog_estimate(&h)),
	    (double)d->nseen);
}

void
distinct_values_pack(const struct distinct_values *d, struct buffer *b)
{
	pack_int(b, d->nseen);
	if (has_registers(d)) {
		pack_bytes(b,
		    (struct span){ (char *)d->kept.registers, REGISTERS });
		return;
	}
	pack_int(b, (int64_t)d->n * HASH_BYTES);
	for (uint32_t i = 0; i < d->cap; i++)
		for (int k = 0; hash_at(d, i) != 0 && k < HASH_BYTES; k++)
			buffer_byte(b, (char)(hash_at(d, i) >> 8 * k));
}

/* Tell whether these are registers as they can be. */
static bool
take_registers(struct distinct_values *d, struct span bytes)
{
	d->kept.registers = memory_new(REGISTERS, 1);
	memcpy(d->kept.registers, bytes.p, REGISTERS);
	for (size_t i = 0; i < REGISTERS; i++)
		if (d->kept.registers[i] > 64 - DISTINCT_VALUES_BITS + 1)
			return false;
	return true;
}

/* Tell whether these are hashes, and each another. */
static bool
take_hashes(struct pool *p, struct distinct_values *d, struct span bytes)
{
	if (bytes.n > DISTINCT_VALUES_EXACT * HASH_BYTES)
		return false;
	for (size_t i = 0; i + HASH_BYTES <= bytes.n; i += HASH_BYTES) {
		uint64_t hash = 0;

		for (size_t k = 0; k < HASH_BYTES; k++)
			hash |= (uint64_t)(unsigned char)bytes.p[i + k]
			    << 8 * k;
		if (hash == 0)
			return false;
		add(p, d, hash);
	}
	return d->n * HASH_BYTES == bytes.n;
}

void
distinct_values_unpack(struct pool *p, struct distinct_values *d,
    struct unpacker *u)
{
	struct span bytes;

	d->nseen = unpack_int(u, 0, PACKED_MOST);
	bytes = unpack_bytes(u);
	if (!(bytes.n == REGISTERS ? take_registers(d, bytes) :
				     take_hashes(p, d, bytes)) ||
	    d->nseen < d->n || (d->nseen == 0) != (bytes.n == 0))
		u->bad = true;
}
