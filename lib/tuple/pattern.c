/*
 * SPDX-License-Identifier: ISC
 */
#include "tuple/pattern.h"
#include "base/memory.h"
#include "tuple/pattern_syntax.h"

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
		n = pattern_token_length(s);
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

/*
 * The bytes of an X that stands for one byte and is repeated by a + right at the
 * beginning; 0 if there is none.
 */
static size_t
repeated_length(const char *s)
{
	size_t n = pattern_token_length(s);

	return n != 0 && pattern_is_one_byte(s) && s[n] == '+' &&
		pattern_is_once(s + n + 1) ?
	    n :
	    0;
}

#ifdef REG_STARTEND
/*
 * The bytes of a part before `.*`, or `.+`, whose dot it has; 0 if its length is
 * not fixed.
 */
static size_t
part_length(const char *s)
{
	for (size_t at = 0, n; s[at] != '\0'; at += n) {
		n = pattern_token_length(s + at);
		if (s[at] == '.' && n == 2)
			return pattern_is_once(s + at + 2) ? at : 0;
		if (s[at] == '.' && s[at + 1] == '+')
			return pattern_is_once(s + at + 2) ? at + 1 : 0;
		if (n == 0 || !pattern_is_one_byte(s + at))
			return 0;
	}
	return 0;
}

/* Append the text that a part stands for; nothing if there may be others. */
static void
put_literal(struct buffer *b, struct span part)
{
	const char *end = part.p + part.n;

	for (const char *s = part.p; s < end; s++) {
		if (*s == '.' || *s == '[' || !pattern_is_one_byte(s) ||
		    (*s == '\\' && strchr("sSwW", s[1]) != NULL)) {
			b->n = 0;
			return;
		}
		s += *s == '\\';
		buffer_byte(b, *s);
	}
}

static void
add_part(struct pattern *p, struct span text, int flags)
{
	struct pattern_part *part = &p->parts[p->nparts];
	struct buffer copy = { 0 };

	buffer_put(&copy, text);
	buffer_byte(&copy, '\0');
	/* It is valid, as the whole is. */
	if (regcomp(&part->regex, copy.p, REG_EXTENDED | flags) != 0)
		memory_exhausted();
	put_literal(&part->literal, text);
	p->nparts++;
	buffer_fini(&copy);
}

/*
 * Cut up a pattern whose meaning is clear.  One that begins with ^ needs no more
 * than one search; in others, glibc can take ^ for the beginning of a line.
 */
static void
compile_parts(struct pattern *p, const char *s)
{
	const char *begin = s;
	size_t n;

	for (const char *at = s; *at != '\0'; at += pattern_token_length(at))
		if (*at == '^')
			return;
	for (;;) {
		while (*s == '.' && s[1] == '*' && pattern_is_once(s + 2))
			s += 2;
		n = p->nparts + 1 < PATTERN_PARTS ? part_length(s) : 0;
		if (n == 0)
			break;
		add_part(p, (struct span){ s, n }, 0);
		s += n + (s[n] == '+');
	}
	/* Where the last one ends does not matter, and takes time. */
	if (*s != '\0' && s != begin)
		add_part(p, span_of(s), REG_NOSUB);
}

static bool
has_parts(const struct pattern *p, struct span text)
{
	regmatch_t m = { 0 };

	for (size_t i = 0; i < p->nparts; i++) {
		const struct pattern_part *part = &p->parts[i];
		const char *from = text.p + m.rm_eo, *at;

		m.rm_so = m.rm_eo;
		m.rm_eo = (regoff_t)text.n;
		if (part->literal.n == 0) {
			if (regexec(&part->regex, text.p, 1, &m,
				REG_STARTEND) != 0)
				return false;
			continue;
		}
		at = memory_find(from, (size_t)(text.p + text.n - from),
		    part->literal.p, part->literal.n);
		if (at == NULL)
			return false;
		m.rm_eo = (regoff_t)(at - text.p) + (regoff_t)part->literal.n;
	}
	return true;
}
#endif

