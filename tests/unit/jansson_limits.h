/*
 * jansson_limits - where jansson is no judge of what is JSON.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef JANSSON_LIMITS_H
#define JANSSON_LIMITS_H

#include <jansson.h>

#include <stdbool.h>
#include <string.h>

/* What only jansson refuses; what it would say of the rest is not known. */
static inline bool
is_limit_of_jansson(const json_error_t *e)
{
	switch (json_error_code(e)) {
	case json_error_numeric_overflow:
	case json_error_null_byte_in_key:
	case json_error_stack_overflow:
		return true;
	default:
		return strncmp(e->text, "invalid Unicode", 15) == 0;
	}
}

#endif
