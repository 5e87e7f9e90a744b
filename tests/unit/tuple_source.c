/*
 * tuple_source - lines as what they are and with their numbers, whoever reads
 * them; those of other threads come in batches.
 *
 * SPDX-License-Identifier: ISC
 */
#include <sys/ioctl.h>

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/random.h"
#include "check.h"
#include "io/tuple_source.h"
#include "tuple/projection.h"

enum { LINES = 200000 };

static char path[] = "/tmp/source-XX"
		     "XX"
		     "XX";

static void
write_lines(void)
{
	FILE *f = fdopen(mkstemp(path), "w");

	if (!CHECK(f != NULL))
		exit(1);
	for (int i = 0; i < LINES; i++)
		fprintf(f, "{\"a\":%d}\n", i);
	CHECK(fclose(f) == 0);
}

static bool
is_scanned(const struct tuple_source *s, size_t i)
{
	bool is;

	pthread_mutex_lock(&s->ahead->threads->lock);
	is = s->ahead->batches[i].state == AHEAD_SCANNED;
	pthread_mutex_unlock(&s->ahead->threads->lock);
	return is;
}

/* Wait until the threads have done all that there is room for. */
static void
wait_for_batches(const struct tuple_source *s)
{
	const size_t n = s->ahead->threads->nbatches;
	int ready = 0;

	while (ioctl(tuple_source_fd(s), FIONREAD, &ready) == 0 &&
	    ready < (int)n)
		sched_yield();
	CHECK_EQ(ready, n);
	for (size_t i = 0; i < n; i += is_scanned(s, i))
		sched_yield();
}

/* The line is that of its number, from 0, and so is its tuple. */
static void
check_line(const struct tuple_source *s, uint64_t number)
{
	char text[32];

	snprintf(text, sizeof text, "{\"a\":%" PRIu64 "}", number);
	CHECK(span_eq(tuple_source_raw(s), span_of(text)));
	CHECK(span_eq(s->tuple->line, span_of(text)));
	CHECK_EQ(tuple_source_place(s).line, number + 1);
}

/* Go to the next line.  False: nothing more has been read. */
static bool
next_line(struct tuple_source *s, enum input_status *status)
{
	*status = INPUT_LINE;
	return tuple_source_next(s) ||
	    ((*status = tuple_source_take(s)) == INPUT_LINE &&
		tuple_source_next(s));
}

static void
look_for_a(struct projection *p)
{
	size_t first, n;

	projection_init(p);
	CHECK(projection_add(p, "a", &first, &n) == NULL);
	projection_compile(p);
}

/*
 * A bolt that was slower than the thread never heard of the clock, nor of
 * signals: there always was one more line.
 */
static void
batches_end(void)
{
	char *names[] = { path };
	struct projection projection;
	struct scan_threads threads = { 0 };
	struct tuple_source s;
	enum input_status status = INPUT_EMPTY;
	uint64_t lines = 0;

	look_for_a(&projection);
	tuple_source_init(&s, 0, names, 1, 1 << 20, &projection);
	CHECK(scan_threads_start(&threads, 2, 1, s.scanner));
	tuple_source_read_ahead(&s, &threads);
	CHECK(s.ahead != NULL);
	/* A file is waited for, or another one would take its turn. */
	tuple_source_read(&s);
	CHECK(next_line(&s, &status));
	check_line(&s, lines++);
	wait_for_batches(&s);
	while (next_line(&s, &status))
		check_line(&s, lines++);
	CHECK(lines > 0 && lines < LINES / SCAN_AHEAD_BATCHES);
	CHECK(status == INPUT_EMPTY);
	/*
	 * A thread that had scanned all but the oldest batch, the last to be
	 * scanned, took it for one to be filled.
	 */
	while (status != INPUT_END)
		if (next_line(&s, &status))
			check_line(&s, lines++);
		else
			tuple_source_read(&s);
	CHECK_EQ(lines, LINES);
	scan_threads_stop(&threads);
	tuple_source_fini(&s);
	projection_fini(&projection);
}

/* Begin where the file does. */
static off_t
opened(void *arg, size_t at, int fd, uint64_t *line)
{
	(void)arg, (void)at, (void)fd;
	*line = 0;
	return 0;
}

