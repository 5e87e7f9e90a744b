/*
 * duration - what options take for a length of time.
 *
 * SPDX-License-Identifier: ISC
 */
#include "base/duration.h"
#include "check.h"

static const char form[] = "expected " DURATION_FORM;
static const char whole[] = "must be in whole milliseconds";
static const char longer[] = "must be less than 292 years";

static void
accepts(void)
{
	static const struct {
		const char *text;
		int64_t ms;
	} good[] = {
		{ "0", 0 },
		{ "0ms", 0 },
		{ "9", 9000 },
		{ "9s", 9000 },
		{ "500ms", 500 },
		{ "1m", 60000 },
		{ "1h", 3600000 },
		{ "2d", 172800000 },
		{ "1w", 604800000 },
		{ "1h30m", 5400000 },
		{ "30m1h", 5400000 },
		{ "1.5h", 5400000 },
		{ "1.5", 1500 },
		{ "0.001", 1 },
		{ ".5s", 500 },
		{ "007s", 7000 },
		{ "1.000s", 1000 },
		{ "1w1d1h1m1s1ms", 694861001 },
		{ "0.5m0.5s", 30500 },
		{ "0.000000001h", -1 }, /* see below */
		{ "1.0000000000000000000000000000000s", 1000 },
		{ "0.00125h", 4500 },
		{ "0.0005s0.5ms", 1 },
		{ "0.001s", 1 },
		{ "0000000000000000000000000000000000000000001s", 1000 },
		{ "9223372036854ms", 9223372036854 },
		{ "9223372036.854", 9223372036854 },
		{ "15250w", 9223200000000 },
	};
	int64_t ms;

	for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
		const char *wrong = duration_parse(good[i].text, &ms);

		if (good[i].ms < 0) {
			CHECK_STR(wrong, whole);
			continue;
		}
		CHECK_STR(wrong, NULL);
		CHECK_EQ(ms, good[i].ms);
	}
}

static void
refuses(void)
{
	static const struct {
		const char *text, *wrong;
	} bad[] = {
		{ "", form },
		{ "s", form },
		{ "-1s", form },
		{ "+1s", form },
		{ " 1s", form },
		{ "1s ", form },
		{ "1 s", form },
		{ "1S", form },
		{ "1sec", form },
		{ "1mm", form },
		{ "1msm", form },
		{ "1us", form },
		{ "1y", form },
		{ "1e3s", form },
		{ "1,5h", form },
		{ ".", form },
		{ ".s", form },
		{ "1.", form },
		{ "1.s", form },
		{ "1..5s", form },
		{ "1.5.5s", form },
		{ "1h30", form },
		{ "30 1h", form },
		{ "1h1h", form },
		{ "1s1ms1s", form },
		{ "0x10s", form },
		{ "nan", form },
		{ "1s\n", form },
		{ "0.5ms", whole },
		{ "0.0001", whole },
		{ "1.00000000001ms", whole },
		{ "0.0000000001h", whole },
		{ "9223372036855ms", longer },
		{ "9223372036.855", longer },
		{ "15251w", longer },
		{ "15250w2d", longer },
		{ "99999999999999999999999999999999999999999s", longer },
		/* These overflowed 128 bits once they met their unit. */
		{ "9000000000000000000000000000w", longer },
		{ "9223372036854775807000000000d", longer },
		{ "562949953421312000000w", longer },
		{ "340282366920938463464w", longer },
		{ "1ms9000000000000000000000000000w", longer },
	};
	int64_t ms;

	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		const char *wrong = duration_parse(bad[i].text, &ms);

		CHECK_STR(wrong, bad[i].wrong);
		if (wrong == NULL)
			fprintf(stderr, "\t%s is %" PRId64 "\n", bad[i].text,
			    ms);
	}
}

static void
puts_what_reads_back(void)
{
	static const struct {
		int64_t ms;
		const char *text;
	} puts[] = {
		{ 0, "0s" },
		{ 1, "1ms" },
		{ 999, "999ms" },
		{ 1000, "1s" },
		{ 1437, "1.437s" },
		{ 60000, "1m" },
		{ 60001, "1m0.001s" },
		{ 192000, "3m12s" },
		{ 191437, "3m11.437s" },
		{ 5400000, "1h30m" },
		{ 604800000, "7d" },
		{ 97200000, "1d3h" },
		{ DURATION_MAX_MS, "106751d23h47m16.854s" },
	};
	struct buffer b = { 0 };
	int64_t ms;

	for (size_t i = 0; i < sizeof puts / sizeof *puts; i++) {
		b.n = 0;
		duration_put(&b, puts[i].ms);
		buffer_byte(&b, '\0');
		CHECK_STR(b.p, puts[i].text);
		CHECK_STR(duration_parse(b.p, &ms), NULL);
		CHECK_EQ(ms, puts[i].ms);
	}
	buffer_fini(&b);
}

int
main(void)
{
	accepts();
	refuses();
	puts_what_reads_back();
	return check_done("duration");
}
