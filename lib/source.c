/*
 * SPDX-License-Identifier: ISC
 */
#include <stdlib.h>

#include "json_text.h"
#include "memory.h"
#include "source.h"

void
source_init(struct source *s, char *const *names, size_t n, size_t max_line,
    const struct projection *projection)
{
	*s = (struct source){ 0 };
	input_init(&s->in, names, n, max_line);
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
	input_fini(&s->in);
	free(s->slots);
	buffer_fini(&s->scratch);
}

/* Go to the next line of a batch, or of the next one if that is ready. */
static enum input_status
line_ahead(struct source *s)
{
	struct scanned_batch *b = s->batch;

	while (b == NULL || b->at == b->n) {
		if (b != NULL && b->last)
			return INPUT_END;
		if (b != NULL)
			scan_ahead_done(s->ahead);
		s->batch = b = scan_ahead_batch(s->ahead);
		if (b == NULL)
			return INPUT_EMPTY;
		s->bytes = b->bytes_read;
	}
	s->scanned = &b->lines[b->at];
	s->raw = s->scanned->raw;
	if (b->at++ == 0)
		s->place = (struct place){ b->name, b->first_line };
	else if (s->scanned->status != INPUT_REST)
		s->place.line++;
	return s->scanned->status;
}

enum input_status
source_line(struct source *s)
{
	enum input_status status;

	if (s->ahead != NULL)
		return line_ahead(s);
	status = input_line(&s->in, &s->raw);
	s->place = (struct place){ input_name(&s->in), s->in.line };
	return status;
}

int
source_scan(struct source *s, struct fault *f)
{
	struct tuple *t = &s->tuple;

	t->line = json_trim(s->raw);
	if (t->line.n == 0)
		return 0;
	if (s->ahead != NULL && s->scanned->good) {
		t->slots = s->scanned->slots;
		return 1;
	}
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

	if (!scan_ahead_start(a, &s->in, &s->tuple.projection->root)) {
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
