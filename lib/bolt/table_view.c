/*
 * SPDX-License-Identifier: ISC
 */
#include "bolt/table_view.h"
#include "base/display.h"

static bool
wants_color(enum table_view_color color, bool can_be_drawn)
{
	const char *no = getenv("NO_COLOR");

	if (color == TABLE_VIEW_COLOR_AUTO)
		return can_be_drawn && (no == NULL || no[0] == '\0');
	return color == TABLE_VIEW_COLOR_ALWAYS;
}

void
table_view_init(struct table_view *v, struct collector *c,
    const struct table_view_options *options)
{
	bool on_terminal;

	display_init();
	*v = (struct table_view){ .collector = c, .format = options->format };
	on_terminal = collector_screen_size(c, &v->style.columns, &v->lines);
	v->style.bars = options->bars;
	v->style.color = wants_color(options->color, v->lines != 0);
	v->live = v->lines != 0 && v->format == TABLE_TEXT;
	for (int i = 0; i < 2; i++)
		batch_init(&v->batches[i], options->rows);
	v->open = &v->batches[0];
	v->last = &v->batches[1];
	table_init(&v->table);
	table_export_init(&v->export, v->format, on_terminal);
}

void
table_view_fini(struct table_view *v)
{
	for (int i = 0; i < 2; i++)
		batch_fini(&v->batches[i]);
	table_fini(&v->table);
	text_table_fini(&v->text);
	table_export_fini(&v->export);
	buffer_fini(&v->picture);
}

/* Make a table of at most so many rows of a batch. */
static void
lay_out(struct table_view *v, const struct batch *batch, size_t most)
{
	table_clear(&v->table);
	for (size_t i = 0; i < batch->n && i < most; i++)
		table_add(&v->table, batch->rows[i].line,
		    batch->rows[i].number);
	if (v->format == TABLE_TEXT)
		text_table_lay_out(&v->text, &v->table, &v->style);
}

/* Draw a batch, as much of it as there is room for. */
static void
draw(struct table_view *v, const struct batch *batch)
{
	struct buffer *b = &v->picture;
	size_t room, n;
	bool says_more;

	collector_screen_size(v->collector, &v->style.columns, &v->lines);
	/* The line of the cursor, and the header. */
	room = v->lines > 2 ? v->lines - 2 : 0;
	/* One of several lines says how many rows more there are. */
	says_more = room > 1 && batch->n > room;
	/* Even where there is no room for a row it has the columns. */
	lay_out(v, batch, room == 0 ? 1 : room - says_more);
	n = room == 0 || (batch == v->last && v->is_empty) ? 0 : v->table.nrows;
	b->n = 0;
	text_table_put_header(&v->text, b);
	buffer_byte(b, '\n');
	for (size_t i = 0; i < n; i++) {
		text_table_put_row(&v->text, b, i);
		buffer_byte(b, '\n');
	}
	if (n != 0 && says_more) {
		text_table_put_more(&v->text, b, batch->n - n);
		buffer_byte(b, '\n');
	}
	collector_draw(v->collector, buffer_span(b));
	v->shown = batch;
}

/* What is above rows is emitted with the first of them, as it is no row. */
static void
emit_text(struct table_view *v)
{
	struct buffer *row = collector_row(v->collector);

	if (v->written)
		buffer_byte(row, '\n');
	text_table_put_header(&v->text, row);
	buffer_byte(row, '\n');
	for (size_t i = 0; i < v->table.nrows; i++) {
		text_table_put_row(&v->text, row, i);
		collector_emit(v->collector, NULL, 0);
	}
}

static void
emit_export(struct table_view *v)
{
	struct buffer *row = collector_row(v->collector);

	if (table_export_begin(&v->export, &v->table)) {
		if (v->written)
			buffer_byte(row, '\n');
		table_export_put_header(&v->export, row);
		buffer_byte(row, '\n');
		if (v->format == TABLE_MARKDOWN) {
			table_export_put_rule(&v->export, row);
			buffer_byte(row, '\n');
		}
	}
	for (size_t i = 0; i < v->table.nrows; i++) {
		table_export_put_row(&v->export, row, i);
		collector_emit(v->collector, NULL, 0);
	}
}

/* Write a batch, below the one before. */
static void
write_batch(struct table_view *v, const struct batch *batch)
{
	lay_out(v, batch, SIZE_MAX);
	if (table_ncolumns(&v->table) == 0)
		return;
	if (v->format == TABLE_TEXT)
		emit_text(v);
	else
		emit_export(v);
	v->written = true;
}

void
table_view_put(struct table_view *v, const struct key *key, struct span line,
    double number)
{
	batch_put(v->open, key, line, number);
	v->came = v->changed = true;
}

void
table_view_end(struct table_view *v)
{
	struct batch *batch = v->open;

	v->is_empty = batch->n == 0;
	v->ended = v->has_ends = true;
	v->changed = false;
	if (!v->live)
		write_batch(v, batch);
	if (!v->is_empty) {
		v->open = v->last;
		v->last = batch;
	}
	batch_clear(v->open);
}

/* Tell whether the window has another size than that drawn in. */
static bool
is_resized(const struct table_view *v)
{
	size_t columns, lines;

	return collector_screen_size(v->collector, &columns, &lines) &&
	    (columns != v->style.columns || lines != v->lines);
}

void
table_view_tick(struct table_view *v)
{
	if (!v->live)
		return;
	if (v->ended && v->last->n != 0) {
		draw(v, v->last);
		v->ended = false;
	} else if (v->changed && !(v->came && v->has_ends)) {
		draw(v, v->open);
		v->changed = false;
	} else if (v->shown != NULL && is_resized(v)) {
		draw(v, v->shown);
	}
	v->came = false;
}

void
table_view_finish(struct table_view *v)
{
	if (v->live) {
		collector_screen_size(v->collector, &v->style.columns,
		    &v->lines);
		collector_erase(v->collector);
	}
	write_batch(v, v->live && v->open->n == 0 ? v->last : v->open);
}
