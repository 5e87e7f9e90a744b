/*
 * SPDX-License-Identifier: ISC
 */
#include "multilang_sink.h"
#include "diagnostics.h"

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
}

void
multilang_sink_fini(struct multilang_sink *s)
{
	tuple_layout_fini(&s->layout);
}

/* Say once why rows are of little use. */
static void
warn_once(struct multilang_sink *s, const char *what)
{
	if (!s->warned)
		warn_plain("warning: stream %.*s: %s", (int)s->name.n,
		    s->name.p, what);
	s->warned = true;
}

bool
multilang_sink_put(struct multilang_sink *s, struct buffer *out,
    const struct multilang_origin *origin, struct span object)
{
	size_t found;

	if (!s->open) {
		warn_once(s, "it is not declared, rows are dropped");
		return false;
	}
	multilang_put_emit(out, origin->id, s->name);
	for (size_t i = 0; i < origin->nanchors; i++)
		multilang_put_anchor(out,
		    tuple_ids_text(origin->ids, origin->anchors[i]), i == 0);
	multilang_put_tuple(out, origin->nanchors != 0);
	found = tuple_layout_put_values(&s->layout, out, object);
	multilang_end_tuple(out);
	if (found == 0 && s->layout.n != 0)
		warn_once(s, "rows have none of the fields that are declared");
	return true;
}
