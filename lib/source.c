/*
 * SPDX-License-Identifier: ISC
 */
#include <stdlib.h>

#include "json_text.h"
#include "memory.h"
#include "source.h"

/* Scanned at once, so that slots and lines stay in the caches. */
enum { AT_ONCE = 32 * 1024 };

void
source_init(struct source *s, char *const *names, size_t n, size_t max_line,
    const struct projection *projection)
{
	*s = (struct source){ 0 };
	input_init(&s->in, names, n, max_line);
	s->scanner = line_scanner_new(&projection->root, json_index_best());
	s->ready = &s->lines;
	s->slots = memory_new((size_t)projection->root.end, sizeof *s->slots);
	s->tuple = (struct tuple){ .projection = projection,
		.slots = s->slots,
		.scratch = &s->scratch };
}

void
source_fini(struct source *s)
{
	if (s->ahead != NULL)
		scan_ahead_stop(s->ahead);
	free(s->ahead);
	line_scanner_free(s->scanner);
	scanned_lines_fini(&s->lines);
	input_fini(&s->in);
	free(s->slots);
	buffer_fini(&s->scratch);
}

/* Hand out the next line of those that are ready. */
static enum input_status
hand_out(struct source *s, const char *base)
{
	const struct scanned_line *line = &s->ready->lines[s->next++];

	s->scanned = line;
	s->raw = (struct span){ base + line->at, line->n };
	return INPUT_LINE;
}

/* Go to the next line of a batch, or of the next one if that is ready. */
static enum input_status
line_ahead(struct source *s)
{
	struct scanned_batch *b = s->batch;

	if (b != NULL && s->next < b->lines.n) {
		s->place.line++;
		return hand_out(s, b->bytes.p);
	}
	if (b != NULL && b->last)
		return INPUT_END;
	if (b != NULL)
		scan_ahead_done(s->ahead);
	s->batch = b = scan_ahead_batch(s->ahead);
	if (b == NULL)
		return INPUT_EMPTY;
	s->bytes = b->bytes_read;
	s->next = 0;
	if (b->last)
		return INPUT_END;
	s->place = (struct place){ b->name, b->first_line };
	s->ready = &b->lines;
	if (b->lines.n != 0)
		return hand_out(s, b->bytes.p);
	s->scanned = NULL;
	s->raw = buffer_span(&b->bytes);
	return b->status;
}

/* Scan what the input's buffer has.  False: there is nothing to scan. */
static bool
scan_more(struct source *s)
{
	struct span text = input_ahead(&s->in, AT_ONCE);

	s->lines.n = s->next = 0;
	s->base = text.p;
	if (text.n != 0)
		line_scanner_scan(s->scanner, s->base, text, s->in.max_line,
		    &s->lines);
	return s->lines.n != 0;
}

enum input_status
source_line(struct source *s)
{
	enum input_status status;

	if (s->ahead != NULL)
		return line_ahead(s);
	if (s->next < s->lines.n || scan_more(s)) {
		status = hand_out(s, s->base);
		input_take(&s->in, s->raw.n);
	} else {
		s->scanned = NULL;
		status = input_line(&s->in, &s->raw);
	}
	s->place = (struct place){ input_name(&s->in), s->in.line };
	return status;
}

int
source_scan(struct source *s, struct fault *f)
{
	struct tuple *t = &s->tuple;
	const struct scanned_line *line = s->scanned;

	if (line != NULL && line->object_n != 0) {
		t->line.p = s->raw.p + (line->object_at - line->at);
		t->line.n = line->object_n;
		t->slots = s->ready->slots +
		    (size_t)(line - s->ready->lines) *
			(size_t)t->projection->root.end;
		return 1;
	}
	t->line = json_trim(s->raw);
	if (t->line.n == 0)
		return 0;
	t->slots = s->slots;
	return json_scan(&t->projection->root, t->line, s->slots, f) < 0 ? -1 :
									   1;
}

void
source_hold(struct source *s)
{
	input_hold(&s->in, s->raw.n);
}

void
source_release(struct source *s)
{
	input_release(&s->in);
}

void
source_read(struct source *s)
{
	if (s->ahead == NULL)
		input_fill(&s->in);
}

bool
source_start_thread(struct source *s)
{
	struct scan_ahead *a = memory_new(1, sizeof *a);

	if (!scan_ahead_start(a, &s->in, s->scanner)) {
		free(a);
		return false;
	}
	s->ahead = a;
	return true;
}

int
source_fd(const struct source *s)
{
	return s->ahead != NULL ? scan_ahead_fd(s->ahead) : s->in.fd;
}

bool
source_never_blocks(const struct source *s)
{
	return s->ahead == NULL && s->in.regular;
}

uint64_t
source_bytes(const struct source *s)
{
	return s->ahead != NULL ? s->bytes : s->in.bytes;
}
