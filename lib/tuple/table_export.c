/*
 * SPDX-License-Identifier: ISC
 */
#include "tuple/table_export.h"
#include "base/display.h"
#include "base/number.h"
#include "json/text.h"

void
table_export_init(struct table_export *e, enum table_format format,
    bool visible)
{
	*e = (struct table_export){ .format = format,
		.visible = visible || format == TABLE_MARKDOWN };
	hash_map_init(&e->header, 0);
}

void
table_export_fini(struct table_export *e)
{
	hash_map_fini(&e->header);
	free(e->columns);
	free(e->row);
	buffer_fini(&e->decoded);
	buffer_fini(&e->cell);
}

/* Tell whether the table has the columns of the header, and find them. */
static bool
find_columns(struct table_export *e)
{
	size_t n = e->header.end;

	if (n != table_ncolumns(e->table))
		return false;
	for (size_t i = 0; i < n; i++) {
		e->columns[i] = table_column(e->table,
		    hash_map_key(&e->header, (uint32_t)i));
		if (e->columns[i] == HASH_MAP_NONE)
			return false;
	}
	return true;
}

bool
table_export_begin(struct table_export *e, const struct table *table)
{
	size_t n = table_ncolumns(table);
	bool added;

	e->table = table;
	e->row = memory_grow(e->row, &e->row_cap, n, sizeof *e->row);
	e->columns =
	    memory_grow(e->columns, &e->columns_cap, n, sizeof *e->columns);
	if (n != 0 && find_columns(e))
		return false;
	hash_map_clear(&e->header);
	for (size_t i = 0; i < n; i++) {
		struct span name = table_name(table, i);

		hash_map_put(&e->header, name, name, hash_bytes(name), &added);
		e->columns[i] = i;
	}
	return true;
}

/* How a format writes a byte that it cannot have in a cell; or NULL. */
static const char *
escape_of(enum table_format format, char c)
{
	if (format == TABLE_CSV)
		return c == '"' ? "\"\"" : NULL;
	if (format == TABLE_MARKDOWN)
		return c == '|' ? "\\|" : NULL;
	return c == '\t' ? "\\t" :
	    c == '\n'	 ? "\\n" :
	    c == '\r'	 ? "\\r" :
	    c == '\\'	 ? "\\\\" :
			   NULL;
}

/* The bytes for which a format writes a cell in another way. */
static const bool special[][256] = {
	[TABLE_CSV] = { ['"'] = true,
	    [','] = true,
	    ['\r'] = true,
	    ['\n'] = true },
	[TABLE_TSV] = { ['\t'] = true,
	    ['\n'] = true,
	    ['\r'] = true,
	    ['\\'] = true },
	[TABLE_MARKDOWN] = { ['|'] = true },
};

static bool
has_special(enum table_format format, struct span text)
{
	for (size_t i = 0; i < text.n; i++)
		if (special[format][(unsigned char)text.p[i]])
			return true;
	return false;
}

/* Append text as one that a terminal does not obey, its newlines apart. */
static void
put_visible(struct buffer *b, struct span text)
{
	const char *newline;

	while ((newline = text.n == 0 ? NULL : memchr(text.p, '\n', text.n)) !=
	    NULL) {
		size_t n = (size_t)(newline - text.p);

		display_put(b, (struct span){ text.p, n });
		buffer_byte(b, '\n');
		text.p += n + 1;
		text.n -= n + 1;
	}
	display_put(b, text);
}

/* text as the format escapes it; good until the next call. */
static struct span
escaped(struct table_export *e, struct span text)
{
	e->cell.n = 0;
	for (size_t i = 0; i < text.n; i++) {
		const char *escape = escape_of(e->format, text.p[i]);

		if (escape == NULL)
			buffer_byte(&e->cell, text.p[i]);
		else
			buffer_put(&e->cell, span_of(escape));
	}
	return buffer_span(&e->cell);
}

static void
put_text(struct table_export *e, struct buffer *b, struct span text)
{
	bool changes = has_special(e->format, text);
	bool quotes = changes && e->format == TABLE_CSV;

	if (changes)
		text = escaped(e, text);
	if (quotes)
		buffer_byte(b, '"');
	if (!e->visible)
		buffer_put(b, text);
	else if (quotes)
		put_visible(b, text);
	else
		display_put(b, text);
	if (quotes)
		buffer_byte(b, '"');
}

static void
put_before(const struct table_export *e, struct buffer *b, size_t column)
{
	if (e->format == TABLE_MARKDOWN)
		buffer_put(b, column == 0 ? SPAN("| ") : SPAN(" | "));
	else if (column != 0)
		buffer_byte(b, e->format == TABLE_CSV ? ',' : '\t');
}

static void
put_end(const struct table_export *e, struct buffer *b)
{
	if (e->format == TABLE_MARKDOWN)
		buffer_put(b, SPAN(" |"));
}

/* End a row that begins there.  An empty line would end the table. */
static void
end_row(const struct table_export *e, struct buffer *b, size_t start)
{
	put_end(e, b);
	if (b->n == start && e->format == TABLE_CSV)
		buffer_put(b, SPAN("\"\""));
}

void
table_export_put_header(struct table_export *e, struct buffer *b)
{
	size_t start = b->n;

	for (size_t i = 0; i < e->header.end; i++) {
		put_before(e, b, i);
		put_text(e, b, hash_map_key(&e->header, (uint32_t)i));
	}
	end_row(e, b, start);
}

enum holds { NOTHING, NUMBERS, OTHERS };

/* What each column of a table holds, but for null.  Owns: the caller frees. */
static enum holds *
find_held(const struct table *t)
{
	enum holds *held = memory_new(table_ncolumns(t), sizeof *held);

	for (size_t i = 0; i < t->ncells; i++) {
		struct span value = t->cells[i].value;
		enum holds *column = &held[t->cells[i].column];

		if (value.p[0] != 'n' && *column != OTHERS)
			*column = number_is(value) ? NUMBERS : OTHERS;
	}
	return held;
}

void
table_export_put_rule(struct table_export *e, struct buffer *b)
{
	enum holds *held = find_held(e->table);

	for (size_t i = 0; i < e->header.end; i++) {
		put_before(e, b, i);
		buffer_put(b,
		    held[e->columns[i]] == NUMBERS ? SPAN("---:") :
						     SPAN("---"));
	}
	put_end(e, b);
	free(held);
}

void
table_export_put_row(struct table_export *e, struct buffer *b, size_t row)
{
	const struct table *t = e->table;
	size_t n = e->header.end, start = b->n;

	for (size_t i = 0; i < n; i++)
		e->row[i] = (struct span){ 0 };
	for (size_t i = t->rows[row].first; i < table_row_end(t, row); i++)
		e->row[t->cells[i].column] = t->cells[i].value;
	for (size_t i = 0; i < n; i++) {
		struct span value = e->row[e->columns[i]];

		put_before(e, b, i);
		if (value.p == NULL || value.p[0] == 'n')
			continue;
		put_text(e, b,
		    json_text(value, memchr(value.p, '\\', value.n) != NULL,
			&e->decoded));
	}
	end_row(e, b, start);
}
