/*
 * store_part - what a state file records of its parts: the name of each, the
 * command it belongs to, the options it was begun with.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef STATE_STORE_PART_H
#define STATE_STORE_PART_H

#include "state/database.h"
#include "state/store_options.h"

struct store_part {
	const char *path;
	const char *command;
	const char *name;
	struct store_options options;
	bool read_only; /* only look: the part must be there */
};

/* The number of the part; 0 where there is none of its name. */
int64_t store_part_find(struct database *db, const struct store_part *part);

/* Stop the program, as there is no such part. */
_Noreturn void store_part_lacks(struct database *db,
    const struct store_part *part);

/*
 * Hold a part against what the file has under its number.
 *
 * Errors: stops the program where it is another command's, or was begun with
 *         other options.
 */
void store_part_check(struct database *db, int64_t number,
    const struct store_part *part);

/*
 * Record a part that is not there, within a transaction.
 *
 * Errors: stops the program where a table of it would be another part's.
 *         Returns the number that it is given.
 */
int64_t store_part_make(struct database *db, const struct store_part *part);

/* Append the name of a table, PART or, where suffix is not NULL, PART_SUFFIX. */
void store_part_put_table(struct buffer *b, const char *part,
    const char *suffix);

/*
 * Give a command the options that the part was begun with, where the command
 * line does not; those in part do not count.
 *
 * Errors: stops the program where the part is not there.
 */
void store_part_recall(const struct store_part *part, struct options *given);

#endif
