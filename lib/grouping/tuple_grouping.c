/*
 * SPDX-License-Identifier: ISC
 */
#include "grouping/tuple_grouping.h"
#include "base/hash.h"
#include "grouping/java_hash.h"
#include "json/text.h"

#define SHORT_INTEGER "an integer of at most 10000 digits"

_Static_assert(JAVA_HASH_DIGITS == 10000, "SHORT_INTEGER says so");

void
tuple_grouping_fini(struct tuple_grouping *g)
{
	key_fini(&g->key);
	buffer_fini(&g->text);
	buffer_fini(&g->scratch);
}

/* The value of the tuple's first member, a scalar. */
static int
first_member(const struct tuple *t, struct value *v, struct fault *f)
{
	struct json_members it = json_members(t->line);
	struct json_member m;

	if (!json_members_next(&it, &m))
		return fault_set(f, FAULT_MISSING, 1,
		    "expected a member to group by, got an empty object");
	*v = value_from(m.value,
	    *m.value.p == '"' && memchr(m.value.p, '\\', m.value.n) != NULL);
	if (*m.value.p == '{' || *m.value.p == '[')
		return fault_set(f, FAULT_TYPE, tuple_column(t, v),
		    "expected a string, number, true, false or null in the "
		    "first member, got %s",
		    *m.value.p == '{' ? "an object" : "an array");
	return 0;
}

/* Storm without fields: the first value as text, or as a list of one. */
static int
storm_first(struct tuple_grouping *g, const struct grouping_config *config,
    const struct tuple *t, const struct value *v, int32_t *list,
    struct fault *f)
{
	bool listed = config->kind == GROUPING_FIELDS;
	int32_t hash = 0;

	g->text.n = 0;
	if (!listed && *v->p == 'n')
		return fault_set(f, FAULT_TYPE, tuple_column(t, v),
		    "expected a string, number, true or false in the first "
		    "member, got null");
	if ((listed ? java_hash_value(v, &g->scratch, &hash) :
		      java_hash_text(v, &g->scratch, &g->text)) < 0)
		return fault_set(f, FAULT_RANGE, tuple_column(t, v),
		    "expected " SHORT_INTEGER " in the first member");
	*list = java_hash_list(1, hash);
	return 0;
}

/* Storm with fields: their hashes as bytes, and that of their list. */
static int
storm_hashes(struct tuple_grouping *g, const struct tuple *t, size_t first,
    size_t n, int32_t *list, struct fault *f)
{
	int32_t hash;

	g->text.n = 0;
	*list = 1;
	for (size_t i = first; i < first + n; i++) {
		if (java_hash_value(key_field(t, i), &g->scratch, &hash) < 0)
			return tuple_mismatch(t, i, FAULT_RANGE, SHORT_INTEGER,
			    f);
		for (int shift = 24; shift >= 0; shift -= 8)
			buffer_byte(&g->text,
			    (char)(unsigned char)((uint32_t)hash >> shift));
		*list = java_hash_list(*list, hash);
	}
	return 0;
}

int
tuple_grouping_key(struct tuple_grouping *g,
    const struct grouping_config *config, const struct tuple *t, size_t first,
    size_t n, struct task_key *key, struct fault *f)
{
	bool native = config->scheme == GROUPING_NATIVE;
	struct value v;
	int32_t list = 1;

	if (n != 0) {
		if (key_of(&g->key, t, first, n, f) < 0 ||
		    (!native && storm_hashes(g, t, first, n, &list, f) < 0))
			return -1;
	} else {
		if (first_member(t, &v, f) < 0 ||
		    key_of_value(&g->key, t, &v, f) < 0 ||
		    (!native && storm_first(g, config, t, &v, &list, f) < 0))
			return -1;
	}
	if (native)
		*key = grouping_key_native(config, g->key.bytes);
	else if (config->kind == GROUPING_FIELDS)
		*key = grouping_key_fields(config, list);
	else
		*key = grouping_key_storm(config, buffer_span(&g->text));
	key->hash =
	    native ? key->hash : hash_seeded(g->key.bytes, config->seed);
	return 0;
}
