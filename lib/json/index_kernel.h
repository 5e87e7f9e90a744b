/*
 * index_kernel - the part of the indexing that all processors have in common.  A
 * version defines TARGET, the attributes of each function, LANES, how many bytes
 * its vectors have, and SEEN_AT_ONCE, how many blocks classify does; then it
 * includes this, and then defines the functions that are declared here.
 *
 * It takes some steps for 64 blocks each before the next, as no step has to wait
 * for what another did to the same block, and the masks of several blocks are
 * worked on at once.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef JSON_INDEX_KERNEL_H
#define JSON_INDEX_KERNEL_H

#include <stddef.h>
#include <string.h>

#include "json/index.h"
#include "json/index_tables.h"

#define KERNEL TARGET static inline
#define ALWAYS_INLINE __attribute__((always_inline))

/* Let the compiler not know what a variable, or a vector, holds. */
#define HIDE(variable) __asm__("" : "+r"(variable))
#define HIDE_VECTOR(variable) __asm__("" : "+x"(variable))

enum {
	/* So many blocks are done together. */
	BLOCKS = 64,
	/* The masks of so many are worked on at once. */
	MASKS = LANES / 8,
};

typedef uint64_t masks __attribute__((vector_size(LANES)));

/* A mask of each block; the last before is that of the block before these. */
struct column {
	uint64_t before[8], of[BLOCKS];
};

enum {
	LAST = 7, /* the place in a column of the block before the first */
	OWN = 8,  /* and of the first */
};

/* The masks from that place in a column on. */
KERNEL masks
masks_at(const struct column *c, size_t at)
{
	masks m;

	memcpy(&m, (const char *)c + 8 * at, sizeof m);
	return m;
}

/* What bytes are. */
enum {
	QUOTE,
	OP,    /* {}[]:, and newlines */
	BLANK, /* other white space */
	DIGIT,
	ZERO,
	CONTROL,   /* all below 0x20 */
	BACKSLASH, /* of which a mask is not 0, where there is one */
	WIDE,	   /* what is not ASCII; likewise */
	KINDS,
};

/* The masks of blocks that are done together; bit 0 is the first byte. */
struct blocks {
	/* A version may have what kinds_seen makes OP to CONTROL of. */
	struct column seen[KINDS];
	/* What comes of it: */
	struct column in; /* strings, their closing quotes excluded */
	struct column tokens, tails, flags;
};

/* What bytes are, of several blocks. */
struct kinds_seen {
	masks op, blank, digit, zero;
	/* Below 0x20; others than white space may be marked LINE_BAD instead. */
	masks control;
};

/* What the blocks from that place in the columns on have. */
KERNEL struct kinds_seen kinds_seen(const struct column *seen, size_t at);

/*
 * See what the bytes of blocks are, from the k-th on, SEEN_AT_ONCE of them or
 * as many as there are up to the n-th.
 */
ALWAYS_INLINE KERNEL void classify(struct blocks *b, const char *p, size_t k,
    size_t n);

/* Which of 64 bytes are c, c without regard to its bit 0x20, or c and above. */
KERNEL uint64_t equal(const char *p, unsigned char c);
KERNEL uint64_t equal_letter(const char *p, unsigned char c);
KERNEL uint64_t at_least(const char *p, unsigned char c);

/* To each bit, the parity of it and those below. */
KERNEL uint64_t prefix_xor(uint64_t bits);

/* Which of 64 bytes may be escaped, or are hex digits: ESCAPABLE or HEX. */
KERNEL uint64_t of_class(const char *p, unsigned char class);

/*
 * Which of 64 bytes cannot stand in UTF-8 behind those before, which must be
 * readable.
 */
KERNEL uint64_t bad_utf8(const char *p);

/* Put the numbers, from first on, of the bits that are set; 64 are writable. */
KERNEL void put_numbers(uint16_t *out, size_t first, uint64_t bits);
/*
 * Put the bytes and the offsets, from at on, of the tokens behind n others.
 * Returns how many there are then.
 */
KERNEL size_t put_tokens(const struct json_index *x, size_t n, const char *p,
    ptrdiff_t at, uint64_t tokens);

/*
 * Which of 64 offsets are before the next by a number whose bit, modulo 64, is
 * set in the first; the second is zero, for tables of 16 bytes.
 */
KERNEL uint64_t distances_in(const uint16_t *at, const uint64_t bits[2]);

