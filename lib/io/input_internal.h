/*
 * input_internal - what the files of input share: input.c opens and reads,
 * input_lines.c hands out lines, compressed_input.c has what is compressed
 * decompressed.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef IO_INPUT_INTERNAL_H
#define IO_INPUT_INTERNAL_H

#include "io/input.h"

/* End the input at a file that cannot be read; errno says why. */
void input_fail(struct input *in);

/*
 * Pass over a byte order mark at the beginning of the file.
 *
 * Shape:  nothing of the file is handed out, and so much of it is read that
 *         this shows, or it has no more.
 */
void input_skip_bom(struct input *in);

/*
 * Have a pipe that begins with compressed data decompressed from here on.
 * False: its data is plain; true also where it is too early to tell.
 */
bool input_try_decompress(struct input *in);

/* From here on have a thread read the open file, of which first was read. */
void input_decompress(struct input *in, struct span first);

/* All that comes out of a compressed file has been read. */
void input_end_decompression(struct input *in);

#endif
