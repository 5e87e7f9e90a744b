/*
 * SPDX-License-Identifier: ISC
 */
#include <poll.h>
#include <stdlib.h>

#include "base/diagnostics.h"
#include "base/memory.h"
#include "io/tuple_source.h"

/* What is shorter is done before a thread would have started. */
enum { AHEAD_BYTES = 1 << 20 };

/* The version of the index that is asked for, or else the best. */
static const struct json_index_version *
index_version(void)
{
	const char *name = getenv("TUPLETOOLS_INDEX");
	const struct json_index_version *version;

	if (name == NULL || *name == '\0')
		return json_index_best();
	version = json_index_named(name);
	if (version == NULL)
		die("TUPLETOOLS_INDEX: no version '%s' of the index runs here",
		    name);
	return version;
}

/* Get ready for the first batch. */
static void
init(struct tuple_source *s, uint32_t stream,
    const struct projection *projection, const struct time_field *time,
    struct line_scanner *scanner)
{
	s->stream = stream;
	s->time = time_slot_of(time, projection);
	s->scanner = scanner != NULL ?
	    scanner :
	    line_scanner_new(&projection->root, index_version());
	s->owns_scanner = scanner == NULL;
	s->own.status = INPUT_EMPTY;
	s->batch = &s->own;
	s->file = SIZE_MAX;
	s->ahead_from = AHEAD_BYTES;
	for (size_t i = 0; i < TUPLE_AHEAD; i++)
		s->tuples[i] = (struct tuple){ .projection = projection,
			.scratch = &s->scratch,
			.stream = stream };
}

/* Go on without the threads. */
static void
end_ahead(struct tuple_source *s)
{
	scan_ahead_fini(s->ahead);
	free(s->ahead);
	s->ahead = NULL;
	s->ahead_from = s->in.bytes + AHEAD_BYTES;
}

void
tuple_source_init(struct tuple_source *s, uint32_t stream, char *const *names,
    size_t n, size_t max_line, const struct projection *projection,
    const struct time_field *time, struct line_scanner *scanner)
{
	*s = (struct tuple_source){ 0 };
	input_init(&s->in, names, n, max_line);
	init(s, stream, projection, time, scanner);
}

void
tuple_source_init_given(struct tuple_source *s,
    const struct projection *projection)
{
	static char *const no_file[] = { (char *)(uintptr_t) "" };

	/* An input that has ended. */
	*s = (struct tuple_source){
		.in = { .names = no_file, .nnames = 1, .at = 1, .fd = -1 }
	};
	init(s, 0, projection, NULL, NULL);
}

void
tuple_source_fini(struct tuple_source *s)
{
	if (s->ahead != NULL)
		end_ahead(s);
	if (s->owns_scanner)
		line_scanner_free(s->scanner);
	line_batch_fini(&s->own);
	input_fini(&s->in);
	buffer_fini(&s->scratch);
}

/* Where the first n lines of the batch end, in its text. */
static size_t
end_of(const struct line_batch *b, size_t n)
{
	const struct scanned_line *line = b->lines.lines;

	return n == 0 ? 0 : line[n - 1].at + line[n - 1].n + 1;
}

void
tuple_source_settle(struct tuple_source *s, bool held)
{
	const struct line_batch *b = s->batch;
	size_t n = s->at - held, from, to;

	/* Its pieces were taken; a line that is held is to be read as a whole. */
	if (held && b->lines.n != 0 && b->lines.lines[0].kind == LINE_REST)
		s->in.in_long = true;
	if (n <= s->settled)
		return;
	from = end_of(b, s->settled);
	to = end_of(b, n);
	if (b != &s->own)
		input_used(&s->in, n - s->settled,
		    (struct span){ b->text.p + from, to - from });
	else if (!b->taken)
		input_take(&s->in, n - s->settled, to - from);
	s->settled = n;
}

/* Use a batch that has been filled and scanned. */
static void
begin_batch(struct tuple_source *s, struct line_batch *b)
{
	/* Who reads ahead does not know how many lines there were. */
	if (b != &s->own && b->file == s->file)
		b->line = s->last_line;
	if (b->lines.n != 0 && b->lines.lines[0].kind == LINE_REST)
		b->line--;
	s->last_line = b->line + b->lines.n;
	if (b->line == 0 || b->file != s->file)
		s->nblank = 0;
	if (b->line == s->nblank && json_trim(b->text).n == 0)
		s->nblank = s->last_line;
	s->file = b->file;
	s->bytes_read = b->bytes_read;
	s->batch = b;
	s->at = s->end = s->settled = 0;
	if (b != &s->own) { /* those of the loan */
		s->in.bytes = b->bytes_read;
		s->in.size = b->size;
	}
}

void
tuple_source_give(struct tuple_source *s, uint32_t stream, struct span lines)
{
	s->stream = stream;
	for (size_t i = 0; i < TUPLE_AHEAD; i++)
		s->tuples[i].stream = stream;
	s->own.text = lines;
	s->own.taken = true;
	s->own.line = s->own.lines.n = 0;
	line_batch_scan(&s->own, s->scanner, &s->time);
	begin_batch(s, &s->own);
}

/* Go on to the next batch, where it does not have to be read. */
static void
next_batch(struct tuple_source *s)
{
	struct line_batch *b = s->batch;

	tuple_source_settle(s, false);
	if (b->rest.n != 0 || s->ahead == NULL) {
		stopwatch_start(&s->watch);
		if (b->rest.n != 0) {
			line_batch_scan_rest(b, s->scanner, &s->time);
		} else {
			line_batch_fill(b, &s->in, LINE_SCANNER_CHUNK);
			line_batch_scan(b, s->scanner, &s->time);
		}
		stopwatch_stop(&s->watch);
		begin_batch(s, b);
	} else if (b != &s->own) {
		scan_ahead_done(s->ahead);
		s->batch = &s->own; /* which is empty */
		s->at = s->end = 0;
	}
}

