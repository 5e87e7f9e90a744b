/*
 * SPDX-License-Identifier: ISC
 */
#include <stdlib.h>

#include "base/memory.h"
#include "join/parts.h"

_Static_assert((int)SPAN_PAD <= (int)POOL_PAD, "all can be read behind a part");

void
join_parts_fini(struct join_parts *w)
{
	pool_fini(&w->pool);
	free(w->changes);
	free(w->gone);
}

/* Put a change into a place. */
static void
put_change(struct join_parts *w, size_t at, struct join_change change)
{
	w->changes[at] = change;
	change.part->change = (unsigned)(at + 1) & 0x3fffffff;
}

/* Note a part that is not stored as it is. */
static void
note(struct join_parts *w, struct join_part *p, uint32_t id)
{
	if (!w->notes || p->change != 0)
		return;
	w->changes = memory_grow(w->changes, &w->changes_cap, w->nchanges + 1,
	    sizeof *w->changes);
	put_change(w, w->nchanges++, (struct join_change){ p, id });
}

/* Note that a part waits no more. */
static void
note_gone(struct join_parts *w, const struct join_part *p)
{
	if (p->change != 0)
		put_change(w, p->change - 1, w->changes[--w->nchanges]);
	if (p->stored) {
		w->gone = memory_grow(w->gone, &w->gone_cap, w->ngone + 1,
		    sizeof *w->gone);
		w->gone[w->ngone++] = p->order;
	}
}

/* How much a part takes that is kept with so many bytes of its line. */
static size_t
size_with(const struct join_parts *w, uint32_t rank, size_t line)
{
	return sizeof(struct join_part) + rank * sizeof(struct join_part *) +
	    w->nfields * sizeof(struct join_field) + line;
}

struct join_part *
join_parts_keep(struct join_parts *w, const struct join_part *part, uint32_t id,
    uint32_t rank)
{
	uint32_t before = part->spare.before;
	size_t n = part->line.n - before - part->spare.after;
	struct join_part *p = pool_new(&w->pool, size_with(w, rank, n));
	struct join_field *fields =
	    (struct join_field *)(void *)(join_part_shortcuts(p) + rank);
	char *line = (char *)(fields + w->nfields);

	*p = *part;
	p->fields = fields;
	p->line = (struct span){ line, n };
	p->rank = rank;
	span_copy(line, (struct span){ part->line.p + before, n });
	for (size_t i = 0; i < w->nfields; i++) {
		fields[i] = part->fields[i];
		fields[i].at -= before;
	}
	w->n++;
	note(w, p, id);
	return p;
}

void
join_parts_drop(struct join_parts *w, struct join_part *p)
{
	note_gone(w, p);
	pool_free(&w->pool, p, size_with(w, p->rank, p->line.n));
	w->n--;
}

void
join_parts_joined(struct join_parts *w, struct join_part *p, uint32_t id)
{
	if (!p->joined)
		note(w, p, id);
	p->joined = true;
}

void
join_parts_note(struct join_parts *w)
{
	for (size_t i = 0; i < w->nchanges; i++) {
		w->changes[i].part->change = 0;
		w->changes[i].part->stored = true;
	}
	w->nchanges = w->ngone = 0;
	w->notes = true;
}
