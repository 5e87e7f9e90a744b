/*
 * SPDX-License-Identifier: ISC
 */
#include "bolt/ranking_rows.h"
#include "tuple/tuple.h"

void
ranking_rows_fini(struct ranking_rows *r)
{
	buffer_fini(&r->member);
}

static void
put_entry(void *self, size_t rank, struct span line)
{
	struct ranking_rows *r = self;
	struct buffer *row = collector_row(r->collector);

	if (r->in_list && !r->first)
		buffer_byte(row, ',');
	r->first = false;
	r->member.n = 0;
	buffer_put(&r->member, SPAN("\"rank\":"));
	buffer_int(&r->member, (int64_t)rank);
	tuple_put_without(row, buffer_span(&r->member), line, SPAN("rank"));
	if (!r->in_list)
		collector_emit(r->collector, NULL, 0);
}

void
ranking_rows_emit(struct ranking_rows *r, struct ranking_groups *groups)
{
	struct collector *c = r->collector;

	r->in_list = collector_declares(c, SPAN("rankings"));
	r->first = true;
	if (r->in_list)
		buffer_put(collector_row(c), SPAN("{\"rankings\":["));
	ranking_groups_report(groups, put_entry, r);
	if (!r->in_list)
		return;
	buffer_put(collector_row(c), SPAN("]}"));
	collector_emit(c, NULL, 0);
}
