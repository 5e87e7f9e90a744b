/*
 * filled_rows - a table whose rows a function fills in, for statements of SQL.
 *
 * One statement then puts many rows, or gets those of many keys.  With a
 * statement for each key, each would lock the file for itself, and a second run
 * of tally took twice as long.
 *
 * Source: virtual tables of SQLite (sqlite3_module).
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef STATE_FILLED_ROWS_H
#define STATE_FILLED_ROWS_H

#include "state/database.h"
#include "tuple/stored_value.h"

struct filled_rows;

/*
 * Fill in row i.  What its bytes point to stays as it is until the next call.
 * The function must not stop the program by database_stop, since a statement is
 * at work.
 */
typedef void filled_rows_fn(void *arg, size_t i, struct stored_value *row);

/*
 * A table with n columns, c0, c1, ...; statements of this database find it by
 * its name, which needs no quotes.
 *
 * Owns:   the database frees it when it is closed.
 */
struct filled_rows *filled_rows_new(struct database *db, size_t n);
const char *filled_rows_name(const struct filled_rows *r);

/* From the next run of a statement on, the table has rows first to end - 1. */
void filled_rows_set(struct filled_rows *r, size_t first, size_t end,
    filled_rows_fn *fill, void *arg);

/* The row that a running statement is at. */
size_t filled_rows_at(const struct filled_rows *r);

#endif
