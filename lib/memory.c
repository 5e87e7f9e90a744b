/*
 * SPDX-License-Identifier: ISC
 */
#include <stdint.h>
#include <stdlib.h>

#include "diagnostics.h"
#include "memory.h"

void *
memory_new(size_t n, size_t size)
{
	void *p = calloc(n == 0 ? 1 : n, size);

	if (p == NULL)
		die("out of memory");
	return p;
}

void *
memory_grow(void *p, size_t *cap, size_t need, size_t size)
{
	size_t want;

	if (need <= *cap)
		return p;
	want = *cap + *cap / 2;
	if (want < need)
		want = need;
	if (want < 16)
		want = 16;
	if (want > SIZE_MAX / size || (p = realloc(p, want * size)) == NULL)
		die("out of memory");
	*cap = want;
	return p;
}
