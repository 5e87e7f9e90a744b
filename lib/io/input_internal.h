/*
 * input_internal - what the files of input share: input.c opens and reads,
 * input_lines.c hands out lines, compressed_input.c has what is compressed
 * decompressed, input_failures.c tells what cannot be read.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef IO_INPUT_INTERNAL_H
#define IO_INPUT_INTERNAL_H

#include "io/input.h"

/* End the input at a file that cannot be read; errno says why. */
void input_fail(struct input *in);

/* Note that the file is damaged, or that its open failed with that error. */
void input_note_damage(struct input *in, const char *reason, int error);

/*
 * Pass over a byte order mark at the beginning of the file.
 *
 * Shape:  nothing of the file is handed out; enough of it is buffered to know
 *         whether it has one, or all.
 */
void input_skip_bom(struct input *in);

/*
 * Start decompressing a pipe if it begins with compressed data.  False: its
 * data is plain; true also if it is too early to tell.
 */
bool input_try_decompress(struct input *in);

/* Start decompressing the open file in a thread; first was read already. */
void input_decompress(struct input *in, struct span first);

/* All that comes out of a compressed file has been read. */
void input_end_decompression(struct input *in);

#endif
