/*
 * series - points by key, for a picture: those of the ten keys with the largest
 * sums, and of all others added up.
 *
 * A point replaces an earlier one of its key with the same x.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef TUPLE_SERIES_H
#define TUPLE_SERIES_H

#include "base/hash_map.h"
#include "tuple/key.h"

enum { SERIES_MOST = 10 };

struct point {
	double x, y;
	size_t order; /* of arrival */
};

struct series_line {
	struct point
	    *points; /* sorted by x, once series_sort has been called */
	size_t n, cap;
	double sum;
};

struct series {
	struct hash_map keys; /* the id is the line; labels are texts to show */
	struct series_line *lines;
	size_t n, cap;
	struct series_line others;
	size_t
	    replaced; /* points that others with another y took the place of */
	size_t shown[SERIES_MOST]; /* lines, the largest sum first */
	size_t nshown, nothers;	   /* and how many keys are in others */
	double x_least, x_most, y_least, y_most; /* of all that is shown */
};

void series_init(struct series *s);
void series_fini(struct series *s);

/*
 * Add a point of a key.
 *
 * Shape:  without keys, key is NULL and label empty.
 * Owns:   copies key and label.
 */
void series_add(struct series *s, const struct key *key, struct span label,
    double x, double y);

/*
 * Choose what is shown; more points may be added later.
 *
 * Errors: false if there is nothing.
 */
bool series_sort(struct series *s);

/*
 * The least distance of two points on the x axis, of any lines that are shown;
 * 0 where all have one x.
 */
double series_least_gap(const struct series *s);

/* The label that the key of a line came with first. */
struct span series_label(const struct series *s, size_t line);

#endif
