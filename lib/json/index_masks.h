/*
 * index_masks - the masks of blocks of 64 bytes, and what a version of the
 * index must define: first TARGET, the attributes of each function, and LANES,
 * the bytes of its vectors; then, after including index_kernel, the functions
 * that are declared here.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef JSON_INDEX_MASKS_H
#define JSON_INDEX_MASKS_H

#include <stddef.h>
#include <string.h>

#include "json/index.h"

#define KERNEL TARGET static inline
#define ALWAYS_INLINE __attribute__((always_inline))

/* Hide a value from the optimizer. */
#define HIDE(variable) __asm__("" : "+r"(variable))
#define HIDE_VECTOR(variable) __asm__("" : "+x"(variable))

enum {
	/* Blocks that are done together. */
	BLOCKS = 64,
	/* Masks that are worked on at once. */
	MASKS = LANES / 8,
};

typedef uint64_t masks __attribute__((vector_size(LANES)));

/* One mask per block; before[LAST] is that of the preceding block. */
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

/* All ones for each mask that has bits, else 0. */
KERNEL masks
have_bits(masks m)
{
	return ~(masks)(m == 0);
}

/* A bit for each mask, the lowest for the first. */
KERNEL masks
bit_of_each(void)
{
	masks bit = { 0 };

	for (size_t k = 0; k < MASKS; k++)
		bit[k] = (uint64_t)1 << k;
	return bit;
}

/* The bits of all masks. */
KERNEL uint64_t
bits_of_all(masks m)
{
	uint64_t bits = 0;

	for (size_t i = 0; i < MASKS; i++)
		bits |= m[i];
	return bits;
}

/* What bytes are. */
enum {
	QUOTE,
	OP,    /* {}[]:, and newlines */
	BLANK, /* other white space */
	DIGIT,
	ZERO,
	CONTROL, /* all below 0x20 */
	BACKSLASH,
	WIDE, /* what is not ASCII; only whether it is 0 counts */
	KINDS,
};

/* The masks of blocks that are done together; bit 0 is the first byte. */
struct blocks {
	/* A version may keep other bits from OP on, which kinds_seen reads. */
	struct column seen[KINDS];
	/* What comes of it: */
	struct column in;      /* strings, their closing quotes excluded */
	struct column escapes; /* 1: the last byte escapes the next one */
	struct column tokens, flags;
	/* The closing quotes of strings with escapes, then of keys alone. */
	struct column key_ends;
};

/* What bytes are, of several blocks. */
struct kinds_seen {
	masks op, blank, digit, zero;
	/* Below 0x20; all but white space may be marked LINE_BAD instead. */
	masks control;
};

/* What the blocks from that place in the columns on have. */
KERNEL struct kinds_seen kinds_seen(const struct column *seen, size_t at);

/* See what the bytes of n blocks are. */
ALWAYS_INLINE KERNEL void classify(struct blocks *b, const char *p, size_t n);

/* Which of 64 bytes are c, c without regard to its bit 0x20, or c and above. */
KERNEL uint64_t equal(const char *p, unsigned char c);
KERNEL uint64_t equal_letter(const char *p, unsigned char c);
KERNEL uint64_t at_least(const char *p, unsigned char c);

/* To each bit, the parity of it and those below. */
KERNEL uint64_t prefix_xor(uint64_t bits);

/* Which of 64 bytes may be escaped; *u is set to those that are u. */
KERNEL uint64_t escapable(const char *p, uint64_t *u);

/* Which of 64 bytes are hex digits. */
KERNEL uint64_t hex_digits(const char *p);

/*
 * Which of 64 bytes cannot stand in UTF-8 behind those before, which must be
 * readable.
 */
KERNEL uint64_t bad_utf8(const char *p);

/* Put the numbers, from first on, of the bits that are set; 64 are writable. */
KERNEL void put_numbers(uint16_t *out, size_t first, uint64_t bits);
/*
 * Put the bytes and the offsets, from at on, of the tokens of so many blocks
 * behind n others.  Returns how many there are then.
 */
ALWAYS_INLINE KERNEL size_t put_tokens(const struct json_index *x, size_t n,
    const char *p, size_t at, const struct column *tokens, size_t nblocks);

/*
 * Which of 64 offsets have a distance to the next one that is, modulo 64, the
 * number of a bit set in bits[0].  bits[1] is 0, for tables of 16 bytes.
 */
KERNEL uint64_t distances_in(const uint16_t *at, const uint64_t bits[2]);

/* What the next block has to know of those before. */
struct carry {
	uint64_t in_string;   /* all ones in a string */
	uint64_t escapes;     /* 1: the string that goes on has some */
	unsigned number_ends; /* bits of ENDS_, see index_numbers */
	size_t ntokens;
};

#endif
