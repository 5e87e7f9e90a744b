/*
 * tuple_source - lines as what they are and with their numbers, whoever reads
 * them; those of other threads come in batches.
 *
 * SPDX-License-Identifier: ISC
 */
#include <sys/ioctl.h>

#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <zlib.h>

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

/*
 * Look for a, and for as many fields more, which no line has: of many, a batch
 * is scanned in parts.
 */
static void
look_for_a(struct projection *p, int more)
{
	char name[32];
	size_t first, n;

	projection_init(p);
	CHECK(projection_add(p, "a", &first, &n) == NULL);
	for (; more > 0; more--) {
		snprintf(name, sizeof name, "more%d", more);
		CHECK(projection_add(p, name, &first, &n) == NULL);
	}
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

	look_for_a(&projection, 0);
	tuple_source_init(&s, 0, names, 1, 1 << 20, &projection, NULL, NULL);
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

/*
 * How much there is to read is not known once there is a compressed file: with
 * threads, --progress stood at 100 % from there on.
 */
static void
sizes_are_known_or_not(bool ahead)
{
	char packed[] = "/tmp/packed-XX"
			"XX"
			"XX";
	char *names[] = { path, packed };
	struct projection projection;
	struct scan_threads threads = { 0 };
	struct tuple_source s;
	enum input_status status = INPUT_EMPTY;
	gzFile f = gzdopen(mkstemp(packed), "wb");

	CHECK(gzputs(f, "{\"a\":1}\n") > 0 && gzclose(f) == Z_OK);
	look_for_a(&projection, 0);
	tuple_source_init(&s, 0, names, 2, 1 << 20, &projection, NULL, NULL);
	CHECK(s.in.size > 0);
	if (ahead) {
		CHECK(scan_threads_start(&threads, 1, 1, s.scanner));
		tuple_source_read_ahead(&s, &threads);
	}
	while (status != INPUT_END)
		if (!next_line(&s, &status))
			tuple_source_read(&s);
		else if (tuple_source_place(&s).name == packed)
			CHECK_EQ(s.in.size, -1);
	scan_threads_stop(&threads);
	tuple_source_fini(&s);
	projection_fini(&projection);
	unlink(packed);
}

/* What the hooks of used_lines were told and asked. */
struct told {
	off_t end;	 /* of what was used of the file */
	int files, anew; /* that were begun, and begun once more */
	int reads;
};

/* Begin where the file does. */
static off_t
opened(void *arg, size_t at, int fd, uint64_t *line)
{
	struct told *told = arg;

	(void)at, (void)fd;
	told->end = 0;
	told->files++;
	*line = 0;
	return 0;
}

static void
used(void *arg, struct span bytes)
{
	((struct told *)arg)->end += (off_t)bytes.n;
}

/* Twice the file is not what it was. */
static bool
stands(void *arg, struct span rest)
{
	struct told *told = arg;

	(void)rest;
	if (++told->reads % 9 != 0 || told->anew == 2)
		return true;
	told->anew++;
	return false;
}

/*
 * Whenever it is asked, the input knows which lines have been used, though
 * they were scanned and taken many at a time; one that is held is not.  That
 * stays so when others read ahead, and when a file has to be begun anew.
 */
static void
used_lines(size_t threads, int more)
{
	char *names[] = { path, path };
	struct told told = { 0 };
	const struct input_hooks hooks = {
		.arg = &told, .opened = opened, .used = used, .stands = stands
	};
	struct random rng = { 3 };
	struct projection projection;
	struct scan_threads t = { 0 };
	struct tuple_source s;
	enum input_status status = INPUT_EMPTY;
	uint64_t lines = 0, aheads = 0;
	off_t offset = 0;
	int files = 1;

	look_for_a(&projection, more);
	tuple_source_init(&s, 0, names, 2, 1 << 20, &projection, NULL, NULL);
	CHECK(threads == 0 || scan_threads_start(&t, threads, 1, s.scanner));
	input_resume(&s.in, &hooks);
	while (status != INPUT_END) {
		if (!next_line(&s, &status)) {
			if (threads != 0 && tuple_source_is_long(&s))
				tuple_source_read_ahead(&s, &t);
			poll(&(struct pollfd){ tuple_source_fd(&s), POLLIN, 0 },
			    1, s.ahead != NULL ? -1 : 0);
			tuple_source_read(&s);
			continue;
		}
		aheads += s.ahead != NULL;
		if (told.files != files)
			lines = (uint64_t)(offset = 0);
		files = told.files;
		check_line(&s, lines++);
		offset += (off_t)tuple_source_raw(&s).n + 1;
		if (random_below(&rng, 20) != 0)
			continue;
		bool held = random_below(&rng, 2) == 0;
		tuple_source_settle(&s, held);
		input_tell(&s.in);
		CHECK_EQ(told.end,
		    offset - (held ? (off_t)tuple_source_raw(&s).n + 1 : 0));
		CHECK_EQ(input_line_number(&s.in), lines - held);
		CHECK(s.ahead != NULL || input_offset(&s.in) == told.end);
	}
	CHECK_EQ(lines, LINES);
	CHECK_EQ(told.end, offset);
	CHECK(told.anew == 2 && files == 4);
	CHECK(threads == 0 ? aheads == 0 : aheads > LINES / 2);
	scan_threads_stop(&t);
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
	{ "{\"__tick\":1}", LINE_OBJECT },
	{ "{\"a\":1,}", LINE_INVALID },
	{ "[1]", LINE_INVALID },
	{ "{\"a\":\"too long, it is\"}", LINE_LONG },
};

enum { SOME = sizeof some_lines / sizeof *some_lines };

/* One of them; a few are long, as each of those is a batch of its own. */
static size_t
some_line(struct random *rng)
{
	return random_below(rng, 100) == 0 ? SOME - 1 :
					     random_below(rng, SOME - 1);
}

/* The lines come as what they are, with their numbers, whoever reads. */
static void
kinds_of_lines(bool ahead, int more)
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
		fprintf(f, "%s\n", some_lines[some_line(&rng)].text);
	CHECK(f != NULL && fclose(f) == 0);
	rng = (struct random){ 5 };
	look_for_a(&projection, more);
	tuple_source_init(&s, 0, names, 1, 20, &projection, NULL, NULL);
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
		if (tuple_source_line(&s)->kind != LINE_REST) {
			kind = some_line(&rng);
			line++;
			CHECK(tuple_source_line(&s)->kind ==
			    some_lines[kind].kind);
			CHECK(s.tuple->plain ==
			    (some_lines[kind].kind == LINE_OBJECT &&
				strstr(some_lines[kind].text, "tick") == NULL));
		} else {
			CHECK(some_lines[kind].kind == LINE_LONG);
		}
		CHECK_EQ(tuple_source_place(&s).line, line);
		if (tuple_source_line(&s)->kind < LINE_LONG)
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
	sizes_are_known_or_not(false);
	sizes_are_known_or_not(true);
	used_lines(0, 0);
	used_lines(1, 0);
	used_lines(3, 0);
	used_lines(0, 200);
	used_lines(3, 200);
	kinds_of_lines(false, 0);
	kinds_of_lines(true, 0);
	kinds_of_lines(true, 200);
	unlink(path);
	return check_done("tuple_source");
}
