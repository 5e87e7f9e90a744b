/*
 * condition - any condition, up to the first newline, and any line behind it,
 * each in an allocation of exactly its length.
 *
 * What is no condition must be told with a place in it.  What is one must give
 * the opposite of its negation, and the same of numbers in digits whether the
 * scanner has noted that they are, or not.
 *
 * SPDX-License-Identifier: ISC
 */
#include "tuple/condition.h"
#include "../unit/padded.h"
#include "json/text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct time_form any;

/* A condition, and what it says of a line. */
struct compiled {
	struct scanned s;
	struct condition *condition;
};

static bool
compile(struct compiled *c, struct span text)
{
	char *exact = malloc(text.n + 1);
	struct fault f = { 0 };

	assert(exact != NULL);
	memcpy(exact, text.p, text.n);
	*c = (struct compiled){ 0 };
	projection_init(&c->s.projection);
	c->condition = condition_new((struct span){ exact, text.n },
	    &c->s.projection, &any, &f);
	free(exact);
	if (c->condition == NULL &&
	    (f.kind == FAULT_NONE || f.column == 0 || f.column > text.n + 1))
		abort();
	projection_compile(&c->s.projection);
	c->s.slots =
	    memory_new((size_t)c->s.projection.nslots + 1, sizeof *c->s.slots);
	return c->condition != NULL;
}

static void
fini(struct compiled *c)
{
	condition_free(c->condition);
	scanned_fini(&c->s);
}

/* Note digits, as the line scanner does. */
static void
note_digits(struct scanned *s)
{
	for (int i = 0; i < s->projection.nslots; i++) {
		struct value *v = &s->slots[i];

		v->digits = v->p != NULL;
		for (uint32_t k = 0; v->digits && k < v->n; k++)
			v->digits = v->p[k] >= '0' && v->p[k] <= '9';
	}
}

/*
 * Tell whether a text repeats repetitions, as in `a++++`: the C library's
 * regcomp(3) takes twice the memory for each of them.
 */
static bool
repeats_repeats(struct span text)
{
	size_t n = 0;

	for (size_t i = 0; i + 1 < text.n; i++)
		n += memchr("*+?}", text.p[i], 4) != NULL &&
		    memchr("*+?{", text.p[i + 1], 4) != NULL;
	return n > 4;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct span text = { (const char *)data, size }, line = { 0 };
	const char *end = size == 0 ? NULL : memchr(data, '\n', size);
	struct compiled c, negated;
	struct buffer b = { 0 };
	bool holds;

	if (end != NULL) {
		text.n = (size_t)(end - text.p);
		line = (struct span){ end + 1, size - text.n - 1 };
		end = memchr(line.p, '\n', line.n);
		if (end != NULL)
			line.n = (size_t)(end - line.p);
		line = json_trim(line);
	}
	if (repeats_repeats(text))
		return 0;
	buffer_put(&b, SPAN("!("));
	buffer_put(&b, text);
	buffer_byte(&b, ')');
	if (compile(&c, text) && compile(&negated, buffer_span(&b))) {
		if (scanned_line(&c.s, line) == 0 &&
		    scanned_line(&negated.s, line) == 0) {
			holds = condition_holds(c.condition, &c.s.tuple);
			if (condition_holds(negated.condition,
				&negated.s.tuple) == holds)
				abort();
			note_digits(&c.s);
			if (condition_holds(c.condition, &c.s.tuple) != holds)
				abort();
		}
	}
	if (c.condition != NULL)
		fini(&negated);
	fini(&c);
	buffer_fini(&b);
	return 0;
}
