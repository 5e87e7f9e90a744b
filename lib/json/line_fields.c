/*
 * What is not wanted is passed over: the index tells where a nested value ends,
 * and most keys differ from all wanted names in their lengths.
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
	const char *p = l->text + l->x->at[token];
	const char *end = l->text + l->x->at[next];

	if ((l->flags & LINE_LOOSE) != 0)
		while (end[-1] == ' ' || end[-1] == '\t' || end[-1] == '\r')
			end--;
	return (struct span){ p, (size_t)(end - p) };
}

/* Tell whether there is an escape between two tokens. */
static __attribute__((noinline)) bool
find_escape(const struct indexed_line *l, size_t token, size_t next)
{
	size_t at = l->x->at[token] + l->x->before;
	size_t end = l->x->at[next] + l->x->before;
	const uint64_t *bits = l->x->escapes;

	for (; (at ^ end) >= 64; at = (at | 63) + 1)
		if (bits[at / 64] >> at % 64 != 0)
			return true;
	return (bits[at / 64] & (((uint64_t)1 << end % 64) - 1)) >> at % 64 !=
	    0;
}

static inline bool
has_escape(const struct indexed_line *l, size_t token, size_t next)
{
	return (l->flags & LINE_ESCAPED) != 0 && find_escape(l, token, next);
}

static inline bool
opens(uint8_t token)
{
	return (token | 0x20) == '{';
}

/* The first token behind a value. */
static inline size_t
behind(const struct json_index *x, size_t value)
{
	return opens(x->token[value]) ? (size_t)x->close[value] + 1 : value + 1;
}

static bool find_in(const struct indexed_line *l, const struct scan_node *node,
    size_t token, struct value *slots);

/* Point a slot at a value. */
static inline void
fill(const struct indexed_line *l, size_t value, size_t next,
    struct value *slot)
{
	struct span s = between(l, value, next);
	uint8_t token = l->x->token[value];

	/* Not as a whole, which would wait for its parts to be stored. */
	slot->p = s.p;
	slot->n = (uint32_t)s.n;
	slot->escaped = token == '"' && has_escape(l, value, next);
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
	    (node->nchildren == 0 || !opens(l->x->token[value]) ||
		find_in(l, node, value, slots));
}

/* Tell whether white space may be behind keys, or escapes in them. */
static inline bool
is_odd(const struct indexed_line *l)
{
	return (l->flags & (LINE_LOOSE | LINE_ESCAPED_KEY)) != 0;
}

/* The key that a token begins, without its quotes. */
static inline struct span
key_at(const struct indexed_line *l, size_t token, bool odd)
{
	const uint16_t *at = l->x->at + token;
	struct span key = { l->text + at[0], (size_t)(at[1] - at[0]) };

	if (odd)
		key = between(l, token, token + 1);
	return (struct span){ key.p + 1, key.n - 2 };
}

/* Note the member with a key that has escapes, if it is wanted. */
static __attribute__((noinline)) bool
note_member(const struct indexed_line *l, const struct scan_node *node,
    struct span key, size_t token, size_t next, struct value *slots)
{
	const struct scan_node *child = scan_node_member(node, 0, key, true);

	return child == NULL || note(l, child, token + 2, next, slots);
}

/* The same, where it has none.  A call takes a sixth more of the time. */
static inline __attribute__((always_inline)) bool
try_member(const struct indexed_line *l, const struct scan_node *node,
    struct span key, size_t token, struct value *slots)
{
	const struct scan_node *child = scan_node_named(node, key);
	size_t value = token + 2, next;

	if (child == NULL)
		return true;
	next = behind(l->x, value);
	if (!child->leaf)
		return note(l, child, value, next, slots);
	fill(l, value, next, &slots[child->slot]);
	return true;
}

/* Look for the wanted members of the object whose brace the token is. */
static bool
find_members(const struct indexed_line *l, const struct scan_node *node,
    size_t token, struct value *slots)
{
	const uint8_t *tokens = l->x->token;
	bool odd = is_odd(l);

	/* Behind a member there is a comma, or what is no string. */
	for (size_t key = token + 1, next; tokens[key] == '"'; key = next + 1) {
		struct span name = key_at(l, key, odd);
		bool good = true;

		next = behind(l->x, key + 2);
		/* Most keys need not be looked at. */
		if (odd && has_escape(l, key, key + 1))
			good = note_member(l, node, name, key, next, slots);
		else if (scan_node_may_want(node, name.n))
			good = try_member(l, node, name, key, slots);
		if (!good)
			return false;
	}
	return true;
}

/* Look for the wanted elements of the array whose bracket the token is. */
static bool
find_elements(const struct indexed_line *l, const struct scan_node *node,
    size_t token, struct value *slots)
{
	const struct json_index *x = l->x;

	for (size_t next, n = 0; x->token[token] != ']'; token = next, n++) {
		const struct scan_node *child;

		if (x->token[++token] == ']')
			break;
		next = behind(x, token);
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
	return l->x->token[token] == '{' ? find_members(l, node, token, slots) :
					   find_elements(l, node, token, slots);
}

bool
line_fields_find(struct indexed_line *l, const struct scan_node *root,
    struct value *slots)
{
	const uint16_t *key = l->keys;

	for (int i = 0; i < root->end; i++)
		slots[i].p = NULL;
	if (is_odd(l))
		return find_members(l, root, l->first, slots);
	for (; *key < l->newline; key++)
		if (!try_member(l, root, key_at(l, *key, false), *key, slots))
			return false;
	l->keys = key;
	return true;
}
