/*
 * aggregate_state - any bytes as what a state holds of a key's aggregates.
 * What is taken can be merged with itself, is written as valid JSON, and is
 * written as the same after it was packed once more.
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
	struct span list =
	    SPAN("count,count:x,sum:x,stddev:x,min:x,max:x,first:x,last:x,"
		 "distinct:x,p50:x,p99.9:x");

	if (a.n != 0)
		return;
	projection_init(&p);
	if (aggregates_add(&a, &p, &list) != NULL)
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
put_row(struct buffer *b, const void *value)
{
	buffer_byte(b, '{');
	aggregates_put(&a, b, value);
	buffer_byte(b, '}');
}

static void
check(void *value)
{
	void *other = memory_new(1, a.size);
	struct buffer packed = { 0 }, row = { 0 }, same = { 0 };

	pack_form(&packed, 1);
	aggregates_pack(&a, value, &packed);
	if (!unpack(other, buffer_span(&packed)))
		abort();
	put_row(&row, value);
	put_row(&same, other);
	if (!span_eq(buffer_span(&row), buffer_span(&same)) ||
	    padded_validate(buffer_span(&row), NULL) != 0)
		abort();
	aggregates_merge(&a, value, other);
	put_row(&row, value);
	aggregates_drop(&a, other);
	free(other);
	buffer_fini(&packed);
	buffer_fini(&row);
	buffer_fini(&same);
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
