/*
 * index_kernel - the part of the indexing that all processors have in
 * common.  A version defines TARGET, the attributes of each function, then
 * includes this, and then defines the functions that are declared here.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef JSON_INDEX_KERNEL_H
#define JSON_INDEX_KERNEL_H

#include "base/digits.h"
#include "json/index.h"

#define KERNEL TARGET static inline
#define ALWAYS_INLINE __attribute__((always_inline))

/* Let the compiler not know what a variable holds. */
#define HIDE(variable) __asm__("" : "+r"(variable))

/*
 * Which of 64 bytes are what; bit 0 is the first.  What is not ASCII is odd,
 * and may be anything from op on too.
 */
struct masks {
	uint64_t odd; /* backslashes, all below 0x20 but newlines */
	uint64_t quote, newline;
	uint64_t op;	/* {}[]:, and newlines */
	uint64_t gap;	/* those, white space and quotes */
	uint64_t blank; /* white space but newlines */
	uint64_t digit, zero;
};

KERNEL struct masks classify(const char *p);

/* Which of 64 bytes are c, or c and above. */
KERNEL uint64_t equal(const char *p, unsigned char c);
KERNEL uint64_t at_least(const char *p, unsigned char c);

/* To each bit, the parity of it and those below. */
KERNEL uint64_t prefix_xor(uint64_t bits);

/*
 * Put the offsets, from at on, and the bytes of the tokens behind the n that
 * there are, '0' for those that are not in a gap.
 */
KERNEL void put_tokens(const struct json_index *x, size_t n, const char *p,
    ptrdiff_t at, uint64_t tokens, uint64_t gap);

/* What the next block has to know of those before. */
struct carry {
	uint64_t in_string; /* all ones in a string */
	uint64_t scalar;    /* 1: the last byte was part of a number or word */
	uint64_t rare;	    /* not 0: something of what follows is */
	uint32_t flags;	    /* of the line so far */
	size_t ntokens, nlines;
};

/* And what of that is rare: each is 0 or 1, but need. */
struct rare_carry {
	uint64_t escaped;	 /* the first byte is */
	uint64_t need;		 /* the first bytes that must continue UTF-8 */
	uint64_t e0, ed, f0, f4; /* the last byte was that */
};

/* prefix_xor where no instruction multiplies without carries. */
static inline uint64_t
shifted_xor(uint64_t bits)
{
	for (int n = 1; n < 64; n *= 2)
		bits ^= bits << n;
	return bits;
}

/*
 * Which of the escaped bytes, of the block at that place, end no valid escape.
 * The newline that ends the text stops the search for hex digits.
 */
static inline uint64_t
bad_escapes(const char *text, ptrdiff_t at, uint64_t escaped)
{
	uint64_t bad = 0;

	for (; escaped != 0; escaped &= escaped - 1) {
		const char *c = text + (at + __builtin_ctzll(escaped));

		switch (*c) {
		case '"':
		case '/':
		case '\\':
		case 'b':
		case 'f':
		case 'n':
		case 'r':
		case 't':
			continue;
		case 'u':
			if (digits_is_hex(c[1]) && digits_is_hex(c[2]) &&
			    digits_is_hex(c[3]) && digits_is_hex(c[4]))
				continue;
			break;
		default:
			break;
		}
		bad |= escaped & -escaped;
	}
	return bad;
}

/*
 * Which bytes are escaped by the last of a run of backslashes, that is, stand
 * behind an odd number of them.  Adding its first bit to a run carries to the
 * byte behind it: one is odd that starts at an even place and ends at an odd
 * one, or the other way round.
 */
KERNEL uint64_t
find_escaped(uint64_t backslash, uint64_t *first)
{
	const uint64_t even = 0x5555555555555555;
	uint64_t runs = backslash & ~*first, starts = runs & ~(runs << 1);
	uint64_t after_even = runs + (starts & even), after_odd, escaped;
	bool out = __builtin_add_overflow(runs, starts & ~even, &after_odd);

	escaped =
	    (after_even & ~runs & ~even) | (after_odd & ~runs & even) | *first;
	*first = out;
	return escaped;
}

/* Shift bits up by n; what falls off the end is for the next block. */
static inline uint64_t
shift(uint64_t bits, int n, uint64_t *fallen)
{
	*fallen |= bits >> (64 - n);
	return bits << n;
}

/*
 * Which bytes are where UTF-8 has no such byte: where sequences need
 * continuing there must be continuations and nowhere else, and some first
 * bytes narrow what may be second.
 */
KERNEL uint64_t
bad_utf8(struct rare_carry *c, const char *p, uint64_t wide)
{
	uint64_t from_c0 = at_least(p, 0xc0), from_e0 = at_least(p, 0xe0);
	uint64_t from_f0 = at_least(p, 0xf0), from_90 = at_least(p, 0x90);
	uint64_t from_a0 = at_least(p, 0xa0), cont = wide & ~from_c0;
	uint64_t e0 = equal(p, 0xe0), ed = equal(p, 0xed);
	uint64_t f0 = equal(p, 0xf0), f4 = equal(p, 0xf4);
	uint64_t need = c->need, next = 0, bad;

	bad = (from_c0 & ~at_least(p, 0xc2)) | at_least(p, 0xf5);
	need |= shift(from_c0, 1, &next);
	need |= shift(from_e0, 2, &next);
	need |= shift(from_f0, 3, &next);
	bad |= need ^ cont;
	bad |= (e0 << 1 | c->e0) & ~from_a0;
	bad |= (ed << 1 | c->ed) & from_a0;
	bad |= (f0 << 1 | c->f0) & ~from_90;
	bad |= (f4 << 1 | c->f4) & from_90;
	c->need = next;
	c->e0 = e0 >> 63;
	c->ed = ed >> 63;
	c->f0 = f0 >> 63;
	c->f4 = f4 >> 63;
	return bad;
}

