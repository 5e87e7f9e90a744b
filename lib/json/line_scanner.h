/*
 * line_scanner - scan many lines at once: what json_scan does, at a price
 * near that of reading.
 *
 * The tokens of all lines are found first (index).  A line whose tokens are
 * those of an earlier valid one needs no look at the grammar: its shape is
 * known (line_shape), and where in it the wanted fields are; only its keys,
 * numbers and words are checked.  Others are walked through token by token
 * (line_walk).  What is not valid, or too much for that, is left to json_scan,
 * so that what is accepted is the same.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef JSON_LINE_SCANNER_H
#define JSON_LINE_SCANNER_H

#include "json/index.h"
#include "json/scanner.h"

/* Indexed at once; with its index it fits the cache of a core. */
enum { LINE_SCANNER_CHUNK = 32 * 1024 };

struct line_scanner;

enum line_kind {
	LINE_OBJECT,  /* its fields are found */
	LINE_MARKED,  /* the same, and the first slot is one of them */
	LINE_BLANK,   /* white space at most */
	LINE_INVALID, /* json_scan tells why */
	/* Of whoever reads, for the scanner never sees them: */
	LINE_LONG, /* the beginning of one that is beyond the limit */
	LINE_REST, /* more of that one */
};

/* A line: where it is in its text, and what is in it between white space. */
struct scanned_line {
	uint32_t at, n; /* without its newline */
	uint32_t object_at, object_n;
	enum line_kind kind;
};

/* Lines in the order of the text; each has root->end slots. */
struct scanned_lines {
	struct scanned_line *lines;
	struct value *slots;
	size_t n, cap, slots_cap;
};

void scanned_lines_fini(struct scanned_lines *s);

/*
 * Look for what root looks for, in the given way; NULL leaves it all to
 * json_scan.
 *
 * Shape:  root has a slot at least.
 * Owns:   root is kept, not copied.
 */
struct line_scanner *line_scanner_new(const struct scan_node *root,
    const struct json_index_version *version);
void line_scanner_free(struct line_scanner *s);

/*
 * Scan the lines of text, and put them into out in place of what was there.
 *
 * Shape:  text ends in a newline, with JSON_PAD readable bytes behind it, and
 *         is shorter than 4 GiB.
 * Owns:   slots point into text.
 * Errors: none.
 */
void line_scanner_scan(struct line_scanner *s, struct span text,
    struct scanned_lines *out);

#endif
