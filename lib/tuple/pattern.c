/*
 * SPDX-License-Identifier: ISC
 */
#include "tuple/pattern.h"

/* Begin the next piece, unless the last one is still empty. */
static void
cut(struct pattern *p, bool exact)
{
	const struct buffer *b = &p->pieces;

	if (b->n == 0 || b->p[b->n - 1] != '\0')
		buffer_byte(&p->pieces, '\0');
	p->exact = p->exact && exact;
}

/* What is repeated is in no piece, as it may be repeated 0 times. */
static void
cut_repeated(struct pattern *p)
{
	struct buffer *b = &p->pieces;

	if (b->n != 0 && b->p[b->n - 1] != '\0')
		b->n--;
	cut(p, false);
}

/* The bytes of a bracket expression; 0 where that is not clear. */
static size_t
bracket_length(const char *s)
{
	const char *p = s + 1;

	p += *p == '^';
	p += *p == ']';
	for (; *p != ']' && *p != '\0'; p++)
		if (*p == '[' && (p[1] == ':' || p[1] == '.' || p[1] == '=')) {
			p = strstr(p + 2, (char[]){ p[1], ']', '\0' });
			if (p == NULL)
				return 0;
			p++;
		}
	return *p == '\0' ? 0 : (size_t)(p + 1 - s);
}

/* The bytes of what begins there; 0 where that is not clear. */
static size_t
token_length(const char *s)
{
	if (*s == '\\')
		return s[1] == '\0' ? 0 : 2;
	if (*s == '.' && s[1] == '*')
		return 2;
	if (*s == '[')
		return bracket_length(s);
	if (*s == '{')
		return s[strcspn(s, "}")] == '\0' ? 0 : strcspn(s, "}") + 1;
	return 1;
}

/* False: the pattern has alternatives, or it is not clear what it means. */
static bool
cut_up(struct pattern *p, const char *s)
{
	size_t depth = 0, n;

	p->exact = true;
	if (*s == '^')
		s++;
	else
		cut(p, true);
	for (; *s != '\0'; s += n) {
		n = token_length(s);
		if (n == 0 || (depth == 0 && (*s == '|' || *s == ')')))
			return false;
		depth += *s == '(';
		if (depth > 0) {
			cut(p, false);
			depth -= *s == ')';
		} else if (strchr("*+?{", *s) != NULL) {
			cut_repeated(p);
		} else if (*s == '\\' &&
		    strchr("^.[$()|*+?{\\", s[1]) != NULL) {
			buffer_byte(&p->pieces, s[1]);
		} else if (*s == '$' && s[1] == '\0') {
			return true;
		} else if (*s == '\\' && strchr("<>bBsSwW", s[1]) == NULL) {
			return false; /* as \x29 of musl, or \1 */
		} else if (strchr("\\.[^$", *s) != NULL) {
			cut(p, *s == '.' && n == 2);
		} else {
			buffer_byte(&p->pieces, *s);
		}
	}
	cut(p, true);
	return true;
}

int
pattern_compile(struct pattern *p, const char *text)
{
	int error = regcomp(&p->regex, text, REG_EXTENDED | REG_NOSUB);
	bool is_clear;

	if (error != 0)
		return error;
	is_clear = cut_up(p, text);
	buffer_byte(&p->pieces, '\0');
	/* At the beginning of a text regexec finds out soon enough. */
	if (!is_clear || (!p->exact && (*text == '^' || p->pieces.n == 2))) {
		p->pieces.n = 0;
		p->exact = false;
	}
	return 0;
}

void
pattern_fini(struct pattern *p)
{
	regfree(&p->regex);
	buffer_fini(&p->pieces);
}

static bool
has_pieces(const struct pattern *p, struct span text)
{
	const char *piece = p->pieces.p, *last = piece + p->pieces.n - 1;
	const char *at = text.p, *end = text.p + text.n;
	size_t n = strlen(piece);

	if (text.n < n || memcmp(at, piece, n) != 0)
		return false;
	for (at += n; piece + n != last; at += n) {
		piece += n + 1;
		n = strlen(piece);
		if (piece + n == last)
			return (size_t)(end - at) >= n &&
			    memcmp(end - n, piece, n) == 0;
		at = memory_find(at, (size_t)(end - at), piece, n);
		if (at == NULL)
			return false;
	}
	return at == end;
}

/* The same by the C library. */
static bool
is_match(const struct pattern *p, struct span text, struct buffer *room)
{
#ifdef REG_STARTEND
	regmatch_t all = { .rm_eo = (regoff_t)text.n };

	(void)room;
	return regexec(&p->regex, text.p, 1, &all, REG_STARTEND) == 0;
#else
	if (text.p != room->p) {
		room->n = 0;
		buffer_put(room, text);
	}
	*buffer_room(room, 1) = '\0';
	room->p[text.n] = '\0';
	return regexec(&p->regex, room->p, 0, NULL, 0) == 0;
#endif
}

bool
pattern_found(const struct pattern *p, struct span text, struct buffer *room)
{
#ifndef REG_STARTEND
	/* Where libc has none, a NUL in the text ends it. */
	const char *nul = memchr(text.p, '\0', text.n);

	if (nul != NULL)
		text.n = (size_t)(nul - text.p);
#endif
	if (p->pieces.n != 0 && !has_pieces(p, text))
		return false;
	/* No `.` stands for a NUL. */
	if (p->exact && memchr(text.p, '\0', text.n) == NULL)
		return true;
	return is_match(p, text, room);
}
