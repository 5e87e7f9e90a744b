/*
 * index_vector - what index_kernel needs of a processor, from
 * comparisons of vectors.  A version defines LANES and TARGET, includes this,
 * and defines bits_of and prefix_xor.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef JSON_INDEX_VECTOR_H
#define JSON_INDEX_VECTOR_H

#include "json/index_kernel.h"

typedef uint8_t vector __attribute__((vector_size(LANES)));

/* A bit for each byte of a comparison: all ones, or zero. */
KERNEL uint64_t bits_of(vector truth);

KERNEL vector
load(const char *p, int at)
{
	vector v;

	memcpy(&v, p + at, sizeof v);
	return v;
}

/* Which of 64 bytes the expression of v holds for. */
#define WHICH(bits, p, expression)                                     \
	do {                                                           \
		(bits) = 0;                                            \
		for (int at = 0; at < 64; at += LANES) {               \
			vector v = load(p, at);                        \
                                                                       \
			(bits) |= bits_of((vector)(expression)) << at; \
		}                                                      \
	} while (0)

KERNEL uint64_t
equal(const char *p, unsigned char c)
{
	uint64_t bits;

	WHICH(bits, p, v == c);
	return bits;
}

KERNEL uint64_t
at_least(const char *p, unsigned char c)
{
	uint64_t bits;

	WHICH(bits, p, v >= c);
	return bits;
}

KERNEL struct masks
classify(const char *p)
{
	struct masks m;

	WHICH(m.odd, p, (v == '\\') | (v >= 0x80) | ((v < 0x20) & (v != '\n')));
	m.quote = equal(p, '"');
	m.newline = equal(p, '\n');
	/* [ and { differ in the bit 0x20 alone, ] and } too. */
	WHICH(m.op, p,
	    ((v | 0x20) == '{') | ((v | 0x20) == '}') | (v == ':') |
		(v == ',') | (v == '\n'));
	WHICH(m.blank, p, (v == ' ') | (v == '\t') | (v == '\r'));
	m.gap = m.op | m.blank | m.quote;
	WHICH(m.digit, p, (v >= '0') & (v <= '9'));
	m.zero = equal(p, '0');
	return m;
}

/*
 * Eight at a time, as some of each eight are there and how many is hard to
 * predict; what is put behind the last does not count.
 */
KERNEL void
put_tokens(const struct json_index *x, size_t n, const char *p, ptrdiff_t at,
    uint64_t tokens, uint64_t gap)
{
	const uint64_t last = (uint64_t)1 << 63; /* for ctz to find one */
	size_t end = n + (size_t)__builtin_popcountll(tokens);

	while (n < end)
		for (int k = 0; k < 8; k++, n++, tokens &= tokens - 1) {
			int i = __builtin_ctzll(tokens | last);

			x->at[n] = (uint16_t)(at + i);
			x->token[n] = (gap >> i & 1) != 0 ? (uint8_t)p[i] : '0';
		}
}

#endif
