/*
 * index_escapes - find the escapes in blocks, check them, and mark the keys
 * that have some.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef JSON_INDEX_ESCAPES_H
#define JSON_INDEX_ESCAPES_H

#include "json/index_masks.h"

/*
 * What escapes, and what that escapes: of each run of backslashes the first,
 * the third and so on, and the byte behind each of these.
 *
 *	text		a \ \ \ n \ \ b
 *	odd		. 1 . 1 . 1 . 1
 *	runs << 1 | odd	. 1 1 1 1 1 1 1
 *	less runs	. . . . 1 . . 1
 *	^ odd		. 1 . 1 1 1 . .
 */
KERNEL masks
escapes_in(masks runs)
{
	const uint64_t odd = 0xaaaaaaaaaaaaaaaa;

	return ((runs << 1 | odd) - runs) ^ odd;
}

/* Which of 64 bytes, the u of an escape, have four hex digits behind them. */
KERNEL uint64_t
have_digits(const char *p)
{
	uint64_t hex = hex_digits(p), later = hex_digits(p + 4);

	return (hex >> 1 | later << 3) & (hex >> 2 | later << 2) &
	    (hex >> 3 | later << 1) & later;
}

/*
 * Tell whether the escapes of a block are valid.  bits has the backslashes,
 * escaped ones too, and what they escape; four bytes behind the block are
 * readable.
 */
KERNEL bool
escapes_are_valid(const char *p, uint64_t bits)
{
	uint64_t u, bad = bits & ~escapable(p, &u);

	u &= bits;
	if (u != 0)
		bad |= u & ~have_digits(p);
	return bad == 0;
}

/* Find which of n blocks end in a backslash that escapes. */
KERNEL void
find_last_escapes(struct blocks *b, size_t n)
{
	const struct column *slashes = &b->seen[BACKSLASH];
	masks full = { 0 };
	uint64_t last = b->escapes.before[LAST];

	for (size_t k = 0; k < n; k += MASKS) {
		masks slash = masks_at(slashes, OWN + k);
		masks escapes = (escapes_in(slash) & slash) >> 63;

		full |= (masks)(slash == ~(uint64_t)0);
		memcpy(b->escapes.of + k, &escapes, sizeof escapes);
	}
	if (bits_of_all(full) == 0)
		return;
	/* In a block of backslashes alone it depends on what is before. */
	for (size_t k = 0; k < n; k++)
		last = b->escapes.of[k] =
		    slashes->of[k] == ~(uint64_t)0 ? last : b->escapes.of[k];
}

/*
 * Put what escapes and what is escaped into those blocks from the k-th on, and
 * take escaped quotes out of QUOTE.  Returns all ones for each that has some.
 */
KERNEL masks
put_escapes(struct blocks *b, uint64_t *put, size_t k)
{
	masks slash = masks_at(&b->seen[BACKSLASH], OWN + k);
	masks first = masks_at(&b->escapes, LAST + k);
	masks flags = masks_at(&b->flags, OWN + k);
	masks all = slash | first;
	masks escaped = escapes_in(slash & ~first) ^ all;
	masks quote = masks_at(&b->seen[QUOTE], OWN + k) & ~escaped;

	all |= escaped;
	flags |= have_bits(all) & LINE_ESCAPED;
	memcpy(put + k, &all, sizeof all);
	memcpy(b->flags.of + k, &flags, sizeof flags);
	memcpy(b->seen[QUOTE].of + k, &quote, sizeof quote);
	return have_bits(all);
}

/* Tell whether n blocks have escapes, or the first byte is escaped. */
KERNEL bool
have_escapes(struct blocks *b, size_t n)
{
	masks any = { 0 };

	for (size_t k = n; k % MASKS != 0; k++)
		b->seen[BACKSLASH].of[k] = 0;
	for (size_t k = 0; k < n; k += MASKS)
		any |= masks_at(&b->seen[BACKSLASH], OWN + k);
	return (bits_of_all(any) | b->escapes.before[LAST]) != 0;
}

/*
 * Find and check the escapes of n blocks, the first of which is the i-th of
 * all.  Returns whether there are any.
 */
