/*
 * prefetch - have memory brought into the processor's cache before it is used.
 *
 * Memory that another processor used last comes from that one's cache, which
 * takes long if the two share none.
 *
 * Functions that do only this are always_inline: gcc would drop calls of them,
 * as without effect.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef BASE_PREFETCH_H
#define BASE_PREFETCH_H

#include <stddef.h>
#include <stdint.h>

/* The bytes of a line of a cache, or fewer. */
enum { PREFETCH_LINE = 64 };

/* Fetch n bytes that are to be read; p may be NULL, or anything. */
static inline __attribute__((always_inline)) void
prefetch(const void *p, size_t n)
{
	for (size_t i = 0; i < n; i += PREFETCH_LINE)
		__builtin_prefetch((const void *)((uintptr_t)p + i));
}

/* The same, so many bytes behind p, where there may be nothing. */
static inline __attribute__((always_inline)) void
prefetch_behind(const void *p, size_t distance, size_t n)
{
	prefetch((const void *)((uintptr_t)p + distance), n);
}

/* The same for bytes that are to be written: other processors lose them. */
static inline __attribute__((always_inline)) void
prefetch_to_write_behind(const void *p, size_t distance, size_t n)
{
	const char *from = (const char *)((uintptr_t)p + distance);

	for (size_t i = 0; i < n; i += PREFETCH_LINE)
#ifdef __x86_64__
		/* Without -mprfchw __builtin_prefetch is one for reading. */
		__asm__ volatile("prefetchw %0" : : "m"(from[i]));
#else
		__builtin_prefetch(from + i, 1);
#endif
}

#endif