/* What the next block has to know of those before. */
struct carry {
	uint64_t in_string; /* all ones in a string */
	uint64_t escaped;   /* 1: the first byte is */
	uint64_t escapes;   /* 1: the string that goes on has some */
	size_t ntokens;
	uint16_t *tails; /* where the next one goes */
};

/*
 * Which bytes are escaped.  Every second backslash of a run escapes what is
 * behind it, from the first on.  A run moved up by one and the odd bits, less the
 * run: where the run starts at an even place that leaves it as it is, and where it
 * starts at an odd one, only the bit behind it.  So these differ from the odd bits:
 * the backslashes that escape, and the byte behind the run if the last of it does.
 */
KERNEL uint64_t
find_escaped(uint64_t backslash, uint64_t *first)
{
	const uint64_t odd = 0xaaaaaaaaaaaaaaaa;
	uint64_t runs = backslash & ~*first;
	uint64_t differ = ((runs << 1 | odd) - runs) ^ odd;
	uint64_t escaped = differ ^ (backslash | *first);

	*first = (differ & backslash) >> 63;
	return escaped;
}

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
 * Tell whether a string that ends in the block, before a colon, has escapes.
 * Adding one of them to the ones of the string carries to the quote behind it.
 */
KERNEL bool
has_escaped_key(struct carry *c, const char *p, uint64_t quote, uint64_t in,
    uint64_t escapes)
{
	uint64_t end;

	c->escapes =
	    __builtin_add_overflow(in, (escapes & in) | c->escapes, &end);
	return (end & ~in & quote & equal(p + 1, ':')) != 0;
}

/*
 * Find the strings of a block, the i-th of all and the k-th of those.  With care,
 * which only control characters in strings need, a newline ends its string.
 */
ALWAYS_INLINE KERNEL void
find_strings(const struct json_index *x, struct blocks *b, struct carry *c,
    const char *p, size_t i, size_t k, bool care)
{
	uint64_t quote = b->seen[QUOTE].of[k], escapes = 0, in;

	if ((b->seen[BACKSLASH].of[k] | c->escaped | c->escapes) != 0) {
		uint64_t backslash = equal(p, '\\');
		uint64_t escaped = find_escaped(backslash, &c->escaped);

		escapes = backslash | escaped;
		quote &= ~escaped;
		b->seen[QUOTE].of[k] = quote;
		if (escapes != 0)
			b->flags.of[k] |= LINE_ESCAPED;
	}
	in = prefix_xor(quote) ^ c->in_string;
	if (care && (in & ~at_least(p, ' ')) != 0) {
		in = break_strings(p, in);
		b->flags.of[k] |= LINE_BAD;
	}
	if ((escapes | c->escapes) != 0 &&
	    has_escaped_key(c, p, quote, in, escapes))
		b->flags.of[k] |= LINE_ESCAPED_KEY;
	c->in_string = -(in >> 63);
	x->escapes[i] = escapes;
	b->in.of[k] = in;
}

/* That flag, where a mask has bits. */
KERNEL masks
flag_of(masks m, uint64_t flag)
{
	return ~(masks)(m == 0) & flag;
}

/*
 * Find the tokens from the k-th block on, and the tails of numbers: what is no
 * digit behind one, and a zero that begins a number and that one may follow.
 * Returns which control characters are in strings.
 */
ALWAYS_INLINE KERNEL masks
find_tokens(struct blocks *b, size_t k)
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
	masks tails =
	    (scalar & ~seen.digit & (digits << 1 | last_digits >> 63)) |
	    (start & seen.zero & (seen.digit >> 1 | (uint64_t)1 << 63));
	/* A blank between two of these is behind no key, and no scalar. */
	masks loose =
	    op & (blank << 1 | last_blank >> 63) & ~(op << 2 | last_op >> 62);
	masks looser = loose & (blank << 2 | last_blank >> 62);
	masks flags = masks_at(&b->flags, OWN + k) |
	    flag_of(tails, LINE_TAILS) | flag_of(loose, LINE_LOOSE) |
	    flag_of(looser, LINE_LOOSER) |
	    flag_of(masks_at(&b->seen[WIDE], OWN + k), LINE_WIDE);

	memcpy(b->tokens.of + k, &tokens, sizeof tokens);
	memcpy(b->tails.of + k, &tails, sizeof tails);
	memcpy(b->flags.of + k, &flags, sizeof flags);
	return seen.control & in;
}

