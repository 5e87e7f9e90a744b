/*
 * plot_points - read the points of a picture from tuples: x is a number or a
 * time, y a number, or an array of them that is spread over the time from x on.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef TUPLE_PLOT_POINTS_H
#define TUPLE_PLOT_POINTS_H

#include "tuple/key.h"
#include "tuple/options.h"
#include "tuple/series.h"

struct plot_points {
	/* For the owner to set. */
	struct field_range x, y, key; /* without a key there is one line */
	struct time_form form;	      /* of x */
	int64_t slice_ms; /* the time that an array is spread over; 0: 1h */
	bool advises;	  /* a person reads the hints, so advice is welcome */

	/* Its own. */
	struct series series;
	bool begun;	/* there is a point, so it is known what x is */
	bool times;	/* x is a time, in milliseconds since 1970 */
	int64_t utc_ms; /* of the last x that is a time */
	struct {
		int64_t last_ms;  /* when the last one began */
		int64_t apart_ms; /* what divides the distances of all */
		size_t n; /* those that began elsewhere than the one before */
		size_t most; /* elements of one of them */
	} arrays;
	struct key made;
	struct buffer label, element;
};

/*
 * Begin, with no points.
 *
 * Errors: none.
 */
void plot_points_init(struct plot_points *p);
void plot_points_fini(struct plot_points *p);

/*
 * Add the point, or the points, of a tuple; null is none.  The first tuple with
 * a point decides whether x is a time: if its x is no number, or a number that
 * is most probably a time, of the years from 2001 to 2099.
 *
 * Errors: -1 if a field is missing or has another kind; f says which.  Nothing
 *         is added then.
 */
int plot_points_add(struct plot_points *p, const struct tuple *t,
    struct fault *f);

/*
 * Append the i-th message for the end, if it is called for: arrays were spread
 * over what is hardly their slice; points took the place of others, for want of
 * a key.  x is the name of its field.  False: there is no i-th one.
 */
bool plot_points_hint(const struct plot_points *p, size_t i, struct span x,
    struct buffer *text);

#endif
