/*
 * batch_value - which tuples begin a batch.
 *
 * SPDX-License-Identifier: ISC
 */
#include "tuple/batch_value.h"
#include "check.h"
#include "padded.h"

static struct batch_value b;
static struct scanned s;

/* 1 if a tuple begins a batch, 0 if it does not, -1 if it has no value. */
static int
see(const char *line)
{
	bool begins = false;

	CHECK(scanned_line(&s, span_of(line)) == 0);
	if (batch_value_see(&b, &s.tuple, &begins, &s.fault) < 0)
		return -1;
	return begins;
}

static bool
see_window(const char *line)
{
	CHECK(scanned_line(&s, span_of(line)) == 0);
	return batch_value_see_window(&b, &s.tuple);
}

static void
fields(void)
{
	scanned_init(&s, "v");
	b.field = (struct field_range){ 0, 1 };
	CHECK_EQ(see("{\"v\":1}"), 0);
	CHECK_EQ(see("{\"v\":1.0}"), 0);
	CHECK_EQ(see("{\"v\":1e0}"), 0);
	CHECK_EQ(see("{}"), -1);
	CHECK_EQ(see("{\"v\":[]}"), -1);
	CHECK_EQ(see("{\"v\":1}"), 0);
	CHECK_EQ(see("{\"v\":\"1\"}"), 1);
	CHECK_EQ(see("{\"v\":\"\\u0031\"}"), 0);
	CHECK_EQ(see("{\"v\":null}"), 1);
	CHECK_EQ(see("{\"v\":1}"), 1);
	batch_value_end(&b);
	CHECK_EQ(see("{\"v\":2}"), 0);
	CHECK_EQ(see("{\"v\":1}"), 1);
	scanned_fini(&s);
	batch_value_fini(&b);
}

/* What has no end of a window goes with what is there. */
static void
windows(void)
{
	b = (struct batch_value){ 0 };
	scanned_init(&s, "window_end");
	b.field = (struct field_range){ 0, 1 };
	CHECK(!see_window("{}"));
	CHECK(!see_window("{\"window_end\":1000}"));
	CHECK(!see_window("{}"));
	CHECK(!see_window("{\"window_end\":{}}"));
	CHECK(!see_window("{\"window_end\":1e9999999999999999999}"));
	CHECK(!see_window("{\"window_end\":1000.0}"));
	CHECK(see_window("{\"window_end\":2000}"));
	CHECK(!see_window("{\"window_end\":2000}"));
	scanned_fini(&s);
	batch_value_fini(&b);
}

int
main(void)
{
	fields();
	windows();
	return check_done("batch_value");
}
