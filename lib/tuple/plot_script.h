/*
 * plot_script - series as a script for gnuplot.
 *
 * Nothing that is in the data becomes a command: numbers are written anew; in
 * labels every ASCII byte but letters and spaces is an octal escape.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef TUPLE_PLOT_SCRIPT_H
#define TUPLE_PLOT_SCRIPT_H

#include "tuple/series.h"

enum plot_terminal { PLOT_SVG, PLOT_PNG, PLOT_TEXT };
enum plot_type { PLOT_LINE, PLOT_STEP, PLOT_BAR };

struct plot_options {
	enum plot_terminal terminal;
	enum plot_type type;
	size_t columns, lines; /* of PLOT_TEXT */
	struct span x_label, y_label;
	/* x is milliseconds since 1970, to be shown as local time. */
	bool times;
	bool legend; /* the labels of the lines are shown */
};

/*
 * Append the script.
 *
 * Shape:  series_sort has found something to show.
 */
void plot_script_put(struct buffer *b, const struct series *s,
    const struct plot_options *options);

#endif
