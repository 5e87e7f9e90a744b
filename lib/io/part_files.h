/*
 * part_files - a file for each task, named by a template.
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
 * Name n files.
 *
 * Shape:  name is a template that file_template_check has nothing against.
 */
void part_files_init(struct part_files *p, const char *name, size_t n);
void part_files_fini(struct part_files *p);

/*
 * Open them, empty at first.
 *
 * Owns:   whoever writes closes the files, by output_close, before _fini.
 * Errors: none; stops the program where one cannot be opened.
 */
void part_files_open(struct part_files *p);

/* Write a tick to each, at once. */
void part_files_tick(struct part_files *p, int64_t ms);

#endif
