/*
 * SPDX-License-Identifier: ISC
 */
#include <inttypes.h>

#include "base/diagnostics.h"
#include "base/duration.h"
#include "run/closing_words.h"

void
closing_words_of_late(const struct pipeline *p)
{
	const struct counters *c = &p->run.counters;
	bool one = c->late == 1;
	struct buffer by = { 0 };

	if (p->bad_lines.policy->quiet)
		return;
	duration_put(&by, c->max_late_ms);
	buffer_byte(&by, '\0');
	if (p->bolt->lateness_helps && c->max_late_ms <= p->bolt->lateness_ms)
		warn_plain("warning: %" PRIu64 " late tuple%s, whose window "
			   "an earlier --final has closed",
		    c->late, one ? "" : "s");
	else if (!p->bolt->lateness_helps)
		warn_plain("warning: %" PRIu64 " late tuple%s, by up to %s",
		    c->late, one ? "" : "s", by.p);
	else
		warn_plain("warning: %" PRIu64 " late tuple%s, by up to %s; "
			   "-l %s keeps %s",
		    c->late, one ? "" : "s", by.p,
		    c->max_late_ms > DURATION_MAX_MS ? "all" : by.p,
		    one ? "it" : "them");
	buffer_fini(&by);
}

static bool
unseen_field(const void *unseen, size_t i, struct buffer *text)
{
	return unseen_fields_hint(unseen, i, text);
}

static void
tell_each(bool (*hint)(const void *, size_t, struct buffer *), const void *of)
{
	struct buffer text = { 0 };

	for (size_t i = 0; hint(of, i, &text); i++) {
		if (text.n != 0)
			warn_plain("%.*s", (int)text.n, text.p);
		text.n = 0;
	}
	buffer_fini(&text);
}

void
closing_words_of_missing(const struct pipeline *p, bool is_part)
{
	if (p->bad_lines.policy->quiet)
		return;
	if (!is_part || p->bad_lines.kinds[FAULT_MISSING] != 0)
		tell_each(unseen_field, &p->unseen);
	if (!is_part && p->bolt->hint != NULL)
		tell_each(p->bolt->hint, p->bolt->self);
}
