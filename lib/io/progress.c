/*
 * SPDX-License-Identifier: ISC
 */
#include <inttypes.h>
#include <stdio.h>

#include "base/diagnostics.h"
#include "io/progress.h"

enum { WIDTH = 20 };

void
progress_draw(struct progress *p, const struct counters *c, int64_t size,
    int64_t now_ms)
{
	double seconds = (double)c->ns / 1e9;
	double part = size > 0 ? (double)c->bytes / (double)size : 0;
	char bar[WIDTH + 16] = "", text[256];

	p->next_ms = now_ms + PROGRESS_MS;
	part = part > 1 ? 1 : part;
	if (size > 0)
		snprintf(bar, sizeof bar, "[%-*.*s] %3.0f%% ", WIDTH,
		    (int)(part * WIDTH), "####################", part * 100);
	snprintf(text, sizeof text,
	    "%s%.1f MB, %" PRIu64 " lines, %.0f lines/s, %" PRIu64 " keys", bar,
	    (double)c->bytes / 1e6, c->lines,
	    seconds > 0 ? (double)c->lines / seconds : 0, c->live_keys);
	diagnostics_show_line(text);
}
