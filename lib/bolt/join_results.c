/*
 * SPDX-License-Identifier: ISC
 */
#include <stdlib.h>

#include "bolt/join_results.h"

/* Tell whether a row of what stayed alone is asked for. */
static bool
is_wanted(const struct join_results *r, const struct join_part *const *parts)
{
	for (size_t i = 0; i < r->row.names->n; i++)
		if (parts[i] != NULL && r->alone[i])
			return true;
	return false;
}

static void
write_row(void *self, struct span key, const struct join_part *const *parts,
    bool alone)
{
	struct join_results *r = self;
	size_t n = 0;

	r->reported = alone && is_wanted(r, parts);
	if (!alone)
		r->joined++;
	if (alone ? !r->reported : r->only_alone)
		return;
	if (collector_is_reliable(r->collector))
		for (size_t i = 0; i < r->row.names->n; i++)
			if (parts[i] != NULL &&
			    (r->is_table == NULL || !r->is_table[i]))
				r->anchors[n++] = parts[i]->id;
	join_row_put(&r->row, collector_row(r->collector), key, parts);
	collector_emit(r->collector, r->anchors, n);
}

static void
fail(void *self, const struct join_part *part, enum join_reason reason)
{
	struct join_results *r = self;
	bool settled = r->reported && reason != JOIN_DUPLICATE;
	struct buffer line = { 0 };

	r->failed[reason]++;
	if (collector_has_side(r->collector)) {
		join_row_put_failed(&r->row, &line, part, reason);
		settled |=
		    collector_side(r->collector, part->id, buffer_span(&line));
	}
	/* What has been handed on need not come again. */
	if (settled)
		collector_ack(r->collector, part->id);
	else
		collector_fail(r->collector, part->id);
	buffer_fini(&line);
}

static void
done(void *self, const struct join_part *part)
{
	struct join_results *r = self;

	collector_ack(r->collector, part->id);
}

struct join_owner
join_results_owner(struct join_results *r, struct collector *collector,
    const bool *is_table)
{
	r->collector = collector;
	r->is_table = is_table;
	r->anchors = memory_new(r->row.names->n, sizeof *r->anchors);
	return (struct join_owner){ r, write_row, fail,
		collector_is_reliable(collector) ? done : NULL };
}

bool
join_results_count_alone(const struct join_results *r)
{
	bool counts = !collector_is_reliable(r->collector) &&
	    !collector_has_side(r->collector);

	for (size_t i = 0; i < r->row.names->n; i++)
		counts = counts && !r->alone[i];
	return counts;
}

void
join_results_fini(struct join_results *r)
{
	join_row_fini(&r->row);
	free(r->alone);
	free(r->anchors);
}
