/*
 * ranking_rows - emit rankings: an entry a row, with its rank put first; or, if
 * a stream of Storm declares `rankings`, all of them as one list.
 *
 *	{"rank":1,"word":"the","count":7}
 *	{"rankings":[{"rank":1,"word":"the","count":7},{"rank":2,...}]}
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef BOLT_RANKING_ROWS_H
#define BOLT_RANKING_ROWS_H

#include "bolt/collector.h"
#include "window/ranking_groups.h"

/* A zeroed one is ready for use, and can be used again. */
struct ranking_rows {
	struct collector *collector;
	struct buffer member; /* the rank */
	bool in_list, first;
};

/* Emit what the groups have, to the collector, which is set. */
void ranking_rows_emit(struct ranking_rows *r, struct ranking_groups *groups);
void ranking_rows_fini(struct ranking_rows *r);

#endif
