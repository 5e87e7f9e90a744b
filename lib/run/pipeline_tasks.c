/*
 * SPDX-License-Identifier: ISC
 */
#include <stdlib.h>

#include "run/pipeline_tasks.h"

static void
send_to_worker(struct collector *c, size_t task, uint64_t id, struct span line)
{
	(void)id;
	workers_send(pipeline_of(c)->workers, task, line);
}

static void
tick_to_workers(struct collector *c, int64_t ms)
{
	workers_tick(pipeline_of(c)->workers, ms);
}

static void
send_to_file(struct collector *c, size_t task, uint64_t id, struct span line)
{
	(void)id;
	part_files_line(&pipeline_of(c)->parts, task, line);
}

static void
tick_to_files(struct collector *c, int64_t ms)
{
	part_files_tick(&pipeline_of(c)->parts, ms);
}

void
pipeline_tasks_open(struct pipeline *p)
{
	const struct bolt_tasks *t = &p->bolt->tasks;

	if (t->argv != NULL) {
		p->collector.send = send_to_worker;
		p->collector.tick = tick_to_workers;
		p->workers = memory_new(1, sizeof *p->workers);
		workers_init(p->workers, t->n, t->order, t->tag, &p->run.out);
		workers_start(p->workers, t->argv);
	} else if (t->files != NULL) {
		p->collector.send = send_to_file;
		p->collector.tick = tick_to_files;
		part_files_init(&p->parts, t->files, t->n);
		part_files_open(&p->parts);
	}
}

void
pipeline_tasks_fini(struct pipeline *p)
{
	if (p->workers != NULL)
		workers_fini(p->workers);
	free(p->workers);
	part_files_fini(&p->parts);
}