/* Give the first n tuples the times that were read with their lines. */
static void
take_times(struct tuple_source *s, size_t n)
{
	const int64_t *ns = s->batch->times.ns + s->at;

	for (size_t i = 0; i < n; i++) {
		s->tuples[i].time_ns = ns[i];
		s->tuples[i].timed = ns[i] != LINE_TIME_UNREAD;
	}
}

/* How long each of the next n lines is on average; at least 1. */
static size_t
text_of_each(const struct tuple_source *s, size_t n)
{
	const struct scanned_line *line = &s->batch->lines.lines[s->at];

	return (line[n - 1].at + line[n - 1].n - line->at) / n + 1;
}

enum input_status
tuple_source_take(struct tuple_source *s)
{
	const struct scanned_line *line;
	const struct value *slots;
	size_t nslots = (size_t)s->tuples->projection->nslots, n;

	if (s->at == s->batch->lines.n)
		next_batch(s);
	n = s->batch->lines.n - s->at;
	if (n == 0)
		return s->batch->status;
	if (n > TUPLE_AHEAD)
		n = TUPLE_AHEAD;
	s->text_each = s->batch != &s->own ? text_of_each(s, n) : 0;
	line = &s->batch->lines.lines[s->at];
	slots = &s->batch->lines.slots[s->at * nslots];
	for (struct tuple *t = s->tuples; t < s->tuples + n; t++, line++) {
		t->line = (struct span){ s->batch->text.p + line->object_at,
			line->object_n };
		t->slots = slots;
		t->key = NULL;
		t->timed = false;
		t->plain = line->kind == LINE_OBJECT && slots->p == NULL;
		slots += nslots;
	}
	if (s->time.slot != SCAN_NO_SLOT)
		take_times(s, n);
	s->next = s->tuples;
	s->end = s->at + n;
	return INPUT_LINE;
}

size_t
tuple_source_look_ahead(struct tuple_source *s, struct tuple **next)
{
	const struct scanned_line *line = &s->batch->lines.lines[s->at];
	size_t n = 0;

	for (size_t i = 0; i < s->end - s->at; i++)
		if (line[i].kind == LINE_OBJECT)
			next[n++] = &s->tuples[i];
	return n;
}

void
tuple_source_explain(struct tuple_source *s, struct fault *f)
{
	const struct projection *projection = s->tuple->projection;
	size_t first = (s->at - 1) * (size_t)projection->nslots;

	json_scan(&projection->root, s->tuple->line,
	    &s->batch->lines.slots[first], f);
}

struct place
tuple_source_place(const struct tuple_source *s)
{
	const struct line_batch *b = s->batch;
	struct span before = { b->text.p, tuple_source_line(s)->at };

	return (struct place){ .name = b->name,
		.line = b->line + s->at,
		.is_first = b->line == s->nblank && json_trim(before).n == 0 };
}

struct span
tuple_source_raw(const struct tuple_source *s)
{
	const struct scanned_line *line = tuple_source_line(s);

	return (struct span){ s->batch->text.p + line->at, line->n };
}

/* Begin with the next batch that was read ahead, if there is one. */
static void
begin_ahead(struct tuple_source *s)
{
	struct line_batch *b = scan_ahead_batch(s->ahead);
	bool stands;

	if (b == NULL)
		return;
	stands = b->status != INPUT_LINE ||
	    input_stands(&s->in,
		(struct span){ b->text.p, b->text.n + b->rest.n });
	if (stands && b->status == INPUT_LINE) {
		begin_batch(s, b);
		return;
	}
	scan_ahead_stop(s->ahead);
	end_ahead(s);
	if (!stands)
		input_start_over(&s->in);
}

void
tuple_source_read(struct tuple_source *s)
{
	struct pollfd ready = { tuple_source_fd(s), POLLIN, 0 };

	stopwatch_start(&s->watch);
	if (s->ahead == NULL) {
		input_fill(&s->in);
	} else if (s->batch == &s->own) {
		/* As long as a read would take, so that files take turns. */
		if (s->steady)
			poll(&ready, 1, -1);
		begin_ahead(s);
	}
	stopwatch_stop(&s->watch);
}

bool
tuple_source_is_long(const struct tuple_source *s)
{
	return s->ahead == NULL && s->in.bytes >= s->ahead_from;
}

void
tuple_source_read_ahead(struct tuple_source *s, struct scan_threads *threads)
{
	struct scan_ahead *a = memory_new(1, sizeof *a);

	s->steady = tuple_source_is_steady(s);
	if (scan_ahead_start(a, threads, &s->in, s->scanner, &s->time,
		!s->steady))
		s->ahead = a;
	else
		free(a);
}

int
tuple_source_reads(const struct tuple_source *s)
{
	return s->ahead != NULL ? s->ahead->reads : s->in.fd;
}

int
tuple_source_fd(const struct tuple_source *s)
{
	return s->ahead != NULL ? scan_ahead_fd(s->ahead) : s->in.fd;
}

/* A file is not silent, though the thread that decompresses it takes its time. */
static bool
is_file(const struct tuple_source *s)
{
	return s->in.regular || s->in.compressed;
}

bool
tuple_source_never_blocks(const struct tuple_source *s)
{
	return s->ahead == NULL ? is_file(s) || s->in.ended : s->steady;
}

bool
tuple_source_is_steady(const struct tuple_source *s)
{
	return is_file(s) && s->in.nnames == 1;
}
