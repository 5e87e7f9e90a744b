/*
 * pipeline_tasks - send lines from the collector of a pipeline to the bolt's
 * tasks: copies of a command, or files.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef RUN_PIPELINE_TASKS_H
#define RUN_PIPELINE_TASKS_H

#include "run/pipeline.h"

/*
 * Start the commands or open the files, if the bolt has tasks, and have the
 * collector send to them.
 *
 * Shape:  pipeline_init has been called, and stdout is open.
 * Errors: none; stops the program, see workers_start and part_files_open.
 */
void pipeline_tasks_open(struct pipeline *p);

void pipeline_tasks_fini(struct pipeline *p);

#endif
