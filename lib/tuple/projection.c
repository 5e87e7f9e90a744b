/*
 * SPDX-License-Identifier: ISC
 */
#include "tuple/projection.h"
#include "base/packed.h"
#include "json/text.h"
#include "tuple/field_path.h"

/* Append what no other step is spelled like. */
static void
put_step(struct buffer *b, const struct field_step *step)
{
	pack_int(b, step->index);
	pack_int(b, step->name.p != NULL);
	pack_bytes(b, step->name);
}

/* The child of a node at the end of so many steps, which is made if need be. */
static struct scan_node *
child_of(struct projection *p, struct scan_node *node, struct span steps,
    const struct field_step *step)
{
	bool added;
	uint32_t id =
	    hash_map_put(&p->places, steps, steps, hash_bytes(steps), &added);
	size_t *place = hash_map_value(&p->places, id);
	struct scan_node *c;

	if (!added)
		return &node->children[*place];
	*place = node->nchildren;
	node->children = memory_grow(node->children, &node->cap,
	    node->nchildren + 1, sizeof *node->children);
	c = &node->children[node->nchildren++];
	*c = (struct scan_node){ .index = step->index, .slot = SCAN_NO_SLOT };
	if (step->name.p != NULL)
		c->name = span_dup(step->name);
	return c;
}

/* The slot at the end of path, which is made if need be. */
static int
slot_at(struct projection *p, const struct field_path *path)
{
	struct scan_node *node = &p->root;
	struct buffer steps = { 0 };

	for (size_t i = 0; i < path->n; i++) {
		put_step(&steps, &path->steps[i]);
		node = child_of(p, node, buffer_span(&steps), &path->steps[i]);
	}
	buffer_fini(&steps);
	if (node->slot == SCAN_NO_SLOT)
		node->slot = p->nslots++;
	return node->slot;
}

/* The slot of the top-level member of exactly this name. */
static int
slot_of_member(struct projection *p, struct span name)
{
	struct field_step step = { name, -1 };
	struct field_path path = { &step, 1, 1 };

	return slot_at(p, &path);
}

struct span *
field_plain_names(const struct field *fields, size_t n, size_t more)
{
	struct span *names = memory_new(n + more, sizeof *names);

	for (size_t i = 0; i < n; i++)
		names[i] =
		    (struct span){ fields[i].name.p + 1, fields[i].name.n - 2 };
	return names;
}

void
projection_init(struct projection *p)
{
	*p = (struct projection){ .root = {
				      .index = -1, .slot = SCAN_NO_SLOT } };
	hash_map_init(&p->places, sizeof(size_t));
	slot_of_member(p, SPAN("__tick"));
	/* What an option that is not given begins at has an address, too. */
	p->fields = memory_grow(NULL, &p->cap, 1, sizeof *p->fields);
}

static void
free_node(struct scan_node *node)
{
	for (size_t i = 0; i < node->nchildren; i++)
		free_node(&node->children[i]);
	free(node->children);
	free(node->many);
	span_free(node->name);
}

void
projection_fini(struct projection *p)
{
	free_node(&p->root);
	hash_map_fini(&p->places);
	for (size_t i = 0; i < p->nfields; i++) {
		span_free(p->fields[i].text);
		span_free(p->fields[i].name);
	}
	free(p->fields);
	*p = (struct projection){ 0 };
}

static struct span
output_name(struct span name)
{
	struct buffer b = { 0 };

	json_put_string(&b, name);
	return buffer_take_padded(&b);
}

/* Add the field that text is the path of, under a name on output. */
static const char *
add_path(struct projection *p, struct span name, struct span text, bool of_key,
    bool optional)
{
	struct field_path path;
	struct field *field;
	const char *wrong;
	bool bare;

	if (text.n == 0)
		return "expected a field";
	bare = *text.p != '.' && *text.p != '/';
	wrong = field_path_parse(&path, text);
	/* What is no path can still be the exact name of a member. */
	if (wrong != NULL && !bare) {
		field_path_fini(&path);
		return wrong;
	}
	p->fields =
	    memory_grow(p->fields, &p->cap, p->nfields + 1, sizeof *p->fields);
	field = &p->fields[p->nfields++];
	*field = (struct field){ .text = span_dup(text),
		.name = output_name(name),
		.of_key = of_key,
		.optional = optional,
		.other = SCAN_NO_SLOT };
	field->slot = bare ? slot_of_member(p, text) : slot_at(p, &path);
	if (bare && wrong == NULL && (path.n > 1 || *text.p == '['))
		field->other = slot_at(p, &path);
	field_path_fini(&path);
	return NULL;
}

/* What a path is called on output. */
static struct span
name_of(struct span text)
{
	bool dot = text.n != 0 && *text.p == '.';

	return (struct span){ text.p + dot, text.n - dot };
}

const char *
projection_add_one(struct projection *p, struct span text, size_t *field)
{
	*field = p->nfields;
	return add_path(p, name_of(text), text, false, false);
}

static const char *
add_field(struct projection *p, struct span item, bool of_key)
{
	size_t equals = field_path_until(item, '=');
	struct span name = { item.p, equals }, text = item;
	bool optional = of_key && item.n > 1 && item.p[item.n - 1] == '?';

	text.n -= optional;
	if (equals == 0 && item.n != 0)
		return "expected a name before '='";
	if (equals < item.n) {
		text.p += equals + 1;
		text.n -= equals + 1;
	} else {
		name = name_of(text);
	}
	return add_path(p, name, text, of_key, optional);
}

