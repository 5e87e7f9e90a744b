/*
 * index_kernel - the part of the indexing that all processors have in common.
 *
 * Each step is taken for 64 blocks before the next, so that no step waits for
 * another on the same block, and the masks of several blocks are worked on at
 * once.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef JSON_INDEX_KERNEL_H
#define JSON_INDEX_KERNEL_H

#include "json/index_escapes.h"
#include "json/index_numbers.h"

/* Let a string that a newline breaks end there. */
KERNEL uint64_t
break_strings(const char *p, uint64_t in)
{
	uint64_t newline = equal(p, '\n'), broken;

	for (broken = in & newline; broken != 0; broken = in & newline)
		in ^= -(broken & -broken);
	return in;
}

/*
 * Find the strings of a block, the k-th of those.  With care, a newline ends
 * its string; only control characters in strings need that.
 */
KERNEL void
find_strings(struct blocks *b, struct carry *c, const char *p, size_t k,
    bool care)
{
	uint64_t in = prefix_xor(b->seen[QUOTE].of[k]) ^ c->in_string;

	if (care && (in & ~at_least(p, ' ')) != 0) {
		in = break_strings(p, in);
		b->flags.of[k] |= LINE_BAD;
	}
	c->in_string = -(in >> 63);
	b->in.of[k] = in;
}

/*
 * Find the tokens of the blocks from the k-th on, and what check_numbers wants
 * of them.  Returns which control characters are in strings.
 */
ALWAYS_INLINE KERNEL masks
find_tokens(struct blocks *b, struct numbers *numbers, size_t k)
{
	struct kinds_seen seen = kinds_seen(b->seen, OWN + k);
	struct kinds_seen last = kinds_seen(b->seen, LAST + k);
	masks in = masks_at(&b->in, OWN + k);
	masks last_in = masks_at(&b->in, LAST + k);
	masks quote = masks_at(&b->seen[QUOTE], OWN + k);
	masks op = seen.op & ~in, last_op = last.op & ~last_in;
	masks blank = seen.blank & ~in, last_blank = last.blank & ~last_in;
	masks last_gap = last_op | last_in |
	    masks_at(&b->seen[QUOTE], LAST + k) | last_blank;
	masks scalar = ~(op | blank | quote | in);
	masks start = scalar & ~(scalar << 1 | ~last_gap >> 63);
	masks digits = scalar & seen.digit;
	masks last_digits = last.digit & ~last_gap;
	masks tokens = op | (quote & in) | start;
	masks tails = scalar & ~seen.digit & (digits << 1 | last_digits >> 63);
	masks zeros = start & seen.zero;
	/* More than digits, or perhaps a zero before others. */
	masks odd = tails | (zeros & (digits >> 1 | (uint64_t)1 << 63));
	/* A blank between two of these is behind no key, and no scalar. */
	masks loose =
	    op & (blank << 1 | last_blank >> 63) & ~(op << 2 | last_op >> 62);
	masks looser = loose & (blank << 2 | last_blank >> 62);
	masks flags = masks_at(&b->flags, OWN + k) |
	    (have_bits(odd) & LINE_TAILS) | (have_bits(loose) & LINE_LOOSE) |
	    (have_bits(looser) & LINE_LOOSER) |
	    (have_bits(masks_at(&b->seen[WIDE], OWN + k)) & LINE_WIDE);

	memcpy(b->tokens.of + k, &tokens, sizeof tokens);
	memcpy(numbers->digits + k, &digits, sizeof digits);
	memcpy(numbers->tails + k, &tails, sizeof tails);
	memcpy(numbers->zeros + k, &zeros, sizeof zeros);
	memcpy(b->flags.of + k, &flags, sizeof flags);
	return seen.control & in;
}

/* Find the tokens of n blocks.  False: strings have control characters. */
ALWAYS_INLINE KERNEL bool
find_all_tokens(struct blocks *b, struct numbers *numbers, size_t n)
{
	masks control = { 0 };

	for (size_t k = n; k % MASKS != 0; k++)
		b->in.of[k] = 0;
	for (size_t k = 0; k < n; k += MASKS)
		control |= find_tokens(b, numbers, k);
	return bits_of_all(control) == 0;
}

/* What is before the first block is what the last of n was. */
KERNEL void
carry_on(struct blocks *b, size_t n)
{
	struct column *const all[] = { &b->in, &b->seen[QUOTE], &b->seen[OP],
		&b->seen[BLANK], &b->seen[DIGIT] };

	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		all[i]->before[LAST] = all[i]->of[n - 1];
}

/* Find the strings and tokens of n blocks. */
ALWAYS_INLINE KERNEL bool
find_all(struct blocks *b, struct carry *c, const char *p,
    struct numbers *numbers, size_t n, bool care)
{
	for (size_t k = 0; k < n; k++)
		find_strings(b, c, p + 64 * k, k, care);
	return find_all_tokens(b, numbers, n);
}

