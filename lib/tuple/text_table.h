/*
 * text_table - a table laid out to be looked at: columns of equal width,
 * numbers to the right, and nothing in it that a terminal would obey.
 *
 *	rank  path     count
 *	   1  /           30  ############
 *	   2  /search     23  #########
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef TUPLE_TEXT_TABLE_H
#define TUPLE_TEXT_TABLE_H

#include "tuple/table.h"

struct text_style {
	size_t columns; /* of what it is shown on; 0: there is no limit */
	bool bars;	/* draw a bar for each row whose number is above 0 */
	bool color;
};

struct text_cell {
	size_t at, n; /* in text */
	size_t width;
	bool right, is_null;
};

struct text_column {
	struct text_cell header;
	size_t width;
	bool is_time; /* of those that commands compute */
	bool has_text, has_number;
};

struct text_table {
	const struct table *table;
	struct text_style style;
	struct text_column *columns;
	size_t ncolumns, columns_cap;
	struct text_cell *cells; /* beside those of the table */
	size_t cells_cap;
	const struct text_cell **row; /* scratch: those of a row, by column */
	size_t row_cap;
	struct buffer text;
	size_t bar;	/* the width of the longest; 0: none */
	double longest; /* the number that it stands for */
};

/*
 * Lay out a table.
 *
 * Shape:  a zeroed struct text_table is ready for use, and is used again.
 * Owns:   keeps table, which must not change while rows are put.
 * Errors: none; what there is no room for is cut.
 */
void text_table_lay_out(struct text_table *t, const struct table *table,
    const struct text_style *style);
void text_table_fini(struct text_table *t);

/* Append the names of the columns, or a row, as a line without newline. */
void text_table_put_header(struct text_table *t, struct buffer *b);
void text_table_put_row(struct text_table *t, struct buffer *b, size_t row);

/* Append a line that says how many more rows there are. */
void text_table_put_more(const struct text_table *t, struct buffer *b,
    uint64_t n);

#endif
