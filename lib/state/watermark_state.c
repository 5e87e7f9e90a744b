/*
 * SPDX-License-Identifier: ISC
 */
#include "state/watermark_state.h"
#include "base/packed.h"

enum { FORM = 1 };

void
watermark_state_save(const struct watermark *w, const struct span *names,
    struct store *store)
{
	struct buffer b = { 0 };

	pack_form(&b, FORM);
	pack_int(&b, w->now);
	for (size_t i = 0; i < w->n; i++) {
		if (!w->streams[i].seen)
			continue;
		pack_bytes(&b, names[i]);
		pack_int(&b, w->streams[i].max);
	}
	store_put_value(store, "watermark", buffer_span(&b));
	buffer_fini(&b);
}

/* A stream was there; of several with one name each gets one. */
static void
take(struct watermark *w, const struct span *names, struct span name,
    int64_t max)
{
	for (size_t i = 0; i < w->n; i++) {
		if (!w->streams[i].seen && span_eq(names[i], name)) {
			watermark_put_back(w, i, max);
			return;
		}
	}
}

void
watermark_state_restore(struct watermark *w, const struct span *names,
    struct store *store)
{
	struct buffer b = { 0 };
	struct unpacker u;
	struct span name;

	if (store_is_new(store))
		return;
	store_get_value(store, "watermark", &b);
	u = unpack_form(buffer_span(&b), FORM);
	w->now = unpack_int(&u, INT64_MIN, PACKED_MOST);
	while (!u.bad && unpack_more(&u)) {
		name = unpack_bytes(&u);
		take(w, names, name, unpack_int(&u, -PACKED_MOST, PACKED_MOST));
	}
	if (!unpack_done(&u))
		store_damaged(store, "watermark");
	buffer_fini(&b);
}
