/*
 * SPDX-License-Identifier: ISC
 */
#include <stdlib.h>
#include <string.h>

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

const struct json_index_version *const json_index_versions[] = {
#if defined(__x86_64__)
	&json_index_avx512,
	&json_index_avx2,
	&json_index_sse2,
#elif defined(__aarch64__)
	&json_index_neon,
#endif
	NULL,
};

const struct json_index_version *
json_index_best(void)
{
	const struct json_index_version *const *v = json_index_versions;

	while (*v != NULL && !(*v)->runs_here())
		v++;
	return *v;
}

const struct json_index_version *
json_index_named(const char *name)
{
	const struct json_index_version *const *v = json_index_versions;

	while (*v != NULL &&
	    (strcmp((*v)->name, name) != 0 || !(*v)->runs_here()))
		v++;
	return *v;
}
