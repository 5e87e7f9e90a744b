/*
 * SPDX-License-Identifier: ISC
 */
#include "json/indexed_line.h"
#include "base/number.h"

bool
indexed_line_has_scalar(const struct indexed_line *l, size_t token)
{
	const char *p = l->text + l->at[token],
		   *next = l->text + l->at[token + 1];
	const char *end, *lacks = NULL;

	switch (*p) {
	case 't':
		end = memcmp(p, "true", 4) == 0 ? p + 4 : p;
		break;
	case 'f':
		end = memcmp(p, "false", 5) == 0 ? p + 5 : p;
		break;
	case 'n':
		end = memcmp(p, "null", 4) == 0 ? p + 4 : p;
		break;
	default:
		end = number_end(p, &lacks);
		if (lacks != NULL)
			return false;
	}
	return end != p &&
	    (end == next || *end == ' ' || *end == '\t' || *end == '\r');
}
