/*
 * SPDX-License-Identifier: ISC
 */
#include <float.h>
#include <math.h>

#include "tuple/series.h"

void
series_init(struct series *s)
{
	*s = (struct series){ 0 };
	hash_map_init(&s->keys, 0);
}

void
series_fini(struct series *s)
{
	for (size_t i = 0; i < s->n; i++)
		free(s->lines[i].points);
	free(s->lines);
	free(s->others.points);
	hash_map_fini(&s->keys);
}

static void
add_point(struct series_line *l, double x, double y)
{
	l->points =
	    memory_grow(l->points, &l->cap, l->n + 1, sizeof *l->points);
	l->points[l->n] = (struct point){ x, y, l->n };
	l->n++;
}

/*
 * gnuplot hangs on subnormal numbers, which look like 0; and an axis needs room
 * on both sides of the largest.
 */
static double
visible(double v)
{
	const double most = 1e307;

	return fabs(v) < DBL_MIN ? 0 : fmax(fmin(v, most), -most);
}

void
series_add(struct series *s, const struct key *key, struct span label, double x,
    double y)
{
	struct span bytes = key == NULL ? SPAN("") : key->bytes;
	bool added;
	size_t line = hash_map_put(&s->keys, bytes, label,
	    key == NULL ? hash_bytes(bytes) : key->hash, &added);

	if (added) {
		s->lines =
		    memory_grow(s->lines, &s->cap, s->n + 1, sizeof *s->lines);
		s->lines[s->n++] = (struct series_line){ 0 };
	}
	add_point(&s->lines[line], visible(x), visible(y));
}

static int
compare_points(const void *a, const void *b)
{
	const struct point *p = a, *q = b;

	if (p->x != q->x)
		return p->x < q->x ? -1 : 1;
	return (p->order > q->order) - (p->order < q->order);
}

/*
 * Sort the points of a line; of those with one x the last stays, or the sum.
 * Returns how many with another y have not stayed.
 */
static size_t
sort_line(struct series_line *l, bool add)
{
	size_t n = 0, replaced = 0;

	qsort(l->points, l->n, sizeof *l->points, compare_points);
	for (size_t i = 0; i < l->n; i++) {
		struct point p = l->points[i];

		if (n != 0 && l->points[n - 1].x == p.x) {
			n--;
			replaced += !add && l->points[n].y != p.y;
			p.y = visible(p.y + (add ? l->points[n].y : 0));
		}
		p.order = n;
		l->points[n++] = p;
	}
	l->n = n;
	l->sum = 0;
	for (size_t i = 0; i < n; i++)
		l->sum += l->points[i].y;
	return replaced;
}

/* Put a line among those that are shown, if its sum is large enough. */
static void
choose(struct series *s, size_t line)
{
	size_t at = s->nshown;

	while (at > 0 && s->lines[s->shown[at - 1]].sum < s->lines[line].sum)
		at--;
	if (s->nshown < SERIES_MOST)
		s->nshown++;
	for (size_t i = s->nshown - 1; i > at; i--)
		s->shown[i] = s->shown[i - 1];
	if (at < SERIES_MOST)
		s->shown[at] = line;
}

static bool
is_shown(const struct series *s, size_t line)
{
	for (size_t i = 0; i < s->nshown; i++)
		if (s->shown[i] == line)
			return true;
	return false;
}

static void
add_others(struct series *s)
{
	s->others.n = s->nothers = 0;
	for (size_t i = 0; i < s->n; i++) {
		const struct series_line *l = &s->lines[i];

		if (is_shown(s, i))
			continue;
		s->nothers++;
		for (size_t j = 0; j < l->n; j++)
			add_point(&s->others, l->points[j].x, l->points[j].y);
	}
	if (s->others.n != 0)
		sort_line(&s->others, true);
}

static void
measure(struct series *s, const struct series_line *l)
{
	for (size_t i = 0; i < l->n; i++) {
		s->x_least = fmin(s->x_least, l->points[i].x);
		s->x_most = fmax(s->x_most, l->points[i].x);
		s->y_least = fmin(s->y_least, l->points[i].y);
		s->y_most = fmax(s->y_most, l->points[i].y);
	}
}

bool
series_sort(struct series *s)
{
	s->nshown = 0;
	for (size_t i = 0; i < s->n; i++) {
		s->replaced += sort_line(&s->lines[i], false);
		choose(s, i);
	}
	add_others(s);
	s->x_least = s->y_least = INFINITY;
	s->x_most = s->y_most = -INFINITY;
	for (size_t i = 0; i < s->nshown; i++)
		measure(s, &s->lines[s->shown[i]]);
	measure(s, &s->others);
	return s->x_least <= s->x_most;
}

static int
compare_doubles(const void *a, const void *b)
{
	const double *p = a, *q = b;

	return (*p > *q) - (*p < *q);
}

double
series_least_gap(const struct series *s)
{
	size_t n = s->others.n, k = 0;
	double *x, gap = 0;

	for (size_t i = 0; i < s->nshown; i++)
		n += s->lines[s->shown[i]].n;
	x = memory_new(n, sizeof *x);
	for (size_t i = 0; i <= s->nshown; i++) {
		const struct series_line *l =
		    i < s->nshown ? &s->lines[s->shown[i]] : &s->others;

		for (size_t j = 0; j < l->n; j++)
			x[k++] = l->points[j].x;
	}
	qsort(x, n, sizeof *x, compare_doubles);
	for (size_t i = 1; i < n; i++)
		if (x[i] != x[i - 1] && (gap == 0 || x[i] - x[i - 1] < gap))
			gap = x[i] - x[i - 1];
	free(x);
	return gap;
}

struct span
series_label(const struct series *s, size_t line)
{
	return hash_map_label(&s->keys, (uint32_t)line);
}
