/*
 * SPDX-License-Identifier: ISC
 */
#include <stdio.h>

#include "base/digits.h"
#include "io/file_template.h"

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
file_template_check(const char *text)
{
	int found = 0, width;

	for (const char *p = text; *p != '\0';) {
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

void
file_template_put(struct buffer *b, const char *text, size_t number)
{
	char digits[32];
	int width, n;

	for (const char *p = text; *p != '\0';) {
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
