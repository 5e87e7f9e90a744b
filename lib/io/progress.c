/*
 * SPDX-License-Identifier: ISC
 */
#include <inttypes.h>
#include <stdio.h>

#include "io/progress.h"

enum { WIDTH = 20 };

void
progress_draw(struct progress *p, const struct counters *c, int64_t size,
    int64_t now_ms)
{
	double seconds = (double)c->ns / 1e9;
	double part = size > 0 ? (double)c->bytes / (double)size : 0;

	p->next_ms = now_ms + PROGRESS_MS;
	p->drawn = true;
	fputs("\r\033[K", stderr);
	if (size > 0) {
		part = part > 1 ? 1 : part;
		fprintf(stderr, "[%-*.*s] %3.0f%% ", WIDTH, (int)(part * WIDTH),
		    "####################", part * 100);
	}
	fprintf(stderr,
	    "%.1f MB, %" PRIu64 " lines, %.0f lines/s, %" PRIu64 " keys",
	    (double)c->bytes / 1e6, c->lines,
	    seconds > 0 ? (double)c->lines / seconds : 0, c->live_keys);
	fflush(stderr);
}

void
progress_clear(struct progress *p)
{
	if (p->drawn)
		fputs("\r\033[K", stderr);
	p->drawn = false;
}
