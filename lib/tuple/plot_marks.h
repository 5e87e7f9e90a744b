/*
 * plot_marks - where the marks of an axis stand, and what is written at them,
 * for gnuplot: it knows neither how wide a text is, nor fractions of seconds.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef TUPLE_PLOT_MARKS_H
#define TUPLE_PLOT_MARKS_H

#include "base/buffer.h"

/*
 * Append the range of the y axis, which ends at marks and holds least and most,
 * and its marks, which divide it into about so many parts.
 */
void plot_marks_put_y(struct buffer *b, double least, double most,
    double parts);

/*
 * Append the range of the x axis and its marks.  There are so few marks that
 * their texts fit side by side into so many columns.
 *
 * Shape:  least < most.  Marks of _numbers have a distance of `apart` or more.
 * Units:  _times: milliseconds, as local_time_shift has them.
 */
void plot_marks_put_numbers(struct buffer *b, double least, double most,
    double apart, size_t columns);
void plot_marks_put_times(struct buffer *b, double least, double most,
    size_t columns);

/*
 * A format of strftime(3) for what the marks of such a time axis leave out: the
 * day or the year that it begins with.  Empty if they leave out nothing.
 */
const char *plot_marks_lack(double least, double most, size_t columns);

#endif
