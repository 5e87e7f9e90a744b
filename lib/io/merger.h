/*
 * merger - merge the outputs of several tasks into one, line by line or batch
 * by batch.
 *
 * By line: whole lines are passed on as they come.  By tick: whole batches are
 * passed on, in the order of the ticks that end them.  A batch, with one tick,
 * is passed on when every task has sent that tick or a later one, or has
 * ended.  A tick that is not later than its task's last one is dropped: its
 * rows join the next batch.
 *
 *	task 0   rows t10 rows t20          the batch of t10 is complete: the
 *	task 1   rows t10                   rows of 0, those of 1, one t10;
 *	task 2   rows t10 rows              t20 waits for tasks 1 and 2
 *
 * Rows after a task's last tick come at the end.  If a task has failed, no
 * batch after its last tick is complete, so the rows of all tasks after it
 * come at the end too, without ticks.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef IO_MERGER_H
#define IO_MERGER_H

#include "io/output.h"
#include "tuple/tag.h"

enum merger_order { MERGER_BY_LINE, MERGER_BY_TICK };

/* Bytes that a task may send without a newline, or by tick without a tick. */
enum { MERGER_LIMIT = 64 << 20 };

struct merger {
	enum merger_order order;
	size_t ntasks;
	struct merger_task *tasks;
	struct output *out;
	struct projection projection; /* finds the tick, and the tag */
	struct value *slots;
	bool tags;
	struct tag tag; /* the task */
};

/*
 * Begin to merge into out.  With a tag, each row gets a member of this name
 * with the number of its task, which replaces one that it has.  Lines that
 * are not objects stay as they are.
 *
 * Shape:  tag may be NULL.
 * Owns:   out and tag are kept, not copied.
 * Errors: none.
 */
void merger_init(struct merger *m, enum merger_order order, size_t ntasks,
    const char *tag, struct output *out);
void merger_fini(struct merger *m);

/*
 * Take output of a task: merger_room returns where at least size bytes can be
 * read to, and merger_take takes the n bytes that were.
 *
 * Errors: merger_take returns NULL, or what is wrong with the task, for a
 *         message; then nothing more may be taken from it.
 */
char *merger_room(struct merger *m, size_t task, size_t size);
const char *merger_take(struct merger *m, size_t task, size_t n);

/*
 * Tell whether a task is so far ahead of the others that it need not be read
 * now.
 */
bool merger_is_ahead(const struct merger *m, size_t task);

/*
 * Note that a task has failed: its last batch, and a last line without
 * newline, are not complete.
 */
void merger_fail(struct merger *m, size_t task);

/* Note that a task has ended.  A last line without newline is a line. */
void merger_end(struct merger *m, size_t task);

/* All tasks have ended: pass on all rows that are left. */
void merger_finish(struct merger *m);

#endif
