/*
 * index_grammar - whether the tokens of a line are an object: what may follow
 * what, 64 tokens at a time, and after that one bracket after the other, with
 * the commas between two of them at once.  A version includes this after
 * index_kernel and the functions that it declares.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef JSON_INDEX_GRAMMAR_H
#define JSON_INDEX_GRAMMAR_H

#include "json/index_scalars.h"

enum {
	/* So many of 64 tokens have the next two among them, too. */
	GRAMMAR_STEP = 62,
	/* Lines that are nested deeper are left to others. */
	GRAMMAR_DEPTH = 64,
};

/* Which of 64 tokens are what. */
struct kinds {
	uint64_t object, array; /* the braces and brackets that open one */
	uint64_t close, colon, comma;
	uint64_t value; /* that begin one, or a key */
	uint64_t key;	/* strings before a colon */
};

/* What the tokens of a line are in, from the outside to the inside. */
struct nest {
	const uint8_t *token;
	uint16_t *close;
	uint64_t objects; /* 1 for an object, 0 for an array; bit 0 is inmost */
	size_t depth;
	uint16_t opened[GRAMMAR_DEPTH];
};

/* The kinds of the tokens from that one on, whatever line they are of. */
KERNEL struct kinds
kinds_of(const uint8_t *token)
{
	const char *p = (const char *)token;
	struct kinds k;

	k.object = equal(p, '{');
	k.array = equal(p, '[');
	k.close = equal(p, '}') | equal(p, ']');
	k.colon = equal(p, ':');
	k.comma = equal(p, ',');
	k.value = ~(k.close | k.colon | k.comma);
	k.key = equal(p, '"') & k.colon >> 1;
	return k;
}

/*
 * Which tokens are not followed by what may follow them, where last is the
 * last of the line: a key comes after a brace or a comma, and a value after a
 * bracket, a colon or a comma.
 */
KERNEL uint64_t
bad_pairs(const struct kinds *k, uint64_t last)
{
	uint64_t before_close = k->close >> 1, before_key = k->key >> 1;
	uint64_t ends = k->value & ~(k->object | k->array | k->key);

	return (k->object & ~(before_key | before_close)) |
	    (k->array & ~(k->value >> 1 | before_close)) |
	    ((k->colon | k->comma) & ~(k->value >> 1)) |
	    ((k->array | k->colon) & before_key) |
	    ((ends | k->close) & ~(k->comma >> 1 | before_close | last));
}

/* Go into an object or array, unless that is too deep. */
KERNEL bool
enter(struct nest *nest, size_t i)
{
	if (nest->depth == GRAMMAR_DEPTH)
		return false;
	nest->opened[nest->depth++] = (uint16_t)i;
	nest->objects = nest->objects << 1 | (nest->token[i] == '{');
	return true;
}

/* Go out of one, which is of its own kind and not the outmost. */
KERNEL bool
leave(struct nest *nest, size_t i)
{
	bool good = (nest->objects & 1) == (nest->token[i] == '}');

	nest->close[nest->opened[--nest->depth]] = (uint16_t)i;
	nest->objects >>= 1;
	return good && nest->depth != 0;
}

/*
 * Go past those tokens, from that one on, whose bits are in part, and whose
 * braces in outer are those of the line.  False: a bracket or a comma is not
 * what it must be in what it is in.
 */
KERNEL bool
follow_brackets(struct nest *nest, const struct kinds *k, uint64_t part,
    uint64_t outer, size_t at)
{
	uint64_t brackets = (k->object | k->array | k->close) & part & ~outer;
	uint64_t commas = k->comma & part, members = commas & k->key >> 1;
	uint64_t wrong = 0;

	for (; brackets != 0; brackets &= brackets - 1) {
		uint64_t upto = brackets ^ (brackets - 1);
		size_t i = at + (size_t)__builtin_ctzll(brackets);

		wrong |= (members ^ (commas & -(nest->objects & 1))) & upto;
		commas &= ~upto;
		members &= ~upto;
		if (!((k->close & (upto ^ upto >> 1)) != 0 ? leave(nest, i) :
							     enter(nest, i)))
			return false;
	}
	return (wrong | (members ^ (commas & -(nest->objects & 1)))) == 0;
}

/* Tell whether n tokens are an object, and note where what they open ends. */
KERNEL bool
is_object(const uint8_t *token, uint16_t *close, size_t n)
{
	struct nest nest;
	uint64_t part = ((uint64_t)1 << GRAMMAR_STEP) - 1, outer = 1, last = 0;

	if (n == 0 || token[0] != '{' || token[n - 1] != '}')
		return n == 0;
	nest.token = token;
	nest.close = close;
	nest.depth = 1;
	nest.objects = 1;
	nest.opened[0] = 0;
	close[0] = (uint16_t)(n - 1);
	for (size_t at = 0; last == 0; at += GRAMMAR_STEP, outer = 0) {
		struct kinds k = kinds_of(token + at);

		if (n - at <= 64) {
			last = (uint64_t)1 << (n - at - 1);
			outer |= last;
			part = last | (last - 1);
		}
		if ((bad_pairs(&k, last) & part) != 0 ||
		    !follow_brackets(&nest, &k, part, outer, at))
			return false;
	}
	return nest.depth == 1;
}

/* What is true of a block that has a part of the line, the newline included. */
KERNEL uint32_t
flags_of(const struct json_index *x, size_t from, size_t newline)
{
	const uint8_t *block = x->flags + (from + x->before) / 64;
	const uint8_t *last = x->flags + (newline + x->before) / 64;
	uint32_t flags = *block;

	while (block != last)
		flags |= *++block;
	return flags;
}

/* Add a line: mark it if it is no object, or has an escape in a key. */
KERNEL void
put_line(struct json_index *x, size_t first, size_t last, size_t *e)
{
	size_t from = first == 0 ? 0 : (size_t)x->at[first - 1] + 1;
	uint32_t flags = flags_of(x, from, x->at[last]);

	if ((flags & LINE_ESCAPED) != 0)
		for (; *e < x->nescaped && x->escaped[*e] < last; ++*e)
			if (x->token[x->escaped[*e] + 1] == ':')
				flags |= LINE_ESCAPED_KEY;
	if (!is_object(x->token + first, x->close + first, last - first))
		flags |= LINE_BAD;
	x->lines[x->nlines++] = (uint32_t)last << LINE_FLAG_BITS | flags;
}

ALWAYS_INLINE KERNEL void
index_text(struct json_index *x, struct span text)
{
	size_t first = 0, e = 0;

	index_tokens(x, text);
	check_tails(x, text.p);
	x->nlines = 0;
	for (size_t i = 0; i < x->ntokens; i += 64) {
		struct masks m = classify((const char *)x->token + i);
		uint64_t left = m.newline;
		uint64_t scalars = ~(m.op | m.newline | m.quote | m.digit);

		if (scalars != 0)
			check_scalars(x, text.p, i, scalars);
		for (; left != 0; left &= left - 1) {
			size_t last = i + (size_t)__builtin_ctzll(left);

			if (last >= x->ntokens)
				break;
			put_line(x, first, last, &e);
			first = last + 1;
		}
	}
}

#endif
