/*
 * table_export - tables for other programs: CSV, TSV and Markdown.
 *
 * Tables that have the same members run on under one header.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef TUPLE_TABLE_EXPORT_H
#define TUPLE_TABLE_EXPORT_H

#include "tuple/table.h"

enum table_format { TABLE_TEXT, TABLE_CSV, TABLE_TSV, TABLE_MARKDOWN };

struct table_export {
	enum table_format format; /* not TABLE_TEXT */
	bool visible;		  /* make control bytes visible */
	const struct table *table;
	struct hash_map header; /* names of the columns that are written */
	size_t *columns;	/* for each of them, the table's */
	size_t columns_cap;
	struct span *row; /* scratch: the values of a row, by the table's */
	size_t row_cap;
	struct buffer decoded, cell; /* scratch */
};

void table_export_init(struct table_export *e, enum table_format format,
    bool visible);
void table_export_fini(struct table_export *e);

/*
 * Go on with a table.  Returns true if its columns are not those of the header:
 * put a new header first, and in Markdown a rule below it.
 *
 * Shape:  the table has a row.
 * Owns:   keeps table, which must not change while rows are put.
 * Errors: none.
 */
bool table_export_begin(struct table_export *e, const struct table *table);

/* Append the names of the columns, a rule, or a row, without the newline. */
void table_export_put_header(struct table_export *e, struct buffer *b);
void table_export_put_rule(struct table_export *e, struct buffer *b);
void table_export_put_row(struct table_export *e, struct buffer *b, size_t row);

#endif
