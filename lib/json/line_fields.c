/*
 * What is not wanted is passed over: where a nested value ends is looked for
 * only if it, or what is behind it, is looked at, and most keys differ from all
 * wanted names in their lengths.
 *
 * SPDX-License-Identifier: ISC
 */
#include <string.h>

#include "base/digits.h"
#include "base/word.h"
#include "json/line_fields.h"

/*
 * What is looked at of each value: by value, so that it need not be read anew
 * whenever one has been stored.
 */
struct tokens {
	const struct json_index *x;
	const char *origin;
	const uint16_t *at;
	const uint8_t *token;
	uint32_t flags;
};

static inline struct tokens
tokens_of(const struct indexed_line *l)
{
	return (struct tokens){ l->x, l->x->origin, l->x->at, l->x->token,
		l->flags };
}

/* Where a token is, from the origin on. */
static inline size_t
offset_of(struct tokens t, size_t token)
{
	return (t.flags & LINE_FAR) != 0 ? json_index_offset(t.x, token) :
					   t.at[token];
}

/* What a token begins, up to the next but for white space. */
static inline struct span
between(struct tokens t, size_t token, size_t next)
{
	const char *p = t.origin + offset_of(t, token);
	const char *end = t.origin + offset_of(t, next);

	if (next != token + 1) /* a bracket closes it */
		end = t.origin + offset_of(t, next - 1) + 1;
	else if ((t.flags & LINE_LOOSE) != 0)
		while (end[-1] == ' ' || end[-1] == '\t' || end[-1] == '\r')
			end--;
	return (struct span){ p, (size_t)(end - p) };
}

/* The escapes of a block; without a branch, which is hard to predict. */
static inline uint64_t
escapes_of(const struct json_index *x, size_t block)
{
	return x->escapes[block] &
	    -(uint64_t)(x->flags[block] / LINE_ESCAPED % 2);
}

/* Tell whether there is an escape between two tokens. */
static inline bool
has_escape(struct tokens t, size_t token, size_t next)
{
	size_t from = offset_of(t, token), to = offset_of(t, next);
	size_t i = from / 64, last = to / 64;
	uint64_t behind = escapes_of(t.x, i) >> from % 64 << from % 64;
	uint64_t before =
	    escapes_of(t.x, last) & (((uint64_t)1 << to % 64) - 1);
	uint64_t any = i == last ? behind & before : behind | before;

	while (++i < last)
		any |= escapes_of(t.x, i);
	return any != 0;
}

/* Tell whether a token is a key with an escape, and no white space behind. */
static inline bool
is_escaped_key(const struct json_index *x, size_t token)
{
	return (x->escaped_keys[token / 64] >> token % 64 & 1) != 0;
}

static inline bool
opens(uint8_t token)
{
	return (token | 0x20) == '{';
}

/* How many bytes of a word are c, up to one of 0x80 or more. */
static inline size_t
count_of(uint64_t word, unsigned char c)
{
	uint64_t other = word ^ EACH_BYTE(c);
	uint64_t found = (EACH_BYTE(0x80) - other) & EACH_BYTE(0x80);

	return (size_t)(EACH_BYTE(found >> 7) >> 56);
}

/*
 * The first token behind the object or array that one opens.  A token is passed
 * once for each wanted value around it.  Not in line: few values are nested.
 */
static __attribute__((noinline)) size_t
behind_nested(const uint8_t *token, size_t i)
{
	size_t depth = 1;

	for (i++;;) {
		/* { and [, and } and ], differ in one bit. */
		uint64_t eight =
		    word_load((const char *)token + i) | EACH_BYTE(0x20);
		size_t closed = count_of(eight, '}');

		if (closed < depth) {
			depth += count_of(eight, '{') - closed;
			i += sizeof eight;
			continue;
		}
		for (size_t end = i + sizeof eight; i < end;) {
			depth += opens(token[i]);
			depth -= (token[i] | 0x20) == '}';
			i++;
			if (depth == 0)
				return i;
		}
	}
}

/* The first token behind a value. */
static inline size_t
behind(struct tokens t, size_t value)
{
	return opens(t.token[value]) ? behind_nested(t.token, value) :
				       value + 1;
}

static bool find_in(const struct indexed_line *l, const struct scan_node *node,
    size_t token, struct value *slots);

/* Point a slot at a value. */
static inline __attribute__((always_inline)) void
fill(struct tokens t, size_t value, size_t next, struct value *slot)
{
	struct span s = between(t, value, next);
	uint8_t token = t.token[value];

	/* Not as a whole, which would wait for its parts to be stored. */
	slot->p = s.p;
	slot->n = (uint32_t)s.n;
	slot->digits = digits_is((char)token) && (t.flags & LINE_TAILS) == 0;
	slot->escaped = false;
	if ((t.flags & LINE_ESCAPED) != 0)
		slot->escaped = token == '"' && has_escape(t, value, next);
}

/*
 * Point the slot of node at a value, and those below at what is in it; an
 * earlier member of its name is forgotten, with all below it.
 */
