/*
 * Recursive descent, a call for each object and array.  The newline after
 * the line stops every inner loop, so none of them checks for the end.
 *
 * SPDX-License-Identifier: ISC
 */
#include <stdint.h>

#include "base/diagnostics.h"
#include "base/hash.h"
#include "base/number.h"
#include "base/utf8.h"
#include "json/scanner.h"

struct scan {
	const char *line, *end;
	struct value *slots;
	struct fault *fault;
	int depth;
};

static const char *scan_value(struct scan *s, const char *p,
    const struct scan_node *node);

const struct scan_node **
scan_node_among(const struct scan_node *node, struct span name)
{
	return &node->many[hash_seeded(name, 0) & node->many_mask];
}

/* Note that something else than expected stands at p.  Returns NULL. */
static const char *
unexpected(struct scan *s, const char *p, const char *expected)
{
	char found[16];
	unsigned char c = (unsigned char)*p;
	size_t column = (size_t)(p - s->line) + 1, n;

	if (!fault_says(s->fault, FAULT_SYNTAX)) {
		fault_set(s->fault, FAULT_SYNTAX, column, "%s", expected);
	} else if (p >= s->end) {
		fault_set(s->fault, FAULT_SYNTAX, column,
		    "expected %s, got end of line", expected);
	} else if (strncmp(p, "\xef\xbb\xbf", 3) == 0) {
		fault_set(s->fault, FAULT_SYNTAX, column,
		    "expected %s, got a byte order mark", expected);
	} else if (c == '\0') {
		fault_set(s->fault, FAULT_SYNTAX, column,
		    "expected %s, got \\x00; tr -d '\\0' takes such bytes off",
		    expected);
	} else {
		n = c < 0x80 ? 1 : utf8_length(p, s->end);
		diagnostics_scrub(found, sizeof found,
		    (struct span){ p, n == 0 ? 1 : n });
		fault_set(s->fault, FAULT_SYNTAX, column,
		    c < 0x20 || n == 0 ? "expected %s, got %s" :
					 "expected %s, got '%s'",
		    expected, found);
	}
	return NULL;
}

static const char *
skip_space(const char *p, const char *end)
{
	while (*p == ' ' || *p == '\t' || *p == '\r' || (*p == '\n' && p < end))
		p++;
	return p;
}

/* The first byte from p on for which word_first_special stops. */
static const char *
find_special(const char *p)
{
	uint64_t found;

	while ((found = word_first_special(word_load(p))) == 0)
		p += 8;
	return p + __builtin_ctzll(found) / 8;
}

/* The byte after the escape whose backslash is at p. */
static const char *
scan_escape(struct scan *s, const char *p)
{
	switch (p[1]) {
	case '"':
	case '/':
	case '\\':
	case 'b':
	case 'f':
	case 'n':
	case 'r':
	case 't':
		return p + 2;
	case 'u':
		p += 2;
		for (int i = 0; i < 4; i++, p++)
			if (!digits_is_hex(*p))
				return unexpected(s, p,
				    "four hex digits after \\u");
		return p;
	default:
		return unexpected(s, p + 1, "one of \"/\\bfnrtu after a \\");
	}
}

/* The closing quote of the string whose first byte is at p. */
static const char *
scan_string(struct scan *s, const char *p, bool *escaped)
{
	*escaped = false;
	for (;;) {
		unsigned char c;
		size_t n;

		p = find_special(p);
		c = (unsigned char)*p;
		if (c == '"')
			return p;
		if (c == '\\') {
			*escaped = true;
			if ((p = scan_escape(s, p)) == NULL)
				return NULL;
		} else if (c < 0x20) {
			return unexpected(s, p,
			    p >= s->end ? "'\"' at the end of a string" :
					  "control bytes to be escaped");
		} else if ((n = utf8_length(p, s->end)) != 0) {
			p += n;
		} else {
			fault_set(s->fault, FAULT_UTF8,
			    (size_t)(p - s->line) + 1,
			    "expected UTF-8, got \\x%02x", c);
			return NULL;
		}
	}
}

static const char *
scan_number(struct scan *s, const char *p)
{
	const char *lacks = NULL;

	p = number_end(p, &lacks);
	return lacks == NULL ? p : unexpected(s, p, lacks);
}

static const char *
scan_word(struct scan *s, const char *p, struct span word)
{
	for (size_t i = 0; i < word.n; i++)
		if (p[i] != word.p[i])
			return unexpected(s, p, "a value");
	return p + word.n;
}

/* The position after a child, where the search for its twin goes on. */
static size_t
after(const struct scan_node *node, const struct scan_node *child)
{
	return (size_t)(child - node->children) + 1;
}

