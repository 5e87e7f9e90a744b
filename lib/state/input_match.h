/*
 * input_match - which record of what was read an operand of this run goes on
 * with.
 *
 * A record serves one operand, and an operand has one record.  First come
 * those of the same file or name whose content still stands there: of the same
 * file under its name, of the same file, of the same name.  Operands and
 * records that are left over are brought together by content alone.  So a log
 * is found that was renamed or copied, and what is new is read from its start.
 *
 * A name or an inode is not to be trusted beyond that: a record loses what is
 * found to have other content.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef STATE_INPUT_MATCH_H
#define STATE_INPUT_MATCH_H

#include "state/input_records.h"

/*
 * Give operands that are regular files their records, as far as there are any.
 *
 * Errors: stops the program where a file cannot be read.
 */
void input_match_all(struct input_records *rs, struct input_operand *operands,
    size_t n);

/*
 * Let an operand whose regular file is open have a record that is of it; at
 * last a new one.  If the file is not what it was when operands were matched,
 * it is matched again, with records of other operands, too, where their content
 * is gone from there.
 *
 * Shape:  no other operand of its stream is open.
 *
 * Errors: as above.
 */
void input_match_file(struct input_records *rs, struct input_operand *o,
    int fd);

/*
 * Tell whether a record is of a compressed file that was used up, and is as it
 * was then by its inode, size and time.
 */
bool input_match_is_used_up(const struct input_record *r,
    const struct stat *st);

/* Note in a record that it is so of this file. */
void input_match_use_up(struct input_record *r, const struct stat *st);

/* Give it that of a pipe of its name, or a new one. */
void input_match_pipe(struct input_records *rs, struct input_operand *o);

/*
 * Let records that serve no operand lose the name and the inode of an open
 * file that does not have their content.  Warn of it where the operand begins
 * anew.
 *
 * Errors: as above.
 */
void input_match_refute(struct input_records *rs, const struct input_operand *o,
    int fd);

#endif
