/*
 * key - turn key fields into one byte string, equal for equal keys only.
 *
 * Keys are equal if each part is: strings by decoded content, numbers by exact
 * decimal value, true, false and null by kind.  The canonical bytes of a part
 * are its JSON text with a string decoded and a number in one fixed spelling;
 * mostly these are just the bytes in the line.  Parts are joined by 0xff, which
 * UTF-8 never has.
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
	struct span spelling; /* the parts as they are in the line, joined */
	uint64_t hash;	      /* of bytes */
	uint32_t hint;	      /* from hash_map_look_ahead, or HASH_MAP_NONE */
	bool has_null;	      /* a part is null; set by key_of */
	struct buffer canonical, spelled; /* scratch */
};

/*
 * The value of a key field; null if the tuple lacks a field that is optional.
 *
 * Errors: NULL if the tuple lacks a field that is not.
 */
const struct value *key_field(const struct tuple *t, size_t field);

/*
 * How many parts a key of n fields has.  A key without fields has one, null,
 * so that all tuples have the same key.
 */
static inline size_t
key_nparts(size_t n)
{
	return n == 0 ? 1 : n;
}

/*
 * Make the key of t from n fields, from the field number first on.  An optional
 * field that is missing is null.
 *
 * Shape:  a zeroed struct key is ready for use, and can be used again.
 * Owns:   bytes and spelling point into the line or k's scratch, and are valid
 *         until either changes; if they are equal, they are mostly the same
 *         span, which takes less room in a map.
 * Errors: -1 if a field is missing, an object, an array, or a number with an
 *         exponent beyond 10^18; f says which.
 */
int key_of(struct key *k, const struct tuple *t, size_t first, size_t n,
    struct fault *f);
void key_fini(struct key *k);

/*
 * The key of t: the one that keys_look_ahead has left in t, or else made in k.
 *
 * Errors: NULL where key_of fails; f says why.
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
 * The keys of the next tuples.  They are made before the tuples are executed,
 * so that their entries in a map can be fetched into the cache in time.
 */
struct keys_ahead {
	struct key keys[TUPLE_AHEAD];
};

/*
 * Make the keys of n tuples, set each tuple's key, and fetch their entries
 * in m.
 *
 * Shape:  0 < n <= TUPLE_AHEAD; a zeroed ahead is ready for use.
 * Owns:   as key_of; the keys are valid until the next call.
 * Errors: none; a tuple whose key cannot be made gets none, and key_of says why
 *         when it is executed.
 */
void keys_look_ahead(struct keys_ahead *ahead, const struct hash_map *m,
    struct tuple *const *tuples, size_t n, size_t first, size_t nfields);
void keys_ahead_fini(struct keys_ahead *ahead);

/*
 * Give n keys, for whose hashes hash_map_prefetch was called, their hints, and
 * fetch their entries in m: what keys_look_ahead does, for keys made otherwise.
 */
void keys_find_ahead(struct key *keys, size_t n, const struct hash_map *m);

/*
 * Make a key of one value in the line of t.
 *
 * Shape:  v is not an object or array.
 * Errors: -1 if it is a number whose exponent is beyond 10^18; f says so.
 */
int key_of_value(struct key *k, const struct tuple *t, const struct value *v,
    struct fault *f);

/* key_of_value; hash and hint are not set, and the caller says what is wrong. */
int key_bytes_of_value(struct key *k, const struct value *v);

/*
 * Make a key that stands for all bytes of a line: a string with their hash of
 * 128 bits, which is the same in each run; or the hash as it is, which is
 * shorter, and enough for a map that is not written anywhere.
 *
 * Owns:   as key_of.
 * Errors: none.
 */
void key_of_line(struct key *k, struct span line, bool as_string);

/*
 * Append the canonical bytes of a scalar.
 *
 * Errors: -1 if it is a number whose exponent is beyond 10^18.
 */
int key_put_part(struct buffer *b, const struct value *v);

/*
 * Compare canonical bytes part by part: null, false, true, numbers by value,
 * strings by decoded bytes.
 */
int key_cmp(struct span a, struct span b);

/*
 * A word to sort keys by, most of them without a look at their bytes: of two
 * keys, the one with the lower word is less; where the words are equal, only
 * key_cmp tells.
 *
 * Shape:  same is the number of bytes that all keys to be sorted begin with.
 */
uint64_t key_sort_word(struct span key, size_t same);

/*
 * Append the members of a key, `"word":"the","n":1`, without braces.
 * _start_row also puts a brace before them and, if there are any, a comma after
 * them.
 *
 * Shape:  fields are the n that key_of got; spelling is the key's.
 * Errors: none.
 */
void key_put(struct buffer *b, const struct field *fields, size_t n,
    struct span spelling);

void key_start_row(struct buffer *b, const struct field *fields, size_t n,
    struct span spelling);

/* Part number `part`, from 0, of canonical bytes or of a spelling. */
struct span key_part_of(struct span key, size_t part);

/*
 * Return the first part of *rest, canonical bytes or a spelling, and remove it
 * from *rest.
 *
 * Shape:  *rest still has a part.
 */
struct span key_next_part(struct span *rest);

#endif
