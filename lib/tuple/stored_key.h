/*
 * stored_key - keys as columns of a database, and back.
 *
 * Each part of a key is a column of its own, see stored_value.h, and one more
 * has the spelling of the whole key, as in struct key: NULL if that is the
 * canonical one.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef TUPLE_STORED_KEY_H
#define TUPLE_STORED_KEY_H

#include "tuple/key.h"
#include "tuple/stored_value.h"

/*
 * The names of the columns of a key of n fields, `_all` if n is 0; with room
 * for `more` further names.
 *
 * Owns:   the result is the caller's to free; the names are the fields'.
 */
struct span *stored_key_names(const struct field *fields, size_t n,
    size_t more);

/*
 * Make the columns of a key with n parts.
 *
 * Owns:   they point into bytes and spelling.
 */
void stored_key_columns(struct span bytes, size_t n,
    struct stored_value *columns);
struct stored_value stored_key_spelling(struct span bytes,
    struct span spelling);

/* A key that was read; the rest is scratch. */
struct stored_key {
	struct key key;
	struct buffer columns, text;
};

/*
 * Read a key of n parts into k->key.
 *
 * Shape:  n >= 1; a zeroed struct is ready for use, and is used again.
 * Owns:   the key is good until the next call; its spelling, if it is not the
 *         canonical one, points into the column.
 * Errors: false if no key has these columns, or not with this spelling.
 */
bool stored_key_read(struct stored_key *k, const struct stored_value *columns,
    size_t n, const struct stored_value *spelling);

/*
 * Read only the bytes, to look them up among keys already read.  False if a
 * column cannot be a part's; that they are a key's is not checked.
 */
bool stored_key_read_bytes(struct stored_key *k,
    const struct stored_value *columns, size_t n);

/* stored_key_read for a key stored as canonical bytes and spelling. */
bool stored_key_check(struct stored_key *k, struct span bytes,
    struct span spelling, size_t n);
void stored_key_fini(struct stored_key *k);

#endif
