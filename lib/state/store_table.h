/*
 * store_table - rows of a table in a database, by key, in batches.
 *
 * Rows are asked for and handed over through functions of the caller's, one
 * at a time and in order, so that nobody has to hold them all, and a
 * database may take as many at once as it likes.
 *
 * Every function stops the program (status 2) where the database fails.
 *
 * Source: multiGet and multiPut of Trident's IBackingMap.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef STATE_STORE_TABLE_H
#define STATE_STORE_TABLE_H

#include "state/database.h"
#include "tuple/stored_value.h"

struct store_table;

/*
 * The table of that name, which is made where create is set and it is not
 * there yet.
 *
 * Shape:  nkeys >= 1 of the n columns are the key.
 * Owns:   the result is given back by _free before the database; name and
 *         columns are not kept.
 */
struct store_table *store_table_new(struct database *db, struct span name,
    const struct span *columns, size_t nkeys, size_t n, bool create);
void store_table_free(struct store_table *t);

/* Fill in row i: its keys for a get, all of its columns for a put. */
typedef void store_fill_fn(void *arg, size_t i, struct stored_value *row);

/*
 * A row that was found, all of its columns; good during the call.  Their kinds
 * and what is in them are whatever the file has: where that cannot be right,
 * the caller says so by store_table_damaged.
 */
typedef void store_row_fn(void *arg, size_t i, const struct stored_value *row);

/*
 * Get the rows of n keys: found is called for those that are there.
 */
void store_table_get(struct store_table *t, size_t n, store_fill_fn *key,
    store_row_fn *found, void *arg);

/* Put n rows in, each in the place of the one that has its key. */
void store_table_put(struct store_table *t, size_t n, store_fill_fn *row,
    void *arg);

/* Delete the rows of n keys. */
void store_table_del(struct store_table *t, size_t n, store_fill_fn *key,
    void *arg);

/*
 * Walk over all rows, or those whose integer in a column is above one; in
 * the order of that column, or of the key.
 *
 * Shape:  column is its place, or STORE_TABLE_ALL; i counts the rows.
 */
#define STORE_TABLE_ALL SIZE_MAX
void store_table_scan(struct store_table *t, size_t column, int64_t above,
    store_row_fn *row, void *arg);

/* Stop the program: a row that was found cannot be right. */
_Noreturn void store_table_damaged(const struct store_table *t);

/* Tell whether a column is an integer from least to most. */
static inline bool
store_int_is(const struct stored_value *c, int64_t least, int64_t most)
{
	return c->kind == STORED_INT && c->i >= least && c->i <= most;
}

/* Delete all rows, or those whose first column is an integer below one. */
void store_table_clear(struct store_table *t);
void store_table_clear_below(struct store_table *t, int64_t below);

#endif
