/*
 * SPDX-License-Identifier: ISC
 */
#include "json/line_walk.h"

/*
 * Note where the value at hand goes: an earlier member of its name is
 * forgotten, with all below it.  Returns its slot.
 */
static int
note_value(const struct line_walk *w, const struct scan_node *node)
{
	struct token_place *found = w->shape->found;

	if (node == NULL)
		return SCAN_NO_SLOT;
	for (int i = node->first; i < node->end; i++)
		found[i].token = TOKEN_NOWHERE;
	if (node->slot >= 0)
		found[node->slot] =
		    (struct token_place){ .token = (uint16_t)w->at,
			    .last = (uint16_t)(w->at + 1),
			    .scalar = w->line->token[w->at] == '0' };
	return node->slot;
}

/* Go into an object or array, unless that is too deep. */
static bool
enter(struct line_walk *w, const struct scan_node *node, int slot)
{
	if (w->top == w->levels + JSON_DEPTH)
		return false;
	*++w->top = (struct line_walk_level){ .node = node,
		.slot = slot,
		.is_object = w->line->token[w->at] == '{' };
	w->at++;
	return true;
}

/* Go past a string, number or word, or into an object or array. */
static bool
walk_value(struct line_walk *w, const struct scan_node *node)
{
	const struct indexed_line *l = w->line;
	int slot = note_value(w, node);

	switch (l->token[w->at]) {
	case '"':
		break;
	case '0':
		if ((l->flags & LINE_MIXED) != 0 &&
		    !indexed_line_has_scalar(l, w->at))
			return false;
		line_shape_add_scalar(w->shape, w->at);
		break;
	case '{':
	case '[':
		return enter(w, node, slot);
	default:
		return false;
	}
	w->at++;
	return true;
}

/* Go past a key; child is what looks for its member. */
static bool
walk_key(struct line_walk *w, const struct scan_node **child)
{
	const struct indexed_line *l = w->line;
	const struct scan_node *node = w->top->node;
	struct span key;

	if (l->token[w->at] != '"' || l->token[w->at + 1] != ':')
		return false;
	if (node != NULL) {
		key = indexed_line_between(l, w->at, w->at + 1);
		key = (struct span){ key.p + 1, key.n - 2 };
		*child = scan_node_member(node, 0, key,
		    indexed_line_has_escape(l, key));
		line_shape_add_key(w->shape, l, w->at, key, node, *child);
	}
	w->at += 2;
	return true;
}

/* Go out of an object or array. */
static void
leave(struct line_walk *w)
{
	int slot = w->top->slot;

	if (slot >= 0) {
		w->shape->found[slot].last = (uint16_t)w->at;
		w->shape->found[slot].nested = true;
	}
	w->at++;
	w->top--;
}

/* Go past a member or an element, or out of the object or array. */
static bool
step(struct line_walk *w)
{
	struct line_walk_level *top = w->top;
	uint8_t token = w->line->token[w->at];
	const struct scan_node *child = NULL;

	if (token == (top->is_object ? '}' : ']')) {
		leave(w);
		return true;
	}
	if (top->n++ != 0) {
		if (token != ',')
			return false;
		w->at++;
	}
	if (top->is_object) {
		if (!walk_key(w, &child))
			return false;
	} else if (top->node != NULL) {
		child = scan_node_element(top->node, 0, top->n - 1);
	}
	return (child == NULL || !child->twin) && walk_value(w, child);
}

bool
line_walk(struct line_walk *w, const struct scan_node *root,
    const struct indexed_line *line, struct line_shape *shape)
{
	w->line = line;
	w->shape = shape;
	w->at = 0;
	w->top = w->levels;
	line_shape_begin(shape, line);
	if (line->token[0] != '{' || !enter(w, root, SCAN_NO_SLOT))
		return false;
	while (w->top != w->levels)
		if (!step(w))
			return false;
	return w->at == line->ntokens;
}
