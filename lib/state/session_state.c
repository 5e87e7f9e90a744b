/*
 * SPDX-License-Identifier: ISC
 */
#include <stdlib.h>

#include "base/memory.h"
#include "base/packed.h"
#include "state/session_state.h"

enum { VALUES_FORM = 2 };

/* After the order and the key, and after the aggregates. */
enum { START, END, NTIMES };
enum { SPELLING, EXACT, NREST };

/* Fill the value of a session, of which columns are to be looked at. */
static bool
take_value(struct session_state *s, void *value,
    const struct stored_value *columns, struct span exact)
{
	struct aggregates *a = s->sessions->aggregates;
	struct unpacker u = unpack_form(exact, VALUES_FORM);
	int64_t n;

	aggregates_unpack(a, value, &u);
	n = aggregates_tuples(a, value);
	if (!unpack_done(&u) || n > PACKED_MOST - s->tuples)
		return false;
	s->tuples += n;
	return aggregates_agree(a, value, columns);
}

static void
take_row(void *arg, size_t i, const struct stored_value *row)
{
	struct session_state *s = arg;
	const struct stored_value *times = row + 1 + s->nkeys;
	const struct stored_value *rest =
	    times + NTIMES + s->sessions->aggregates->n;
	struct session *session;

	(void)i;
	if (!store_int_is(&row[0], 0, (int64_t)s->sessions->order - 1) ||
	    !store_int_is(&times[START], -PACKED_MOST, PACKED_MOST) ||
	    !store_int_is(&times[END], times[START].i, PACKED_MOST) ||
	    rest[EXACT].kind != STORED_BLOB ||
	    !stored_key_read(&s->key, row + 1, s->nkeys, &rest[SPELLING]))
		store_table_damaged(s->table);
	session = sessions_put_back(s->sessions, &s->key.key, times[START].i,
	    times[END].i, (uint64_t)row[0].i);
	if (session == NULL ||
	    !take_value(s, session->value, times + NTIMES, rest[EXACT].bytes))
		store_table_damaged(s->table);
}

void
session_state_open(struct session_state *s, struct store *store,
    const struct span *names)
{
	const struct aggregates *a = s->sessions->aggregates;
	size_t n = 1 + s->nkeys + NTIMES + a->n + NREST;
	struct span *all = memory_new(n, sizeof *all);
	struct span *times = all + 1 + s->nkeys, *rest = times + NTIMES + a->n;

	all[0] = SPAN("_order");
	memcpy(all + 1, names, s->nkeys * sizeof *all);
	times[START] = SPAN("session_start");
	times[END] = SPAN("session_end");
	aggregates_names(a, times + NTIMES);
	rest[SPELLING] = SPAN("_spelling");
	rest[EXACT] = SPAN("_exact");
	s->table = store_table(store, PART_ITSELF, all, 1, n);
	free(all);
	s->sessions->kept = true;
	if (store_is_new(store))
		return;
	s->sessions->order =
	    (uint64_t)store_get_int_within(store, "order", 0, PACKED_MOST);
	store_table_scan(s->table, STORE_TABLE_KEY, take_row, s);
}

static void
fill_row(void *arg, size_t i, struct stored_value *row)
{
	struct session_state *s = arg;
	struct aggregates *a = s->sessions->aggregates;
	struct session *session = s->sessions->sessions[s->order.places[i].id];
	struct span key = hash_map_key(&s->sessions->keys, session->key);
	struct stored_value *times = row + 1 + s->nkeys;
	struct stored_value *rest = times + NTIMES + a->n;

	session->stored = true;
	row[0] = stored_value_of_int((int64_t)session->order);
	stored_key_columns(key, s->nkeys, row + 1);
	times[START] = stored_value_of_int(session->start);
	times[END] = stored_value_of_int(session->end);
	aggregates_columns(a, session->value, times + NTIMES);
	rest[SPELLING] =
	    stored_key_spelling(key, sessions_spelling(s->sessions, session));
	s->exact.n = 0;
	pack_form(&s->exact, VALUES_FORM);
	aggregates_pack(a, session->value, &s->exact);
	rest[EXACT] = stored_value_of_blob(buffer_span(&s->exact));
}

static void
fill_gone(void *arg, size_t i, struct stored_value *row)
{
	struct session_state *s = arg;

	row[0] = stored_value_of_int((int64_t)s->sessions->gone[i]);
}

void
session_state_save(struct session_state *s, struct store *store)
{
	struct sessions *all = s->sessions;

	store_put_int(store, "order", (int64_t)all->order);
	store_table_del(s->table, all->ngone, fill_gone, s);
	all->ngone = 0;
	s->order.n = 0;
	for (size_t i = 0; i < all->ntouched; i++) {
		struct session *session = all->sessions[all->touched[i]];

		if (session == NULL || !session->touched)
			continue;
		/* An id that was given twice is looked at once. */
		session->touched = false;
		row_order_add(&s->order, (int64_t)session->order,
		    (struct span){ 0 }, all->touched[i]);
	}
	all->ntouched = 0;
	row_order_sort(&s->order);
	store_table_put(s->table, s->order.n, fill_row, s);
}

void
session_state_fini(struct session_state *s)
{
	row_order_fini(&s->order);
	stored_key_fini(&s->key);
	buffer_fini(&s->exact);
}