static void
used(void *arg, struct span bytes)
{
	*(off_t *)arg += (off_t)bytes.n;
}

/*
 * Whenever it is asked, the input knows which lines have been used, though
 * they were scanned and taken many at a time; one that is held is not.
 */
static void
used_lines(void)
{
	char *names[] = { path };
	off_t offset = 0, end = 0;
	const struct input_hooks hooks = {
		.arg = &end, .opened = opened, .used = used
	};
	struct random rng = { 3 };
	struct projection projection;
	struct tuple_source s;
	enum input_status status = INPUT_EMPTY;
	uint64_t lines = 0;
	bool held;

	look_for_a(&projection);
	tuple_source_init(&s, 0, names, 1, 1 << 20, &projection);
	input_resume(&s.in, &hooks);
	while (status != INPUT_END) {
		if (!next_line(&s, &status)) {
			tuple_source_read(&s);
			continue;
		}
		check_line(&s, lines++);
		offset += (off_t)tuple_source_raw(&s).n + 1;
		if (random_below(&rng, 20) != 0)
			continue;
		held = random_below(&rng, 2) == 0;
		tuple_source_settle(&s, held);
		CHECK_EQ(input_offset(&s.in),
		    offset - (held ? (off_t)tuple_source_raw(&s).n + 1 : 0));
		CHECK_EQ(input_line_number(&s.in), lines - held);
	}
	CHECK_EQ(lines, LINES);
	CHECK_EQ(end, offset);
	tuple_source_fini(&s);
	projection_fini(&projection);
}

/* A line for each kind there is, and some more; of up to 20 bytes. */
static const struct {
	const char *text;
	enum line_kind kind;
} some_lines[] = {
	{ "{\"a\":1}", LINE_OBJECT },
	{ " {\"b\":2}\r", LINE_OBJECT },
	{ "", LINE_BLANK },
	{ " \t\r", LINE_BLANK },
	{ "{\"__tick\":1}", LINE_MARKED },
	{ "{\"a\":1,}", LINE_INVALID },
	{ "[1]", LINE_INVALID },
	{ "{\"a\":\"too long, it is\"}", LINE_LONG },
};

enum { SOME = sizeof some_lines / sizeof *some_lines };

/* The lines come as what they are, with their numbers, whoever reads. */
static void
kinds_of_lines(bool ahead)
{
	char *names[] = { path };
	struct random rng = { 5 };
	struct projection projection;
	struct scan_threads threads = { 0 };
	struct tuple_source s;
	enum input_status status = INPUT_EMPTY;
	FILE *f = fopen(path, "w");
	uint64_t line = 0;
	size_t kind = 0;

	for (int i = 0; i < LINES; i++)
		fprintf(f, "%s\n", some_lines[random_below(&rng, SOME)].text);
	CHECK(f != NULL && fclose(f) == 0);
	rng = (struct random){ 5 };
	look_for_a(&projection);
	tuple_source_init(&s, 0, names, 1, 20, &projection);
	if (ahead) {
		CHECK(scan_threads_start(&threads, 2, 1, s.scanner));
		tuple_source_read_ahead(&s, &threads);
		CHECK(s.ahead != NULL);
	}
	while (status != INPUT_END) {
		if (!next_line(&s, &status)) {
			tuple_source_read(&s);
			continue;
		}
		if (s.line->kind != LINE_REST) {
			kind = random_below(&rng, SOME);
			line++;
			CHECK(s.line->kind == some_lines[kind].kind);
		} else {
			CHECK(some_lines[kind].kind == LINE_LONG);
		}
		CHECK_EQ(tuple_source_place(&s).line, line);
		if (s.line->kind < LINE_LONG)
			CHECK(span_eq(tuple_source_raw(&s),
			    span_of(some_lines[kind].text)));
	}
	CHECK_EQ(line, LINES);
	if (ahead)
		scan_threads_stop(&threads);
	tuple_source_fini(&s);
	projection_fini(&projection);
}

int
main(void)
{
	hash_init();
	write_lines();
	batches_end();
	used_lines();
	kinds_of_lines(false);
	kinds_of_lines(true);
	unlink(path);
	return check_done("tuple_source");
}
