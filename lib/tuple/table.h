/*
 * table - the members of some tuples as rows and columns: a column for each
 * member that one of them has, in the order they came.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef TUPLE_TABLE_H
#define TUPLE_TABLE_H

#include "base/hash_map.h"

struct table_row {
	size_t first; /* of its cells; they end where those of the next begin */
	double number; /* as given to table_add */
};

struct table_cell {
	size_t column;
	struct span value; /* JSON */
};

struct table {
	/* The decoded names: an id is a column, the value its last cell. */
	struct hash_map names;
	struct table_row *rows;
	size_t nrows, rows_cap;
	struct table_cell *cells;
	size_t ncells, cells_cap;
	struct buffer scratch;
};

void table_init(struct table *t);
void table_fini(struct table *t);

/* Forget all rows and columns. */
void table_clear(struct table *t);

/*
 * Add a row with the members of a tuple.  If a member occurs twice the last
 * one counts.
 *
 * Shape:  line is a valid object.
 * Owns:   keeps line, whose bytes must stay until the table is cleared.
 */
void table_add(struct table *t, struct span line, double number);

/*
 * How many columns there are, and the name of one.
 *
 * Owns:   the name is good until the next row is added.
 */
static inline size_t
table_ncolumns(const struct table *t)
{
	return t->names.end;
}

static inline struct span
table_name(const struct table *t, size_t column)
{
	return hash_map_key(&t->names, (uint32_t)column);
}

/* The column of that name; HASH_MAP_NONE if there is none. */
size_t table_column(const struct table *t, struct span name);

/* Where the cells of a row end, as an index into cells. */
static inline size_t
table_row_end(const struct table *t, size_t row)
{
	return row + 1 < t->nrows ? t->rows[row + 1].first : t->ncells;
}

#endif
