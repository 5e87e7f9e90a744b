/*
 * SPDX-License-Identifier: ISC
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/descriptor.h"
#include "base/digits.h"
#include "base/memory.h"
#include "io/part_files.h"
#include "tuple/tuple.h"

enum { MAX_WIDTH = 20 };

/* The width of the conversion after the % before p, and its end; or NULL. */
static const char *
conversion(const char *p, int *width)
{
	for (*width = 0; digits_is(*p); p++)
		if ((*width = *width * 10 + (*p - '0')) > MAX_WIDTH)
			return NULL;
	return *p == 'd' ? p + 1 : NULL;
}

const char *
part_files_check(const char *name)
{
	int found = 0, width;

	for (const char *p = name; *p != '\0';) {
		if (*p++ != '%')
			continue;
		if (*p == '%') {
			p++;
			continue;
		}
		if ((p = conversion(p, &width)) == NULL)
			return "expected %d, %3d, %03d or %% after a %";
		found++;
	}
	return found == 1 ? NULL : "expected one %d, for the task";
}

/* Append the name for a number, without NUL. */
static void
put_name(struct buffer *b, const char *name, size_t number)
{
	char digits[32];
	int width, n;

	for (const char *p = name; *p != '\0';) {
		if (*p != '%') {
			buffer_byte(b, *p++);
		} else if (p[1] == '%') {
			buffer_byte(b, '%');
			p += 2;
		} else {
			p = conversion(p + 1, &width);
			n = snprintf(digits, sizeof digits, "%0*zu", width,
			    number);
			buffer_put(b, (struct span){ digits, (size_t)n });
		}
	}
}

void
part_files_init(struct part_files *p, const char *name, size_t n)
{
	*p = (struct part_files){ .files = memory_new(n, sizeof *p->files),
		.names = memory_new(n, sizeof *p->names),
		.n = n };
	for (size_t i = 0; i < n; i++) {
		put_name(&p->names[i], name, i);
		buffer_byte(&p->names[i], '\0');
	}
}

void
part_files_open(struct part_files *p)
{
	descriptor_raise_limit(p->n);
	for (size_t i = 0; i < p->n; i++)
		output_open(&p->files[i], p->names[i].p);
}

void
part_files_close(struct part_files *p)
{
	for (size_t i = 0; i < p->n; i++)
		output_close(&p->files[i]);
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

void
part_files_flush(struct part_files *p)
{
	for (size_t i = 0; i < p->n; i++)
		output_flush(&p->files[i]);
}

uint64_t
part_files_lines(const struct part_files *p)
{
	uint64_t lines = 0;

	for (size_t i = 0; i < p->n; i++)
		lines += p->files[i].lines;
	return lines;
}
