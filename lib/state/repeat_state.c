/*
 * SPDX-License-Identifier: ISC
 */
#include <stdlib.h>

#include "base/memory.h"
#include "state/repeat_state.h"

/* Event times are nanoseconds in an int64_t. */
enum { MS_IN_NS = 1000000 };
#define MOST_MS (INT64_MAX / MS_IN_NS)

static void
take_row(void *arg, size_t i, const struct stored_value *row)
{
	struct repeat_state *s = arg;

	(void)i;
	if (!store_int_is(&row[0], -MOST_MS - 1, MOST_MS) ||
	    !stored_key_read_bytes(&s->key, row + 1, s->nkeys))
		store_table_damaged(s->table);
	repeats_look(s->repeats, &s->near, s->key.key.bytes, row[0].i);
	if (!repeats_pass(s->repeats, &s->near, INT64_MIN))
		store_table_damaged(s->table);
}

void
repeat_state_open(struct repeat_state *s, struct store *store,
    const struct span *names)
{
	size_t n = 1 + s->nkeys;
	struct span *all = memory_new(n, sizeof *all);
	struct key_limit *limit = s->repeats->limit;

	all[0] = SPAN("timeMillis");
	memcpy(all + 1, names, s->nkeys * sizeof *all);
	s->table = store_table(store, PART_ITSELF, all, n, n);
	free(all);
	if (!store_is_new(store)) {
		/* There may be more keys than this run allows. */
		s->repeats->limit = NULL;
		store_table_scan(s->table, STORE_TABLE_KEY, take_row, s);
		s->repeats->limit = limit;
		if (!s->several && store_get_int_within(store, "seen", 0, 1))
			watermark_see(s->watermark, 0,
			    store_get_int_within(store, "latest", -MOST_MS - 1,
				MOST_MS));
	}
	repeats_note(s->repeats);
}

static void
fill_row(void *arg, size_t i, struct stored_value *row)
{
	const struct repeat_state *s = arg;
	const struct repeats_fresh *f = &s->repeats->fresh[i];

	row[0] = stored_value_of_int(f->time);
	stored_key_columns((struct span){ s->repeats->fresh_keys.p + f->at,
			       f->n },
	    s->nkeys, row + 1);
}

void
repeat_state_save(struct repeat_state *s, struct store *store)
{
	const struct watermark_stream *stream = &s->watermark->streams[0];
	int64_t before;

	repeats_weed(s->repeats, s->watermark->now);
	store_table_put(s->table, s->repeats->nfresh, fill_row, s);
	repeats_note(s->repeats);
	if (!__builtin_sub_overflow(s->watermark->now, s->repeats->length - 1,
		&before))
		store_table_clear_below(s->table, before);
	if (s->several)
		return;
	store_put_int(store, "seen", stream->seen);
	store_put_int(store, "latest", stream->seen ? stream->max : 0);
}

void
repeat_state_fini(struct repeat_state *s)
{
	stored_key_fini(&s->key);
	repeats_near_fini(&s->near);
}
