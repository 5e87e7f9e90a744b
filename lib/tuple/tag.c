/*
 * SPDX-License-Identifier: ISC
 */
#include "tuple/tag.h"
#include "base/utf8.h"
#include "json/text.h"

void
tag_check(const struct command *command, const char *option, const char *name)
{
	if (*name == '\0')
		options_check(command, option, "expected a name", name);
	if (strcmp(name, "__tick") == 0)
		options_check(command, option,
		    "expected a name other than that of ticks", name);
	if (!utf8_is_valid(name, name + strlen(name)))
		options_check(command, option, "expected UTF-8", name);
}

void
tag_init(struct tag *g, const char *name, struct projection *p)
{
	struct buffer path = { 0 };
	size_t n;

	*g = (struct tag){ .name = span_of(name) };
	buffer_put(&path, SPAN(".["));
	json_put_string(&path, g->name);
	buffer_put(&path, (struct span){ "]", 2 });
	projection_add(p, path.p, &g->field, &n);
	p->fields[g->field].tacit = true;
	buffer_fini(&path);
}

void
tag_fini(struct tag *g)
{
	buffer_fini(&g->member);
}

struct buffer *
tag_begin(struct tag *g)
{
	g->member.n = 0;
	json_put_name(&g->member, g->name);
	return &g->member;
}

void
tag_put(const struct tag *g, struct buffer *b, const struct tuple *t)
{
	struct span member = buffer_span(&g->member);

	if (tuple_field(t, g->field) == NULL)
		tuple_put_after(b, member, t->line);
	else
		tuple_put_without(b, member, t->line, g->name);
}
