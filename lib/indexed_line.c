/*
 * SPDX-License-Identifier: ISC
 */
#include "indexed_line.h"

static inline bool
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static const char *
skip_digits(const char *p)
{
	while (is_digit(*p))
		p++;
	return p;
}

/* Where the number at p ends; p itself where it is none. */
static const char *
number_end(const char *p)
{
	const char *start = p;

	p += *p == '-';
	if (!is_digit(*p))
		return start;
	p = *p == '0' ? p + 1 : skip_digits(p);
	if (*p == '.') {
		if (!is_digit(*++p))
			return start;
		p = skip_digits(p);
	}
	if ((*p | 0x20) == 'e') {
		p++;
		p += *p == '+' || *p == '-';
		if (!is_digit(*p))
			return start;
		p = skip_digits(p);
	}
	return p;
}

bool
indexed_line_has_scalar(const struct indexed_line *l, size_t token)
{
	const char *p = l->text + l->at[token],
		   *next = l->text + l->at[token + 1];
	const char *end;

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
		end = number_end(p);
	}
	return end != p &&
	    (end == next || *end == ' ' || *end == '\t' || *end == '\r');
}
