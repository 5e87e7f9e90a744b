/*
 * SPDX-License-Identifier: ISC
 */
#include <stdlib.h>

#include "base/memory.h"
#include "io/file_template.h"
#include "io/part_files.h"
#include "tuple/tuple.h"

void
part_files_init(struct part_files *p, const char *name, size_t n)
{
	*p = (struct part_files){ .files = memory_new(n, sizeof *p->files),
		.names = memory_new(n, sizeof *p->names),
		.n = n };
	for (size_t i = 0; i < n; i++) {
		file_template_put(&p->names[i], name, i);
		buffer_byte(&p->names[i], '\0');
	}
}

void
part_files_open(struct part_files *p)
{
	output_allow(p->n);
	for (size_t i = 0; i < p->n; i++)
		output_open(&p->files[i], p->names[i].p);
}

void
part_files_fini(struct part_files *p)
{
	for (size_t i = 0; i < p->n; i++)
		buffer_fini(&p->names[i]);
	free(p->files);
	free(p->names);
	*p = (struct part_files){ 0 };
}

void
part_files_tick(struct part_files *p, int64_t ms)
{
	for (size_t i = 0; i < p->n; i++) {
		tuple_put_tick(&p->files[i].rows, ms);
		output_flush(&p->files[i]);
	}
}
