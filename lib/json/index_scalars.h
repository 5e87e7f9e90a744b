/*
 * index_scalars - whether numbers and words are valid.  A version includes this
 * after index_kernel and the functions that it declares.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef JSON_INDEX_SCALARS_H
#define JSON_INDEX_SCALARS_H

#include "base/number.h"
#include "base/word.h"
#include "json/index_kernel.h"

/* What may follow one. */
static const bool scalar_ends[256] = { ['\t'] = true,
	['\n'] = true,
	['\r'] = true,
	[' '] = true,
	[','] = true,
	[']'] = true,
	['}'] = true };

/* Tell whether a number is valid from there on, where its tail is (index.h). */
static inline bool
is_tail(const char *p)
{
	const char *lacks = NULL;

	if (*p == '0')
		return !digits_is(p[1]);
	p = number_tail_end(p, &lacks);
	return lacks == NULL && scalar_ends[(unsigned char)*p];
}

/* Tell whether there is a number at p, and no more. */
static inline bool
is_number(const char *p)
{
	const char *lacks = NULL;

	p = number_end(p, &lacks);
	return lacks == NULL && scalar_ends[(unsigned char)*p];
}

/* Tell whether there is a word at p, and no more. */
static inline bool
is_word(const char *p)
{
	/* By two bits of its first letter; none begins with NUL. */
	static const struct {
		char text[8];
		uint64_t mask;
		unsigned bits;
	} words[4] = { { "false", 0xffffffffff, 40 },
		{ "null", 0xffffffff, 32 }, { "true", 0xffffffff, 32 },
		{ "", 0xff, 8 } };
	unsigned k = (unsigned char)*p >> 3 & 3;
	uint64_t here = word_load(p);

	return (here & words[k].mask) == word_load(words[k].text) &&
	    scalar_ends[here >> words[k].bits & 255];
}

/* Check the tails of numbers, and mark the blocks of those that are not valid. */
static inline void
check_tails(struct json_index *x, const char *text)
{
	for (size_t i = 0; i < x->ntails; i++)
		if (!is_tail(text + x->tails[i]))
			x->flags[(x->tails[i] + x->before) / 64] |= LINE_BAD;
}

/*
 * Check those of 64 tokens, from the first on, whose bits are in scalars: words,
 * and numbers that begin with no digit.  Mark the blocks of those that are not
 * valid.
 */
KERNEL void
check_scalars(struct json_index *x, const char *text, size_t first,
    uint64_t scalars)
{
	const uint16_t *at = x->at + first;
	uint64_t words, numbers, bad = 0;

	if (x->ntokens - first < 64)
		scalars &= ((uint64_t)1 << (x->ntokens - first)) - 1;
	words = scalars & at_least((const char *)x->token + first, 'a');
	numbers = scalars ^ words;
	for (; words != 0; words &= words - 1)
		if (!is_word(text + at[__builtin_ctzll(words)]))
			bad |= words & -words;
	for (; numbers != 0; numbers &= numbers - 1)
		if (!is_number(text + at[__builtin_ctzll(numbers)]))
			bad |= numbers & -numbers;
	for (; bad != 0; bad &= bad - 1)
		x->flags[(at[__builtin_ctzll(bad)] + x->before) / 64] |=
		    LINE_BAD;
}

#endif
