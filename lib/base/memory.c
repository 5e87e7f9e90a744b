/*
 * SPDX-License-Identifier: ISC
 */
#include "base/linux.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/diagnostics.h"
#include "base/memory.h"

enum { LARGE_PAGE = 2 << 20, FIRST_BYTES = 256 };

void
memory_exhausted(void)
{
	die("out of memory");
}

void *
memory_new(size_t n, size_t size)
{
	void *p = calloc(n == 0 ? 1 : n, size);

	if (p == NULL)
		memory_exhausted();
	return p;
}

void *
memory_new_large(size_t n, size_t size)
{
	char *p = memory_new(n, size);
#ifdef HAS_LINUX
	uintptr_t first =
	    ((uintptr_t)p + LARGE_PAGE - 1) & -(uintptr_t)LARGE_PAGE;
	uintptr_t end = ((uintptr_t)p + n * size) & -(uintptr_t)LARGE_PAGE;

	/* calloc has not touched what it had to ask the system for. */
	if (end > first)
		madvise((void *)first, end - first, MADV_HUGEPAGE);
#endif
	return p;
}

void *
memory_grow(void *p, size_t *cap, size_t need, size_t size)
{
	size_t want, least;

	if (need <= *cap)
		return p;
	want = *cap + *cap / 2;
	if (want < need)
		want = need;
	/* At first 256 bytes, up to 16 elements: of large ones few may come. */
	least = size < FIRST_BYTES / 16 ? 16 : FIRST_BYTES / size;
	if (want < least)
		want = least;
	if (want > SIZE_MAX / size || (p = realloc(p, want * size)) == NULL)
		memory_exhausted();
	*cap = want;
	return p;
}

const char *
memory_find_last(const char *p, char byte, size_t n)
{
#ifdef HAS_LINUX
	return memrchr(p, byte, n);
#else
	while (n > 0)
		if (p[--n] == byte)
			return p + n;
	return NULL;
#endif
}

const char *
memory_find(const char *p, size_t n, const char *what, size_t what_n)
{
#ifdef HAS_LINUX
	return memmem(p, n, what, what_n);
#else
	const char *end = p + n;

	for (; p != NULL && (size_t)(end - p) >= what_n;
	     p = memchr(p + 1, *what, (size_t)(end - p) - 1))
		if (memcmp(p, what, what_n) == 0)
			return p;
	return NULL;
#endif
}
