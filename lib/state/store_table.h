/*
 * store_table - get, put and delete rows of a table by key, many at a time.
 *
 * The caller provides functions that fill in or receive one row at a time, so
 * that neither side holds all rows in memory.
 *
 * A function that fails stops the program (status 2).
 *
 * Source: multiGet and multiPut of Trident's IBackingMap.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef STATE_STORE_TABLE_H
#define STATE_STORE_TABLE_H

#include "state/filled_rows.h"
#include "tuple/stored_value.h"

struct store_table;

/*
 * Fill in row i: its key columns for a get or a delete, all columns for a put.
 * See filled_rows_fn for what it must not do; store_table_damaged is part of it.
 */
typedef filled_rows_fn store_fill_fn;

/*
 * The table of that name; with create, it is made if it is not there yet.
 *
 * Shape:  nkeys >= 1 of the n columns are the key.
 * Owns:   the result is given back by _free before the database; name and
 *         columns are not kept.
 */
struct store_table *store_table_new(struct database *db, struct span name,
    const struct span *columns, size_t nkeys, size_t n, bool create);
void store_table_free(struct store_table *t);

/*
 * Receive row i, with all columns, which are valid during the call.  The
 * receiver checks their kinds and values, and calls store_table_damaged if
 * they cannot be right.
 */
typedef void store_row_fn(void *arg, size_t i, const struct stored_value *row);

/*
 * Get the rows of n keys; found is called for those that exist, and must not get
 * from this table or put into it.  Where nkeys are fewer than the table's key
 * has, n is 1, and one of the rows is got.
 */
void store_table_get(struct store_table *t, size_t n, store_fill_fn *key,
    store_row_fn *found, void *arg);

/* Put n rows, each of which replaces the row of its key. */
void store_table_put(struct store_table *t, size_t n, store_fill_fn *row,
    void *arg);

/* Delete the rows of n keys. */
void store_table_del(struct store_table *t, size_t n, store_fill_fn *key,
    void *arg);

/*
 * Call row for all rows, in the order of a column or, with STORE_TABLE_KEY, of
 * their keys; _above only for those whose integer in the column is greater.
 */
#define STORE_TABLE_KEY SIZE_MAX
void store_table_scan(struct store_table *t, size_t column, store_row_fn *row,
    void *arg);
void store_table_scan_above(struct store_table *t, size_t column, int64_t above,
    store_row_fn *row, void *arg);

/* Stop the program, since a row of the table cannot be right. */
_Noreturn void store_table_damaged(const struct store_table *t);

/* Tell whether a column is an integer from least to most. */
static inline bool
store_int_is(const struct stored_value *c, int64_t least, int64_t most)
{
	return c->kind == STORED_INT && c->i >= least && c->i <= most;
}

/* Delete all rows; delete those whose first column is less than below. */
void store_table_clear(struct store_table *t);
void store_table_clear_below(struct store_table *t, int64_t below);

#endif
