/*
 * SPDX-License-Identifier: ISC
 */
#include <stdlib.h>

#include "base/diagnostics.h"
#include "storm/multilang_sink.h"

void
multilang_sink_init(struct multilang_sink *s,
    const struct declared_streams *outputs, struct span name, bool if_unknown)
{
	const struct declared_stream *d =
	    declared_streams_find(outputs, SPAN(""), name);

	*s = (struct multilang_sink){ .name = name,
		.open = outputs->known ? d != NULL : if_unknown };
	tuple_layout_init(&s->layout, d == NULL ? NULL : d->fields,
	    d == NULL ? 0 : d->n);
	s->blocks = memory_new(1, sizeof *s->blocks);
	s->ntasks = 1;
}

void
multilang_sink_direct(struct multilang_sink *s, const int64_t *tasks, size_t n)
{
	free(s->blocks);
	s->blocks = memory_new(n, sizeof *s->blocks);
	s->tasks = tasks;
	s->ntasks = n;
}

void
multilang_sink_fini(struct multilang_sink *s)
{
	tuple_layout_fini(&s->layout);
	for (size_t i = 0; i < s->ntasks; i++)
		line_block_fini(&s->blocks[i]);
	free(s->blocks);
}

/* Say once that a row has nowhere to go. */
static void
warn_closed(struct multilang_sink *s)
{
	if (!s->warned)
		warn_plain("warning: stream %.*s: it is not declared, rows are "
			   "dropped",
		    (int)s->name.n, s->name.p);
	s->warned = true;
}

/* Say once that a declared field is not there: it may be misspelled. */
static void
warn_lacks(struct multilang_sink *s)
{
	struct span field;

	if (s->warned)
		return;
	s->warned = true;
	field = tuple_layout_lacked(&s->layout);
	warn_plain("warning: stream %.*s: a row has no member %.*s, which is "
		   "declared; null is sent",
	    (int)s->name.n, s->name.p, (int)field.n, field.p);
}

bool
multilang_sink_put(struct multilang_sink *s, struct buffer *out,
    const struct multilang_origin *origin, struct span row)
{
	const uint64_t *anchor = origin->anchors;
	size_t found;

	if (!s->open) {
		warn_closed(s);
		return false;
	}
	multilang_put_emit(out, origin->id, s->name, origin->task);
	for (size_t i = 0; i < origin->nanchors; i++)
		if (i == 0 || anchor[i] != anchor[i - 1])
			multilang_put_anchor(out,
			    tuple_ids_text(origin->ids, anchor[i]), i == 0);
	multilang_put_tuple(out, origin->nanchors != 0);
	found = tuple_layout_put_values(&s->layout, out, row);
	multilang_end_tuple(out);
	if (s->layout.declared && found < s->layout.n)
		warn_lacks(s);
	return true;
}