static bool
note(const struct indexed_line *l, const struct scan_node *node, size_t value,
    size_t next, struct value *slots)
{
	for (int i = node->first; i < node->end; i++)
		slots[i].p = NULL;
	if (node->slot >= 0)
		fill(tokens_of(l), value, next, &slots[node->slot]);
	return !node->twin &&
	    (node->nchildren == 0 || !opens(l->x->token[value]) ||
		find_in(l, node, value, slots));
}

/* White space may be behind keys, or escapes in them. */
enum { LINE_ODD = LINE_LOOSE | LINE_ESCAPED_KEY };

/* The key that a token begins, without its quotes. */
static inline struct span
key_at(struct tokens t, size_t token)
{
	const char *p = t.origin + offset_of(t, token) + 1;
	const char *end = t.origin + offset_of(t, token + 1) - 1;

	if ((t.flags & LINE_LOOSE) != 0)
		while (*end != '"')
			end--;
	return (struct span){ p, (size_t)(end - p) };
}

/*
 * The child that wants a member, by its key.  Not in line, with escapes: it
 * would take registers of what finds those without.
 */
static __attribute__((noinline)) const struct scan_node *
child_escaped(const struct scan_node *node, struct span key)
{
	return scan_node_member(node, 0, key, true);
}

/* Note the member whose key the token is.  A call takes a sixth more time. */
static inline __attribute__((always_inline)) bool
note_member(const struct indexed_line *l, struct tokens t,
    const struct scan_node *child, size_t token, struct value *slots)
{
	size_t value = token + 2;

	if (!child->leaf || opens(t.token[value]))
		return note(l, child, value, behind(t, value), slots);
	fill(t, value, value + 1, &slots[child->slot]);
	return true;
}

/* Look for the wanted members of the object whose brace the token is. */
static bool
find_members(const struct indexed_line *l, const struct scan_node *node,
    size_t token, struct value *slots)
{
	struct tokens t = tokens_of(l);
	bool loose = (t.flags & LINE_LOOSE) != 0;
	bool escaped =
	    (t.flags & (loose ? LINE_ESCAPED : LINE_ESCAPED_KEY)) != 0;

	/* Behind a member there is a comma, or what is no string. */
	for (size_t key = token + 1, next; t.token[key] == '"';
	     key = next + 1) {
		struct span name = key_at(t, key);
		const struct scan_node *child = NULL;

		next = behind(t, key + 2);
		/* Most keys need not be looked at. */
		if (escaped &&
		    (loose ? has_escape(t, key, key + 1) :
			     is_escaped_key(t.x, key)))
			child = child_escaped(node, name);
		else if (scan_node_may_want(node, name.n))
			child = scan_node_named(node, name);
		if (child != NULL && !note_member(l, t, child, key, slots))
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
		next = behind(tokens_of(l), token);
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

/* Look for the wanted members among the keys of the outmost object. */
static inline __attribute__((always_inline)) bool
find_keys(struct indexed_line *l, struct tokens t, const struct scan_node *root,
    struct value *slots)
{
	const uint16_t *key = l->keys;

	for (; *key < l->newline; key++) {
		struct span name = key_at(t, *key);
		bool escaped = (t.flags & LINE_ESCAPED_KEY) != 0 &&
		    is_escaped_key(l->x, *key);
		const struct scan_node *child = escaped ?
		    child_escaped(root, name) :
		    scan_node_named(root, name);

		if (child != NULL && !note_member(l, t, child, *key, slots))
			return false;
	}
	l->keys = key;
	return true;
}

/*
 * The same in an odd line.  With white space some may be missing among the
 * keys, and those with escapes are not marked.
 */
static __attribute__((noinline)) bool
find_in_odd(struct indexed_line *l, const struct scan_node *root,
    struct value *slots)
{
	struct tokens t = tokens_of(l);

	/* What is known of the flags spares asking for each key. */
	t.flags &= ~(uint32_t)LINE_FAR;
	if ((t.flags & LINE_LOOSE) == 0) {
		t.flags &= ~(uint32_t)LINE_LOOSE;
		return find_keys(l, t, root, slots);
	}
	if (!l->spaced || (t.flags & (LINE_LOOSER | LINE_ESCAPED)) != 0)
		return find_members(l, root, l->first, slots);
	t.flags &= ~(uint32_t)(LINE_ESCAPED | LINE_ESCAPED_KEY);
	return find_keys(l, t, root, slots);
}

bool
line_fields_find(struct indexed_line *l, const struct scan_node *root,
    struct value *slots)
{
	struct tokens t = tokens_of(l);

	if ((t.flags & LINE_ODD) != 0)
		return find_in_odd(l, root, slots);
	/* As is known now, which spares asking for each. */
	t.flags &= ~(uint32_t)(LINE_ODD | LINE_FAR);
	return find_keys(l, t, root, slots);
}

bool
line_fields_find_far(const struct indexed_line *l, const struct scan_node *root,
    struct value *slots)
{
	return find_members(l, root, l->first, slots);
}
