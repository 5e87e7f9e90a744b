/*
 * gnuplot - have gnuplot draw a picture.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef IO_GNUPLOT_H
#define IO_GNUPLOT_H

#include "base/buffer.h"

/*
 * Make sure that there is a gnuplot.
 *
 * Errors: none; stops the program, and says what to install.
 */
void gnuplot_check(void);

/*
 * Run a script, and put what it draws into the file of that name, at once when
 * it is whole; or append its lines to text where file is NULL.
 *
 * Shape:  the script sets no output.
 * Errors: none; stops the program where gnuplot fails or the file cannot be
 *         written, but not where a signal that asks for the end has ended
 *         gnuplot, too: nothing has then changed.
 */
void gnuplot_draw(struct span script, const char *file, struct buffer *text);

#endif
