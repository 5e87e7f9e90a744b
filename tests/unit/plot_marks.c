/*
 * plot_marks - where marks stand, and how many there is room for.
 *
 * SPDX-License-Identifier: ISC
 */
#include <stdlib.h>

#include "check.h"
#include "tuple/plot_marks.h"

static void
told(struct buffer *b, const char *want)
{
	buffer_byte(b, '\0');
	CHECK_STR(b->p, want);
	b->n = 0;
}

/* Both ends are marks. */
static void
upward(void)
{
	static const struct {
		double least, most, parts;
		const char *want;
	} rows[] = {
		{ 0, 1.4, 1, "0:2]\nset ytics (\"0\" 0, \"1\" 1, \"2\" 2)\n" },
		{ 0, 1.5, 1, "0:2]\nset ytics (\"0\" 0, \"2\" 2)\n" },
		{ 0, 3.4, 1, "0:4]\nset ytics (\"0\" 0, \"2\" 2, \"4\" 4)\n" },
		{ 0, 3.5, 1, "0:5]\nset ytics (\"0\" 0, \"5\" 5)\n" },
		{ 0, 7.4, 1,
		    "0:10]\nset ytics (\"0\" 0, \"5\" 5, \"10\" 10)\n" },
		{ 0, 7.5, 1, "0:10]\nset ytics (\"0\" 0, \"10\" 10)\n" },
		{ -3, 8, 4,
		    "-4:8]\nset ytics (\"-4\" -4, \"-2\" -2, \"0\" 0, "
		    "\"2\" 2, \"4\" 4, \"6\" 6, \"8\" 8)\n" },
		{ 0.1, 0.45, 2,
		    "0:0.6000000000000001]\nset ytics (\"0.0\" 0, \"0.2\" 0.2, "
		    "\"0.4\" 0.4, \"0.6\" 0.6000000000000001)\n" },
		/* Six digits behind the point are read at a glance, not seven. */
		{ 0, 1e-6, 1,
		    "0:1e-06]\nset ytics (\"0.000000\" 0, "
		    "\"0.000001\" 1e-06)\n" },
		{ 0, 1e-7, 1,
		    "0:1e-07]\nset ytics (\"0\" 0, \"1e-07\" 1e-07)\n" },
		{ 0, 5e14, 1,
		    "0:500000000000000]\nset ytics (\"0\" 0, "
		    "\"500,000,000,000,000\" 500000000000000)\n" },
		{ 0, 1e15, 1,
		    "0:1e+15]\nset ytics (\"0\" 0, \"1e+15\" 1e+15)\n" },
		{ -1e15, 4e14, 2,
		    "-1e+15:500000000000000]\nset ytics (\"-1e+15\" -1e+15, "
		    "\"-5e+14\" -500000000000000, \"0\" 0, "
		    "\"5e+14\" 500000000000000)\n" },
	};
	struct buffer b = { 0 };

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char want[256];

		snprintf(want, sizeof want, "set yrange [%s", rows[i].want);
		plot_marks_put_y(&b, rows[i].least, rows[i].most,
		    rows[i].parts);
		told(&b, want);
	}
	buffer_fini(&b);
}

/* None is beyond the ends, and two blanks are between what is written. */
static void
numbers(void)
{
	static const struct {
		double least, most, apart;
		size_t columns;
		const char *want;
	} rows[] = {
		/* The last mark was missing: 6 * 0.05 > 0.3. */
		{ 0, 0.3, 0, 44,
		    "0:0.3]\nset xtics (\"0.00\" 0, \"0.05\" 0.05, "
		    "\"0.10\" 0.1, \"0.15\" 0.15000000000000002, "
		    "\"0.20\" 0.2, \"0.25\" 0.25, \"0.30\" 0.3)\n" },
		{ 0, 10, 0, 44,
		    "0:10]\nset xtics (\"0\" 0, \"1\" 1, \"2\" 2, \"3\" 3, "
		    "\"4\" 4, \"5\" 5, \"6\" 6, \"7\" 7, \"8\" 8, \"9\" 9, "
		    "\"10\" 10)\n" },
		{ 0, 10, 0, 43,
		    "0:10]\nset xtics (\"0\" 0, \"2\" 2, \"4\" 4, \"6\" 6, "
		    "\"8\" 8, \"10\" 10)\n" },
		{ 0, 12, 0, 60,
		    "0:12]\nset xtics (\"0\" 0, \"2\" 2, \"4\" 4, \"6\" 6, "
		    "\"8\" 8, \"10\" 10, \"12\" 12)\n" },
		{ 1, 12, 0, 60,
		    "1:12]\nset xtics (\"1\" 1, \"2\" 2, \"3\" 3, \"4\" 4, "
		    "\"5\" 5, \"6\" 6, \"7\" 7, \"8\" 8, \"9\" 9, "
		    "\"10\" 10, \"11\" 11, \"12\" 12)\n" },
		{ -100000, 0, 0, 30,
		    "-100000:0]\nset xtics (\"-100,000\" -100000, "
		    "\"-50,000\" -50000, \"0\" 0)\n" },
		{ -100000, 0, 0, 29,
		    "-100000:0]\nset xtics (\"-100,000\" -100000, "
		    "\"0\" 0)\n" },
		{ 1, 9, 0, 24,
		    "1:9]\nset xtics (\"2\" 2, \"4\" 4, \"6\" 6, \"8\" 8)\n" },
		{ 0, 3, 2, 120, "0:3]\nset xtics (\"0\" 0, \"2\" 2)\n" },
		{ 1000, 1000.5, 0, 60,
		    "1000:1000.5]\nset xtics (\"1,000.0\" 1000, "
		    "\"1,000.1\" 1000.1, \"1,000.2\" 1000.2, "
		    "\"1,000.3\" 1000.3000000000001, \"1,000.4\" 1000.4000000000001, "
		    "\"1,000.5\" 1000.5)\n" },
		{ 1.1, 1.9, 0, 1, "1.1:1.9]\nset xtics (\"\" 1.1)\n" },
	};
	struct buffer b = { 0 };

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char want[256];

		snprintf(want, sizeof want, "set xrange [%s", rows[i].want);
		plot_marks_put_numbers(&b, rows[i].least, rows[i].most,
		    rows[i].apart, rows[i].columns);
		told(&b, want);
	}
	buffer_fini(&b);
}

