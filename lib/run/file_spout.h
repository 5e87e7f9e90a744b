/*
 * file_spout - the tuples of a file, as a spout.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef RUN_FILE_SPOUT_H
#define RUN_FILE_SPOUT_H

#include "bolt/spout.h"
#include "io/bad_lines.h"
#include "io/input.h"
#include "state/content.h"
#include "tuple/projection.h"

struct file_spout {
	struct input in;
	struct input_hooks hooks;
	struct content_mark start; /* what was read before */
	int fd;			   /* of the file, for its fingerprint */
	off_t unfinished;	   /* the last line, half written; -1: none */
	bool drop_ticks, waits;
	struct projection projection;
	struct value *slots;
	struct bad_lines_policy policy;
	struct bad_lines bad_lines;
};

/*
 * Read the file *name, which may be a pipe that does not come to an end.
 *
 * Shape:  drop_ticks: ticks are no tuples; waits: a last line that is neither
 *         a tuple nor ended by a newline is left, to be read when the rest of
 *         it is there.
 * Owns:   name is kept, not copied; spout is filled in, and its cleanup ends f.
 * Errors: none; stops the program where the file cannot be read.
 */
void file_spout_init(struct file_spout *f, char *const *name, bool drop_ticks,
    bool waits, struct spout *spout);

#endif
