/*
 * part_files - write a file for each task, named by a template such as
 * part-%d.ndjson.
 *
 * In a template %d is the number of the task; %3d and %03d fill it up with
 * zeros to that width; %% is a single %.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef IO_PART_FILES_H
#define IO_PART_FILES_H

#include "io/output.h"

struct part_files {
	struct output *files; /* NULL: there are none */
	struct buffer *names; /* each ends in NUL */
	size_t n;
};

/*
 * Check a template.
 *
 * Errors: NULL, or what is wrong with it, for a message.
 */
const char *part_files_check(const char *name);

/*
 * Make the names of n files.
 *
 * Shape:  name is a template that part_files_check accepts.
 * Errors: none.
 */
void part_files_init(struct part_files *p, const char *name, size_t n);
void part_files_fini(struct part_files *p);

/*
 * Create or empty the files and open them.
 *
 * Owns:   the caller closes them by part_files_close before _fini.
 * Errors: none; stops the program if one cannot be opened.
 */
void part_files_open(struct part_files *p);
void part_files_close(struct part_files *p);

/* Append a line to the file of a task; write a tick to all files. */
static inline void
part_files_line(struct part_files *p, size_t task, struct span line)
{
	output_line(&p->files[task], line);
}

void part_files_tick(struct part_files *p, int64_t ms);

/* Write what has been appended. */
void part_files_flush(struct part_files *p);

/* How many lines there are in all of them, without ticks. */
uint64_t part_files_lines(const struct part_files *p);

#endif
