/*
 * screen - a picture on stdout, a terminal, redrawn in place.
 *
 *	        <- the cursor waits here: what others write on the terminal
 *	first      begins a line of its own, and the next picture comes below
 *	second
 *	last
 *
 * Since the cursor stays above the picture, it is found again even if a resize
 * rewrapped the lines.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef IO_SCREEN_H
#define IO_SCREEN_H

#include "io/output.h"

struct screen {
	struct output *out;
	bool is_dumb; /* out is a terminal that cannot be drawn on */
	size_t lines; /* of the picture below the cursor; 0: there is none */
	struct buffer picture; /* the last one */
};

void screen_init(struct screen *s, struct output *out);
void screen_fini(struct screen *s);

/*
 * The size of what is written on.
 *
 * Shape:  *lines is 0 if it cannot be drawn on.
 * Errors: false if it is no terminal; *columns is then that of COLUMNS in the
 *         environment, or 0.
 */
bool screen_size(const struct screen *s, size_t *columns, size_t *lines);

/*
 * Draw a picture in place of the last one.
 *
 * Shape:  picture is lines with their newlines, fewer than the window has,
 *         and none wider than it.
 */
void screen_draw(struct screen *s, struct span picture);

/* A message was written where the cursor waits: draw the picture below it. */
void screen_redraw(struct screen *s);

/* Erase the picture: what is written now takes its place. */
void screen_erase(struct screen *s);

/* Leave the picture where it is, and go on below it. */
void screen_leave(struct screen *s);

#endif
