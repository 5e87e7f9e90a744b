/*
 * packed - put integers, doubles and bytes into one string of bytes, the same
 * on every machine, and take them out again without trusting them.
 *
 * The first byte is the version of the format, so that its owner can change
 * it.  An integer has seven bits in each byte, the low ones first, in as few
 * bytes as possible; its sign is the lowest bit (0, -1, 1, -2 are stored as 0,
 * 1, 2, 3).  A double is the eight bytes of IEEE 754, the low ones first.
 * Bytes have their number before them.
 *
 *	form 1, 300, "ab"	01  d8 04  04 'a' 'b'
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef BASE_PACKED_H
#define BASE_PACKED_H

#include "base/buffer.h"
#include "base/span.h"

/*
 * A limit for unpack_int that no real count or time reaches, and below which
 * several can be added without overflow.
 */
#define PACKED_MOST ((int64_t)1 << 60)

/*
 * Append a value to b; pack_form comes first.
 *
 * Errors: none; stops the program when memory runs out.
 */
void pack_form(struct buffer *b, unsigned char form);
void pack_int(struct buffer *b, int64_t v);
void pack_double(struct buffer *b, double v);
void pack_bytes(struct buffer *b, struct span s);

/* The next byte to take out, and whether something was wrong so far. */
struct unpacker {
	const char *p, *end;
	bool bad;
};

/*
 * Begin to take out of s, which must have the given form.
 *
 * Owns:   s is not copied.
 * Errors: bad is set if it has another form.
 */
struct unpacker unpack_form(struct span s, unsigned char form);

/*
 * Take the values out in the order in which they were put in.
 *
 * Shape:  an integer must be from least to most.
 * Owns:   bytes are those of s, not a copy.
 * Errors: bad is set, and stays set, if s ends too early or an integer is out
 *         of range; the result is then least, 0 or empty.
 */
int64_t unpack_int(struct unpacker *u, int64_t least, int64_t most);
double unpack_double(struct unpacker *u);
struct span unpack_bytes(struct unpacker *u);

/* _more: something is left.  _done: nothing is left, and nothing was wrong. */
static inline bool
unpack_more(const struct unpacker *u)
{
	return u->p < u->end;
}

static inline bool
unpack_done(const struct unpacker *u)
{
	return !u->bad && u->p == u->end;
}

#endif
