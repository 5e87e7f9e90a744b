/*
 * SPDX-License-Identifier: ISC
 */
#include "tuple/key.h"
#include "base/digits.h"
#include "base/hash.h"
#include "base/word.h"
#include "json/text.h"

void
key_fini(struct key *k)
{
	buffer_fini(&k->canonical);
	buffer_fini(&k->spelled);
}

static bool
is_number(struct span raw)
{
	return *raw.p == '-' || digits_is(*raw.p);
}

/* Tell whether a value's bytes are canonical, but for escapes, at a glance. */
static bool
is_simple(const struct value *v)
{
	return v->digits ? v->n <= DECIMAL_PLAIN_ZEROS : *v->p == '"';
}

/* Tell whether a value's bytes are canonical as they stand. */
static bool
is_plain(const struct value *v)
{
	return !v->escaped &&
	    (is_simple(v) || !is_number(value_raw(v)) ||
		decimal_is_canonical(value_raw(v)));
}

int
key_put_part(struct buffer *b, const struct value *v)
{
	struct decimal d;

	if (is_plain(v)) {
		buffer_put(b, value_raw(v));
	} else if (v->escaped) {
		buffer_byte(b, '"');
		json_decode(b, (struct span){ v->p + 1, v->n - 2 });
		buffer_byte(b, '"');
	} else {
		if (decimal_parse(&d, value_raw(v)) < 0)
			return -1;
		decimal_put(b, &d);
	}
	return 0;
}

/* What a field that may be missing is then, and a key of no fields. */
static const struct value null_value = { .p = "null", .n = 4 };

const struct value *
key_field(const struct tuple *t, size_t field)
{
	const struct value *v = tuple_field(t, field);

	return v == NULL && t->projection->fields[field].optional ?
	    &null_value :
	    v;
}

static const struct value *
part_of(const struct tuple *t, size_t field, struct fault *f)
{
	const struct value *v = key_field(t, field);

	if (v == NULL) {
		tuple_missing(t, field, f);
	} else if (*v->p == '{' || *v->p == '[') {
		tuple_mismatch(t, field, FAULT_TYPE,
		    "a string, number, true, false or null", f);
		v = NULL;
	}
	return v;
}

/* Append a part as it stands, and a separator. */
static inline void
put_raw(struct buffer *b, const struct value *v)
{
	char *to = buffer_room(b, v->n + 1);

	to = span_copy(to, value_raw(v));
	*to++ = (char)KEY_SEPARATOR;
	b->n = (size_t)(to - b->p);
}

/* Make the bytes of a key, without its hash. */
static int
put_key(struct key *k, const struct tuple *t, size_t first, size_t n,
    struct fault *f)
{
	const struct value *v = &null_value;
	bool plain = true;

	k->canonical.n = k->spelled.n = 0;
	k->has_null = false;
	for (size_t i = first; i < first + n; i++) {
		if ((v = part_of(t, i, f)) == NULL)
			return -1;
		k->has_null |= *v->p == 'n';
		if (is_plain(v)) {
			put_raw(&k->canonical, v);
		} else {
			if (plain)
				buffer_put(&k->spelled,
				    buffer_span(&k->canonical));
			plain = false;
			if (key_put_part(&k->canonical, v) < 0)
				return tuple_mismatch(t, i, FAULT_RANGE,
				    NUMBER_EXPECTED, f);
			buffer_byte(&k->canonical, (char)KEY_SEPARATOR);
		}
		if (!plain)
			put_raw(&k->spelled, v);
	}
	if (n == 0)
		put_raw(&k->canonical, v);
	/*
	 * Without the last separator.  Not as a whole, which would wait for its
	 * parts to be stored.
	 */
	k->spelling.p = k->bytes.p = k->canonical.p;
	k->spelling.n = k->bytes.n = k->canonical.n - 1;
	if (!plain)
		k->spelling = (struct span){ k->spelled.p, k->spelled.n - 1 };
	return 0;
}

