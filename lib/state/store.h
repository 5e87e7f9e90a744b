/*
 * store - state that survives: a backing map in a file, read and written in
 * batches, and committed whole or not at all.
 *
 * A file holds the parts of several commands.  A part has a name, belongs to
 * one command with the options it was begun with, and is one process's at a
 * time; others work on other parts of the file meanwhile.  It has tables,
 * whose rows have key columns first, and values by name.
 *
 * Every function stops the program (status 2) where the file does not do
 * what is asked; what was not committed is then as if it had never been.
 *
 * Source: Trident's IBackingMap; but the caller's input position lies in the
 *         same transaction, so that neither transaction ids nor previous
 *         values are needed to count every tuple once.
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
 * Open the file and the part, which are made where they are not there yet.
 *
 * Owns:   copies what it keeps.  The result is given back by store_close.
 * Errors: stops the program, with the file as it was, where it is no state
 *         file, or of a newer or older version, damaged, or where the part
 *         is another command's, was begun with other options, or is (for
 *         longer than a moment) another process's.
 */
struct store *store_open(const struct store_part *part);

/*
 * Tell whether the part is being made: nothing of it is in the file before
 * the first commit, which a caller is soon to make, as others wait for it.  So
 * a part that is not new has all that a commit puts.
 */
bool store_is_new(const struct store *s);

/*
 * Tell whether all rows are to be looked at when a part is opened, even those
 * that are not needed then: the file is small, so that costs little, and damage
 * is found before anything is changed.
 */
bool store_checks_rows(const struct store *s);

/* Close; what was not committed is lost. */
void store_close(struct store *s);

/* Stop the program: a value that was got cannot be right. */
_Noreturn void store_damaged(const struct store *s, const char *name);

/*
 * Begin what the next commit ends; gets without begin see the last commit.
 */
void store_begin(struct store *s);
void store_commit(struct store *s);

/*
 * A table of the part, named as the part or, with a suffix, as
 * PART_SUFFIX.  A column that is named like one before gets a number.
 *
 * Shape:  suffix may be NULL; nkeys >= 1 of the n columns are the key.  A
 *         table can be asked for again with fewer of its keys; a get then
 *         gives one of the rows that have them.
 * Owns:   the store's; names are not kept.
 */
struct store_table *store_table(struct store *s, const char *suffix,
    const struct span *names, size_t nkeys, size_t n);

/*
 * Keep bytes under a name, and get them back.
 *
 * Owns:   _get_value appends to b.
 * Errors: false where there are none.
 */
void store_put_value(struct store *s, const char *name, struct span bytes);
bool store_get_value(struct store *s, const char *name, struct buffer *b);

/*
 * The same for an integer; 0 where there is none.  _get_int_within is for one
 * that there must be, and stops the program where it is not from least to
 * most.
 */
void store_put_int(struct store *s, const char *name, int64_t i);
int64_t store_get_int(struct store *s, const char *name);
int64_t store_get_int_within(struct store *s, const char *name, int64_t least,
    int64_t most);

#endif