/* Find the tokens of n blocks.  False: there are control characters in strings. */
ALWAYS_INLINE KERNEL bool
find_all_tokens(struct blocks *b, size_t n)
{
	masks control = { 0 };
	uint64_t any = 0;

	for (size_t k = n; k % MASKS != 0; k++)
		b->in.of[k] = 0;
	for (size_t k = 0; k < n; k += MASKS)
		control |= find_tokens(b, k);
	for (size_t i = 0; i < MASKS; i++)
		any |= control[i];
	return any == 0;
}

/* Add the tokens and tails of a block, the i-th of all and the k-th of those. */
ALWAYS_INLINE KERNEL void
put_block(const struct json_index *x, const struct blocks *b, struct carry *c,
    const char *p, ptrdiff_t at, size_t i, size_t k)
{
	c->ntokens = put_tokens(x, c->ntokens, p, at, b->tokens.of[k]);
	for (uint64_t tails = b->tails.of[k]; tails != 0; tails &= tails - 1)
		*c->tails++ = (uint16_t)(at + __builtin_ctzll(tails));
	x->flags[i] = (uint8_t)b->flags.of[k];
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

/* Find strings and tokens once more, with care. */
TARGET static __attribute__((noinline)) void
find_broken(const struct json_index *x, struct blocks *b, struct carry *c,
    const char *p, size_t i, size_t n)
{
	for (size_t k = 0; k < n; k++)
		find_strings(x, b, c, p + 64 * k, i + k, k, true);
	find_all_tokens(b, n);
}

/* Index n blocks from p on; the first is at that offset of the text. */
TARGET static __attribute__((noinline)) void
index_blocks(const struct json_index *x, struct blocks *b, struct carry *carry,
    const char *p, ptrdiff_t at, size_t n)
{
	/* Copies, to stay in registers. */
	const struct json_index out = *x;
	struct carry c = *carry;
	size_t i = (size_t)(at + (ptrdiff_t)x->before) / 64;

	for (size_t k = 0; k < n; k += MASKS)
		memset(b->flags.of + k, 0, sizeof(masks));
	for (size_t k = 0; k < n; k += SEEN_AT_ONCE) {
		size_t end = n - k < SEEN_AT_ONCE ? n : k + SEEN_AT_ONCE;

		classify(b, p, k, n);
		for (size_t j = k; j < end; j++)
			find_strings(&out, b, &c, p + 64 * j, i + j, j, false);
	}
	if (!find_all_tokens(b, n)) {
		c = *carry;
		find_broken(x, b, &c, p, i, n);
	}
	for (size_t k = 0; k < n; k++)
		put_block(&out, b, &c, p + 64 * k, at + 64 * (ptrdiff_t)k,
		    i + k, k);
	carry_on(b, n);
	*carry = c;
}

enum {
	/* So many bytes before a block and behind it are looked at, too. */
	BEFORE = 3,
	BEHIND = 4,
	ROOM = 3 * 64,
};

/*
 * The block at that offset, with what is before and behind it.  Where that is not
 * of the text, in a copy at room, it is blank, and a string that ends there is
 * before the text.
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
	struct carry c = { .tails = x->tails };
	struct blocks b;
	char room[ROOM];
	ptrdiff_t end = (ptrdiff_t)text.n, n;

	b.in.before[LAST] = b.seen[QUOTE].before[LAST] = 0;
	b.seen[OP].before[LAST] = ~(uint64_t)0; /* no number goes on */
	b.seen[BLANK].before[LAST] = b.seen[DIGIT].before[LAST] = 0;
	x->before = (uintptr_t)text.p % 64;
	/* A blank would be taken for one behind a value. */
	c.in_string = -(uint64_t)(x->before != 0);
	/* Blocks that lie in one line of the cache take 9 % less time. */
	for (ptrdiff_t at = -(ptrdiff_t)x->before; at < end; at += 64 * n) {
		bool whole = at >= 0 && at <= end - 64;

		n = whole ? (end - at) / 64 : 1;
		n = n < BLOCKS ? n : BLOCKS;
		index_blocks(x, &b, &c,
		    whole ? text.p + at : block_at(text, at, room), at,
		    (size_t)n);
	}
	x->ntokens = c.ntokens;
	x->ntails = (size_t)(c.tails - x->tails);
}

#endif
