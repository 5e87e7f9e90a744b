/*
 * packed - integers, doubles and bytes put into one string of bytes, the same
 * on every machine; and taken out again, with nothing in it believed.
 *
 * The first byte is the form of what follows, for its owner to tell a later
 * one from.  An integer is as few bytes as it needs, seven bits in each, the
 * low ones first; -1 goes as 1, 1 as 2, -2 as 3.  A double is the eight bytes
 * of IEEE 754, the low ones first.  Bytes have their number before them.
 *
 *	form 1, 300, "ab"	01  d8 04  04 'a' 'b'
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef BASE_PACKED_H
#define BASE_PACKED_H

#include "base/buffer.h"
#include "base/span.h"

/* No honest count, time or place gets so far, and some of them can be added. */
#define PACKED_MOST ((int64_t)1 << 60)

/* Append each; _form goes first. */
void pack_form(struct buffer *b, unsigned char form);
void pack_int(struct buffer *b, int64_t v);
void pack_double(struct buffer *b, double v);
void pack_bytes(struct buffer *b, struct span s);

/* Where taking out is, and whether something did not fit so far. */
struct unpacker {
	const char *p, *end;
	bool bad;
};

/*
 * Begin with what pack_form began with form.
 *
 * Owns:   s is not copied.
 * Errors: what is of another form is bad.
 */
struct unpacker unpack_form(struct span s, unsigned char form);

/*
 * Take out what was put in, in the same order; of integers only those from
 * least to most.
 *
 * Owns:   the bytes are those of s.
 * Errors: what does not fit makes u bad, and so does all that comes after;
 *         the result is then least, 0 or nothing.
 */
int64_t unpack_int(struct unpacker *u, int64_t least, int64_t most);
double unpack_double(struct unpacker *u);
struct span unpack_bytes(struct unpacker *u);

/* Tell whether there is more; at its end, whether all was good. */
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
