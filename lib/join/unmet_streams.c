/*
 * SPDX-License-Identifier: ISC
 */
#include <stdlib.h>

#include "join/unmet_streams.h"

void
unmet_streams_init(struct unmet_streams *u, const struct stream_names *names)
{
	*u = (struct unmet_streams){ .names = names,
		.met = memory_new(names->n, sizeof *u->met),
		.n = names->n };
	known_names_init(&u->others);
}

void
unmet_streams_fini(struct unmet_streams *u)
{
	free(u->met);
	known_names_fini(&u->others);
}

void
unmet_streams_meet(struct unmet_streams *u, size_t stream, struct span name)
{
	if (stream == u->names->n) {
		known_names_add(&u->others, name, name);
	} else if (!u->met[stream]) {
		u->met[stream] = true;
		u->n--;
	}
}

bool
unmet_streams_hint(const struct unmet_streams *u, size_t i, struct buffer *text)
{
	bool any = u->n < u->names->n || u->others.names.end != 0, is_file;
	struct span name;

	if (u->n == 0 || i == u->names->n)
		return false;
	name = u->names->names[i];
	is_file = memchr(name.p, '.', name.n) != NULL ||
	    memchr(name.p, '/', name.n) != NULL;
	/* Where there was no tuple at all none can be missed. */
	if (u->met[i] || (!any && !is_file))
		return true;
	buffer_put(text, SPAN("no tuple is of stream '"));
	buffer_put(text, name);
	buffer_byte(text, '\'');
	if (!known_names_ask(&u->others, name, text) && is_file)
		buffer_put(text,
		    SPAN("; with -s operands name streams, not files, and "
			 "stdin is read"));
	return true;
}
