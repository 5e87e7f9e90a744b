/*
 * SPDX-License-Identifier: ISC
 */
#include <inttypes.h>
#include <limits.h>

#include "base/diagnostics.h"
#include "io/bad_lines.h"
#include "io/format_hint.h"

void
bad_lines_init(struct bad_lines *b, const struct bad_lines_policy *policy,
    bool go_on)
{
	*b = (struct bad_lines){ .policy = policy,
		.unsaid = policy->quiet ? UINT_MAX : 0 };
	if (go_on)
		output_continue(&b->rejects, policy->rejects);
	else
		output_open(&b->rejects, policy->rejects);
}

static void
say(struct bad_lines *b, const struct place *place, size_t column,
    const char *message)
{
	b->shown++;
	if (!b->policy->quiet)
		warn_plain("%s:%" PRIu64 ":%zu: %s", place->name, place->line,
		    column, message);
}

/*
 * Tell whether a file is not NDJSON.  One that looks so by its first line but
 * has several objects is: of an array, the last may be alone on its line.
 */
static bool
is_foreign(const struct bad_lines *b, const char *name, uint64_t nobjects)
{
	for (size_t i = 0; i < b->nforeign; i++)
		if (b->foreign[i].name == name)
			return nobjects - b->foreign[i].nobjects <= 1;
	return false;
}

/*
 * Count a line; if it is the first of its file but for blank ones, hint tells
 * what that looks like, or of_line what the line alone looks like.
 */
static bool
count(struct bad_lines *b, const struct place *place, const struct fault *f,
    const char *hint, bool of_line)
{
	uint64_t nobjects;
	bool foreign;

	b->n++;
	b->nbroken += f->kind <= FAULT_LIMIT;
	nobjects = place->nlines - b->nbroken;
	foreign = is_foreign(b, place->name, nobjects);
	if (b->missing == 0 && hint == NULL) {
		b->missing = f->field;
		b->missing_in = place->name;
	}
	if (!foreign && hint != NULL && !of_line &&
	    b->nforeign < BAD_LINES_SHOWN) {
		b->foreign[b->nforeign++] =
		    (struct foreign_file){ place->name, nobjects };
		say(b, place, 1, hint);
	} else if (!foreign && b->kinds[f->kind]++ < BAD_LINES_SHOWN) {
		say(b, place, hint != NULL ? 1 : f->column,
		    hint != NULL ? hint : f->message);
	} else if (!foreign) {
		b->unsaid |= 1U << f->kind;
	}
	return b->policy->on_error != ON_ERROR_STOP &&
	    (b->policy->max_errors < 0 ||
		b->n <= (uint64_t)b->policy->max_errors);
}

/* End the line that is written in part, for another one to follow. */
static void
end_open(struct bad_lines *b)
{
	if (b->open != NULL)
		buffer_byte(&b->rejects.rows, '\n');
	b->open = NULL;
}

/*
 * format_hint for the first line of a file.  A NUL behind a newline is not its
 * first byte, but the second one of the newline in UTF-16.
 */
static const char *
hint_of(const struct place *place, struct span line, const struct fault *f,
    bool *of_line)
{
	*of_line = false;
	return place->is_first && (place->line == 1 || *line.p != '\0') ?
	    format_hint(line, f, of_line) :
	    NULL;
}

bool
bad_lines_add(struct bad_lines *b, const struct place *place,
    const struct fault *f, struct span line)
{
	const char *hint;
	bool of_line;

	if (b->rejects.fd >= 0) {
		end_open(b);
		output_line(&b->rejects, line);
	}
	hint = hint_of(place, line, f, &of_line);
	return count(b, place, f, hint, of_line);
}

/* Write a long line, if it has ended or is too long to be kept. */
static void
write_long(struct bad_lines *b, struct long_line *l, bool ends)
{
	if (!ends && (int64_t)l->text.n < b->policy->max_line + OUTPUT_BLOCK)
		return;
	if (b->open != l)
		end_open(b);
	buffer_put(&b->rejects.rows, buffer_span(&l->text));
	output_flush(&b->rejects);
	l->text.n = 0;
	b->open = ends ? NULL : l;
}

bool
bad_lines_add_long(struct bad_lines *b, struct long_line *l,
    const struct place *place, struct span part, bool begins)
{
	bool ends = part.p[part.n - 1] == '\n', of_line;
	struct fault f = { 0 };

	if (begins) {
		/* The one before had no end, and is left out or ended. */
		l->text.n = 0;
		if (b->open == l)
			end_open(b);
		l->hint = hint_of(place, part, NULL, &of_line);
	}
	if (b->rejects.fd >= 0) {
		buffer_put(&l->text, part);
		write_long(b, l, ends);
	}
	if (!ends)
		return true;
	fault_set(&f, FAULT_LIMIT, (size_t)b->policy->max_line + 1,
	    "expected a line of at most %" PRId64 " bytes, got more",
	    b->policy->max_line);
	return count(b, place, &f, l->hint, false);
}

void
long_line_fini(struct long_line *l)
{
	buffer_fini(&l->text);
}

void
bad_lines_flush(struct bad_lines *b)
{
	output_flush(&b->rejects);
}

bool
bad_lines_close(struct bad_lines *b)
{
	bool all = true;

	end_open(b);
	output_close(&b->rejects);
	for (int i = 0; i < FAULT_KINDS; i++)
		all = all && b->kinds[i] <= BAD_LINES_SHOWN;
	if (!all && !b->policy->quiet)
		warn_plain("%" PRIu64 " bad lines in all, %" PRIu64
			   " of them not shown",
		    b->n, b->n - b->shown);
	return b->n != 0 && b->policy->rejects == NULL &&
	    b->policy->on_error != ON_ERROR_SKIP;
}