static const char *
enter(struct scan *s, const char *p)
{
	if (++s->depth <= JSON_DEPTH)
		return skip_space(p + 1, s->end);
	fault_set(s->fault, FAULT_LIMIT, (size_t)(p - s->line) + 1,
	    "expected at most %d levels of nesting, got more", JSON_DEPTH);
	return NULL;
}

static const char *
scan_object(struct scan *s, const char *p, const struct scan_node *node)
{
	const struct scan_node *child = NULL;
	struct span key;
	const char *value;
	bool escaped;

	if ((p = enter(s, p)) == NULL)
		return NULL;
	if (*p == '}')
		goto done;
	for (;;) {
		if (*p != '"')
			return unexpected(s, p, "a key in quotes");
		key.p = ++p;
		if ((p = scan_string(s, p, &escaped)) == NULL)
			return NULL;
		key.n = (size_t)(p - key.p);
		if (node != NULL)
			child = escaped ? scan_node_member(node, 0, key, true) :
					  scan_node_named(node, key);
		p = skip_space(p + 1, s->end);
		if (*p != ':')
			return unexpected(s, p, "':' after a key");
		value = skip_space(p + 1, s->end);
		if ((p = scan_value(s, value, child)) == NULL)
			return NULL;
		while (child != NULL && child->twin) {
			child = scan_node_member(node, after(node, child), key,
			    escaped);
			if (child != NULL)
				scan_value(s, value, child);
		}
		p = skip_space(p, s->end);
		if (*p == '}')
			break;
		if (*p != ',')
			return unexpected(s, p, "',' or '}' after a value");
		p = skip_space(p + 1, s->end);
	}
done:
	s->depth--;
	return p + 1;
}

static const char *
scan_array(struct scan *s, const char *p, const struct scan_node *node)
{
	const struct scan_node *child = NULL;
	const char *value;

	if ((p = enter(s, p)) == NULL)
		return NULL;
	if (*p == ']')
		goto done;
	for (int64_t index = 0;; index++) {
		value = p;
		if (node != NULL)
			child = scan_node_element(node, 0, index);
		if ((p = scan_value(s, value, child)) == NULL)
			return NULL;
		while (child != NULL && child->twin) {
			child =
			    scan_node_element(node, after(node, child), index);
			if (child != NULL)
				scan_value(s, value, child);
		}
		p = skip_space(p, s->end);
		if (*p == ']')
			break;
		if (*p != ',')
			return unexpected(s, p, "',' or ']' after a value");
		p = skip_space(p + 1, s->end);
	}
done:
	s->depth--;
	return p + 1;
}

static const char *
scan_value(struct scan *s, const char *start, const struct scan_node *node)
{
	const char *p = start;
	bool escaped = false;

	/* An earlier member of this name is forgotten, with all below it. */
	if (node != NULL)
		for (int i = node->first; i < node->end; i++)
			s->slots[i].p = NULL;
	switch (*p) {
	case '"':
		p = scan_string(s, p + 1, &escaped);
		if (p != NULL)
			p++;
		break;
	case '{':
		p = scan_object(s, p, node);
		break;
	case '[':
		p = scan_array(s, p, node);
		break;
	case 't':
		p = scan_word(s, p, SPAN("true"));
		break;
	case 'f':
		p = scan_word(s, p, SPAN("false"));
		break;
	case 'n':
		p = scan_word(s, p, SPAN("null"));
		break;
	case '-':
	case '0':
	case '1':
	case '2':
	case '3':
	case '4':
	case '5':
	case '6':
	case '7':
	case '8':
	case '9':
		p = scan_number(s, p);
		break;
	default:
		return unexpected(s, p, "a value");
	}
	if (p != NULL && node != NULL && node->slot >= 0)
		s->slots[node->slot] =
		    value_from((struct span){ start, (size_t)(p - start) },
			escaped);
	return p;
}

int
json_scan(const struct scan_node *root, struct span line, struct value *slots,
    struct fault *f)
{
	struct scan s = { line.p, line.p + line.n, slots, f, 0 };
	const char *p = line.p;

	for (int i = 0; i < root->end; i++)
		slots[i].p = NULL;
	if (*p != '{') {
		unexpected(&s, p, "an object");
		return -1;
	}
	if ((p = scan_object(&s, p, root)) == NULL)
		return -1;
	if ((p = skip_space(p, s.end)) < s.end) {
		unexpected(&s, p, "nothing after the object");
		return -1;
	}
	return 0;
}

int
json_validate(struct span text, struct fault *f)
{
	struct scan s = { text.p, text.p + text.n, NULL, f, 0 };
	const char *p = skip_space(text.p, s.end);

	if ((p = scan_value(&s, p, NULL)) == NULL)
		return -1;
	if ((p = skip_space(p, s.end)) < s.end) {
		unexpected(&s, p, "nothing after the value");
		return -1;
	}
	return 0;
}
