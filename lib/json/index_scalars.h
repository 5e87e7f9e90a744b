/*
 * index_scalars - whether words, and the signs before numbers, are valid.  A
 * version includes this after index_kernel and the functions that it declares.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef JSON_INDEX_SCALARS_H
#define JSON_INDEX_SCALARS_H

#include "base/digits.h"
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

/*
 * Tell whether a minus and a digit are at p, and no digit behind a zero; the
 * rest is checked by index_numbers.
 */
static inline bool
is_sign(const char *p)
{
	return p[0] == '-' && digits_is(p[1]) &&
	    !(p[1] == '0' && digits_is(p[2]));
}

/* Tell whether there is a word, no more, at each offset whose bit is set. */
static inline bool
are_words(const char *text, const uint16_t *at, uint64_t bits)
{
	/* By two bits of its first letter; none begins with NUL. */
	static const struct {
		char text[8];
		uint64_t mask;
	} words[4] = { { "false", 0xffffffffff }, { "null", 0xffffffff },
		{ "true", 0xffffffff }, { "", 0xff } };
	static const unsigned char length[4] = { 40, 32, 32, 8 };
	uint64_t wrong = 0;
	bool ends = true;

	for (; bits != 0; bits &= bits - 1) {
		uint64_t here = word_load(text + at[__builtin_ctzll(bits)]);
		unsigned k = here >> 3 & 3;

		wrong |= (here & words[k].mask) ^ word_load(words[k].text);
		ends &= scalar_ends[here >> length[k] & 255];
	}
	return wrong == 0 && ends;
}

/*
 * Check those of 64 tokens, from the first on, whose bits are in scalars: words
 * and numbers that begin with no digit.  Their offsets count from page.  Mark
 * the blocks of those that are not valid, as mark_bad does.
 */
KERNEL void
check_scalars(const struct json_index *x, const char *page, size_t first,
    uint64_t scalars)
{
	const uint16_t *at = x->at + first;
	uint64_t words, numbers, bad = 0;

	words = scalars & at_least((const char *)x->token + first, 'a');
	numbers = scalars ^ words;
	if (!are_words(page, at, words))
		bad = words;
	for (; numbers != 0; numbers &= numbers - 1)
		if (!is_sign(page + at[__builtin_ctzll(numbers)]))
			bad |= numbers & -numbers;
	for (; bad != 0; bad &= bad - 1)
		x->flags[at[__builtin_ctzll(bad)] / 64] |= LINE_BAD;
}

#endif
