/*
 * statement - run a statement of SQL, with parameters, row by row.
 *
 * A function that fails stops the program, as those of database.h do.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef STATE_STATEMENT_H
#define STATE_STATEMENT_H

#include "state/database.h"
#include "tuple/stored_value.h"

struct statement;

/*
 * Compile a statement, whose parameters are ?1, ?2, ...
 *
 * Owns:   the caller frees with statement_free before the database is closed.
 */
struct statement *statement_new(struct database *d, const char *sql);
void statement_free(struct statement *st);

/*
 * Set parameter i, from 1.
 *
 * Owns:   c->bytes are copied; the copy is freed when the statement has run.
 */
void statement_bind(struct statement *st, int i, const struct stored_value *c);

/*
 * Go to the next row.  Returns false after the last one; the statement can
 * then be run again.  _reset allows that before the last row.
 */
bool statement_step(struct statement *st);
void statement_reset(struct statement *st);

/* Column i of the row, from 0; its bytes are valid until the next step. */
struct stored_value statement_column(struct statement *st, int i);

#endif
