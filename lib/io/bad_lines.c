/*
 * SPDX-License-Identifier: ISC
 */
#include <inttypes.h>

#include "base/diagnostics.h"
#include "io/bad_lines.h"

enum { SHOWN_OF_A_KIND = 10 };

void
bad_lines_init(struct bad_lines *b, const struct bad_lines_policy *policy,
    bool go_on)
{
	*b = (struct bad_lines){ .policy = policy };
	if (go_on)
		output_continue(&b->rejects, policy->rejects);
	else
		output_open(&b->rejects, policy->rejects);
}

static bool
count(struct bad_lines *b, const struct place *place, const struct fault *f)
{
	b->n++;
	if (b->kinds[f->kind]++ < SHOWN_OF_A_KIND)
		warn_plain("%s:%" PRIu64 ":%zu: %s", place->name, place->line,
		    f->column, f->message);
	return b->policy->on_error != ON_ERROR_STOP &&
	    (b->policy->max_errors < 0 ||
		b->n <= (uint64_t)b->policy->max_errors);
}

bool
bad_lines_add(struct bad_lines *b, const struct place *place,
    const struct fault *f, struct span line)
{
	if (b->rejects.fd >= 0)
		output_line(&b->rejects, line);
	return count(b, place, f);
}

bool
bad_lines_add_long(struct bad_lines *b, const struct place *place,
    struct span part)
{
	bool ends = part.p[part.n - 1] == '\n';
	struct fault f = { 0 };

	if (b->rejects.fd >= 0) {
		buffer_put(&b->rejects.rows, part);
		if (ends ||
		    (int64_t)b->rejects.rows.n >=
			b->policy->max_line + OUTPUT_BLOCK)
			output_flush(&b->rejects);
	}
	if (!ends)
		return true;
	fault_set(&f, FAULT_LIMIT, (size_t)b->policy->max_line + 1,
	    "expected a line of at most %" PRId64 " bytes, got more",
	    b->policy->max_line);
	return count(b, place, &f);
}

void
bad_lines_flush(struct bad_lines *b)
{
	const struct buffer *rows = &b->rejects.rows;

	if (rows->n != 0 && rows->p[rows->n - 1] == '\n')
		output_flush(&b->rejects);
}

bool
bad_lines_close(struct bad_lines *b)
{
	uint64_t hidden = 0;

	output_close(&b->rejects);
	for (int i = 0; i < FAULT_KINDS; i++)
		if (b->kinds[i] > SHOWN_OF_A_KIND)
			hidden += b->kinds[i] - SHOWN_OF_A_KIND;
	if (hidden != 0)
		warn_plain("%" PRIu64 " bad lines in all, %" PRIu64
			   " of them not shown",
		    b->n, hidden);
	return b->n != 0 && b->policy->rejects == NULL &&
	    b->policy->on_error != ON_ERROR_SKIP;
}