static const char *
add_fields(struct projection *p, const char *text, size_t *first, size_t *n,
    bool of_key)
{
	struct span rest = span_of(text);
	const char *wrong;
	size_t comma;

	*first = p->nfields;
	for (;;) {
		comma = field_path_until(rest, ',');
		wrong = add_field(p, (struct span){ rest.p, comma }, of_key);
		if (wrong != NULL)
			return wrong;
		if (comma == rest.n)
			break;
		rest.p += comma + 1;
		rest.n -= comma + 1;
	}
	*n = p->nfields - *first;
	return NULL;
}

const char *
projection_add(struct projection *p, const char *text, size_t *first, size_t *n)
{
	return add_fields(p, text, first, n, false);
}

/* Add the one field that text is the path of. */
static const char *
add_one(struct projection *p, const char *text, size_t *first, size_t *n,
    bool of_key)
{
	struct span path = span_of(text);
	const char *wrong;

	if (field_path_until(path, '=') != path.n)
		return "expected a path without NAME=";
	wrong = add_fields(p, text, first, n, of_key);
	return wrong == NULL && *n != 1 ? "expected one field" : wrong;
}

const char *
projection_add_path(struct projection *p, const char *text, size_t *first,
    size_t *n)
{
	return add_one(p, text, first, n, false);
}

const char *
projection_add_key_path(struct projection *p, const char *text, size_t *first,
    size_t *n)
{
	return add_one(p, text, first, n, true);
}

const char *
projection_add_key(struct projection *p, const char *text, size_t *first,
    size_t *n)
{
	return add_fields(p, text, first, n, true);
}

/* Tell whether a member or an element is looked for by both. */
static bool
is_twin(const struct scan_node *a, const struct scan_node *b)
{
	return (a->index >= 0 && a->index == b->index) ||
	    (a->name.p != NULL && b->name.p != NULL &&
		span_eq(a->name, b->name));
}

/*
 * Mark the children of which a later one finds the same values.  Two that both
 * have no index are called differently, so all need not be held against all.
 */
static void
mark_twins(struct scan_node *node)
{
	struct scan_node *c = node->children;

	for (size_t i = 0; i < node->nchildren; i++) {
		if (c[i].index < 0)
			continue;
		for (size_t k = 0; k < node->nchildren; k++)
			if (k != i && is_twin(&c[i], &c[k]))
				c[k < i ? k : i].twin = true;
	}
}

/* Tell whether a name can be written without escapes. */
static bool
is_plain(struct span name)
{
	const unsigned char *p = (const unsigned char *)name.p;

	for (size_t i = 0; i < name.n; i++)
		if (p[i] < 0x20 || p[i] == '"' || p[i] == '\\')
			return false;
	return name.p != NULL;
}

/* Let keys that are the name of a child lead to it. */
static void
lead_to(struct scan_node *node, struct scan_node *child)
{
	size_t n = child->name.n;
	const struct scan_node **named, **place;
	struct buffer b = { 0 };

	buffer_put(&b, child->name);
	buffer_byte(&b, '"');
	child->mask = b.n < 8 ? ((uint64_t)1 << b.n * 8) - 1 : ~(uint64_t)0;
	memset(buffer_room(&b, 8), 0, 8);
	child->word_at = n <= 8 ? 0 : n < 16 ? n - 8 : 8;
	child->word = word_load(b.p + child->word_at) & child->mask;
	named = place = &node->named[scan_node_place((struct span){ b.p, n })];
	if (node->many != NULL)
		place = scan_node_among(node, child->name);
	child->next = *place;
	*named = *place = child;
	node->lengths |= (uint64_t)1 << n % 64;
	buffer_fini(&b);
}

/* Tell whether so many names have the same place that a hash is quicker. */
static bool
is_crowded(const struct scan_node *node)
{
	enum { MANY = 6 };
	unsigned char at[64] = { 0 };

	for (size_t i = 0; i < node->nchildren; i++) {
		struct span name = node->children[i].name;

		if (name.n > 0 && ++at[scan_node_place(name)] == MANY)
			return true;
	}
	return false;
}

/* Make the tables in which keys are looked up. */
static void
make_tables(struct scan_node *node)
{
	size_t n = 64;

	if (is_crowded(node)) {
		while (n < 2 * node->nchildren)
			n *= 2;
		node->many = memory_new(n, sizeof *node->many);
		node->many_mask = n - 1;
	}
	/* Backwards, so that the first of twins is found first. */
	for (size_t i = node->nchildren; i-- > 0;)
		if (is_plain(node->children[i].name))
			lead_to(node, &node->children[i]);
}

/* Number the slots in the order of a walk, so that a subtree is a range. */
static void
number(struct scan_node *node, int *next, int *renamed)
{
	node->first = *next;
	if (node->slot != SCAN_NO_SLOT) {
		renamed[node->slot] = *next;
		node->slot = (*next)++;
	}
	for (size_t i = 0; i < node->nchildren; i++)
		number(&node->children[i], next, renamed);
	node->end = *next;
	mark_twins(node);
	for (size_t i = 0; i < node->nchildren; i++) {
		struct scan_node *c = &node->children[i];

		c->leaf = c->slot >= 0 && c->nchildren == 0 && !c->twin;
	}
	make_tables(node);
}

void
projection_compile(struct projection *p)
{
	int *renamed = memory_new((size_t)p->nslots, sizeof *renamed);
	int next = 0;

	number(&p->root, &next, renamed);
	for (size_t i = 0; i < p->nfields; i++) {
		struct field *f = &p->fields[i];

		f->slot = renamed[f->slot];
		if (f->other != SCAN_NO_SLOT)
			f->other = renamed[f->other];
	}
	free(renamed);
}

struct value *
projection_new_slots(const struct projection *p)
{
	return memory_new((size_t)p->nslots, sizeof(struct value));
}
