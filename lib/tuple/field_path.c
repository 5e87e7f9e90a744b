/*
 * SPDX-License-Identifier: ISC
 */
#include "tuple/field_path.h"
#include "base/digits.h"
#include "json/scanner.h"
#include "json/text.h"

static void
add_step(struct field_path *path, struct span name, int64_t index)
{
	path->steps = memory_grow(path->steps, &path->cap, path->n + 1,
	    sizeof *path->steps);
	path->steps[path->n++] =
	    (struct field_step){ name.p == NULL ? name : span_dup(name),
		    index };
}

void
field_path_fini(struct field_path *path)
{
	for (size_t i = 0; i < path->n; i++)
		span_free(path->steps[i].name);
	free(path->steps);
	*path = (struct field_path){ 0 };
}

/* The byte after the JSON string at p, or end. */
static const char *
after_quoted(const char *p, const char *end)
{
	for (p++; p < end && *p != '"'; p++)
		if (*p == '\\' && p + 1 < end)
			p++;
	return p < end ? p + 1 : end;
}

size_t
field_path_until(struct span text, char stop)
{
	const char *p = text.p, *end = p + text.n;

	while (p < end && *p != stop)
		if (p[0] == '[' && p + 1 < end && p[1] == '"')
			p = after_quoted(p + 1, end);
		else
			p++;
	return (size_t)(p - text.p);
}

/* Digits without a needless zero, as an index; -1 where text is none. */
static int64_t
index_of(struct span text)
{
	int64_t v = 0;

	if (text.n == 0 || text.n > 18 || (text.n > 1 && text.p[0] == '0'))
		return -1;
	for (size_t i = 0; i < text.n; i++) {
		if (!digits_is(text.p[i]))
			return -1;
		v = v * 10 + (text.p[i] - '0');
	}
	return v;
}

static const char *
parse_pointer(struct field_path *path, struct span text)
{
	const char *p = text.p, *end = p + text.n;
	struct buffer token = { 0 };
	const char *wrong = NULL;

	while (p < end && wrong == NULL) {
		token.n = 0;
		buffer_room(&token, 1);
		for (p++; p < end && *p != '/'; p++) {
			if (*p != '~') {
				buffer_byte(&token, *p);
			} else if (p + 1 < end &&
			    (p[1] == '0' || p[1] == '1')) {
				buffer_byte(&token, *++p == '0' ? '~' : '/');
			} else {
				wrong =
				    "expected ~0 or ~1 after '~' in a JSON Pointer";
				break;
			}
		}
		add_step(path, buffer_span(&token),
		    index_of(buffer_span(&token)));
	}
	buffer_fini(&token);
	return wrong;
}

/* A JSON string in brackets; *pp is at its quote and goes after it. */
static const char *
parse_quoted(struct field_path *path, const char **pp, const char *end)
{
	const char *p = *pp, *after = after_quoted(p, end);
	struct span quoted = { p, (size_t)(after - p) };
	struct buffer text = { 0 }, name = { 0 };
	bool valid;

	buffer_put(&text, quoted);
	valid = json_validate(json_padded(&text), NULL) == 0;
	if (valid) {
		buffer_room(&name, 1);
		json_decode(&name, (struct span){ p + 1, quoted.n - 2 });
		add_step(path, buffer_span(&name), -1);
	}
	buffer_fini(&text);
	buffer_fini(&name);
	*pp = after;
	return valid ? NULL : "expected a JSON string within [\"...\"]";
}

static const char *
parse_bracket(struct field_path *path, const char **pp, const char *end)
{
	const char *p = *pp + 1, *close;
	const char *wrong;
	int64_t index;

	if (p < end && *p == '"') {
		if ((wrong = parse_quoted(path, &p, end)) != NULL)
			return wrong;
		if (p == end || *p != ']')
			return "expected ']' after [\"...\"";
		*pp = p + 1;
		return NULL;
	}
	close = p < end ? memchr(p, ']', (size_t)(end - p)) : NULL;
	index = close == NULL ?
	    -1 :
	    index_of((struct span){ p, (size_t)(close - p) });
	if (index < 0)
		return "expected an index like [0] or a name like [\"a.b\"]";
	add_step(path, (struct span){ NULL, 0 }, index);
	*pp = close + 1;
	return NULL;
}

const char *
field_path_parse(struct field_path *path, struct span text)
{
	const char *p = text.p, *end = p + text.n;
	const char *name, *wrong;

	*path = (struct field_path){ 0 };
	if (text.n > 0 && *p == '/')
		return parse_pointer(path, text);
	while (p < end) {
		if (*p == '.' && p + 1 < end && p[1] == '[')
			p++;
		if (*p == '[') {
			if ((wrong = parse_bracket(path, &p, end)) != NULL)
				return wrong;
			continue;
		}
		if (*p == '.')
			p++;
		else if (path->n != 0)
			return "expected '.' or '[' after ']'";
		for (name = p; p < end && *p != '.' && *p != '['; p++)
			;
		if (p == name)
			return "expected a name after '.'";
		add_step(path, (struct span){ name, (size_t)(p - name) }, -1);
	}
	return path->n == 0 ? "expected a field" : NULL;
}
