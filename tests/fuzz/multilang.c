/*
 * multilang - any bytes as what Storm writes to a component, up to what a pipe
 * holds.  Each message is whole, within the limit, and is one of three kinds;
 * the rest is told as too long, or broken off.
 *
 * SPDX-License-Identifier: ISC
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "json/scanner.h"
#include "storm/multilang.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { LIMIT = 256, MOST = 60000 };

static void
check(struct multilang_input *in, struct span text)
{
	struct multilang_message m;
	struct buffer scratch = { 0 };
	struct fault f = { 0 };

	if (text.n > LIMIT || text.p[text.n] != '\n')
		abort();
	switch (multilang_parse(in, text, &m, &f)) {
	case MULTILANG_OBJECT:
		multilang_text(m.command, &scratch);
		multilang_text(m.id, &scratch);
		multilang_text(m.stream, &scratch);
		multilang_text(m.first, &scratch);
		break;
	case MULTILANG_TASK_IDS:
		break;
	case MULTILANG_INVALID:
		if (f.kind == FAULT_NONE)
			abort();
	}
	buffer_fini(&scratch);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct multilang_input in;
	enum multilang_status status;
	struct span text;
	int ends[2];

	if (size > MOST || pipe(ends) < 0)
		return 0;
	if (write(ends[1], data, size) != (ssize_t)size)
		abort();
	close(ends[1]);
	multilang_input_init(&in, ends[0], LIMIT);
	do {
		status = multilang_next(&in, &text);
		if (status == MULTILANG_EMPTY)
			multilang_fill(&in);
		else if (status == MULTILANG_MESSAGE)
			check(&in, text);
	} while (status != MULTILANG_END && status != MULTILANG_BROKEN);
	multilang_input_fini(&in);
	close(ends[0]);
	return 0;
}
