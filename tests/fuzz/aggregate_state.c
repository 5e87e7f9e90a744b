/*
 * aggregate_state - any bytes as what a state holds of a key's aggregates.
 * What is taken can be merged with itself, is written as valid JSON, and is
 * the same after it was packed once more.
 *
 * SPDX-License-Identifier: ISC
 */
#include "../unit/padded.h"
#include "window/aggregate.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct aggregates a;

static void
set_up(void)
{
	struct projection p;

	if (a.n != 0)
		return;
	projection_init(&p);
	if (aggregates_add(&a, &p,
		"count,count:x,sum:x,stddev:x,min:x,max:x,first:x,last:x,"
		"distinct:x,p50:x,p99.9:x") != NULL)
		abort();
	projection_fini(&p);
}

/* False: the bytes are bad. */
static bool
unpack(void *value, struct span packed)
{
	struct unpacker u = unpack_form(packed, 1);

	aggregates_unpack(&a, value, &u);
	return unpack_done(&u);
}

static void
repack(void *value, struct buffer *b)
{
	b->n = 0;
	pack_form(b, 1);
	aggregates_pack(&a, value, b);
}

static void
check(void *value)
{
	void *other = memory_new(1, a.size);
	struct buffer row = { 0 }, once = { 0 }, twice = { 0 };

	repack(value, &once);
	if (!unpack(other, buffer_span(&once)))
		abort();
	repack(other, &twice);
	if (!span_eq(buffer_span(&once), buffer_span(&twice)))
		abort();
	buffer_byte(&row, '{');
	aggregates_put(&a, &row, value);
	buffer_byte(&row, '}');
	if (padded_validate(buffer_span(&row), NULL) != 0)
		abort();
	aggregates_merge(&a, value, other);
	row.n = 0;
	aggregates_put(&a, &row, value);
	aggregates_drop(&a, other);
	free(other);
	buffer_fini(&row);
	buffer_fini(&once);
	buffer_fini(&twice);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	void *value;

	set_up();
	value = memory_new(1, a.size);
	if (unpack(value, (struct span){ (const char *)data, size }))
		check(value);
	aggregates_drop(&a, value);
	free(value);
	return 0;
}
