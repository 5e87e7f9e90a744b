/*
 * collector - where a bolt puts its rows, ticks, acks and fails.
 *
 * The runner fills in the functions: in a pipe rows go to stdout, under Storm
 * to the next bolts of the topology.
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
	struct buffer *rows; /* a bolt appends its row to it */
	void (*emit)(struct collector *c, const uint64_t *anchors, size_t n);
	void (*send)(struct collector *c, size_t task, uint64_t id,
	    struct span line);
	void (*tick)(struct collector *c, int64_t ms);
	void (*ack)(struct collector *c, uint64_t id);	/* NULL: in a pipe */
	void (*fail)(struct collector *c, uint64_t id); /* likewise */
	void (*late)(struct collector *c, const struct tuple *t, int64_t by_ms);
	bool (*side)(struct collector *c, uint64_t id, struct span line);
	bool has_side;
	bool (*declares)(struct collector *c, struct span field);
	/* The terminal; NULL under Storm. */
	bool (*screen_size)(struct collector *c, size_t *columns,
	    size_t *lines);
	void (*draw)(struct collector *c, struct span picture);
	void (*erase)(struct collector *c);
};

/*
 * The buffer to append a row to, without a newline.
 *
 * Owns:   it is the collector's, and valid until collector_emit.
 */
static inline struct buffer *
collector_row(struct collector *c)
{
	return c->rows;
}

/*
 * Emit the row that was appended, anchored to the tuples that it comes from.
 *
 * Shape:  anchors are the ids of n tuples that are neither acked nor failed
 *         yet; n may be 0.
 * Errors: none.
 */
static inline void
collector_emit(struct collector *c, const uint64_t *anchors, size_t n)
{
	c->emit(c, anchors, n);
}

/*
 * Send a line, without a newline, to one of the bolt's tasks, anchored to the
 * tuple of that id.
 *
 * Shape:  task is less than the number of tasks.
 * Errors: none; if a task fails, the runner ends the input.
 */
static inline void
collector_send(struct collector *c, size_t task, uint64_t id, struct span line)
{
	c->send(c, task, id, line);
}

/*
 * Emit a tick: the batch of rows before it is complete as of ms.  If the bolt
 * has tasks, the tick goes to each of them.
 */
static inline void
collector_tick(struct collector *c, int64_t ms)
{
	c->tick(c, ms);
}

/* Tell whether anchors, acks and fails are used, as under Storm. */
static inline bool
collector_is_reliable(const struct collector *c)
{
	return c->ack != NULL;
}

/*
 * Ack a tuple, which is then done; or fail it, so that Storm sends it again.
 * A failed line of a block is not sent again.
 */
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
 * Note that a tuple came too late to count, and ack it.  run/closing_words
 * reports late tuples at the end.  A join counts for itself: see count of
 * bolt/join_bolt.
 *
 * Units:  by_ms is how far it is behind an earlier tuple.
 */
static inline void
collector_late(struct collector *c, const struct tuple *t, int64_t by_ms)
{
	c->late(c, t, by_ms);
}

/*
 * Write a line about a tuple to the file of --late or --expired or, under
 * Storm, emit it to the stream of that name.  Returns true if it was emitted,
 * so that the tuple is to be acked instead of failed.  _has_side tells whether
 * there is such a file or stream.
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
 * The size of the terminal that shows the rows.
 *
 * Shape:  *lines is 0 if it cannot be drawn on.
 * Errors: false if rows go to no terminal; *columns is then how long they may
 *         be, or 0 for no limit.
 */
static inline bool
collector_screen_size(struct collector *c, size_t *columns, size_t *lines)
{
	return c->screen_size(c, columns, lines);
}

/*
 * Draw a picture on the terminal in place of the last; or erase it, so that
 * rows take its place.
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

/* Tell whether the topology declares a field for the bolt's rows. */
static inline bool
collector_declares(struct collector *c, struct span field)
{
	return c->declares != NULL && c->declares(c, field);
}

#endif
