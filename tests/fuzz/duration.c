/*
 * duration - any text as a duration: what is one must be the same when it is
 * written and read again.
 *
 * SPDX-License-Identifier: ISC
 */
#include <stdlib.h>
#include <string.h>

#include "base/duration.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);
	struct buffer b = { 0 };
	int64_t ms, back;

	memcpy(text, data, size);
	text[size] = '\0';
	if (duration_parse(text, &ms) == NULL) {
		if (ms < 0 || ms > DURATION_MAX_MS)
			abort();
		duration_put(&b, ms);
		buffer_byte(&b, '\0');
		if (duration_parse(b.p, &back) != NULL || back != ms)
			abort();
	}
	buffer_fini(&b);
	free(text);
	return 0;
}
