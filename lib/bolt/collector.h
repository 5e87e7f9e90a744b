/*
 * collector - where a bolt puts what it has to say.
 *
 * The runner that drives the bolt fills in the functions: rows go to stdout
 * in a pipe, and to the next bolts of the topology under Storm.
 *
 * Source: Storm's OutputCollector; anchors, ack and fail are those of its
 *         reliability API.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef BOLT_COLLECTOR_H
#define BOLT_COLLECTOR_H

#include <stdint.h>

#include "base/buffer.h"
#include "tuple/tuple.h"

struct collector {
	struct buffer *rows; /* a bolt assembles its row at the end of this */
	void (*emit)(struct collector *c, const uint64_t *anchors, size_t n);
	void (*send)(struct collector *c, size_t task, struct span line);
	void (*tick)(struct collector *c, int64_t ms);
	void (*ack)(struct collector *c, uint64_t id);	/* NULL: nobody cares */
	void (*fail)(struct collector *c, uint64_t id); /* likewise */
	void (*late)(struct collector *c, const struct tuple *t, int64_t by_ms);
	bool (*side)(struct collector *c, uint64_t id, struct span line);
	bool has_side;
	bool (*declares)(struct collector *c, struct span field);
	/* What there is to be looked at; NULL: Storm does not look. */
	bool (*window)(struct collector *c, size_t *columns, size_t *lines);
	void (*draw)(struct collector *c, struct span picture);
	void (*erase)(struct collector *c);
};

/*
 * The buffer to append a row to, without its newline.
 *
 * Owns:   the collector's; good until collector_emit.
 */
static inline struct buffer *
collector_row(struct collector *c)
{
	return c->rows;
}

/*
 * Emit the row that was appended, anchored to the tuples it comes from.
 *
 * Shape:  anchors are ids of tuples neither acked nor failed yet; n may be 0.
 */
static inline void
collector_emit(struct collector *c, const uint64_t *anchors, size_t n)
{
	c->emit(c, anchors, n);
}

/*
 * Send a line to a task, without its newline.
 *
 * Shape:  task < n of the bolt's tasks.
 * Errors: none; a task that fails ends the run.
 */
static inline void
collector_send(struct collector *c, size_t task, struct span line)
{
	c->send(c, task, line);
}

/*
 * End a batch: all rows before are complete as of ms.  Where the bolt has
 * tasks, each of them is told.
 */
static inline void
collector_tick(struct collector *c, int64_t ms)
{
	c->tick(c, ms);
}

/* Tell whether anybody heeds anchors, acks and fails: Storm does. */
static inline bool
collector_is_reliable(const struct collector *c)
{
	return c->ack != NULL;
}

/* A tuple is done with, or could not be. */
static inline void
collector_ack(struct collector *c, uint64_t id)
{
	if (c->ack != NULL)
		c->ack(c, id);
}

static inline void
collector_fail(struct collector *c, uint64_t id)
{
	if (c->fail != NULL)
		c->fail(c, id);
}

/*
 * A tuple has come too late to count; this also acks it.
 *
 * Units:  by_ms is how much older it is than one that came before it.
 */
static inline void
collector_late(struct collector *c, const struct tuple *t, int64_t by_ms)
{
	c->late(c, t, by_ms);
}

/*
 * Hand a tuple on, as a line, to the command's side file or, under Storm, its
 * side stream; _has_side tells whether there is one.  Returns whether it is in
 * other hands now, and so is to be acked rather than failed.
 */
static inline bool
collector_side(struct collector *c, uint64_t id, struct span line)
{
	return c->side(c, id, line);
}

static inline bool
collector_has_side(const struct collector *c)
{
	return c->has_side;
}

/*
 * The size of the window that rows are looked at in.
 *
 * Shape:  *lines is 0 where it cannot be drawn in.
 * Errors: false where no terminal shows them; *columns is then how long they
 *         may be, 0 where that does not matter.
 */
static inline bool
collector_window(struct collector *c, size_t *columns, size_t *lines)
{
	return c->window(c, columns, lines);
}

/*
 * Draw a picture there in place of the last; or erase it, so that rows take
 * its place.
 *
 * Shape:  see screen_draw.
 */
static inline void
collector_draw(struct collector *c, struct span picture)
{
	c->draw(c, picture);
}

static inline void
collector_erase(struct collector *c)
{
	c->erase(c);
}

/* Tell whether rows are to have a field, in a topology that declares them. */
static inline bool
collector_declares(struct collector *c, struct span field)
{
	return c->declares != NULL && c->declares(c, field);
}

#endif
