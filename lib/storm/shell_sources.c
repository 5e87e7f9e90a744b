/*
 * SPDX-License-Identifier: ISC
 */
#include <stdlib.h>

#include "base/diagnostics.h"
#include "storm/shell_sources.h"

size_t
shell_sources_task_field(const struct projection *p)
{
	size_t i = 0;

	while (i < p->nfields && !span_eq(p->fields[i].text, SPAN("task")) &&
	    !span_eq(p->fields[i].text, SPAN(".task")))
		i++;
	return i;
}

/* Tell whether text is COMPONENT, or COMPONENT:STREAM. */
static bool
names(const char *text, struct span component, struct span stream)
{
	struct span s = span_of(text);

	if (s.n < component.n ||
	    !span_eq((struct span){ s.p, component.n }, component))
		return false;
	s.p += component.n;
	s.n -= component.n;
	if (s.n == 0)
		return span_eq(stream, SPAN("default"));
	return *s.p == ':' &&
	    span_eq((struct span){ s.p + 1, s.n - 1 }, stream);
}

/* Find the stream of a source among the operands. */
static void
find_stream(struct shell_bolt *b, struct multilang_source *s)
{
	s->skipped = b->noperands != 0;
	for (size_t i = 0; i < b->noperands; i++) {
		if (!names(b->operands[i], s->component, s->name))
			continue;
		if (!s->skipped)
			die("%s: expected different components and streams, "
			    "got one twice",
			    b->operands[i]);
		s->skipped = false;
		s->stream = (uint32_t)i;
	}
	if (s->skipped)
		warn_plain("warning: no operand is for component "
			   "%.*s, stream %.*s: its tuples are skipped",
		    (int)s->component.n, s->component.p, (int)s->name.n,
		    s->name.p);
}

struct multilang_source *
shell_sources_add(struct shell_bolt *b, struct span component, struct span name,
    const struct span *fields, size_t n)
{
	struct multilang_source *s;

	b->sources = memory_grow(b->sources, &b->cap, b->nsources + 1,
	    sizeof *b->sources);
	s = &b->sources[b->nsources++];
	*s = (struct multilang_source){ .component = span_dup(component),
		.name = span_dup(name) };
	tuple_layout_init(&s->layout, fields, n);
	s->wants_task = shell_sources_task_field(b->tuple.projection) <
		b->tuple.projection->nfields &&
	    !tuple_layout_has(&s->layout, SPAN("task"));
	find_stream(b, s);
	return s;
}

struct multilang_source *
shell_sources_find(struct shell_bolt *b, struct span component,
    struct span name)
{
	for (size_t i = 0; i < b->nsources; i++)
		if (span_eq(b->sources[i].component, component) &&
		    span_eq(b->sources[i].name, name))
			return &b->sources[i];
	return NULL;
}

void
shell_sources_fini(struct shell_bolt *b)
{
	for (size_t i = 0; i < b->nsources; i++) {
		tuple_layout_fini(&b->sources[i].layout);
		span_free(b->sources[i].component);
		span_free(b->sources[i].name);
	}
	free(b->sources);
}
