/*
 * SPDX-License-Identifier: ISC
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "base/display.h"
#include "base/local_time.h"
#include "base/number.h"
#include "json/text.h"
#include "tuple/text_table.h"

enum {
	GAP = 2,	/* between two columns */
	TEXT_LEAST = 8, /* text is cut down to so much before numbers are */
	LEAST = 3,
	BAR_LEAST = 10,
	BAR_MOST = 32,
};

#define BOLD "\x1b[1m"
#define DIM "\x1b[2m"
#define CYAN "\x1b[36m"
#define PLAIN "\x1b[0m"

static bool
is_time(struct span name)
{
	static const char *const names[] = { "window_end", "session_start",
		"session_end", "sliceStartMillis" };

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		if (span_eq(name, span_of(names[i])))
			return true;
	return false;
}

/* Append a whole number of milliseconds as a date; false: it is none. */
static bool
put_time(struct buffer *b, struct span value)
{
	struct number x;

	return number_is(value) && number_parse(&x, value) == 0 && x.is_int &&
	    local_time_put(b, x.i);
}

/* Append what is shown of a value. */
static struct text_cell
show(struct text_table *t, const struct text_column *column, struct span value)
{
	struct text_cell cell = { .at = t->text.n };
	struct buffer decoded = { 0 };

	if (value.p[0] == 'n') {
		buffer_byte(&t->text, '-');
		cell.width = 1;
		cell.is_null = true;
	} else if (column->is_time && put_time(&t->text, value)) {
		cell.width = t->text.n - cell.at;
	} else {
		cell.right = number_is(value);
		json_put_decoded(&decoded, value);
		cell.width = display_put(&t->text, buffer_span(&decoded));
		buffer_fini(&decoded);
	}
	cell.n = t->text.n - cell.at;
	return cell;
}

static size_t
most(size_t a, size_t b)
{
	return a > b ? a : b;
}

static size_t
least(size_t a, size_t b)
{
	return a < b ? a : b;
}

static void
show_columns(struct text_table *t)
{
	size_t n = table_ncolumns(t->table);

	t->columns =
	    memory_grow(t->columns, &t->columns_cap, n, sizeof *t->columns);
	t->row = memory_grow(t->row, &t->row_cap, n, sizeof *t->row);
	t->ncolumns = n;
	for (size_t i = 0; i < n; i++) {
		struct span name = table_name(t->table, i);
		struct text_column *c = &t->columns[i];
		size_t at = t->text.n;

		*c = (struct text_column){ .is_time = is_time(name) };
		c->width = display_put(&t->text, name);
		c->header = (struct text_cell){
			.at = at, .n = t->text.n - at, .width = c->width
		};
	}
}

static void
show_cells(struct text_table *t)
{
	const struct table *table = t->table;

	t->cells = memory_grow(t->cells, &t->cells_cap, table->ncells,
	    sizeof *t->cells);
	for (size_t i = 0; i < table->ncells; i++) {
		struct text_column *c = &t->columns[table->cells[i].column];
		struct span value = table->cells[i].value;

		t->cells[i] = show(t, c, value);
		c->width = most(c->width, t->cells[i].width);
		c->has_number = c->has_number || t->cells[i].right;
		c->has_text =
		    c->has_text || (!t->cells[i].right && value.p[0] != 'n');
	}
	/* What is null stands where the numbers do. */
	for (size_t i = 0; i < t->ncolumns; i++)
		t->columns[i].header.right =
		    t->columns[i].has_number && !t->columns[i].has_text;
	for (size_t i = 0; i < table->ncells; i++)
		if (t->columns[table->cells[i].column].header.right)
			t->cells[i].right = true;
}

/* Find out how long bars are. */
static void
measure_bars(struct text_table *t)
{
	t->longest = 0;
	t->bar = 0;
	for (size_t i = 0; t->style.bars && i < t->table->nrows; i++)
		t->longest = fmax(t->longest, t->table->rows[i].number);
	if (t->longest > 0)
		t->bar = t->style.columns == 0 ?
		    BAR_MOST :
		    least(most(t->style.columns / 8, BAR_LEAST), BAR_MOST);
}

static size_t
total_width(const struct text_table *t)
{
	size_t sum = t->bar;

	for (size_t i = 0; i < t->ncolumns; i++)
		sum += t->columns[i].width + GAP;
	return t->bar == 0 && sum != 0 ? sum - GAP : sum;
}

/*
 * Take excess from the widest of the columns of text, or of all, one after
 * the other down to the next; none becomes narrower than floor.  Returns what
 * is left.
 */
