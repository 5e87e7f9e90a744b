/*
 * SPDX-License-Identifier: ISC
 */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "json/index.h"

/* The places, from first on, of the bits that are set, lowest first. */
static uint64_t
places_of(unsigned bits, unsigned first)
{
	unsigned char places[8] = { 0 };
	uint64_t all;

	for (unsigned i = 0, n = 0; i < 8; i++)
		if ((bits >> i & 1) != 0)
			places[n++] = (unsigned char)(first + i);
	memcpy(&all, places, sizeof all);
	return all;
}

/* Make the arrays for n bytes of text; there must be none. */
static void
new_arrays(struct json_index *x, size_t n)
{
	x->cap = n;
	n += 63 + JSON_INDEX_PAD; /* the text begins up to 63 bytes behind */
	/* What is not touched takes no memory. */
	x->at = memory_new(n, sizeof *x->at);
	x->token = memory_new(n, sizeof *x->token);
	x->escaped_keys = memory_new(n / 64 + 2, sizeof *x->escaped_keys);
	x->pages = memory_new(n / JSON_INDEX_PAGE + 2, sizeof *x->pages);
	x->flags = memory_new(n / 64 + 65, sizeof *x->flags);
	/* Up to eight are written at once, whatever blocks there are. */
	x->escapes = memory_new(n / 64 + 9, sizeof *x->escapes);
	x->ntokens = 0;
}

static void
free_arrays(struct json_index *x)
{
	free(x->at);
	free(x->token);
	free(x->escaped_keys);
	free(x->pages);
	free(x->flags);
	free(x->escapes);
}

void
json_index_init(struct json_index *x)
{
	size_t n = JSON_INDEX_MAX + JSON_INDEX_PAD;

	*x = (struct json_index){ 0 };
	new_arrays(x, JSON_INDEX_MAX);
	/* A line that is indexed alone needs no more of these. */
	x->lines = memory_new(n, sizeof *x->lines);
	x->keys = memory_new(n, sizeof *x->keys);
	x->squeeze = memory_new(512, sizeof *x->squeeze);
	for (unsigned gaps = 0; gaps < 256; gaps++) {
		x->squeeze[gaps] = places_of(gaps ^ 255, 0);
		x->squeeze[256 + gaps] = places_of(gaps ^ 255, 8);
	}
}

void
json_index_fini(struct json_index *x)
{
	free_arrays(x);
	free(x->lines);
	free(x->keys);
	free(x->squeeze);
}

void
json_index_make_room(struct json_index *x, size_t n)
{
	if (n <= x->cap)
		return;
	free_arrays(x);
	new_arrays(x, n);
}

size_t
json_index_offset(const struct json_index *x, size_t token)
{
	/* Where it would be if all pages had as many: mostly that is near. */
	size_t page = (uint32_t)(token * x->npages) / (uint32_t)x->ntokens;

	while (x->pages[page] > token)
		page--;
	while (x->pages[page + 1] <= token)
		page++;
	return page * JSON_INDEX_PAGE + x->at[token];
}

const struct json_index_version *const json_index_versions[] = {
#if defined(__x86_64__)
	&json_index_avx512,
	&json_index_avx2,
	&json_index_sse42,
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