KERNEL bool
find_escapes(const struct json_index *x, struct blocks *b, struct carry *c,
    const char *p, size_t i, size_t n)
{
	const masks bit = bit_of_each();
	masks with = { 0 };

	if (!have_escapes(b, n)) {
		if (c->escapes != 0)
			memset(x->escapes + i, 0, n * sizeof *x->escapes);
		return false;
	}
	find_last_escapes(b, n);
	for (size_t k = 0; k < n; k += MASKS)
		with |= put_escapes(b, x->escapes + i, k) & bit << k;
	b->escapes.before[LAST] = b->escapes.of[n - 1];
	/* From bit to bit: a branch for each block is hard to predict. */
	for (uint64_t bits = bits_of_all(with) & ~(uint64_t)0 >> (64 - n);
	     bits != 0; bits &= bits - 1) {
		size_t k = (size_t)__builtin_ctzll(bits);

		if (!escapes_are_valid(p + 64 * k, x->escapes[i + k]))
			b->flags.of[k] |= LINE_BAD;
	}
	return true;
}

/*
 * Find where strings with escapes end, in n blocks.  Adding an escape to the
 * ones of its string carries to the quote behind it; from block to block, a sum
 * with a bit for each block carries.  Returns which blocks have such ends.
 */
KERNEL uint64_t
find_escaped_strings(const struct json_index *x, struct blocks *b,
    struct carry *c, size_t i, size_t n)
{
	const masks bit = bit_of_each();
	masks out = { 0 }, on = { 0 }, with = { 0 };
	uint64_t carry_out, passes_on, carries;

	for (size_t k = 0; k < n; k += MASKS) {
		masks in = masks_at(&b->in, OWN + k), escapes, sum;

		memcpy(&escapes, x->escapes + i + k, sizeof escapes);
		escapes &= in;
		sum = in + escapes;
		out |= -((escapes | (in & ~sum)) >> 63) & bit << k;
		on |= (masks)(sum == ~(uint64_t)0) & bit << k;
		memcpy(b->key_ends.of + k, &sum, sizeof sum);
	}
	carry_out = bits_of_all(out);
	passes_on = bits_of_all(on);
	carries =
	    ((carry_out | passes_on) + carry_out + c->escapes) ^ passes_on;
	c->escapes = (carry_out | (passes_on & carries)) >> (n - 1) & 1;
	for (size_t k = 0; k < n; k += MASKS) {
		masks in = masks_at(&b->in, OWN + k);
		masks ends = masks_at(&b->key_ends, OWN + k) -
		    have_bits(carries & bit << k);

		ends &= ~in;
		with |= have_bits(ends) & bit << k;
		memcpy(b->key_ends.of + k, &ends, sizeof ends);
	}
	/* A carry out of the last block is no end in those behind it. */
	return bits_of_all(with) & ~(uint64_t)0 >> (64 - n);
}

/* Find which of n blocks keys with escapes end in, and mark these. */
KERNEL uint64_t
find_escaped_keys(const struct json_index *x, struct blocks *b, struct carry *c,
    const char *p, size_t i, size_t n)
{
	uint64_t any = 0;

	for (uint64_t bits = find_escaped_strings(x, b, c, i, n); bits != 0;
	     bits &= bits - 1) {
		size_t k = (size_t)__builtin_ctzll(bits);
		uint64_t ends = b->key_ends.of[k] & equal(p + 64 * k + 1, ':');

		b->key_ends.of[k] = ends;
		b->flags.of[k] |= ends != 0 ? LINE_ESCAPED_KEY : 0;
		any |= ends != 0 ? bits & -bits : 0;
	}
	return any;
}

/*
 * Mark the keys that end where find_escaped_keys says, in those of n blocks:
 * each is the last token before.  The first block has ntokens before it.
 */
KERNEL void
mark_escaped_keys(const struct json_index *x, const struct blocks *b,
    uint64_t blocks, size_t ntokens, size_t n)
{
	size_t last[BLOCKS] = { 0 }; /* the token before each block */

	for (size_t k = 0; k < n; k++) {
		last[k] = ntokens - 1;
		ntokens += (size_t)__builtin_popcountll(b->tokens.of[k]);
	}
	for (; blocks != 0; blocks &= blocks - 1) {
		size_t k = (size_t)__builtin_ctzll(blocks);
		uint64_t ends = b->key_ends.of[k];

		for (; ends != 0; ends &= ends - 1) {
			uint64_t before = b->tokens.of[k] & (ends ^ (ends - 1));
			size_t key =
			    last[k] + (size_t)__builtin_popcountll(before);

			x->escaped_keys[key / 64] |= (uint64_t)1 << key % 64;
		}
	}
}

#endif
