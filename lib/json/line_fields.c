/*
 * What is not wanted is passed over: the index tells where a nested value ends,
 * and most keys differ from all wanted names in their first bytes.
 *
 * SPDX-License-Identifier: ISC
 */
#include <string.h>

#include "base/digits.h"
#include "json/line_fields.h"

/* What lies between two tokens, without the white space at its end. */
static inline struct span
between(const struct indexed_line *l, size_t token, size_t next)
{
	const char *p = l->text + l->at[token], *end = l->text + l->at[next];

	if ((l->flags & LINE_SPACED) != 0)
		while (end[-1] == ' ' || end[-1] == '\t' || end[-1] == '\r')
			end--;
	return (struct span){ p, (size_t)(end - p) };
}

static inline bool
has_escape(struct span s)
{
	return memchr(s.p, '\\', s.n) != NULL;
}

static inline bool
opens(uint8_t token)
{
	return (token | 0x20) == '{';
}

/* The first token behind a value. */
static inline size_t
behind(const struct indexed_line *l, size_t value)
{
	return opens(l->token[value]) ? (size_t)l->close[value] + 1 : value + 1;
}

static bool find_in(const struct indexed_line *l, const struct scan_node *node,
    size_t token, struct value *slots);

/* Point a slot at a value. */
static inline void
fill(const struct indexed_line *l, size_t value, size_t next,
    struct value *slot)
{
	struct span s = between(l, value, next);
	uint8_t token = l->token[value];

	/* Not as a whole, which would wait for its parts to be stored. */
	slot->p = s.p;
	slot->n = (uint32_t)s.n;
	slot->escaped =
	    token == '"' && (l->flags & LINE_ESCAPED) != 0 && has_escape(s);
	slot->digits = digits_is((char)token) && (l->flags & LINE_TAILS) == 0;
}

/*
 * Point the slot of node at a value, and those below at what is in it; an
 * earlier member of its name is forgotten, with all below it.
 */
static inline bool
note(const struct indexed_line *l, const struct scan_node *node, size_t value,
    size_t next, struct value *slots)
{
	for (int i = node->first; i < node->end; i++)
		slots[i].p = NULL;
	if (node->slot >= 0)
		fill(l, value, next, &slots[node->slot]);
	return !node->twin &&
	    (node->nchildren == 0 || !opens(l->token[value]) ||
		find_in(l, node, value, slots));
}

/* Note the member with that key, and that token behind it, if it is wanted. */
static __attribute__((noinline)) bool
note_member(const struct indexed_line *l, const struct scan_node *node,
    size_t token, size_t next, struct value *slots)
{
	struct span key = between(l, token, token + 1);
	const struct scan_node *child;

	key = (struct span){ key.p + 1, key.n - 2 };
	child = scan_node_member(node, 0, key,
	    (l->flags & LINE_ESCAPED_KEY) != 0 && has_escape(key));
	return child == NULL || note(l, child, token + 2, next, slots);
}

/* Tell whether the key of that token is the name of a child that was guessed. */
static inline bool
has_name(const struct indexed_line *l, size_t token,
    const struct scan_node *child)
{
	struct span key;

	if (child->name.n < sizeof child->word)
		return true;
	key = between(l, token, token + 1);
	return span_eq((struct span){ key.p + 1, key.n - 2 }, child->name);
}

/* Look for the wanted members of the object whose brace the token is. */
static bool
find_members(const struct indexed_line *l, const struct scan_node *node,
    size_t token, struct value *slots)
{
	const struct indexed_line line = *l;
	bool spaced = (line.flags & LINE_SPACED) != 0;
	bool escaped = (line.flags & LINE_ESCAPED_KEY) != 0;

	/* Behind a member there is a comma, or what is no string. */
	for (size_t key = token + 1, next; line.token[key] == '"';
	     key = next + 1) {
		size_t n = (size_t)(line.at[key + 1] - line.at[key]) - 2;
		const struct scan_node *child;

		next = behind(&line, key + 2);
		/* Most keys need not be looked at. */
		if (!spaced && !escaped && !scan_node_may_want(node, n))
			continue;
		child = scan_node_guess(node, line.text + line.at[key] + 1);
		if (child == NULL && !escaped)
			continue;
		if (!escaped && child->leaf && has_name(&line, key, child))
			fill(&line, key + 2, next, &slots[child->slot]);
		else if (!note_member(l, node, key, next, slots))
			return false;
	}
	return true;
}

/* Look for the wanted elements of the array whose bracket the token is. */
static bool
find_elements(const struct indexed_line *l, const struct scan_node *node,
    size_t token, struct value *slots)
{
	for (size_t next, n = 0; l->token[token] != ']'; token = next, n++) {
		const struct scan_node *child;

		if (l->token[++token] == ']')
			break;
		next = behind(l, token);
		child = scan_node_element(node, 0, (int64_t)n);
		if (child != NULL && !note(l, child, token, next, slots))
			return false;
	}
	return true;
}

/* Look into the object or array that a token opens. */
static bool
find_in(const struct indexed_line *l, const struct scan_node *node,
    size_t token, struct value *slots)
{
	return l->token[token] == '{' ? find_members(l, node, token, slots) :
					find_elements(l, node, token, slots);
}

bool
line_fields_find(const struct indexed_line *l, const struct scan_node *root,
    struct value *slots)
{
	for (int i = 0; i < root->end; i++)
		slots[i].p = NULL;
	return find_members(l, root, 0, slots);
}
