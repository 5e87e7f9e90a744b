/*
 * memory - allocation that does not fail: a filter that runs out of memory
 * says so and stops with status 2, so no caller needs an error path.
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
 * Errors: none; stops the program when memory runs out or size_t overflows.
 */
void *memory_new(size_t n, size_t size);

/*
 * memory_new for a large table with random access, which is put on large pages
 * if the system has them for programs that ask.
 */
void *memory_new_large(size_t n, size_t size);

/* Find the last `byte` in n bytes; NULL if there is none. */
const char *memory_find_last(const char *p, char byte, size_t n);

/* Find the first `what` in n bytes; NULL if there is none. */
const char *memory_find(const char *p, size_t n, const char *what,
    size_t what_n);

/*
 * Make room for at least need elements of size bytes.  The room grows by half
 * or more, so that appending one by one is amortised O(1).  New elements are
 * not zeroed.
 *
 * Shape:  *cap elements are allocated at p, which is NULL if *cap is 0.
 * Owns:   p is no longer valid; the caller uses and frees the result.
 * Errors: none; stops the program when memory runs out or size_t overflows.
 *
 * Inlined, gcc would warn of sizes that cannot occur.
 */
__attribute__((noinline)) void *memory_grow(void *p, size_t *cap, size_t need,
    size_t size);

#endif
