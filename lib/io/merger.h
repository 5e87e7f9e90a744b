/*
 * merger - the outputs of several tasks, made one by whole lines.
 *
 * By line: lines are passed on as they come.  By tick: batch by batch, in
 * the order of the ticks that end the batches; one is passed on, with one
 * tick, when every task has sent a tick as late or later or has ended.
 *
 *	task 0   rows t10 rows t20          the batch of t10 is complete: the
 *	task 1   rows t10                   rows of 0, those of 1, one t10;
 *	task 2   rows t10 rows              t20 waits for tasks 1 and 2
 *
 * Rows after a task's last tick come at the end.  So do, and without ticks,
 * all others' rows after the last tick of a task that has failed: no batch
 * from there on is complete.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef IO_MERGER_H
#define IO_MERGER_H

#include "io/output.h"
#include "tuple/tuple.h"

enum merger_order { MERGER_BY_LINE, MERGER_BY_TICK };

/* What a task may hold back: a line without end, rows without tick. */
enum { MERGER_LIMIT = 64 << 20 };

struct merger {
	enum merger_order order;
	size_t ntasks;
	struct merger_task *tasks;
	struct output *out;
	struct projection projection; /* the tick, and the tag */
	struct value *slots;
	const struct field *tag; /* NULL: rows are not tagged */
	const char *tag_name;
	struct buffer member; /* the tag's name, a colon, the task */
};

/*
 * Merge into out.  With a tag each row gets the number of its task under
 * this name; a member that has the name already gives way.  What is no
 * object stays as it is.
 *
 * Shape:  tag may be NULL.
 * Owns:   keeps out and tag.
 * Errors: none.
 */
void merger_init(struct merger *m, enum merger_order order, size_t ntasks,
    const char *tag, struct output *out);
void merger_fini(struct merger *m);

/*
 * Where to read the next bytes of a task to, at least size of them; then
 * merger_take takes the n that have come.
 *
 * Errors: NULL from merger_take, or what is wrong with the task, for a
 *         message; take nothing more from it.
 */
char *merger_room(struct merger *m, size_t task, size_t size);
const char *merger_take(struct merger *m, size_t task, size_t n);

/*
 * Tell whether a task is so far ahead of others that reading it can wait.
 */
bool merger_is_ahead(const struct merger *m, size_t task);

/*
 * A task has failed: it will end in the middle of its work, and a last line
 * without newline is no whole one.
 */
void merger_fail(struct merger *m, size_t task);

/* A task has ended.  A last line without newline counts. */
void merger_end(struct merger *m, size_t task);

/* All have ended: pass on what is left. */
void merger_finish(struct merger *m);

#endif
