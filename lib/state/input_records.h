/*
 * input_records - what earlier runs have read of which inputs, in a table of a
 * store, and which of it an operand of this run goes on with.
 *
 * A record serves one operand, and an operand has one record.  First come
 * those of the same file or name whose content still stands there: of the same
 * file under its name, of the same file, of the same name.  Operands and
 * records that are left over are brought together by content alone.  So a log
 * is found that was renamed or copied, and what is new is read from its start.
 *
 * Names and inodes are not to be trusted beyond that: a record loses those
 * where its content is found to be gone.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef STATE_INPUT_RECORDS_H
#define STATE_INPUT_RECORDS_H

#include "state/content.h"
#include "state/store.h"

struct input_operand {
	struct span name;	     /* a string, `-` being stdin */
	struct span stream;	     /* empty where there is but one */
	struct input_record *record; /* NULL: none yet */
	bool left;		     /* it has been read to its end */
};

struct input_record {
	int64_t id;
	int64_t used; /* the number of the last run that it served */
	struct span stream, path; /* path is empty where it is not known */
	bool pipe;
	int64_t device, inode;	       /* 0 where they are not known */
	struct content_mark content;   /* of a pipe head is a hash of all */
	int64_t line;		       /* lines in it */
	struct input_operand *operand; /* that it serves, or NULL */
	bool changed;		       /* since the last save */
};

struct input_records {
	struct store_table *table;
	struct input_record **records;
	size_t n, cap;
	struct input_record **chosen; /* some of them, for a moment */
	size_t nchosen, chosen_cap;
	int64_t run, next_id; /* the number of this run */
};

/*
 * Read the table.
 *
 * Errors: stops the program where it holds what no run has put there.
 */
void input_records_open(struct input_records *rs, struct store *store);
void input_records_fini(struct input_records *rs);

/*
 * Give operands that are regular files their records, as far as there are any.
 *
 * Errors: stops the program where a file that can be opened cannot be read.
 */
void input_records_match(struct input_records *rs,
    struct input_operand *operands, size_t n);

/* Tell whether an operand's record, if it has one, is of the open file. */
bool input_records_is_matched(const struct input_operand *o, int fd);

/*
 * Give an operand whose regular file is open a record, another one than it
 * has: a new one at last.  Those of operands that have been left are free
 * where their content is gone from there.
 */
void input_records_settle(struct input_records *rs, struct input_operand *o,
    int fd);

/* Give it that of a pipe of its name, or a new one. */
void input_records_settle_pipe(struct input_records *rs,
    struct input_operand *o);

/*
 * Let records that serve no operand forget the name and inode of an open file
 * that does not have their content; if the operand begins with it anew, warn.
 */
void input_records_refute(struct input_records *rs,
    const struct input_operand *o, int fd);

/*
 * Put what has changed into the store.  Of the records that serve no operand
 * INPUT_RECORDS_OTHERS are kept, those that were used last.
 */
void input_records_save(struct input_records *rs);

enum { INPUT_RECORDS_OTHERS = 1000 };

#endif