/* find_all once more, with care. */
TARGET static __attribute__((noinline)) void
find_broken(struct blocks *b, struct carry *c, const char *p,
    struct numbers *numbers, size_t n)
{
	find_all(b, c, p, numbers, n, true);
}

/*
 * All 64, however many there are: compilers do a fixed number by vectors.  The
 * others are set by the next call, or cleared by check_utf8.
 */
KERNEL void
put_flags(uint8_t *restrict to, const uint64_t *restrict flags)
{
	for (size_t k = 0; k < BLOCKS; k++)
		to[k] = (uint8_t)flags[k];
}

/* Index n blocks from p on; the first is the i-th of the text. */
TARGET static __attribute__((noinline)) void
index_blocks(const struct json_index *x, struct blocks *b, struct carry *carry,
    const char *p, size_t i, size_t n)
{
	/* Copies, to stay in registers. */
	const struct json_index out = *x;
	struct carry c = *carry;
	uint64_t in_string = c.in_string, escaped_keys = 0;
	struct numbers numbers;
	bool any_escapes;

	for (size_t k = 0; k < n; k += MASKS)
		memset(b->flags.of + k, 0, sizeof(masks));
	classify(b, p, n);
	any_escapes = find_escapes(&out, b, &c, p, i, n);
	if (!find_all(b, &c, p, &numbers, n, false)) {
		c.in_string = in_string;
		find_broken(b, &c, p, &numbers, n);
	}
	if (any_escapes || c.escapes != 0)
		escaped_keys = find_escaped_keys(&out, b, &c, p, i, n);
	if (escaped_keys != 0)
		mark_escaped_keys(&out, b, escaped_keys, c.ntokens, n);
	c.ntokens = put_tokens(&out, c.ntokens, p, i * 64, &b->tokens, n);
	put_flags(out.flags + i, b->flags.of);
	check_numbers(&numbers, p, out.flags + i, &c.number_ends, n);
	carry_on(b, n);
	*carry = c;
}

enum {
	/* The bytes before a block, and behind it, that are looked at too. */
	BEFORE = 3,
	BEHIND = 4,
	ROOM = 3 * 64,
	PAGE = JSON_INDEX_PAGE / 64, /* blocks */
};

/* The offset of a block in the text, which begins so many bytes after origin. */
KERNEL ptrdiff_t
block_offset(size_t block, size_t before)
{
	return (ptrdiff_t)(block * 64) - (ptrdiff_t)before;
}

/*
 * The block at that offset, with what is before and behind it.  If some of that
 * is not in the text, this is a copy at room, with blanks in its place and, if
 * the text begins there, a closing quote right before it.
 */
KERNEL const char *
block_at(struct span text, ptrdiff_t at, char room[ROOM])
{
	ptrdiff_t begin = at - BEFORE, end = at + 64 + BEHIND;

	if (begin >= 0 && end <= (ptrdiff_t)text.n)
		return text.p + at;
	begin = begin < 0 ? 0 : begin;
	end = end > (ptrdiff_t)text.n ? (ptrdiff_t)text.n : end;
	memset(room, ' ', ROOM);
	if (at <= 0)
		room[63 - at] = '"';
	memcpy(room + 64 + (begin - at), text.p + begin, (size_t)(end - begin));
	return room + 64;
}

/* Index the tokens, and put what is true of the lines in each block. */
KERNEL void
index_tokens(struct json_index *x, struct span text)
{
	struct carry c = { 0 };
	struct blocks b;
	char room[ROOM];
	ptrdiff_t end = (ptrdiff_t)text.n, at;
	size_t before = (uintptr_t)text.p % 64, n;

	b.escapes.before[LAST] = 0;
	b.in.before[LAST] = b.seen[QUOTE].before[LAST] = 0;
	b.seen[OP].before[LAST] = ~(uint64_t)0; /* no number goes on */
	b.seen[BLANK].before[LAST] = b.seen[DIGIT].before[LAST] = 0;
	/* Clear the marks of the text before. */
	memset(x->escaped_keys, 0,
	    (x->ntokens / 64 + 1) * sizeof *x->escaped_keys);
	/* Blocks that lie in one line of the cache take 9 % less time. */
	x->origin = (const char *)((uintptr_t)text.p - before);
	/*
	 * The bytes before the text count as a string, which block_at closes;
	 * as blanks they would look like some behind a value.
	 */
	c.in_string = -(uint64_t)(before != 0);
	x->npages = 0;
	for (size_t i = 0; (at = block_offset(i, before)) < end; i += n) {
		bool whole = at >= 0 && at <= end - 64;

		if (i % PAGE == 0)
			x->pages[x->npages++] = c.ntokens;
		n = whole ? (size_t)(end - at) / 64 : 1;
		n = n < BLOCKS ? n : BLOCKS;
		n = n < PAGE - i % PAGE ? n : PAGE - i % PAGE;
		index_blocks(x, &b, &c,
		    whole ? text.p + at : block_at(text, at, room), i, n);
	}
	x->pages[x->npages] = x->ntokens = c.ntokens;
}

#endif
