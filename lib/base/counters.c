/*
 * SPDX-License-Identifier: ISC
 */
#include "base/counters.h"
#include "base/descriptor.h"

void
counters_put_more(struct buffer *members, const char *prefix, const char *name,
    uint64_t n)
{
	buffer_put(members, SPAN(",\""));
	buffer_put(members, span_of(prefix));
	for (; *name != '\0'; name++)
		buffer_byte(members, *name == '-' ? '_' : *name);
	buffer_put(members, SPAN("\":"));
	buffer_int(members, (int64_t)n);
}

int
counters_print(const struct counters *c, const char *command, struct span more,
    int fd)
{
	const struct {
		const char *name;
		uint64_t n;
	} members[] = {
		{ "lines", c->lines },
		{ "bytes", c->bytes },
		{ "blank", c->blank },
		{ "ticks", c->ticks },
		{ "rejects", c->rejects },
		{ "late", c->late },
		{ "max_late_ms", (uint64_t)c->max_late_ms },
		{ "behind", c->behind },
		{ "max_behind_ms", (uint64_t)c->max_behind_ms },
		{ "disorder_ms", (uint64_t)c->disorder_ms },
		{ "emitted", c->emitted },
		{ "live_keys", c->live_keys },
	};
	const int64_t us = c->ns / 1000;
	struct buffer b = { 0 };
	int status;

	buffer_put(&b, SPAN("{\"command\":\""));
	buffer_put(&b, span_of(command));
	buffer_byte(&b, '"');
	for (size_t i = 0; i < sizeof members / sizeof members[0]; i++)
		counters_put_more(&b, "", members[i].name, members[i].n);
	buffer_put(&b, SPAN(",\"seconds\":"));
	buffer_double(&b, (double)us / 1e6);
	buffer_put(&b, more);
	buffer_put(&b, SPAN("}\n"));
	/* Under Storm nobody may read stderr: it is not waited for. */
	status = descriptor_write(fd, b.p, b.n, false);
	buffer_fini(&b);
	return status;
}
