/*
 * SPDX-License-Identifier: ISC
 */
#include "tuple/batch_value.h"

void
batch_value_fini(struct batch_value *b)
{
	key_fini(&b->key);
	buffer_fini(&b->value);
}

/* Take the key's bytes as the batch's value; tell whether it had another. */
static bool
take_key(struct batch_value *b)
{
	bool other = b->known && !span_eq(b->key.bytes, buffer_span(&b->value));

	if (other || !b->known) {
		b->value.n = 0;
		buffer_put(&b->value, b->key.bytes);
		b->known = true;
	}
	return other;
}

int
batch_value_see(struct batch_value *b, const struct tuple *t, bool *begins,
    struct fault *f)
{
	if (key_of(&b->key, t, b->field.first, 1, f) < 0)
		return -1;
	*begins = take_key(b);
	return 0;
}

void
batch_value_end(struct batch_value *b)
{
	b->known = false;
}

#define WINDOW_END "window_end"

void
batch_value_by_window(struct batch_value *b, struct projection *p)
{
	projection_add(p, WINDOW_END, &b->field.first, &b->field.n);
	p->fields[b->field.first].tacit = true;
}

bool
batch_value_see_window(struct batch_value *b, const struct tuple *t)
{
	const struct value *end = tuple_field(t, b->field.first);

	return end != NULL && *end->p != '{' && *end->p != '[' &&
	    key_bytes_of_value(&b->key, end) == 0 && take_key(b);
}

bool
batch_value_is_again(struct batch_value *b, const struct tuple *t)
{
	struct number end;
	bool again;

	if (b->known || tuple_field(t, b->field.first) == NULL ||
	    tuple_number(t, b->field.first, &end, NULL) < 0 || !end.is_int)
		return false;
	again = b->began && end.i <= b->latest;
	if (!again)
		b->latest = end.i;
	b->began = true;
	return again;
}

bool
batch_value_has_window(const struct projection *p,
    const struct field_range *fields)
{
	for (size_t i = fields->first; i < fields->first + fields->n; i++)
		if (span_eq(p->fields[i].text, SPAN(WINDOW_END)))
			return true;
	return false;
}
