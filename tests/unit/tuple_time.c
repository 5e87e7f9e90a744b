/*
 * tuple_time - times that are too far ahead of the clock.
 *
 * SPDX-License-Identifier: ISC
 */
#include "check.h"
#include "padded.h"

static struct scanned s;

/* Read the time of a tuple that was read at now_ms. */
static int
read_time(const char *line, const struct time_form *form, int64_t now_ms)
{
	int64_t ns;

	CHECK(scanned_line(&s, span_of(line)) == 0);
	s.tuple.now_ms = now_ms;
	return tuple_time(&s.tuple, 0, form, &ns, &s.fault);
}

int
main(void)
{
	struct time_form any = { 0 }, ahead = { .max_ahead_ms = 1500 };

	scanned_init(&s, "t");
	/* Up to the bound, and a millisecond further; digits and a date. */
	CHECK_EQ(read_time("{\"t\":1700000001500}", &ahead, 1700000000000), 0);
	CHECK_EQ(read_time("{\"t\":1700000001501}", &ahead, 1700000000000), -1);
	CHECK_EQ(s.fault.kind, FAULT_AHEAD);
	CHECK_EQ(s.fault.column, 6);
	CHECK_STR(s.fault.message,
	    "expected a time at most 1.5s ahead of the clock at 't', "
	    "got 1700000001501");
	CHECK_EQ(read_time("{\"t\":\"2023-11-14T22:13:21.5Z\"}", &ahead,
		     1700000000000),
	    0);
	CHECK_EQ(read_time("{\"t\":\"2023-11-14T22:13:21.501Z\"}", &ahead,
		     1700000000000),
	    -1);
	/* Times count in whole milliseconds, as those of windows do. */
	CHECK_EQ(read_time("{\"t\":1700000001500999999}", &ahead,
		     1700000000000),
	    0);
	/* At both ends of time, without an overflow. */
	ahead.max_ahead_ms = INT64_MAX / 1000000;
	CHECK_EQ(read_time("{\"t\":-9223372036854775808}", &ahead, INT64_MAX),
	    0);
	CHECK_EQ(read_time("{\"t\":9223372036854775807}", &ahead, 0), 0);
	CHECK_EQ(read_time("{\"t\":9223372036854775807}", &ahead, -1), -1);
	CHECK_EQ(read_time("{\"t\":9223372036854775807}", &any, 0), 0);
	scanned_fini(&s);
	return check_done("tuple_time");
}
