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
	change.part->change = (uint32_t)at + 1;
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

struct join_part *
join_part_new(size_t n)
{
	return memory_new(1,
	    sizeof(struct join_part) + n * sizeof(struct join_field));
}

struct span
join_part_needed(const struct join_part *p, size_t n)
{
	const struct join_field *f = join_part_fields(p), *last = f + n;
	uint32_t first = UINT32_MAX, end = 0;

	if (!p->fields_only)
		return join_part_line(p);
	for (; f < last; f++) {
		if (f->n == 0)
			continue;
		first = f->at < first ? f->at : first;
		end = f->at + f->n > end ? f->at + f->n : end;
	}
	first = first < end ? first : end;
	return (struct span){ p->line + first, end - first };
}

void
join_part_copy_fields(const struct join_part *p, size_t n, struct span needed,
    struct join_field *fields)
{
	const struct join_field *f = join_part_fields(p);
	uint32_t before = (uint32_t)(needed.p - p->line);

	for (size_t i = 0; i < n; i++) {
		fields[i].at = f[i].at - before;
		fields[i].n = f[i].n;
	}
}

/* How much a part takes that is kept with so many bytes of its line. */
static size_t
size_with(const struct join_parts *w, size_t nlinks, size_t line)
{
	return sizeof(struct join_part) + nlinks * sizeof(struct join_part *) +
	    w->nfields * sizeof(struct join_field) + line;
}

struct join_part *
join_parts_keep(struct join_parts *w, const struct join_part *part, uint32_t id,
    uint8_t nlinks)
{
	struct span needed = join_part_needed(part, w->nfields);
	struct join_part *p =
	    pool_new(&w->pool, size_with(w, nlinks, needed.n));
	struct join_field *fields;
	char *line;

	/* By members: to copy it as a whole waits for what was just stored. */
	p->nlinks = nlinks;
	fields = join_part_fields(p);
	line = (char *)(fields + w->nfields);
	p->line = line;
	p->n = (uint32_t)needed.n;
	p->time = part->time;
	p->order = part->order;
	p->id = part->id;
	p->stream = part->stream;
	p->change = 0;
	p->joined = part->joined;
	p->stored = part->stored;
	p->fields_only = part->fields_only;
	span_copy(line, needed);
	join_part_copy_fields(part, w->nfields, needed, fields);
	w->n++;
	note(w, p, id);
	return p;
}

void
join_parts_drop(struct join_parts *w, struct join_part *p)
{
	note_gone(w, p);
	pool_free(&w->pool, p, size_with(w, p->nlinks, p->n));
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
