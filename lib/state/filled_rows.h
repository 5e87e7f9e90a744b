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
 * Fill in row i.  A statement is running: the function must neither run another
 * nor call database_stop.
 *
 * Owns:   bytes stay the function's, as they are until the next call.
 */
typedef void filled_rows_fn(void *arg, size_t i, struct stored_value *row);

/*
 * A table with n columns, c0, c1, ...; statements of this database find it by
 * its name, which needs no quotes.  Such a statement may not sort, as it would
 * need rows that are gone by then.
 *
 * Owns:   the database frees it when it is closed.
 */
struct filled_rows *filled_rows_new(struct database *db, size_t n);
const char *filled_rows_name(const struct filled_rows *r);

/*
 * From the next run of a statement on, the table has rows first to end - 1.  It
 * ends earlier, behind the row with which a page for each row, and their text
 * and blobs, come to `bytes` or more; SIZE_MAX: no bound.  Then filled_rows_at
 * is the first that is left.
 */
void filled_rows_set(struct filled_rows *r, size_t first, size_t end,
    size_t bytes, filled_rows_fn *fill, void *arg);

/* The row that a running statement is at, or that it ended before. */
size_t filled_rows_at(const struct filled_rows *r);

#endif
