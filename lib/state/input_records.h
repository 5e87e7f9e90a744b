/*
 * input_records - what this run and earlier ones have read of which inputs, in
 * a table of a store.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef STATE_INPUT_RECORDS_H
#define STATE_INPUT_RECORDS_H

#include <sys/stat.h>

#include "state/content.h"
#include "state/store.h"

/* So many records that serve no operand are kept. */
enum { INPUT_RECORDS_OTHERS = 1000 };

/* A file or pipe that a run reads. */
struct input_operand {
	struct span name;   /* a string, `-` being stdin */
	struct span stream; /* empty where there is but one */
	struct stat seen;   /* what it was when operands were matched */
	struct input_record *record; /* NULL: none yet */
};

struct input_record {
	int64_t id;
	int64_t used; /* the number of the last run that it served */
	struct span stream, path; /* path is empty where it is not known */
	bool pipe;
	int64_t device, inode;	     /* 0 where they are not known */
	struct content_mark content; /* of a pipe head is a hash of all */
	int64_t size, mtime_ns; /* of a compressed file that is used up, or 0 */
	int64_t line;		/* lines in it */
	struct input_operand *operand; /* that it serves, or NULL */
	bool changed;		       /* since the last save */
};

struct input_records {
	struct store_table *table;
	struct input_record **records;
	size_t n, cap;
	/* Those that served no operand when they were looked for, and since. */
	struct input_record **free;
	size_t nfree, free_cap;
	struct input_record **dirty; /* those to be put, for a moment */
	size_t ndirty, dirty_cap;
	int64_t run;		    /* the number of this one */
	int64_t first_new, next_id; /* of a record that this run has made */
};

/*
 * Read the table.
 *
 * Errors: stops the program where it holds what no run has put there.
 */
void input_records_open(struct input_records *rs, struct store *store);
void input_records_fini(struct input_records *rs);

/*
 * A new record, of which nothing is known but its name.
 *
 * Owns:   copies stream and path; the result is good until a save at which it
 *         serves no operand.
 */
struct input_record *input_records_add(struct input_records *rs,
    struct span stream, struct span path);

/* Look for those that serve no operand; and let one serve none. */
void input_records_find_free(struct input_records *rs);
void input_records_release(struct input_records *rs, struct input_record *r);

/*
 * The order of records, for qsort: by inode and device, by path, by the
 * beginning of the content; and those of sorted ones that are like another in
 * that.
 */
typedef int input_order_fn(const void *a, const void *b);
input_order_fn input_records_by_file, input_records_by_name,
    input_records_by_head;

struct input_slice {
	struct input_record **records;
	size_t n;
};

struct input_slice input_records_alike(struct input_slice sorted,
    input_order_fn *order, const struct input_record *wanted);

/*
 * Put what has changed into the store.  Of the records that serve no operand
 * those that were used last are kept.
 */
void input_records_save(struct input_records *rs);

#endif
