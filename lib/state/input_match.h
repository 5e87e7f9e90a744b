/*
 * input_match - match each operand with the stored record that says where to
 * read on.
 *
 * An operand has one record, and a record belongs to one operand.  The file
 * must still have the content of the record.  Of such pairs those with the same
 * file (device and inode) and name are matched first, then those with the same
 * file, then those with the same name, then all others.  So a log that was
 * renamed or copied is found again, and a new log is read from its start.  The
 * longest record comes first among those of one kind only: of two logs of equal
 * lines, one begins with all that was read of the other.
 *
 * If a file turns out to have other content than a record, its name and inode
 * are deleted from the record.  A table that has its old content again after that
 * is read again.  Nobody is warned of the change of a table.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef STATE_INPUT_MATCH_H
#define STATE_INPUT_MATCH_H

#include "state/input_records.h"

/*
 * Match the operands that are regular files.
 *
 * Errors: none; stops the program if a file cannot be read.
 */
void input_match_all(struct input_records *rs, struct input_operand *operands,
    size_t n);

/*
 * Find the record of an operand whose regular file is open as fd, or make a new
 * one.  If the file has changed since input_match_all, it is matched again; it
 * can then get the record of another operand whose file has lost the content.
 *
 * Shape:  no other operand of its stream is open.
 * Errors: none; stops the program if a file cannot be read.
 */
void input_match_file(struct input_records *rs, struct input_operand *o,
    int fd);

/*
 * Tell whether a record is of a compressed file that was read to its end, and
 * that has still the same inode, size and time.
 */
bool input_match_is_used_up(const struct input_record *r,
    const struct stat *st);

/* Note in a record that this file was read to its end. */
void input_match_use_up(struct input_record *r, const struct stat *st);

/* Find the record of a pipe by its name, or make a new one. */
void input_match_pipe(struct input_records *rs, struct input_operand *o);

/*
 * Delete the name and inode of the file that is open as fd from records which
 * belong to no operand and have other content.  Warn if the operand is read
 * from its start for that reason.
 *
 * Errors: none; stops the program if the file cannot be read.
 */
void input_match_refute(struct input_records *rs, const struct input_operand *o,
    int fd);

#endif
