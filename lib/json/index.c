/*
 * SPDX-License-Identifier: ISC
 */
#include <stdlib.h>

#include "base/memory.h"
#include "json/index.h"

void
json_index_init(struct json_index *x)
{
	size_t n = JSON_INDEX_MAX + JSON_INDEX_PAD;

	/* What is not touched takes no memory. */
	x->at = memory_new(n, sizeof *x->at);
	x->token = memory_new(n, sizeof *x->token);
	x->lines = memory_new(n, sizeof *x->lines);
	x->nlines = 0;
}

void
json_index_fini(struct json_index *x)
{
	free(x->at);
	free(x->token);
	free(x->lines);
}
