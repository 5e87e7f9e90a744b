/*
 * memory - allocation that does not fail: a filter that runs out of memory
 * says so and stops (status 2) instead of carrying an error path everywhere.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef BASE_MEMORY_H
#define BASE_MEMORY_H

#include <stddef.h>

/* Say that there is no more memory, and stop the program. */
_Noreturn void memory_exhausted(void);

/*
 * Allocate n zeroed elements of size bytes.
 *
 * Owns:   the caller frees with free(3).
 * Errors: none; stops the program when memory or size_t overflows.
 */
void *memory_new(size_t n, size_t size);

/*
 * The same for a table that is large and hit all over: where the system has
 * large pages for those who ask, it gets them.
 */
void *memory_new_large(size_t n, size_t size);

/*
 * Make room for at least need elements of size bytes, growing by half or
 * more, so that appending one by one is amortised O(1).  What is new is not
 * zeroed.
 *
 * Shape:  *cap elements are allocated at p (NULL where 0).
 * Owns:   p is given up, the result takes its place.
 * Errors: none; stops the program when memory or size_t overflows.
 *         Where gcc takes it into its caller it warns of sizes that cannot be.
 */
__attribute__((noinline)) void *memory_grow(void *p, size_t *cap, size_t need,
    size_t size);

#endif
