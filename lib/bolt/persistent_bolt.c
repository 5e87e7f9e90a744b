/*
 * SPDX-License-Identifier: ISC
 */
#include "bolt/persistent_bolt.h"

enum { BATCH = 1000 };

void
persistent_bolt_init(struct persistent_bolt *b,
    const struct bolt_context *context)
{
	b->collector = context->collector;
	b->map.changes = b->changes || context->multilang;
	b->map.batch_size = b->batch == 0 ? BATCH : b->batch;
	if (context->multilang && !b->changes) /* ticks end batches */
		b->map.batch_size = INT64_MAX;
	persistent_map_init(&b->map);
}

void
persistent_bolt_took(struct persistent_bolt *b, const struct tuple *t)
{
	persistent_map_count(&b->map);
	collector_ack(b->collector, t->id);
}

/* Under Storm a tick ends a batch; those of a pipe mean nothing here. */
void
persistent_bolt_tick(void *self, const struct tick *tick)
{
	struct persistent_bolt *b = self;

	if (tick->source == TICK_ALARM)
		persistent_map_end_batch(&b->map);
}

void
persistent_bolt_finish(void *self, int64_t now_ms)
{
	struct persistent_bolt *b = self;

	(void)now_ms;
	persistent_map_finish(&b->map);
}

void
persistent_bolt_count(const void *self, struct counters *c)
{
	const struct persistent_bolt *b = self;

	c->live_keys = persistent_map_live(&b->map);
}

void
persistent_bolt_save(void *self, struct store *s)
{
	struct persistent_bolt *b = self;

	persistent_map_save(&b->map, s);
}

void
persistent_bolt_dump(void *self)
{
	struct persistent_bolt *b = self;

	persistent_map_dump(&b->map);
}
