/*
 * task_rows - tuples with their task in front: as rows, and for tasks of Storm.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef BOLT_TASK_ROWS_H
#define BOLT_TASK_ROWS_H

#include "bolt/collector.h"
#include "tuple/tag.h"

struct task_rows {
	struct tag tag, choices; /* `"task":I`, and the tasks considered */
	struct buffer row;	 /* a tuple with one of them */
	bool explains;
};

/*
 * Begin; name is that of the member with the task.  explains: the tasks that
 * were considered stand behind it, as "choices".
 *
 * Owns:   name is kept, not copied.
 * Errors: none.
 */
void task_rows_init(struct task_rows *r, const char *name, bool explains,
    struct projection *p);
void task_rows_fini(struct task_rows *r);

/* Where the tasks considered for the next tuple are to be put, if it explains. */
static inline struct buffer *
task_rows_choices(struct task_rows *r)
{
	return tag_begin(&r->choices);
}

/* Emit a tuple with the task that it goes to in front. */
void task_rows_emit(struct task_rows *r, struct collector *c, uint32_t task,
    const struct tuple *t);

/*
 * A tuple's line with the task of Storm's that sent it in front.
 *
 * Owns:   valid until the next call.
 */
struct span task_rows_sender(struct task_rows *r, const struct tuple *t);

#endif
