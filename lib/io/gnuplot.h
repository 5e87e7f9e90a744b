/*
 * gnuplot - have gnuplot draw a picture.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef IO_GNUPLOT_H
#define IO_GNUPLOT_H

#include "base/buffer.h"

/*
 * Make sure that there is a gnuplot.  Also unsets GNUTERM and resets SIGCHLD.
 *
 * Errors: none; stops the program, and says what to install.
 */
void gnuplot_check(void);

/*
 * Run a script, and replace the named file by what it draws, once that is
 * whole; or append its lines to text if file is NULL.
 *
 * Shape:  the script sets no output.  Returns how long it took.
 * Units:  milliseconds.
 * Errors: none; stops the program if gnuplot fails or the file cannot be
 *         written.  If a signal to end has ended gnuplot, returns without
 *         changes.
 */
int64_t gnuplot_draw(struct span script, const char *file, struct buffer *text);

/*
 * Tell whether a picture takes the place of the last one in a file.  In a named
 * pipe or a device it does not, and whoever reads that may go after the first.
 */
bool gnuplot_replaces(const char *file);

#endif
