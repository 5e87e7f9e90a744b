/*
 * least - the least of n times, one of which can be changed in O(log n).
 *
 * The least time is known at once, its place in O(log n).  A place that has no
 * time has INT64_MAX.
 *
 * Source: the tournament tree of Knuth, The Art of Computer Programming,
 *         vol. 3, 5.4.1; each node has the winner's time, not its place.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef BASE_LEAST_H
#define BASE_LEAST_H

#include <stddef.h>
#include <stdint.h>

struct least {
	/* The root is times[1], below times[i] are those at 2 i and 2 i + 1. */
	int64_t *times;
	size_t leaves; /* a power of two; that of place 0 is times[leaves] */
};

/*
 * Begin with n > 0 places that have no time.
 *
 * Errors: none; stops the program when memory runs out.
 */
void least_init(struct least *l, size_t n);
void least_fini(struct least *l);

/* Set the time of a place. */
void least_set(struct least *l, size_t place, int64_t time);

/* The least time, and the first place that has it. */
static inline int64_t
least_time(const struct least *l)
{
	return l->times[1];
}

size_t least_place(const struct least *l);

/*
 * The least time with which this place would no longer be first.  Of equal
 * times the lower place is first.
 *
 * Errors: INT64_MAX if no other place has a time.
 */
int64_t least_time_before(const struct least *l, size_t place);

#endif
