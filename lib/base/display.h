/*
 * display - text as a terminal shows it: how many columns it takes, and with
 * nothing in it that the terminal would obey.
 *
 * Characters are as wide as wcwidth(3) has them; marks that combine take no
 * column, wide characters two.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef BASE_DISPLAY_H
#define BASE_DISPLAY_H

#include "base/buffer.h"

/*
 * Select a locale with UTF-8, for wcwidth(3): C.UTF-8, or else the user's.
 * Call once, before there are other threads.
 *
 * Errors: none; without such a locale every character takes one column.
 */
void display_init(void);

/*
 * Append text so that it can be shown: control characters, those that turn
 * the direction of writing around, line separators, lone surrogates and what is
 * no character (U+FFFE) as escapes (`\n`, `\x1b`, `\u202e`), all else as it is.
 *
 * Shape:  text is generalised UTF-8, as json_decode makes it.
 * Errors: none.  Returns how many columns it takes.
 */
size_t display_put(struct buffer *b, struct span text);

/*
 * Append at most `columns` columns of a text that display_put has made; if that
 * cuts it, the last one is an ellipsis.  A mark after right-to-left text keeps
 * it from reordering what follows.
 *
 * Errors: none.  Returns how many columns it takes.
 */
size_t display_put_cut(struct buffer *b, struct span text, size_t columns);

/* Tell whether display_put would write the character at p as an escape. */
bool display_is_escaped(const char *p, const char *end);

/* Append n blanks. */
void display_put_blanks(struct buffer *b, size_t n);

/*
 * Append a bar, to the eighth of a column.
 *
 * Shape:  part, from 0 to 1, is the share of columns that the bar fills.
 * Errors: none.
 */
void display_put_bar(struct buffer *b, double part, size_t columns);

#endif
