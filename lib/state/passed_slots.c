/*
 * SPDX-License-Identifier: ISC
 */
#include "state/passed_slots.h"

enum { PASSED_FORM = 1 };

void
passed_slots_fini(struct passed_slots *p)
{
	buffer_fini(&p->packed);
}

static void
pack_slot(void *arg, int64_t slot)
{
	struct passed_slots *p = arg;

	pack_int(&p->packed, slot);
}

void
passed_slots_save(struct passed_slots *p,
    const struct sliding_window_counter *w, struct store *store)
{
	p->packed.n = 0;
	pack_form(&p->packed, PASSED_FORM);
	if (w->started)
		slot_counter_each_ahead(&w->counter, w->reached, pack_slot, p);
	store_put_value(store, "passed", buffer_span(&p->packed));
}

void
passed_slots_load(struct passed_slots *p, struct store *store)
{
	p->packed.n = 0;
	if (!store_get_value(store, "passed", &p->packed))
		store_damaged(store, "passed");
}

static struct unpacker
unpack(const struct passed_slots *p)
{
	return unpack_form(buffer_span(&p->packed), PASSED_FORM);
}

bool
passed_slots_any(const struct passed_slots *p)
{
	struct unpacker u = unpack(p);

	return unpack_more(&u);
}

/* Go to the next: none is there twice. */
static void
take_next(struct passed_slots *p, int64_t least)
{
	p->next = unpack_more(&p->rest) ? unpack_int(&p->rest, least, p->most) :
					  INT64_MAX;
}

void
passed_slots_begin(struct passed_slots *p,
    const struct sliding_window_counter *w)
{
	p->rest = unpack(p);
	p->most = w->reached - 1;
	take_next(p, w->reached - w->nslots);
}

bool
passed_slots_has(struct passed_slots *p, int64_t slot)
{
	while (p->next < slot)
		take_next(p, p->next + 1);
	return p->next == slot;
}

bool
passed_slots_done(struct passed_slots *p)
{
	passed_slots_has(p, INT64_MAX);
	return unpack_done(&p->rest);
}
