/*
 * store - keep state in a file (--state), which is committed whole or not at
 * all.
 *
 * A file has a part for each command that uses it.  A part has a name, and
 * belongs to one command with certain options.  One process uses it at a time;
 * other processes can use other parts of the file meanwhile.  A part has
 * tables, and values that are found by name.
 *
 * A function that fails stops the program (status 2); changes that were not
 * committed are lost then.
 *
 * Source: Trident's IBackingMap.  Here the positions in the inputs are in the
 *         same transaction, so that every tuple counts once without Trident's
 *         transaction ids or previous values.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef STATE_STORE_H
#define STATE_STORE_H

#include "base/buffer.h"
#include "state/store_part.h"
#include "state/store_table.h"

struct store;

/*
 * Open a part of a file.  Unless it is read-only, the file and the part are
 * made if they do not exist.
 *
 * Owns:   copies what it keeps; the caller frees with store_close.
 * Errors: none; stops the program if the file is not a state file, has another
 *         version or is damaged, or if the part belongs to another command,
 *         was made with other options, or is used by another process.  The
 *         file is not changed then.
 */
struct store *store_open(const struct store_part *part);

/*
 * Tell whether the part is new.  It is in the file only after the first commit,
 * which the caller makes soon, since other processes wait for it.  A part that
 * is not new has everything that a commit writes.
 */
bool store_is_new(const struct store *s);

/*
 * Tell whether the part is only read.  Until store_commit, all that is read of
 * it is then as at one moment, even if another process writes meanwhile.
 */
bool store_is_read_only(const struct store *s);

/*
 * Tell whether to check all rows when a part is opened, even those that are not
 * needed then.  This is so for small files; damage is then found before
 * anything is changed.
 */
bool store_checks_rows(const struct store *s);

/* Close the part; changes that were not committed are lost. */
void store_close(struct store *s);

/* Stop the program, since the value of that name cannot be right. */
_Noreturn void store_damaged(const struct store *s, const char *name);

/*
 * Begin a transaction; commit it.  Reading without one sees the last commit.
 */
void store_begin(struct store *s);
void store_commit(struct store *s);

/*
 * Open a table of the part.  Columns of the same name get numbers.
 *
 * Shape:  the first nkeys >= 1 of the n columns are the key.  A table can also
 *         be opened with fewer keys; a get then finds one of the rows that have
 *         them.
 * Owns:   the table is the store's; names are not kept.
 */
struct store_table *store_table(struct store *s, enum part_table table,
    const struct span *names, size_t nkeys, size_t n);

/*
 * Put bytes under a name; append those of a name to b.
 *
 * Errors: store_get_value returns false if there is no such name.
 */
void store_put_value(struct store *s, const char *name, struct span bytes);
bool store_get_value(struct store *s, const char *name, struct buffer *b);

/*
 * Put and get an integer; store_get_int returns 0 if there is no such name.
 * _get_int_within stops the program, as damaged, if there is none or it is not
 * from least to most.
 */
void store_put_int(struct store *s, const char *name, int64_t i);
int64_t store_get_int(struct store *s, const char *name);
int64_t store_get_int_within(struct store *s, const char *name, int64_t least,
    int64_t most);

#endif