/* Compile a pattern without the + behind so many bytes, for long texts. */
static int
compile_once(struct pattern *p, const char *text, size_t n)
{
	struct buffer once = { 0 };
	int error;

	buffer_put(&once, (struct span){ text, n });
	buffer_put(&once, span_of(text + n + 1));
	buffer_byte(&once, '\0');
	p->once = memory_new(1, sizeof *p->once);
	error = pattern_compile(p->once, once.p);
	buffer_fini(&once);
	return error;
}

static void
drop_branches(struct pattern *p)
{
	while (p->nbranches > 0)
		pattern_fini(&p->branches[--p->nbranches]);
	free(p->branches);
	p->branches = NULL;
}

/* Tell whether a branch has pieces; if so, it is the next one. */
static bool
add_branch(struct pattern *p, struct span text)
{
	struct pattern *branch = &p->branches[p->nbranches];
	struct buffer copy = { 0 };
	int error;

	buffer_put(&copy, text);
	buffer_byte(&copy, '\0');
	error = pattern_compile(branch, copy.p);
	buffer_fini(&copy);
	p->nbranches += error == 0;
	return error == 0 && branch->pieces.n != 0;
}

/* Cut up a pattern with alternatives, if all of them are quick to rule out. */
static void
compile_branches(struct pattern *p, const char *s)
{
	size_t n = pattern_branch_length(s);

	if (s[n] != '|')
		return;
	p->branches = memory_new(PATTERN_BRANCHES, sizeof *p->branches);
	for (; n != 0 && p->nbranches < PATTERN_BRANCHES &&
	     add_branch(p, (struct span){ s, n });
	     n = pattern_branch_length(s)) {
		s += n;
		if (*s++ == '\0')
			return;
	}
	drop_branches(p);
}

int
pattern_compile(struct pattern *p, const char *text)
{
	int error = regcomp(&p->regex, text, REG_EXTENDED | REG_NOSUB);
	size_t n;
	bool is_clear;

	if (error != 0)
		return error;
	compile_branches(p, text);
	is_clear = cut_up(p, text);
	n = repeated_length(text);
	/* It is valid, as the whole is. */
	if (is_clear && n != 0 && compile_once(p, text, n) != 0)
		memory_exhausted();
	buffer_byte(&p->pieces, '\0');
#ifdef REG_STARTEND
	if (is_clear && !p->exact)
		compile_parts(p, text);
#endif
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
	if (p->once != NULL)
		pattern_fini(p->once);
	free(p->once);
	drop_branches(p);
	regfree(&p->regex);
	for (; p->nparts > 0; p->nparts--) {
		regfree(&p->parts[p->nparts - 1].regex);
		buffer_fini(&p->parts[p->nparts - 1].literal);
	}
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
	/* No `.` stands for a NUL. */
	if (p->nparts != 0 && memchr(text.p, '\0', text.n) == NULL)
		return has_parts(p, text);
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

/*
 * Look for the branches whose pieces are there.  If several of them would have
 * to be searched for by the C library, the whole pattern takes less.
 */
static bool
branch_found(const struct pattern *p, struct span text, struct buffer *room)
{
	const struct pattern *found = NULL;

	for (size_t i = 0; i < p->nbranches; i++) {
		const struct pattern *b = &p->branches[i];

		if (!has_pieces(b, text))
			continue;
		if (b->exact ||
		    (text.n >= PATTERN_LONG &&
			(b->once != NULL || b->nparts != 0))) {
			if (pattern_found(b, text, room))
				return true;
		} else {
			found = found == NULL ? b : p;
		}
	}
	return found != NULL && is_match(found, text, room);
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
	if (p->nbranches != 0)
		return branch_found(p, text, room);
	if (p->once != NULL && text.n >= PATTERN_LONG)
		p = p->once;
	if (p->pieces.n != 0 && !has_pieces(p, text))
		return false;
	if (p->exact && memchr(text.p, '\0', text.n) == NULL)
		return true;
	return is_match(p, text, room);
}
