/*
 * SPDX-License-Identifier: ISC
 */
#include <stdarg.h>
#include <stdio.h>

#include "base/fault.h"

int
fault_set(struct fault *f, enum fault_kind kind, size_t column, const char *fmt,
    ...)
{
	va_list ap;

	if (f == NULL || f->kind != FAULT_NONE)
		return -1;
	if (fault_says(f, kind)) {
		va_start(ap, fmt);
		vsnprintf(f->message, sizeof f->message, fmt, ap);
		va_end(ap);
	}
	f->kind = kind;
	f->column = column;
	f->field = 0;
	return -1;
}
