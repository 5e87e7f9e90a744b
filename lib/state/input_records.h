/*
 * input_records - what this run and earlier ones have read of each input: a
 * table of a store.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef STATE_INPUT_RECORDS_H
#define STATE_INPUT_RECORDS_H

#include <sys/stat.h>

#include "state/content.h"
#include "state/store.h"

/* How many records that belong to no operand are kept. */
enum { INPUT_RECORDS_OTHERS = 1000 };

/* A file or pipe that this run reads. */
struct input_operand {
	struct span name;   /* a C string; `-` is stdin */
	struct span stream; /* empty if there is only one */
	bool is_table;	    /* all of it may be read again */
	struct stat seen;   /* its stat(2) when operands were matched */
	struct span was;    /* its name in the last run; p is NULL: none */
	struct input_record *record; /* NULL: none yet */
};

struct input_record {
	int64_t id;
	int64_t used;		  /* the number of the last run that read it */
	struct span stream, path; /* path is empty if it is not known */
	bool pipe;
	int64_t device, inode;	     /* 0 if they are not known */
	struct content_mark content; /* of a pipe, head is a hash of all */
	int64_t size, mtime_ns;	     /* of a compressed file read to its end */
	int64_t line;		     /* how many lines the content has */
	/* Of the file of a table: a hash of all content; 0: not known. */
	int64_t whole;
	struct input_operand *operand; /* to which it belongs, or NULL */
	bool changed;		       /* since the last save */
};

struct input_records {
	struct store *store;
	struct store_table *table;
	struct input_record **records;
	size_t n, cap;
	/* Of input_records_find_free: records that belong to no operand. */
	struct input_record **free;
	size_t nfree, free_cap;
	struct input_record **dirty; /* during a save: those to write */
	size_t ndirty, dirty_cap;
	int64_t run;		    /* the number of this run */
	int64_t first_new, next_id; /* ids of records that this run makes */
};

/*
 * Read the table.
 *
 * Errors: none; stops the program if the table is damaged.
 */
void input_records_open(struct input_records *rs, struct store *store);
void input_records_fini(struct input_records *rs);

/*
 * Add a record with a name and no content.
 *
 * Owns:   copies stream and path; the result is valid until a save at which it
 *         belongs to no operand.
 * Errors: none.
 */
struct input_record *input_records_add(struct input_records *rs,
    struct span stream, struct span path);

/* Fill rs->free; take a record from its operand and add it there. */
void input_records_find_free(struct input_records *rs);
void input_records_release(struct input_records *rs, struct input_record *r);

/*
 * Orders of records, for qsort: by inode and device, by path, by the beginning
 * of the content.  _alike finds the records that are equal to wanted; `sorted`
 * is sorted by that order.
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
 * Put the records that have changed into the store.  Of those that belong to
 * no operand, the ones that were used last are kept.
 */
void input_records_save(struct input_records *rs);

#endif
