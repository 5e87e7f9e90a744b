/*
 * SPDX-License-Identifier: ISC
 */
#include <stdint.h>
#include <stdio.h>

#include "base/utf8.h"
#include "base/word.h"
#include "json/text.h"

/* The number that four hex digits are; the bytes of a word at once. */
static uint32_t
hex4(const char *p)
{
	uint32_t w = word_load_half(p);

	/* A letter has bit 6, and its lowest four bits are 9 too few. */
	w = __builtin_bswap32((w & 0x0f0f0f0f) + (w >> 6 & 0x01010101) * 9);
	w = (w | w >> 4) & 0x00ff00ff;
	return (w | w >> 8) & 0xffff;
}

/* Decode the escape \u and four digits at p, and its other half. */
static const char *
decode_unicode(char **to, const char *p, const char *end)
{
	uint32_t c = hex4(p + 2), low;

	p += 6;
	if (c >= 0xd800 && c < 0xdc00 && end - p >= 6 && p[0] == '\\' &&
	    p[1] == 'u' && (low = hex4(p + 2)) >= 0xdc00 && low < 0xe000) {
		c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
		p += 6;
	}
	*to += utf8_encode(*to, c);
	return p;
}

/* So many bytes are looked at together; a byte of a mask is 0x80 or 0. */
enum { TOGETHER = sizeof(uint64_t) };

static inline uint64_t
first_slash(uint64_t w)
{
	w ^= EACH_BYTE('\\');
	return (w - EACH_BYTE(1)) & ~w & EACH_BYTE(0x80);
}

/* Append what comes before the first special byte; its length. */
static size_t
put_plain(struct buffer *b, const char *p, const char *end)
{
	size_t n = (size_t)(end - p), at = 0;
	char *to = buffer_room(b, n + TOGETHER);
	uint64_t w, found = 0;

	for (; at < n && found == 0; at += TOGETHER) {
		w = word_load_first(p + at, n - at);
		word_store(to + at, w);
		/* The zeros behind the last bytes are special, too. */
		found = word_first_special(w);
	}
	if (found != 0)
		at -= TOGETHER - (size_t)__builtin_ctzll(found) / 8;
	b->n += at;
	return at;
}

/* What an escape of one character stands for. */
static const char unescaped[128] = { ['"'] = '"',
	['/'] = '/',
	['\\'] = '\\',
	['b'] = '\b',
	['f'] = '\f',
	['n'] = '\n',
	['r'] = '\r',
	['t'] = '\t' };

/* Decode the escape at p; what is behind it. */
static const char *
decode_escape(char **to, const char *p, const char *end)
{
	if (p[1] == 'u')
		return decode_unicode(to, p, end);
	*(*to)++ = unescaped[p[1] & 127];
	return p + 2;
}

char *
json_decode_to(char *to, struct span text)
{
	const char *p = text.p, *end = p + text.n;

	while (p < end) {
		size_t left = (size_t)(end - p), n = TOGETHER;
		uint64_t w, slash;

		if (left < TOGETHER)
			n = left;
		w = word_load_first(p, n);
		slash = first_slash(w);
		if (slash != 0)
			n = (size_t)__builtin_ctzll(slash) / 8;
		word_store(to, w);
		to += n;
		p += n;
		if (slash != 0)
			p = decode_escape(&to, p, end);
	}
	return to;
}

bool
json_decodes_to(struct span text, struct span name)
{
	const char *p = text.p, *end = p + text.n;
	const char *q = name.p, *last = q + name.n;

	while (p < end) {
		char part[sizeof(uint32_t)], *to = part; /* one character */

		if (*p != '\\') {
			if (q == last || *p++ != *q++)
				return false;
			continue;
		}
		p = decode_escape(&to, p, end);
		for (const char *c = part; c < to; c++)
			if (q == last || *c != *q++)
				return false;
	}
	return q == last;
}

void
json_decode(struct buffer *b, struct span text)
{
	char *to = buffer_room(b, text.n + JSON_DECODE_PAD);

	b->n += (size_t)(json_decode_to(to, text) - to);
}

struct span
json_decoded(struct span text, struct buffer *room)
{
	room->n = 0;
	json_decode(room, text);
	buffer_byte(room, '"');
	return (struct span){ room->p, room->n - 1 };
}

