/*
 * line_times - times read with their lines are those that tuple_time finds, and
 * what has escapes or is no time is left to it.
 *
 * SPDX-License-Identifier: ISC
 */
#include "tuple/line_times.h"
#include "base/buffer.h"
#include "check.h"
#include "tuple/tuple.h"

/* Not %z, which musl cannot read. */
static const char *const format = "%d/%b/%Y:%H:%M:%S +0100";

/* Whether a time is read with its line: without a format, and with it. */
enum { NO = 0, PLAIN = 1, FORMAT = 2 };

static const struct {
	const char *line;
	int read;
} lines[] = {
	{ "{\"ts\":1772366400123}", PLAIN },
	{ "{\"ts\":1772366400124,\"a\":1}", PLAIN },
	{ "{\"ts\":1772366499999}", PLAIN },
	{ "{\"ts\":1772366400123456}", PLAIN },
	{ "{\"ts\":17723664}", PLAIN },
	{ "{\"ts\":9999999999999999}", NO },
	{ "{\"ts\":\"2026-03-01T12:00:00.123Z\"}", PLAIN },
	{ "{\"ts\":\"2026-03-01T12:00:00.124Z\"}", PLAIN },
	{ "{\"ts\":\"1969-12-31T23:59:59.9+01:00\"}", PLAIN },
	{ "{\"ts\":\"1772366400\"}", PLAIN },
	{ "{\"ts\":\"01/Mar/2026:12:00:00 +0100\"}", PLAIN | FORMAT },
	{ "{\"ts\":\"01/Mar/2026:12:00:00 +0100\",\"a\":1}", PLAIN | FORMAT },
	{ "{\"ts\":\"01/Mar/2026:12:00:01 +0100\"}", PLAIN | FORMAT },
	{ "{\"ts\":\"01/Mar/2026:12:00:0\\u0031 +0100\"}", NO },
	{ "{\"ts\":\"\"}", NO },
	{ "{\"ts\":\"01/Mar/2026:12:00:01 +0100\"}", PLAIN | FORMAT },
	{ "{\"ts\":\"1/Mar/2026:12:00:01 +0100\"}", FORMAT },
	{ "{\"ts\":\"01/Mar/2026:12:00:01\"}", PLAIN },
	{ "{\"ts\":\"01/Mar/2026:12:00:01\"}", PLAIN },
	{ "{\"ts\":\"2026-03-01T12\\u003a00:00Z\"}", NO },
	{ "{\"ts\":1772366400.5}", PLAIN },
	{ "{\"ts\":-5}", PLAIN },
	{ "{\"ts\":12}", PLAIN },
	{ "{\"ts\":\"soon\"}", NO },
	{ "{\"ts\":\"\"}", NO },
	{ "{\"ts\":99999999999999999999}", NO },
	{ "{\"ts\":null}", NO },
	{ "{\"ts\":{\"ts\":1772366400123}}", NO },
	{ "{\"ts\":[1772366400123]}", NO },
	{ "{\"at\":1772366400123}", NO },
	{ "{\"__tick\":1772366400123}", NO },
	{ "{\"ts\":1772366400123", NO },
	{ "", NO },
};

enum { LINES = sizeof lines / sizeof *lines };

/* All the lines in one text, several times over, each time turned by one. */
static void
put_lines(struct buffer *text)
{
	for (size_t turn = 0; turn < LINES; turn++)
		for (size_t i = 0; i < LINES; i++) {
			buffer_put(text,
			    span_of(lines[(turn + i) % LINES].line));
			buffer_byte(text, '\n');
		}
	buffer_room(text, JSON_PAD);
}

static void
check_line(const struct projection *p, size_t field,
    const struct time_form *form, const struct scanned_line *line,
    const struct value *slots, int64_t read)
{
	struct buffer scratch = { 0 };
	struct tuple t = {
		.projection = p, .slots = slots, .scratch = &scratch
	};
	int64_t ns;

	if (line->kind != LINE_OBJECT)
		CHECK(read == LINE_TIME_UNREAD);
	else if (read != LINE_TIME_UNREAD &&
	    CHECK(tuple_time(&t, field, form, &ns, NULL) == 0))
		CHECK_EQ(read, ns);
	buffer_fini(&scratch);
}

static void
times_are_those_of_tuples(const struct time_form *form)
{
	struct buffer text = { 0 };
	struct projection p;
	struct time_field f = { .form = form };
	struct scanned_lines s = { 0 };
	struct line_times times = { 0 };
	struct line_scanner *scanner;
	struct time_slot slot;
	int kind = form->format == NULL ? PLAIN : FORMAT;

	projection_init(&p);
	CHECK(projection_add(&p, "a", &f.field.first, &f.field.n) == NULL);
	CHECK(projection_add(&p, "ts", &f.field.first, &f.field.n) == NULL);
	projection_compile(&p);
	put_lines(&text);
	scanner = line_scanner_new(&p.root, json_index_best());
	line_scanner_scan(scanner, buffer_span(&text), &s);
	slot = time_slot_of(&f, &p);
	CHECK_EQ(s.n, LINES * LINES);
	line_times_read(&times, &slot, &s);
	for (size_t i = 0; i < s.n; i++) {
		check_line(&p, f.field.first, form, &s.lines[i],
		    s.slots + i * (size_t)p.nslots, times.ns[i]);
		if (form->unit == TIME_UNIT_AUTO)
			CHECK_EQ(times.ns[i] != LINE_TIME_UNREAD,
			    (lines[(i / LINES + i) % LINES].read & kind) != 0);
	}
	line_times_fini(&times);
	line_scanner_free(scanner);
	scanned_lines_fini(&s);
	buffer_fini(&text);
	projection_fini(&p);
}

/* Others are not read, or depend on when the tuple comes. */
static void
some_are_not_read(void)
{
	const struct time_form ahead = { .max_ahead_ms = 1 }, plain = { 0 };
	struct time_field f = { .field = { 0, 1 }, .form = &ahead };
	struct projection p;
	size_t first, n;

	projection_init(&p);
	CHECK(projection_add(&p, "ts", &first, &n) == NULL);
	projection_compile(&p);
	CHECK_EQ(time_slot_of(&f, &p).slot, SCAN_NO_SLOT);
	f.form = &plain;
	CHECK_EQ(time_slot_of(&f, &p).slot, p.fields[0].slot);
	f.field.n = 0;
	CHECK_EQ(time_slot_of(&f, &p).slot, SCAN_NO_SLOT);
	CHECK_EQ(time_slot_of(NULL, &p).slot, SCAN_NO_SLOT);
	projection_fini(&p);
}

int
main(void)
{
	for (int unit = TIME_UNIT_AUTO; unit <= TIME_UNIT_NS; unit++)
		times_are_those_of_tuples(&(struct time_form){ .unit = unit });
	times_are_those_of_tuples(&(struct time_form){ .format = format });
	some_are_not_read();
	return check_done("line_times");
}
