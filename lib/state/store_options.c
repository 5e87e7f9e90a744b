/*
 * SPDX-License-Identifier: ISC
 */
#include "state/store_options.h"

void
store_options_add(struct store_options *o, const char *name, struct span text)
{
	o->list = memory_grow(o->list, &o->cap, o->n + 1, sizeof *o->list);
	o->list[o->n++] =
	    (struct store_option){ .name = span_dup(span_of(name)),
		    .text = span_dup(text) };
}

void
store_options_add_given(struct store_options *o, const struct options *given)
{
	struct buffer text = { 0 };

	for (size_t i = 0; i < given->nown; i++) {
		const struct option_given *g = &given->list[i];

		if (g->spec->changeable)
			continue;
		text.n = 0;
		options_put_value(g, &text);
		store_options_add(o, option_name(g->spec), buffer_span(&text));
		o->list[o->n - 1].is_flag = g->spec->kind == OPTION_FLAG;
	}
	buffer_fini(&text);
}

void
store_options_fini(struct store_options *o)
{
	for (size_t i = 0; i < o->n; i++) {
		span_free(o->list[i].name);
		span_free(o->list[i].text);
	}
	free(o->list);
	*o = (struct store_options){ 0 };
}