void
json_put_decoded(struct buffer *b, struct span value)
{
	if (*value.p == '"')
		json_decode(b, (struct span){ value.p + 1, value.n - 2 });
	else
		buffer_put(b, value);
}

/* Tell whether it is what json_decode makes of half a pair of surrogates. */
static bool
is_surrogate(const char *p, const char *end)
{
	return end - p >= 3 && p[0] == '\xed' && (p[1] & 0xe0) == 0xa0 &&
	    (p[2] & 0xc0) == 0x80;
}

/* Append the character at p, which is special; its length. */
static size_t
put_special(struct buffer *b, const char *p, const char *end)
{
	unsigned char c = (unsigned char)*p;
	size_t n = c < 0x80 ? 0 : utf8_length(p, end);

	if (n != 0) {
		buffer_put(b, (struct span){ p, n });
		return n;
	}
	if (is_surrogate(p, end)) {
		b->n += (size_t)snprintf(buffer_room(b, 7), 7, "\\ud%03x",
		    (p[1] & 0x3f) << 6 | (p[2] & 0x3f));
		return 3;
	}
	if (c == '"' || c == '\\' || c == '\n') {
		buffer_byte(b, '\\');
		buffer_byte(b, c == '\n' ? 'n' : *p);
	} else {
		b->n += (size_t)snprintf(buffer_room(b, 7), 7, "\\u%04x", c);
	}
	return 1;
}

void
json_put_string(struct buffer *b, struct span text)
{
	const char *p = text.p, *end = p + text.n;

	buffer_byte(b, '"');
	while (p < end) {
		p += put_plain(b, p, end);
		if (p < end)
			p += put_special(b, p, end);
	}
	buffer_byte(b, '"');
}

void
json_put_name(struct buffer *b, struct span text)
{
	json_put_string(b, text);
	buffer_byte(b, ':');
}

static bool
is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

struct span
json_trim(struct span s)
{
	while (s.n > 0 && is_space(s.p[s.n - 1]))
		s.n--;
	while (s.n > 0 && is_space(*s.p)) {
		s.p++;
		s.n--;
	}
	return s;
}

/* The byte after the string whose opening quote is at p. */
static const char *
after_string(const char *p)
{
	for (p++; *p != '"'; p++)
		if (*p == '\\')
			p++;
	return p + 1;
}

static const char *
after_value(const char *p)
{
	int depth = 0;

	if (*p == '"')
		return after_string(p);
	if (*p != '{' && *p != '[') {
		while (*p != ',' && *p != '}' && *p != ']' && !is_space(*p))
			p++;
		return p;
	}
	do {
		if (*p == '"') {
			p = after_string(p);
			continue;
		}
		if (*p == '{' || *p == '[')
			depth++;
		else if (*p == '}' || *p == ']')
			depth--;
		p++;
	} while (depth > 0);
	return p;
}

static const char *
after_space(const char *p)
{
	while (is_space(*p))
		p++;
	return p;
}

struct json_members
json_members(struct span object)
{
	return (struct json_members){ object.p, object.p + object.n };
}

bool
json_members_next(struct json_members *it, struct json_member *m)
{
	const char *p, *start;

	if (it->p >= it->end)
		return false;
	p = after_space(it->p + 1); /* past `{` or `,` */
	if (*p == '}')
		return false;
	start = p;
	p = after_string(p);
	m->name = (struct span){ start + 1, (size_t)(p - start) - 2 };
	p = after_space(after_space(p) + 1);
	start = p;
	p = after_value(p);
	m->value = (struct span){ start, (size_t)(p - start) };
	p = after_space(p);
	it->p = *p == '}' ? it->end : p;
	return true;
}

struct json_members
json_elements(struct span array)
{
	return json_members(array);
}

bool
json_elements_next(struct json_members *it, struct span *value)
{
	const char *p, *start;

	if (it->p >= it->end)
		return false;
	start = after_space(it->p + 1); /* past `[` or `,` */
	if (*start == ']')
		return false;
	p = after_value(start);
	*value = (struct span){ start, (size_t)(p - start) };
	p = after_space(p);
	it->p = *p == ']' ? it->end : p;
	return true;
}
