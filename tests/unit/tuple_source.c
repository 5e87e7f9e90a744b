/*
 * source - the second thread's lines come in batches; lines that are plain.
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

	pthread_mutex_lock(&s->ahead->thread->lock);
	is = s->ahead->batches[i].state == BATCH_SCANNED;
	pthread_mutex_unlock(&s->ahead->thread->lock);
	return is;
}

/* Wait until the thread has done all that there is room for. */
static void
wait_for_batches(const struct tuple_source *s)
{
	int ready = 0;

	while (ioctl(tuple_source_fd(s), FIONREAD, &ready) == 0 &&
	    ready < SCAN_AHEAD_BATCHES)
		sched_yield();
	CHECK_EQ(ready, SCAN_AHEAD_BATCHES);
	for (size_t i = 0; i < SCAN_AHEAD_BATCHES; i += is_scanned(s, i))
		sched_yield();
}

/* The line is that of its number. */
static void
check_line(const struct tuple_source *s, uint64_t number)
{
	char text[32];

	snprintf(text, sizeof text, "{\"a\":%" PRIu64 "}", number);
	CHECK(span_eq(tuple_source_raw(s), span_of(text)));
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
	struct scan_thread thread;
	struct tuple_source s;
	enum input_status status = INPUT_EMPTY;
	uint64_t lines = 0;

	look_for_a(&projection);
	tuple_source_init(&s, 0, names, 1, 1 << 20, &projection);
	CHECK(scan_thread_start(&thread));
	CHECK(tuple_source_read_ahead(&s, &thread));
	/* A file is waited for, or another one would take its turn. */
	tuple_source_read(&s);
	CHECK(tuple_source_line(&s) == INPUT_LINE);
	check_line(&s, lines++);
	wait_for_batches(&s);
	while (tuple_source_line(&s) == INPUT_LINE)
		check_line(&s, lines++);
	CHECK(lines > 0 && lines < LINES / SCAN_AHEAD_BATCHES);
	CHECK(tuple_source_line(&s) == INPUT_EMPTY);
	/*
	 * A thread that had scanned all but the oldest batch, the last to be
	 * scanned, took it for one to be filled.
	 */
	while (status != INPUT_END) {
		status = tuple_source_line(&s);
		if (status == INPUT_LINE)
			check_line(&s, lines++);
		else
			tuple_source_read(&s);
	}
	CHECK_EQ(lines, LINES);
	scan_thread_stop(&thread);
	tuple_source_fini(&s);
	projection_fini(&projection);
}

/* The tuple is that of the line, in its place. */
static void
check_tuple(const struct tuple_source *s, uint64_t number)
{
	check_line(s, number);
	CHECK_EQ(s->place.line, number + 1);
	CHECK(span_eq(s->tuple->line, tuple_source_raw(s)));
}

/*
 * However many are plain, and whoever takes them, no line is passed over or
 * comes twice.  Plain lines that had been taken by tuple_source_line were counted as
 * still to come, and a join whose streams waited for each other ran past what
 * it had looked at.
 */
static void
plain_lines(void)
{
	char *names[] = { path };
	struct random rng = { 3 };
	struct tuple *ahead[TUPLE_AHEAD];
	struct projection projection;
	struct tuple_source s;
	enum input_status status;
	uint64_t lines = 0, plain = 0;
	size_t n;

	look_for_a(&projection);
	tuple_source_init(&s, 0, names, 1, 1 << 20, &projection);
	while ((status = tuple_source_line(&s)) != INPUT_END) {
		if (status != INPUT_LINE) {
			tuple_source_read(&s);
			continue;
		}
		if (tuple_source_is_to_look_ahead(&s)) {
			n = tuple_source_look_ahead(&s, ahead);
			tuple_source_set_plain(&s, random_below(&rng, n));
		}
		CHECK_EQ(tuple_source_scan(&s, NULL), 1);
		check_tuple(&s, lines++);
		for (;
		     random_below(&rng, 50) != 0 && tuple_source_next_plain(&s);
		     plain++)
			check_tuple(&s, lines++);
	}
	CHECK_EQ(lines, LINES);
	CHECK(plain > LINES / 4);
	tuple_source_fini(&s);
	projection_fini(&projection);
}

int
main(void)
{
	hash_init();
	write_lines();
	batches_end();
	plain_lines();
	unlink(path);
	return check_done("source");
}