/*
 * Add the tokens and lines of a block.  What is found in it goes for all lines
 * that have a part in it, which is more than true but soon known.
 */
ALWAYS_INLINE KERNEL void
put_block(const struct json_index *x, struct carry *c, const struct masks *m,
    uint64_t in, uint64_t bad, uint64_t backslash, const char *p, ptrdiff_t at)
{
	uint64_t scalar = ~(m->gap | in);
	uint64_t start = scalar & ~(scalar << 1 | c->scalar);
	uint64_t mixed = (scalar & ~m->digit) | (start & m->zero);
	uint64_t spaced = m->blank & ~in;
	uint64_t left = m->newline, tokens;
	uint32_t flags = (uint32_t)(bad != 0) * LINE_BAD |
	    (uint32_t)(backslash != 0) * LINE_ESCAPED |
	    (uint32_t)(mixed != 0) * LINE_MIXED |
	    (uint32_t)(spaced != 0) * LINE_SPACED;

	tokens = (m->op & ~in) | (m->quote & in) | start;
	put_tokens(x, c->ntokens, p, at, tokens, m->gap);
	c->flags |= flags;
	/*
	 * Most blocks end one line or none; which of the two is hard to
	 * predict, so what is put behind the last line may not count.
	 */
	do {
		uint64_t upto = left ^ (left - 1), ends = left != 0;

		x->lines[c->nlines] = c->flags |
		    (uint32_t)(c->ntokens +
			(size_t)__builtin_popcountll(tokens & upto) - 1)
			<< LINE_FLAG_BITS;
		HIDE(ends);
		c->nlines += ends;
		c->flags = (c->flags & (uint32_t)(ends - 1)) | flags;
		left &= left - 1;
		HIDE(left);
	} while (left != 0);
	c->in_string = -(in >> 63);
	c->scalar = scalar >> 63;
	c->ntokens += (size_t)__builtin_popcountll(tokens);
}

/*
 * Tell whether a block that has something odd needs rare_block: control bytes
 * outside of strings are white space, or scalars that are none.
 */
KERNEL bool
is_rare(const struct carry *c, const char *p, uint64_t in)
{
	uint64_t control = ~at_least(p, 0x20);

	return (c->rare | (control & in) | at_least(p, 0x80) |
		   equal(p, '\\')) != 0;
}

/*
 * A block with a backslash, with more than ASCII, or with what must not be in
 * a string; of the text at that place.
 */
TARGET static __attribute__((noinline)) void
rare_block(const struct json_index *x, struct carry *c, struct rare_carry *rare,
    struct masks *m, const char *p, const char *text, ptrdiff_t at)
{
	uint64_t wide = at_least(p, 0x80), backslash = equal(p, '\\');
	uint64_t control = ~at_least(p, 0x20);
	uint64_t escaped = find_escaped(backslash, &rare->escaped);
	uint64_t bad = bad_escapes(text, at, escaped), in, broken;

	if ((wide | rare->need) != 0)
		bad |= bad_utf8(rare, p, wide);
	c->rare = rare->escaped | rare->need;
	m->op &= ~wide;
	m->gap &= ~(wide | (m->quote & escaped));
	m->quote &= ~escaped;
	m->blank &= ~wide;
	in = prefix_xor(m->quote) ^ c->in_string;
	/* A string that a newline breaks ends there. */
	for (broken = in & m->newline; broken != 0; broken = in & m->newline) {
		uint64_t bit = broken & -broken;

		bad |= bit;
		in ^= -bit;
	}
	bad |= (control & in) | (wide & ~in);
	put_block(x, c, m, in, bad, backslash, p, at);
}

/*
 * The 64 bytes from at on; what of them is not of the text is blank, in a copy
 * at room.
 */
KERNEL const char *
block_at(struct span text, ptrdiff_t at, char *room)
{
	ptrdiff_t end = (ptrdiff_t)text.n, begin = at < 0 ? 0 : at;

	if (at == begin && end - at >= 64)
		return text.p + at;
	memset(room, ' ', 64);
	memcpy(room + (begin - at), text.p + begin,
	    (size_t)((end - at < 64 ? end : at + 64) - begin));
	return room;
}

ALWAYS_INLINE KERNEL void
index_text(struct json_index *x, struct span text)
{
	const struct json_index out = *x;
	struct carry c = { 0 };
	struct rare_carry rare = { 0 };
	char room[64];

	/* Blocks that lie in one line of the cache take 9 % less time. */
	for (ptrdiff_t at = -(ptrdiff_t)((uintptr_t)text.p % 64);
	     at < (ptrdiff_t)text.n; at += 64) {
		const char *p = block_at(text, at, room);
		struct masks m = classify(p);
		uint64_t in = prefix_xor(m.quote) ^ c.in_string;

		if ((m.odd | (m.newline & in) | c.rare) != 0 &&
		    is_rare(&c, p, in)) {
			/* Copies, for the usual ones to stay in registers. */
			struct carry carry = c;
			struct masks masks = m;

			rare_block(x, &carry, &rare, &masks, p, text.p, at);
			c = carry;
		} else if ((m.quote | m.newline | ~c.in_string) != 0) {
			/* Not in the middle of a long string. */
			put_block(&out, &c, &m, in, 0, 0, p, at);
		}
	}
	x->nlines = c.nlines;
}

#endif
