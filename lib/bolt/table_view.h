/*
 * table_view - batches of tuples as tables, for people or for other programs.
 *
 * On a terminal the latest batch is drawn in place.  At each tick it is drawn
 * if it has ended, has paused, or no batch has ended yet.  The last one stays,
 * in full.  Elsewhere, and in formats for programs, each batch is written below
 * the one before.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef BOLT_TABLE_VIEW_H
#define BOLT_TABLE_VIEW_H

#include "bolt/collector.h"
#include "tuple/batch.h"
#include "tuple/table_export.h"
#include "tuple/text_table.h"

enum { TABLE_VIEW_TICK_MS = 100 }; /* how often _tick is to be called */

struct table_view {
	struct collector *collector;
	enum table_format format;
	struct text_style style;   /* columns: of the last drawing */
	bool live;		   /* draws on a terminal */
	struct batch batches[2];   /* they take turns in being the two: */
	struct batch *open, *last; /* last: that ended last and had rows */
	bool changed;		   /* the open one, since it was drawn */
	bool came;		   /* a row, since the last tick */
	bool ended;		   /* one has, since the last drawing */
	bool is_empty;		   /* that one had no rows */
	bool has_ends;		   /* some batch has ended: others will */
	const struct batch *shown; /* that was drawn last; NULL: none yet */
	size_t lines;		   /* of the window then */
	bool written;		   /* something was, that is not drawn */
	struct table table;
	struct text_table text;
	struct table_export export;
	struct buffer picture;
};

/* AUTO: on a terminal, unless NO_COLOR is in the environment. */
enum table_view_color {
	TABLE_VIEW_COLOR_AUTO,
	TABLE_VIEW_COLOR_ALWAYS,
	TABLE_VIEW_COLOR_NEVER,
};

/* What is to be shown, and how. */
struct table_view_options {
	enum table_format format;
	size_t rows; /* of each batch, at most */
	bool bars;   /* as in text_style */
	enum table_view_color color;
};

void table_view_init(struct table_view *v, struct collector *c,
    const struct table_view_options *options);
void table_view_fini(struct table_view *v);

/*
 * Put a row into the batch.
 *
 * Shape:  see batch_put.
 */
void table_view_put(struct table_view *v, const struct key *key,
    struct span line, double number);

/* The batch has ended, even if it had no rows. */
void table_view_end(struct table_view *v);

/* TABLE_VIEW_TICK_MS have passed: draw what is to be drawn. */
void table_view_tick(struct table_view *v);

/* No more is to come. */
void table_view_finish(struct table_view *v);

#endif