static size_t
narrow(struct text_table *t, size_t excess, bool all, size_t floor)
{
	for (;;) {
		size_t widest = floor, next = floor, n = 0, by;

		for (size_t i = 0; i < t->ncolumns; i++) {
			const struct text_column *c = &t->columns[i];

			if (!all && (c->header.right || c->is_time))
				continue;
			if (c->width > widest) {
				next = widest;
				widest = c->width;
				n = 0;
			} else if (c->width < widest) {
				next = most(next, c->width);
			}
			n += c->width == widest;
		}
		if (excess == 0 || widest == floor)
			return excess;
		by = least(widest - next, (excess + n - 1) / n);
		for (size_t i = 0; i < t->ncolumns && excess != 0; i++) {
			struct text_column *c = &t->columns[i];
			size_t take = least(by, excess);

			if (c->width != widest ||
			    (!all && (c->header.right || c->is_time)))
				continue;
			c->width -= take;
			excess -= take;
		}
	}
}

/* Leave out what is beyond the edge. */
static void
cut(struct text_table *t, size_t limit)
{
	size_t at = 0;

	t->bar = 0;
	for (size_t i = 0; i < t->ncolumns; i++) {
		struct text_column *c = &t->columns[i];

		if (at >= limit)
			t->ncolumns = i;
		else if (c->width > limit - at)
			c->width = limit - at;
		at += c->width + GAP;
	}
}

/* Tell whether the bar fits beside columns that are as narrow as they get. */
static bool
bar_fits(const struct text_table *t, size_t limit)
{
	size_t sum = t->bar;

	for (size_t i = 0; i < t->ncolumns; i++)
		sum += least(t->columns[i].width, LEAST) + GAP;
	return sum <= limit;
}

/* Fit the columns to what the table is shown on. */
static void
fit(struct text_table *t)
{
	size_t total, limit = t->style.columns;

	if (limit == 0)
		return;
	if (!bar_fits(t, limit))
		t->bar = 0;
	total = total_width(t);
	if (total <= limit) {
		if (t->bar != 0)
			t->bar = least(t->bar + limit - total, BAR_MOST);
		return;
	}
	total = narrow(t, total - limit, false, TEXT_LEAST);
	if (narrow(t, total, true, LEAST) != 0)
		cut(t, limit);
}

void
text_table_lay_out(struct text_table *t, const struct table *table,
    const struct text_style *style)
{
	t->table = table;
	t->style = *style;
	t->text.n = 0;
	show_columns(t);
	show_cells(t);
	measure_bars(t);
	fit(t);
}

void
text_table_fini(struct text_table *t)
{
	free(t->columns);
	free(t->cells);
	free(t->row);
	buffer_fini(&t->text);
}

static void
put_color(const struct text_table *t, struct buffer *b, const char *color)
{
	if (t->style.color)
		buffer_put(b, span_of(color));
}

/*
 * Append a cell after the blanks that are owed from before it, and tell how
 * many are behind it.
 */
static void
put_cell(const struct text_table *t, struct buffer *b,
    const struct text_cell *cell, size_t width, const char *color, size_t *owed)
{
	size_t pad = cell->right ? width - least(width, cell->width) : 0;

	if (cell->n == 0) {
		*owed += width + GAP;
		return;
	}
	display_put_blanks(b, *owed + pad);
	put_color(t, b, color);
	width -= pad;
	width -= display_put_cut(b,
	    (struct span){ t->text.p + cell->at, cell->n }, width);
	put_color(t, b, color[0] == '\0' ? "" : PLAIN);
	*owed = width + GAP;
}

void
text_table_put_header(struct text_table *t, struct buffer *b)
{
	size_t owed = 0;

	for (size_t i = 0; i < t->ncolumns; i++)
		put_cell(t, b, &t->columns[i].header, t->columns[i].width, BOLD,
		    &owed);
}

void
text_table_put_row(struct text_table *t, struct buffer *b, size_t row)
{
	static const struct text_cell missing = { 0 };
	const struct table_row *r = &t->table->rows[row];
	size_t owed = 0;

	for (size_t i = 0; i < t->ncolumns; i++)
		t->row[i] = &missing;
	for (size_t i = r->first; i < table_row_end(t->table, row); i++)
		t->row[t->table->cells[i].column] = &t->cells[i];
	for (size_t i = 0; i < t->ncolumns; i++)
		put_cell(t, b, t->row[i], t->columns[i].width,
		    t->row[i]->is_null ? DIM : "", &owed);
	if (t->bar == 0 || !(r->number > 0))
		return;
	display_put_blanks(b, owed);
	put_color(t, b, CYAN);
	display_put_bar(b, r->number / t->longest, t->bar);
	put_color(t, b, PLAIN);
}

void
text_table_put_more(const struct text_table *t, struct buffer *b, uint64_t n)
{
	char text[64];
	int length = snprintf(text, sizeof text, "... %" PRIu64 " more", n);
	size_t columns = t->style.columns;

	put_color(t, b, DIM);
	display_put_cut(b, (struct span){ text, (size_t)length },
	    columns == 0 ? sizeof text : columns);
	put_color(t, b, PLAIN);
}
