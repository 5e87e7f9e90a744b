/*
 * line_scanner - validate many lines at once and find their wanted fields, as
 * json_scan does for one, but several times faster.
 *
 * First index finds the tokens of all lines, and which lines are valid.  Then
 * line_fields finds the wanted fields from a line's tokens.  A line that is not
 * known to be valid, or that line_fields cannot handle, is scanned by
 * json_scan, so the same lines are accepted either way.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef JSON_LINE_SCANNER_H
#define JSON_LINE_SCANNER_H

#include "json/index.h"
#include "json/scanner.h"

/* Bytes that are indexed at once: with their index they fit a core's cache. */
enum { LINE_SCANNER_CHUNK = 32 * 1024 };

/*
 * Slots filled at once, about 2 MB: enough for one read if lines have 50 bytes
 * and 20 wanted fields.
 */
enum { LINE_SCANNER_SLOTS = 128 * 1024 };

struct line_scanner;

enum line_kind {
	LINE_OBJECT,  /* valid; its slots are filled */
	LINE_BLANK,   /* nothing but white space */
	LINE_INVALID, /* json_scan says why */
	/* Lines that the scanner never sees; the reader of the input sets: */
	LINE_LONG, /* the beginning of a line beyond the limit */
	LINE_REST, /* more of the same line */
};

/* Where a line and its object are in the text. */
struct scanned_line {
	uint32_t at, n;		      /* without its newline */
	uint32_t object_at, object_n; /* without white space around it */
	enum line_kind kind;
};

/* Lines in the order of the text, and root->end slots for each. */
struct scanned_lines {
	struct scanned_line *lines;
	struct value *slots;
	size_t n, cap, slots_cap;
};

void scanned_lines_fini(struct scanned_lines *s);

/*
 * Make a scanner for the fields that root wants.
 *
 * Shape:  root has at least one slot.  version is how to index; with NULL all
 *         lines are scanned by json_scan.
 * Owns:   root is kept, not copied; the caller frees with line_scanner_free.
 * Errors: none; stops the program when memory runs out.
 */
struct line_scanner *line_scanner_new(const struct scan_node *root,
    const struct json_index_version *version);
void line_scanner_free(struct line_scanner *s);

/* Make another for the same fields, as line_scanner_new does, for a thread. */
struct line_scanner *line_scanner_like(const struct line_scanner *s);

/*
 * Scan the first lines of text, and put them into out, which is overwritten:
 * all, unless their slots would be too many.  Returns how many bytes they have.
 *
 * Shape:  text ends in a newline, with JSON_PAD readable bytes behind it, and
 *         is shorter than 4 GiB.
 * Owns:   slots point into text.
 * Errors: none.
 */
size_t line_scanner_scan(struct line_scanner *s, struct span text,
    struct scanned_lines *out);

#endif
