/*
 * store_part - what a state file records of each of its parts: its name, the
 * command that it belongs to, and the options that it was made with.
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
	bool read_only; /* the part must exist */
};

/* The number of the part of that name; 0 if there is none. */
int64_t store_part_find(struct database *db, const struct store_part *part);

/* Stop the program, since there is no such part. */
_Noreturn void store_part_lacks(struct database *db,
    const struct store_part *part);

/*
 * Check a part against what the file records under its number.
 *
 * Errors: none; stops the program if the part belongs to another command, or
 *         was made with other options.
 */
void store_part_check(struct database *db, int64_t number,
    const struct store_part *part);

/*
 * Record a new part, within a transaction.  Returns its number.
 *
 * Errors: none; stops the program if a table of it would have the name of
 *         another part's.
 */
int64_t store_part_make(struct database *db, const struct store_part *part);

/* The tables that a part may have: PART, PART_inputs, PART_keys, ... */
enum part_table {
	PART_ITSELF,
	PART_INPUTS,
	PART_KEYS,
	PART_OUTPUTS,
	PART_WAITING,
	PART_TABLES
};

/* Append the name of a table and a NUL. */
void store_part_put_table(struct buffer *b, const char *part,
    enum part_table table);

/*
 * Add to given the options that the part was made with and that the command
 * line does not have; part->options is not used.
 *
 * Errors: none; stops the program if the part does not exist.
 */
void store_part_recall(const struct store_part *part, struct options *given);

#endif
