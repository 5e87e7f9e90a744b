/*
 * file_spout - a spout that sends the tuples of a file.
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
	off_t start; /* the place that was reached before */
	int fd;	     /* of the file, for its fingerprint */
	/* That of a compressed file as it was opened; 0 bytes of another. */
	struct content_mark packed;
	off_t unfinished; /* the last line, half written; -1: none */
	bool multilang, waits;
	uint64_t blank, ticks; /* lines that were read */
	struct projection projection;
	struct value *slots;
	struct bad_lines_policy policy;
	struct bad_lines bad_lines;
	struct long_line long_line;
};

/*
 * Fill in spout so that it sends the tuples of the file *name, which may be a
 * pipe without end.  It can resume unless that is a pipe.
 *
 * Shape:  multilang: ticks are left out.
 *         waits: a last line without newline that is not a tuple is left for
 *         the next run.
 * Owns:   name is kept, not copied; the spout's cleanup frees f.
 * Errors: none; stops the program if the file cannot be read.
 */
void file_spout_init(struct file_spout *f, char *const *name, bool multilang,
    bool waits, struct spout *spout);

#endif
