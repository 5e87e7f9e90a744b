/*
 * index_kernel - the part of the indexing that all processors have in
 * common.  A version defines TARGET, the attributes of each function, then
 * includes this, and then defines the functions that are declared here.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef JSON_INDEX_KERNEL_H
#define JSON_INDEX_KERNEL_H

#include <string.h>

#include "json/index.h"
#include "json/index_tables.h"

#define KERNEL TARGET static inline
#define ALWAYS_INLINE __attribute__((always_inline))

/*
 * Which of 64 bytes are what; bit 0 is the first.  What is not ASCII is odd,
 * and may be anything from op on too.
 */
struct masks {
	uint64_t odd; /* backslashes, all below 0x20 but newlines */
	uint64_t quote, newline;
	uint64_t op;	/* {}[]:, and maybe newlines */
	uint64_t blank; /* white space, newlines too */
	uint64_t digit, zero;
};

ALWAYS_INLINE KERNEL struct masks classify(const char *p);

/* Which of 64 bytes are c, or c and above. */
KERNEL uint64_t equal(const char *p, unsigned char c);
KERNEL uint64_t at_least(const char *p, unsigned char c);

/* To each bit, the parity of it and those below. */
KERNEL uint64_t prefix_xor(uint64_t bits);

/* Which of 64 bytes may end an escape of two bytes, and which are hex digits. */
KERNEL uint64_t escapable(const char *p, uint64_t *hex);

/*
 * Which of 64 bytes cannot stand in UTF-8 behind those before, which must be
 * readable.
 */
KERNEL uint64_t bad_utf8(const char *p);

/*
 * Put the offsets, from at on, and the bytes of the tokens behind the n that
 * there are.
 */
KERNEL void put_tokens(const struct json_index *x, size_t n, const char *p,
    ptrdiff_t at, uint64_t tokens);

/* What the next block has to know of those before. */
struct carry {
	uint64_t in_string; /* all ones in a string */
	uint64_t scalar;    /* 1: the last byte was part of a number or word */
	uint64_t rare;	    /* not 0: something of what follows is */
	uint64_t digits;    /* 1: that part was of digits alone */
	size_t ntokens, nescaped, ntails;
};

