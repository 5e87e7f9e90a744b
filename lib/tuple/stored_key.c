/*
 * SPDX-License-Identifier: ISC
 */
#include "tuple/stored_key.h"
#include "base/hash.h"

struct span *
stored_key_names(const struct field *fields, size_t n, size_t more)
{
	struct span *names =
	    field_plain_names(fields, n, more + key_nparts(n) - n);

	if (n == 0)
		names[0] = SPAN("_all");
	return names;
}

void
stored_key_columns(struct span bytes, size_t n, struct stored_value *columns)
{
	for (size_t i = 0; i < n; i++)
		columns[i] = stored_value_of_key_part(key_next_part(&bytes));
}

struct stored_value
stored_key_spelling(struct span bytes, struct span spelling)
{
	if (span_eq(bytes, spelling))
		return (struct stored_value){ .kind = STORED_NULL };
	return stored_value_of_blob(spelling);
}

/* Tell whether a part is soon seen to be a string that is canonical. */
static bool
is_simple(struct span part)
{
	const unsigned char *p = (const unsigned char *)part.p;
	size_t n = part.n - 1;

	if (part.n < 2 || p[0] != '"' || p[n] != '"')
		return false;
	for (size_t i = 1; i < n; i++)
		if (p[i] < 0x20 || p[i] >= 0x7f || p[i] == '"' || p[i] == '\\')
			return false;
	return true;
}

/* Append the canonical bytes of a part to the key's. */
static bool
put_part(struct stored_key *k, struct span spelling)
{
	struct stored_value text = stored_value_of_blob(spelling);
	struct value v;

	if (is_simple(spelling)) {
		buffer_put(&k->key.canonical, spelling);
		return true;
	}
	if (!stored_value_read(&k->text, &text) || *spelling.p == '{' ||
	    *spelling.p == '[')
		return false;
	v = value_from(buffer_span(&k->text),
	    memchr(spelling.p, '\\', spelling.n) != NULL);
	k->key.has_null |= *v.p == 'n';
	return key_put_part(&k->key.canonical, &v) == 0;
}

/* Make the key of what it was spelled like. */
static bool
put_parts(struct stored_key *k, struct span spelling, size_t n)
{
	k->key.canonical.n = 0;
	k->key.has_null = false;
	for (size_t i = 0; i < n; i++) {
		bool last = i == n - 1;

		if (spelling.n == 0 ||
		    (memchr(spelling.p, KEY_SEPARATOR, spelling.n) == NULL) !=
			last)
			return false;
		if (i != 0)
			buffer_byte(&k->key.canonical, (char)KEY_SEPARATOR);
		if (!put_part(k, key_next_part(&spelling)))
			return false;
	}
	return true;
}

static void
set_key(struct stored_key *k, struct span bytes, struct span spelling)
{
	k->key.bytes = bytes;
	k->key.spelling = spelling;
	k->key.hash = hash_bytes(bytes);
	k->key.hint = HASH_MAP_NONE;
}

bool
stored_key_check(struct stored_key *k, struct span bytes, struct span spelling,
    size_t n)
{
	if (!put_parts(k, spelling, n) ||
	    !span_eq(buffer_span(&k->key.canonical), bytes))
		return false;
	bytes = buffer_span(&k->key.canonical);
	set_key(k, bytes, span_eq(bytes, spelling) ? bytes : spelling);
	return true;
}

/*
 * Tell whether a column is what a part is kept as: else one key could have two
 * rows, which differ in a kind.
 */
static bool
is_column_of(struct span part, const struct stored_value *column)
{
	struct stored_value c;

	if (part.n == 0 ||
	    (*part.p == '"' && (part.n == 1 || part.p[part.n - 1] != '"')))
		return false;
	c = stored_value_of_key_part(part);
	return stored_value_same(&c, column);
}

bool
stored_key_read_bytes(struct stored_key *k, const struct stored_value *columns,
    size_t n)
{
	k->columns.n = 0;
	for (size_t i = 0; i < n; i++) {
		size_t start;

		if (i != 0)
			buffer_byte(&k->columns, (char)KEY_SEPARATOR);
		start = k->columns.n;
		stored_value_put(&k->columns, &columns[i]);
		if (!is_column_of((struct span){ k->columns.p + start,
				      k->columns.n - start },
			&columns[i]))
			return false;
	}
	set_key(k, buffer_span(&k->columns), buffer_span(&k->columns));
	return true;
}

bool
stored_key_read(struct stored_key *k, const struct stored_value *columns,
    size_t n, const struct stored_value *spelling)
{
	if (!stored_key_read_bytes(k, columns, n))
		return false;
	if (spelling->kind != STORED_NULL && spelling->kind != STORED_BLOB)
		return false;
	return stored_key_check(k, buffer_span(&k->columns),
	    spelling->kind == STORED_BLOB ? spelling->bytes :
					    buffer_span(&k->columns),
	    n);
}

void
stored_key_fini(struct stored_key *k)
{
	key_fini(&k->key);
	buffer_fini(&k->columns);
	buffer_fini(&k->text);
}
