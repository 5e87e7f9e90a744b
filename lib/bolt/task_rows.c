/*
 * SPDX-License-Identifier: ISC
 */
#include "bolt/task_rows.h"

void
task_rows_init(struct task_rows *r, const char *name, bool explains,
    struct projection *p)
{
	*r = (struct task_rows){ .explains = explains };
	tag_init(&r->tag, name, p);
	if (explains)
		tag_init(&r->choices, "choices", p);
}

void
task_rows_fini(struct task_rows *r)
{
	tag_fini(&r->tag);
	tag_fini(&r->choices);
	buffer_fini(&r->row);
}

/* The line with a member in front. */
static struct span
with(struct task_rows *r, const struct tag *member, const struct tuple *t)
{
	r->row.n = 0;
	tag_put(member, &r->row, t);
	return buffer_span(&r->row);
}

void
task_rows_emit(struct task_rows *r, struct collector *c, uint32_t task,
    const struct tuple *t)
{
	struct tuple explained;

	if (r->explains) {
		explained = *t;
		explained.line = with(r, &r->choices, t);
		t = &explained;
	}
	buffer_int(tag_begin(&r->tag), task);
	tag_put(&r->tag, collector_row(c), t);
	collector_emit(c, NULL, 0);
}

struct span
task_rows_sender(struct task_rows *r, const struct tuple *t)
{
	buffer_put(tag_begin(&r->tag), t->task);
	return with(r, &r->tag, t);
}