/* Set bytes to a string whose escapes are decoded. */
static void
decode_key(struct key *k, const struct value *v)
{
	char *to = buffer_room(&k->canonical, v->n + JSON_DECODE_PAD), *end;

	*to = '"';
	end = json_decode_to(to + 1, (struct span){ v->p + 1, v->n - 2 });
	*end++ = '"';
	k->bytes = (struct span){ to, (size_t)(end - to) };
}

/* put_key of one field, if that is simple. */
static inline bool
take_key(struct key *k, const struct value *v)
{
	/* Most keys are one string, or one whole number. */
	if (v->p == NULL || !is_simple(v))
		return false;
	/* Not one by way of the other, which would wait for it to be stored. */
	k->bytes = value_raw(v);
	k->spelling = value_raw(v);
	k->has_null = false;
	if (v->escaped)
		decode_key(k, v);
	return true;
}

int
key_of(struct key *k, const struct tuple *t, size_t first, size_t n,
    struct fault *f)
{
	const struct field *fields = t->projection->fields;

	if ((n != 1 || !take_key(k, &t->slots[fields[first].slot])) &&
	    put_key(k, t, first, n, f) < 0)
		return -1;
	k->hash = hash_bytes(k->bytes);
	k->hint = HASH_MAP_NONE;
	return 0;
}

void
keys_find_ahead(struct key *keys, size_t n, const struct hash_map *m)
{
	for (size_t i = 0; i < n; i++)
		keys[i].hint = hash_map_look_ahead(m, keys[i].hash);
	if (!m->has_long)
		return;
	for (size_t i = 0; i < n; i++)
		hash_map_look_further(m, keys[i].hint);
}

/* With all that it calls in line, which takes 1 % off a join. */
__attribute__((flatten)) void
keys_look_ahead(struct keys_ahead *ahead, const struct hash_map *m,
    struct tuple *const *tuples, size_t n, size_t first, size_t nfields)
{
	int slot = tuples[0]->projection->fields[first].slot;
	struct key *k = ahead->keys;
	/* Without fields all have the same key. */
	size_t nkeys = nfields == 0 ? 1 : n;

	for (size_t i = 0; i < nkeys; i++) {
		if ((nfields != 1 || !take_key(k, &tuples[i]->slots[slot])) &&
		    put_key(k, tuples[i], first, nfields, NULL) < 0)
			continue;
		tuples[i]->key = k++;
	}
	/* Not above: to read what was just decoded waits until it is stored. */
	for (struct key *each = ahead->keys; each < k; each++) {
		each->hash = hash_bytes(each->bytes);
		hash_map_prefetch(m, each->hash);
	}
	keys_find_ahead(ahead->keys, (size_t)(k - ahead->keys), m);
	for (size_t i = nkeys; i < n; i++)
		tuples[i]->key = ahead->keys;
}

void
keys_ahead_fini(struct keys_ahead *ahead)
{
	for (size_t i = 0; i < TUPLE_AHEAD; i++)
		key_fini(&ahead->keys[i]);
}

int
key_bytes_of_value(struct key *k, const struct value *v)
{
	k->canonical.n = 0;
	/* Not one by way of the other: see take_key. */
	k->bytes = value_raw(v);
	k->spelling = value_raw(v);
	if (!is_plain(v)) {
		if (key_put_part(&k->canonical, v) < 0)
			return -1;
		k->bytes = buffer_span(&k->canonical);
	}
	return 0;
}

int
key_of_value(struct key *k, const struct tuple *t, const struct value *v,
    struct fault *f)
{
	if (key_bytes_of_value(k, v) < 0)
		return fault_set(f, FAULT_RANGE, tuple_column(t, v),
		    "expected " NUMBER_EXPECTED);
	k->hash = hash_bytes(k->bytes);
	k->hint = HASH_MAP_NONE;
	return 0;
}

