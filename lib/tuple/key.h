/*
 * key - the key fields of a tuple as one string of bytes, equal for equal
 * keys and for no others.
 *
 * Keys are typed tuples: strings by their decoded content, numbers by exact
 * decimal value, true, false and null by kind.  The canonical bytes of a
 * part are its JSON text with the string decoded and the number respelled,
 * which is for nearly all just the bytes as they stand in the line; parts
 * are joined by 0xff, which no text in UTF-8 has.
 *
 *	"a\u0062"      "ab"            a string keeps its quotes
 *	1.50e1         15
 *	"x", 7, null   "x" ff 7 ff null
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef TUPLE_KEY_H
#define TUPLE_KEY_H

#include <stdint.h>

#include "base/buffer.h"
#include "base/fault.h"
#include "base/hash_map.h"
#include "base/span.h"
#include "tuple/projection.h"
#include "tuple/tuple.h"

enum { KEY_SEPARATOR = 0xff };

struct key {
	struct span bytes;    /* canonical */
	struct span spelling; /* as they stood in the line, joined */
	uint64_t hash;	      /* of bytes */
	uint32_t hint; /* of hash_map_look_ahead, after keys_look_ahead */
	bool has_null; /* some part is null; as key_of has found it */
	struct buffer canonical, spelled; /* scratch */
};

/*
 * The value of a field of a key: a null where a tuple may lack it, and does.
 *
 * Errors: NULL where it may not.
 */
const struct value *key_field(const struct tuple *t, size_t field);

/*
 * How many parts a key of n fields has: without fields it has one, a null, so
 * that all tuples have the same key.
 */
static inline size_t
key_nparts(size_t n)
{
	return n == 0 ? 1 : n;
}

/*
 * Make the key of t from the n fields from first on.  A field that may be
 * missing is null then.
 *
 * Shape:  a zeroed struct key is ready for use, and is used again.
 * Owns:   bytes and spelling point into t's line or k's scratch and are good
 *         until either changes; they are the same span where they can be.
 * Errors: -1 where a field is missing and may not be, an object or an array.
 */
int key_of(struct key *k, const struct tuple *t, size_t first, size_t n,
    struct fault *f);
void key_fini(struct key *k);

/*
 * The same, unless the bolt has looked ahead and t has its key.
 *
 * Errors: NULL where a field is missing, an object or an array.
 */
static inline const struct key *
key_of_tuple(struct key *k, const struct tuple *t, size_t first, size_t n,
    struct fault *f)
{
	if (t->key != NULL)
		return t->key;
	return key_of(k, t, first, n, f) < 0 ? NULL : k;
}

/*
 * The keys of tuples that are to come, so that what they need from memory
 * can be asked for before it is needed, and each is hashed but once.
 */
struct keys_ahead {
	struct key keys[TUPLE_AHEAD];
};

/*
 * Make the keys of n tuples, leave each in its tuple's key, and have their
 * places in m fetched.
 *
 * Shape:  0 < n <= TUPLE_AHEAD; a zeroed ahead is ready for use.
 * Owns:   as key_of; the keys stay until others are made.
 * Errors: none; a tuple without a key is left without, and key_of will tell.
 */
void keys_look_ahead(struct keys_ahead *ahead, const struct hash_map *m,
    struct tuple *const *tuples, size_t n, size_t first, size_t nfields);
void keys_ahead_fini(struct keys_ahead *ahead);

/*
 * Make a key of one value in t's line.
 *
 * Shape:  v is no object or array.
 * Errors: -1 where it is a number beyond all bounds.
 */
int key_of_value(struct key *k, const struct tuple *t, const struct value *v,
    struct fault *f);

/* The same without its hash. */
int key_bytes_of_value(struct key *k, const struct tuple *t,
    const struct value *v, struct fault *f);

/*
 * Append the canonical bytes of a scalar.
 *
 * Errors: -1 where it is a number beyond all bounds.
 */
int key_put_part(struct buffer *b, const struct value *v);

/*
 * Compare canonical bytes part by part: null, false, true, numbers by value,
 * strings by decoded bytes.
 */
int key_cmp(struct span a, struct span b);

/*
 * Append the members of a key, `"word":"the","n":1`, without braces, and for
 * _start_row with a brace before them and, if there are any, a comma after.
 *
 * Shape:  fields has the n that key_of was given; spelling is the key's.
 */
void key_put(struct buffer *b, const struct field *fields, size_t n,
    struct span spelling);

void key_start_row(struct buffer *b, const struct field *fields, size_t n,
    struct span spelling);

/* The part of that number, from 0, of canonical bytes or of a spelling. */
struct span key_part_of(struct span key, size_t part);
/*
 * Take the first part off *rest, canonical bytes or a spelling.
 *
 * Shape:  *rest is not used up: it has as many parts as the key.
 */
struct span key_next_part(struct span *rest);

#endif