/* What is written at the second mark from 1970 on, and its second. */
static const char *
second(double most, size_t columns)
{
	static char text[64];
	char label[32] = "none", at[32] = "";
	struct buffer b = { 0 };

	plot_marks_put_times(&b, 0, most, columns);
	buffer_byte(&b, '\0');
	sscanf(strstr(b.p, "set xtics ("),
	    "set xtics (\"%*[^\"]\" \"%*[^\"]\", \"%31[^\"]\" \"%31[^\"]\"",
	    label, at);
	snprintf(text, sizeof text, "%s %.10g", label, strtod(at, NULL));
	buffer_fini(&b);
	return text;
}

/* There are ten marks where they are nine steps apart, and columns enough. */
static void
steps_of_times(void)
{
	const double day = 86400000;
	const struct {
		double ms;
		size_t columns;
		const char *want;
	} rows[] = {
		{ .001, 170, "00:00:00.000001 1e-06" },
		{ .001, 169, "00:00:00.000002 2e-06" },
		{ .002, 170, "00:00:00.000002 2e-06" },
		{ .005, 170, "00:00:00.000005 5e-06" },
		{ .01, 160, "00:00:00.00001 1e-05" },
		{ .02, 160, "00:00:00.00002 2e-05" },
		{ .05, 160, "00:00:00.00005 5e-05" },
		{ .1, 150, "00:00:00.0001 0.0001" },
		{ .2, 150, "00:00:00.0002 0.0002" },
		{ .5, 150, "00:00:00.0005 0.0005" },
		{ 1, 140, "00:00:00.001 0.001" },
		{ 2, 140, "00:00:00.002 0.002" },
		{ 5, 140, "00:00:00.005 0.005" },
		{ 10, 130, "00:00:00.01 0.01" },
		{ 20, 130, "00:00:00.02 0.02" },
		{ 50, 130, "00:00:00.05 0.05" },
		{ 100, 120, "00:00:00.1 0.1" },
		{ 200, 120, "00:00:00.2 0.2" },
		{ 500, 120, "00:00:00.5 0.5" },
		{ 1000, 100, "00:00:01 1" },
		{ 1000, 99, "00:00:02 2" },
		{ 2000, 100, "00:00:02 2" },
		{ 1010, 200, "00:00:02 2" }, /* there are no more than ten */
		{ 5000, 100, "00:00:05 5" },
		{ 10000, 100, "00:00:10 10" },
		{ 20000, 100, "00:00:20 20" },
		{ 30000, 100, "00:00:30 30" },
		{ 60000, 70, "00:01 60" },
		{ 60000, 69, "00:02 120" },
		{ 120000, 70, "00:02 120" },
		{ 300000, 70, "00:05 300" },
		{ 600000, 70, "00:10 600" },
		{ 1200000, 70, "00:20 1200" },
		{ 1800000, 70, "00:30 1800" },
		{ 3600000, 70, "01:00 3600" },
		{ 7200000, 70, "02:00 7200" },
		{ 10800000, 70, "03:00 10800" },
		{ 2 * day / 9, 70, "06:00 21600" },
		{ 2 * day / 9, 62, "12:00 43200" },
		{ 2.1 * day / 9, 70, "01-02 86400" },
		{ day, 70, "01-02 86400" },
		{ day, 69, "01-03 172800" },
		{ 2 * day, 70, "01-03 172800" },
		{ 7 * day, 70, "01-12 950400" }, /* a Monday, as is the first */
		{ 14 * day, 70, "01-19 1555200" },
		{ 28 * day, 90, "1970-02 2678400" },
		{ 28 * day, 89, "1970-03 5097600" },
		{ 56 * day, 90, "1970-03 5097600" },
		{ 84 * day, 90, "1970-04 7776000" },
		{ 168 * day, 90, "1970-07 15638400" },
		{ 336 * day, 60, "1971 31536000" },
		{ 336 * day, 59, "1972 63072000" },
		{ 672 * day, 60, "1972 63072000" },
		{ 1680 * day, 60, "1975 157766400" },
		{ 3360 * day, 60, "1980 315532800" },
		{ 6720 * day, 60, "2000 946684800" },
		{ 16800 * day, 60, "2050 2524608000" },
		{ 33600 * day, 60, "2100 4102444800" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		CHECK_STR(second(9 * rows[i].ms, rows[i].columns),
		    rows[i].want);
}

static void
times(void)
{
	static const struct {
		double least, most;
		size_t columns;
		const char *want, *lacks;
	} rows[] = {
		{ -1500, 1000, 84,
		    "-1.500000\":\"1.000000\"]\nset xtics ("
		    "\"23:59:58.5\" \"-1.500000\", "
		    "\"23:59:59.0\" \"-1.000000\", "
		    "\"23:59:59.5\" \"-0.500000\", "
		    "\"00:00:00.0\" \"0.000000\", "
		    "\"00:00:00.5\" \"0.500000\", "
		    "\"00:00:01.0\" \"1.000000\")\n",
		    ", %Y-%m-%d" },
		{ 100, 2900, 30,
		    "0.100000\":\"2.900000\"]\nset xtics ("
		    "\"00:00:02\" \"2.000000\")\n",
		    ", %Y-%m-%d" },
		{ 1000, 1000.4, 2,
		    "1.000000\":\"1.000400\"]\nset xtics ("
		    "\"\" \"1.000000\")\n",
		    "" },
		{ -2600000000, 0, 50,
		    "-2600000.000000\":\"0.000000\"]\nset xtics ("
		    "\"12-08\" \"-2073600.000000\", "
		    "\"12-15\" \"-1468800.000000\", "
		    "\"12-22\" \"-864000.000000\", "
		    "\"12-29\" \"-259200.000000\")\n",
		    ", %Y" },
		/* Months, from the middle of one on, and before 1970. */
		{ -8640000000, 8640000000, 80,
		    "-8640000.000000\":\"8640000.000000\"]\nset xtics ("
		    "\"1969-10\" \"-7948800.000000\", "
		    "\"1969-11\" \"-5270400.000000\", "
		    "\"1969-12\" \"-2678400.000000\", "
		    "\"1970-01\" \"0.000000\", "
		    "\"1970-02\" \"2678400.000000\", "
		    "\"1970-03\" \"5097600.000000\", "
		    "\"1970-04\" \"7776000.000000\")\n",
		    "" },
		{ 1700000000000, 1717000000000, 80,
		    "1700000000.000000\":\"1717000000.000000\"]\nset xtics ("
		    "\"2023-12\" \"1701388800.000000\", "
		    "\"2024-01\" \"1704067200.000000\", "
		    "\"2024-02\" \"1706745600.000000\", "
		    "\"2024-03\" \"1709251200.000000\", "
		    "\"2024-04\" \"1711929600.000000\", "
		    "\"2024-05\" \"1714521600.000000\")\n",
		    "" },
		/* All the times that there are; no step is longer. */
		{ -9214646400000, 9214646400000, 10,
		    "-9214646400.000000\":\"9214646400.000000\"]\nset xtics ("
		    "\"1800\" \"-5364662400.000000\", "
		    "\"2000\" \"946684800.000000\", "
		    "\"2200\" \"7258118400.000000\")\n",
		    "" },
	};
	struct buffer b = { 0 };

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char want[512];

		snprintf(want, sizeof want,
		    "set xdata time\nset timefmt \"%%s\"\nset xrange [\"%s",
		    rows[i].want);
		plot_marks_put_times(&b, rows[i].least, rows[i].most,
		    rows[i].columns);
		told(&b, want);
		CHECK_STR(plot_marks_lack(rows[i].least, rows[i].most,
			      rows[i].columns),
		    rows[i].lacks);
	}
	buffer_fini(&b);
}

int
main(void)
{
	upward();
	numbers();
	steps_of_times();
	times();
	return check_done("plot_marks");
}
