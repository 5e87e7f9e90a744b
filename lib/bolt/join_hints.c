/*
 * SPDX-License-Identifier: ISC
 */
#include "bolt/join_hints.h"
#include "base/duration.h"

/* Append `N tuple` or `N tuples`, then what they did. */
static void
put_tuples(struct buffer *text, uint64_t n, struct span what)
{
	buffer_int(text, (int64_t)n);
	buffer_put(text, n == 1 ? SPAN(" tuple ") : SPAN(" tuples "));
	buffer_put(text, what);
}

/* Behind a hint: what -m, which excludes -d, does with them. */
static void
put_many(const struct join_bolt *b, struct buffer *text, uint64_t n)
{
	if (b->replace)
		return;
	buffer_put(text,
	    n == 1 ? SPAN("; -m joins it, too") : SPAN("; -m joins them, too"));
}

/* A table lacks the keys of tuples that are in no row. */
static void
put_unmatched(const struct join_bolt *b, struct buffer *text, uint64_t n)
{
	size_t stream = 0;

	while (b->is_table[stream])
		stream++;
	if (b->results.alone[stream])
		return;
	put_tuples(text, n, SPAN("found no row of a table; -a "));
	buffer_put(text, b->streams.names.names[stream]);
	buffer_put(text,
	    n == 1 ? SPAN(" writes it with null") :
		     SPAN(" writes them with null"));
}

void
join_hints_put(const struct join_bolt *b, struct buffer *text)
{
	const uint64_t *failed = b->results.failed;
	/* Others were late because of the watermark, of which a message tells. */
	uint64_t older = failed[JOIN_LATE] - b->join.nlate;

	if (!b->advises || collector_has_side(b->collector))
		return;
	if (failed[JOIN_DUPLICATE] != 0 && !b->replace) {
		put_tuples(text, failed[JOIN_DUPLICATE],
		    failed[JOIN_DUPLICATE] == 1 ?
			SPAN("failed as a duplicate of its key") :
			SPAN("failed as duplicates of their key"));
		put_many(b, text, failed[JOIN_DUPLICATE]);
	} else if (b->is_table == NULL && !b->many && older != 0) {
		put_tuples(text, older,
		    SPAN("came too late for what waits with the same key"));
		put_many(b, text, older);
	} else if (failed[JOIN_UNMATCHED] != 0) {
		put_unmatched(b, text, failed[JOIN_UNMATCHED]);
	} else if (failed[JOIN_TIMEOUT] != 0 && !b->results.only_alone) {
		put_tuples(text, failed[JOIN_TIMEOUT],
		    SPAN("found no partner within "));
		duration_put(text, join_bolt_length_ms(b));
		buffer_put(text, SPAN("; -w LENGTH waits longer"));
	}
}