void
key_of_line(struct key *k, struct span line, bool as_string)
{
	static const char digits[] = "0123456789abcdef";
	unsigned char hash[HASH_WIDE_BYTES];
	char *text;

	hash_wide(line, hash);
	k->canonical.n = 0;
	if (as_string) {
		text = buffer_room(&k->canonical, 2 + 2 * sizeof hash);
		*text++ = '"';
		for (size_t i = 0; i < sizeof hash; i++) {
			*text++ = digits[hash[i] >> 4];
			*text++ = digits[hash[i] & 15];
		}
		*text++ = '"';
		k->canonical.n = (size_t)(text - k->canonical.p);
	} else {
		buffer_put(&k->canonical,
		    (struct span){ (char *)hash, sizeof hash });
	}
	k->bytes = k->spelling = buffer_span(&k->canonical);
	k->has_null = false;
	k->hash = hash_bytes(k->bytes);
	k->hint = HASH_MAP_NONE;
}

struct span
key_next_part(struct span *rest)
{
	const char *end =
	    rest->n == 0 ? NULL : memchr(rest->p, KEY_SEPARATOR, rest->n);
	struct span part = *rest;

	if (end == NULL) {
		*rest = (struct span){ rest->p + rest->n, 0 };
		return part;
	}
	part.n = (size_t)(end - rest->p);
	rest->p = end + 1;
	rest->n -= part.n + 1;
	return part;
}

/* null, false, true, numbers, strings. */
static int
kind_order(struct span part)
{
	switch (*part.p) {
	case 'n':
		return 0;
	case 'f':
		return 1;
	case 't':
		return 2;
	case '"':
		return 4;
	default:
		return 3;
	}
}

static int
part_cmp(struct span a, struct span b)
{
	int x = kind_order(a), y = kind_order(b);
	struct decimal d, e;

	if (x != y || x < 3)
		return x - y;
	if (x == 4) /* without the quotes, that a prefix is less */
		return span_cmp((struct span){ a.p + 1, a.n - 2 },
		    (struct span){ b.p + 1, b.n - 2 });
	if (digits_are(a) && digits_are(b))
		return digits_cmp(a, b);
	decimal_parse(&d, a);
	decimal_parse(&e, b);
	return decimal_cmp(&d, &e);
}

int
key_cmp(struct span a, struct span b)
{
	int c = 0;

	while (c == 0 && a.n != 0 && b.n != 0) {
		struct span x = key_next_part(&a), y = key_next_part(&b);

		c = part_cmp(x, y);
	}
	return c;
}

uint64_t
key_sort_word(struct span key, size_t same)
{
	struct span part = key_next_part(&key);
	uint64_t kind = (uint64_t)kind_order(part), word = 0;
	size_t at = same == 0 ? 1 : same; /* in a string, behind its quote */

	if (kind == 4 && at + 1 < part.n)
		word = __builtin_bswap64(word_load_first(part.p + at,
		    part.n - 1 - at));
	return kind << 61 | word >> 3;
}

void
key_put(struct buffer *b, const struct field *fields, size_t n,
    struct span spelling)
{
	for (size_t i = 0; i < n; i++) {
		struct span name = fields[i].name, part = spelling;
		char *p;

		if (i + 1 < n)
			part = key_next_part(&spelling);
		p = buffer_room(b, name.n + part.n + 2 + SPAN_PAD);
		if (i != 0)
			*p++ = ',';
		p = span_copy_padded(p, name);
		*p++ = ':';
		p = span_copy(p, part);
		b->n = (size_t)(p - b->p);
	}
}

void
key_start_row(struct buffer *b, const struct field *fields, size_t n,
    struct span spelling)
{
	buffer_byte(b, '{');
	key_put(b, fields, n, spelling);
	if (n != 0)
		buffer_byte(b, ',');
}

struct span
key_part_of(struct span key, size_t part)
{
	struct span found = key_next_part(&key);

	while (part-- > 0)
		found = key_next_part(&key);
	return found;
}
