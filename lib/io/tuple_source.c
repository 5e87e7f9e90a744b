/*
 * SPDX-License-Identifier: ISC
 */
#include <poll.h>
#include <stdlib.h>

#include "base/memory.h"
#include "io/tuple_source.h"
#include "json/text.h"

/* Scanned at once, so that slots and lines stay in the caches. */
enum { AT_ONCE = 32 * 1024 };

void
tuple_source_init(struct tuple_source *s, uint32_t stream, char *const *names,
    size_t n, size_t max_line, const struct projection *projection)
{
	*s = (struct tuple_source){ .stream = stream };
	input_init(&s->in, names, n, max_line);
	s->scanner = line_scanner_new(&projection->root, json_index_best());
	s->ready = &s->lines;
	s->slots = memory_new((size_t)projection->root.end, sizeof *s->slots);
	s->one = (struct tuple){ .projection = projection,
		.slots = s->slots,
		.scratch = &s->scratch,
		.stream = stream };
	s->tuple = &s->one;
	for (size_t i = 0; i < TUPLE_AHEAD; i++)
		s->next[i] = s->one;
}

void
tuple_source_fini(struct tuple_source *s)
{
	if (s->ahead != NULL)
		scan_ahead_fini(s->ahead);
	free(s->ahead);
	line_scanner_free(s->scanner);
	line_scanner_free(s->ahead_scanner);
	scanned_lines_fini(&s->lines);
	input_fini(&s->in);
	free(s->slots);
	buffer_fini(&s->scratch);
}

/* Give up the lines that are ready. */
static void
forget_lines(struct tuple_source *s)
{
	s->ready = &s->lines;
	s->lines.n = s->at = s->plain = 0;
	s->scanned = NULL;
}

/* Go to the next batch, if it is ready. */
static void
next_batch(struct tuple_source *s)
{
	struct scanned_batch *b = s->batch = scan_ahead_batch(s->ahead);

	if (b == NULL)
		return;
	s->bytes = b->bytes_read;
	if (b->last)
		return;
	if (b->file != s->file)
		s->place.line = 0;
	s->file = b->file;
	s->place.name = b->name;
	if (b->lines.n != 0)
		s->ready = &b->lines;
	s->base = b->bytes.p;
}

/* What a batch has beside lines, and that it has no more. */
static enum input_status
end_batch(struct tuple_source *s)
{
	struct scanned_batch *b = s->batch;
	enum input_status status;

	if (b == NULL)
		return INPUT_EMPTY;
	if (b->last)
		return INPUT_END;
	status = b->lines.n == 0 ? b->status : INPUT_EMPTY;
	if (status != INPUT_EMPTY) {
		b->status = INPUT_EMPTY;
		s->place.line += status == INPUT_LONG;
		s->raw = buffer_span(&b->bytes);
		return status;
	}
	forget_lines(s);
	scan_ahead_done(s->ahead);
	s->batch = NULL;
	return INPUT_EMPTY;
}

/* Scan what the input's buffer has.  False: there is nothing to scan. */
static bool
scan_more(struct tuple_source *s)
{
	struct span text = input_ahead(&s->in, AT_ONCE);
	size_t n;

	forget_lines(s);
	s->base = text.p;
	s->place = (struct place){ input_name(&s->in), s->in.line };
	if (text.n == 0)
		return false;
	n = line_scanner_scan(s->scanner, s->base, text, s->in.max_line,
	    &s->lines);
	if (s->in.hooks == NULL) /* nobody asks which of them are used */
		input_take(&s->in, s->lines.n, n);
	return s->lines.n != 0;
}

enum input_status
tuple_source_line_elsewhere(struct tuple_source *s)
{
	enum input_status status;

	if (s->ahead != NULL)
		return end_batch(s);
	if (scan_more(s))
		return tuple_source_line(s);
	status = input_line(&s->in, &s->raw);
	s->place = (struct place){ input_name(&s->in), s->in.line };
	return status;
}

size_t
tuple_source_look_ahead(struct tuple_source *s, struct tuple **next)
{
	size_t n = 0, at = s->at - 1;

	for (size_t i = 0; i < TUPLE_AHEAD && at + i < s->ready->n; i++) {
		const struct scanned_line *line = &s->ready->lines[at + i];

		if (line->object_n != 0) {
			tuple_source_set_tuple(s, &s->next[i], line);
			next[n++] = &s->next[i];
		}
	}
	s->seen = n != 0;
	return n;
}

int
tuple_source_scan_singly(struct tuple_source *s, struct fault *f)
{
	struct tuple *t = &s->one;

	s->tuple = t;
	t->line = json_trim(tuple_source_raw(s));
	if (t->line.n == 0)
		return 0;
	t->slots = s->slots;
	t->key = NULL;
	t->timed = false;
	return json_scan(&t->projection->root, t->line, s->slots, f) < 0 ? -1 :
									   1;
}

void
tuple_source_hold(struct tuple_source *s)
{
	input_hold(&s->in, tuple_source_raw(s).n);
}

void
tuple_source_release(struct tuple_source *s)
{
	input_release(&s->in);
}

void
tuple_source_read(struct tuple_source *s)
{
	struct pollfd ready = { tuple_source_fd(s), POLLIN, 0 };

	if (s->ahead == NULL) {
		input_fill(&s->in);
	} else if (s->batch == NULL) {
		/* As long as a read would take, for files to take their turn. */
		if (s->steady)
			poll(&ready, 1, -1);
		next_batch(s);
	}
}

bool
tuple_source_read_ahead(struct tuple_source *s, struct scan_thread *thread)
{
	struct scan_ahead *a = memory_new(1, sizeof *a);

	s->steady = tuple_source_is_steady(s);
	s->file = s->in.at;
	s->ahead_scanner =
	    line_scanner_new(&s->one.projection->root, json_index_best());
	if (!scan_ahead_start(a, thread, &s->in, s->ahead_scanner,
		s->scanner)) {
		line_scanner_free(s->ahead_scanner);
		s->ahead_scanner = NULL;
		free(a);
		return false;
	}
	s->ahead = a;
	return true;
}

int
tuple_source_fd(const struct tuple_source *s)
{
	return s->ahead != NULL ? scan_ahead_fd(s->ahead) : s->in.fd;
}

bool
tuple_source_never_blocks(const struct tuple_source *s)
{
	return s->ahead == NULL ? s->in.regular : s->steady;
}

bool
tuple_source_is_steady(const struct tuple_source *s)
{
	return s->in.regular && s->in.nnames == 1;
}

uint64_t
tuple_source_bytes(const struct tuple_source *s)
{
	return s->ahead != NULL ? s->bytes : s->in.bytes;
}