/* The same of what is rare. */
struct rare_carry {
	uint64_t escaped; /* 1: the first byte is */
	uint64_t hex;	  /* the first bytes that must be hex digits */
	uint64_t wide;	  /* not 0: the last three bytes were not all ASCII */
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

/*
 * Which bytes end no valid escape, of those that are escaped or that the
 * block before wants to be hex digits.
 */
KERNEL uint64_t
bad_escapes(struct rare_carry *c, const char *p, uint64_t escaped)
{
	uint64_t hex, bad = escaped & ~escapable(p, &hex);
	uint64_t u = escaped & equal(p, 'u');

	bad |= (c->hex | u << 1 | u << 2 | u << 3 | u << 4) & ~hex;
	c->hex = u >> 63 | u >> 62 | u >> 61 | u >> 60;
	return bad;
}

/* Note which strings, of the tokens, the backslashes are in. */
KERNEL void
note_escapes(const struct json_index *x, struct carry *c, uint64_t tokens,
    uint64_t backslash)
{
	while (backslash != 0) {
		uint64_t below = (backslash & -backslash) - 1;
		uint64_t next = tokens & ~below;

		x->escaped[c->nescaped++] = (uint16_t)(c->ntokens +
		    (size_t)__builtin_popcountll(tokens & below) - 1);
		backslash &= next == 0 ? 0 : -(next & -next);
	}
}

/*
 * Add the tokens of a block, and the tails of numbers.  Returns the flags of the
 * lines that it is of.
 */
ALWAYS_INLINE KERNEL unsigned
put_block(const struct json_index *x, struct carry *c, const struct masks *m,
    uint64_t in, uint64_t bad, uint64_t backslash, const char *p, ptrdiff_t at)
{
	uint64_t gap = m->op | m->blank | m->quote | in, scalar = ~gap;
	uint64_t behind = scalar << 1 | c->scalar, start = scalar & ~behind;
	uint64_t zero = start & m->zero, other = scalar & behind & ~m->digit;
	uint64_t tokens, first;
	unsigned flags = 0;

	/* Adding the first bit of a run of digits carries to behind it. */
	c->digits = __builtin_add_overflow(scalar & m->digit, start | c->digits,
	    &first);
	first = (first & other) | (zero & (m->digit >> 1 | (uint64_t)1 << 63));
	if ((m->blank & ~(in | m->newline)) != 0)
		flags |= LINE_SPACED;
	if (first != 0) {
		flags |= LINE_TAILS;
		for (; first != 0; first &= first - 1)
			x->tails[c->ntails++] =
			    (uint16_t)(at + __builtin_ctzll(first));
	}
	if (bad != 0)
		flags |= LINE_BAD;
	tokens = (m->op & ~in) | (m->quote & in) | start | m->newline;
	put_tokens(x, c->ntokens, p, at, tokens);
	if (backslash != 0) {
		note_escapes(x, c, tokens, backslash & in);
		flags |= LINE_ESCAPED;
	}
	c->in_string = -(in >> 63);
	c->scalar = scalar >> 63;
	c->ntokens += (size_t)__builtin_popcountll(tokens);
	return flags;
}

/*
 * Tell whether a block that has something odd needs rare_block: control bytes
 * outside of strings are white space, or else wrong.
 */
KERNEL bool
is_rare(const struct masks *m, const char *p, uint64_t in)
{
	uint64_t control = ~at_least(p, 0x20) & ~m->newline;

	return ((control & (in | ~m->blank)) | (m->newline & in) |
		   at_least(p, 0x80) | equal(p, '\\')) != 0;
}

/*
 * Add a block that may have a backslash, more than ASCII, or what must not be in
 * a string.  Returns the flags of its lines.
 */
TARGET static __attribute__((noinline)) unsigned
rare_block(const struct json_index *x, struct carry *c, struct rare_carry *rare,
    const char *p, ptrdiff_t at)
{
	struct masks m = classify(p);
	uint64_t wide = at_least(p, 0x80), backslash = equal(p, '\\');
	uint64_t control = ~at_least(p, 0x20) & ~m.newline;
	uint64_t bad = 0, in, broken;

	if ((backslash | rare->escaped | rare->hex) != 0) {
		uint64_t escaped = find_escaped(backslash, &rare->escaped);

		bad = bad_escapes(rare, p, escaped);
		m.quote &= ~escaped;
	}
	if ((wide | rare->wide) != 0)
		bad |= bad_utf8(p);
	rare->wide = wide >> 61;
	c->rare = rare->escaped | rare->hex | rare->wide;
	m.op &= ~wide;
	m.blank &= ~wide;
	in = prefix_xor(m.quote) ^ c->in_string;
	/* A string that a newline breaks ends there. */
	for (broken = in & m.newline; broken != 0; broken = in & m.newline) {
		uint64_t bit = broken & -broken;

		bad |= bit;
		in ^= -bit;
	}
	bad |= (control & (in | ~m.blank)) | (wide & ~in);
	return put_block(x, c, &m, in, bad, backslash, p, at);
}

/* Before the room for a block, for what may be read before it. */
enum { BEFORE = 64 };

/*
 * The 64 bytes from at on, behind three that are readable; what of them is not
 * of the text is blank, in a copy at room.
 */
KERNEL const char *
block_at(struct span text, ptrdiff_t at, char room[BEFORE + 64])
{
	ptrdiff_t end = (ptrdiff_t)text.n, begin;

	if (at >= 3 && at <= end - 64)
		return text.p + at;
	begin = at < 3 ? 0 : at - 3;
	memset(room, ' ', BEFORE + 64);
	memcpy(room + BEFORE + (begin - at), text.p + begin,
	    (size_t)((end - at < 64 ? end : at + 64) - begin));
	return room + BEFORE;
}

/*
 * Index the blocks from at on that lie in the text as a whole, up to one that
 * is rare.  Returns where the next one is.
 */
ALWAYS_INLINE KERNEL ptrdiff_t
index_plain(const struct json_index *x, struct carry *carry, struct span text,
    ptrdiff_t at)
{
	/* Copies, to stay in registers. */
	const struct json_index out = *x;
	struct carry c = *carry;
	uint8_t *flags = x->flags + ((size_t)at + x->before) / 64;

	for (; at <= (ptrdiff_t)text.n - 64; at += 64, flags++) {
		const char *p = text.p + at;
		struct masks m = classify(p);
		uint64_t in = prefix_xor(m.quote) ^ c.in_string;

		if ((m.odd | (m.newline & in)) != 0 && is_rare(&m, p, in))
			break;
		*flags = 0;
		/* Not in the middle of a long string. */
		if ((m.quote | m.newline | ~c.in_string) != 0)
			*flags =
			    (uint8_t)put_block(&out, &c, &m, in, 0, 0, p, at);
	}
	*carry = c;
	return at;
}

/* Index the tokens, and put what is true of the lines in each block. */
KERNEL void
index_tokens(struct json_index *x, struct span text)
{
	struct carry c = { 0 };
	struct rare_carry rare = { 0 };
	char room[BEFORE + 64];

	x->before = (uintptr_t)text.p % 64;
	/* Blocks that lie in one line of the cache take 9 % less time. */
	for (ptrdiff_t at = -(ptrdiff_t)x->before; at < (ptrdiff_t)text.n;
	     at += 64) {
		if (at >= 0 && c.rare == 0)
			at = index_plain(x, &c, text, at);
		if (at < (ptrdiff_t)text.n)
			x->flags[(size_t)(at + (ptrdiff_t)x->before) / 64] =
			    (uint8_t)rare_block(x, &c, &rare,
				block_at(text, at, room), at);
	}
	x->ntokens = c.ntokens;
	x->nescaped = c.nescaped;
	x->ntails = c.ntails;
}

#endif
