/*
 * line_scanner - scan many lines at once: what json_scan does, at a price
 * near that of reading.
 *
 * The tokens of all lines are found first (json_index).  A line whose tokens
 * are those of an earlier good one needs no look at the grammar: its shape is
 * known, and where in it the wanted fields are; only its keys, numbers and
 * words are checked.  Others are walked through token by token, and what is
 * wrong, or too much for that, is left to json_scan, so that what is accepted
 * and said is the same.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef JSON_LINE_SCANNER_H
#define JSON_LINE_SCANNER_H

#include "json/index_versions.h"
#include "json/scanner.h"

struct line_scanner;

/* A line: where it is in its text, and the object in it. */
struct scanned_line {
	uint32_t at, n;		      /* without its newline */
	uint32_t object_at, object_n; /* object_n 0: it has none */
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
 * Owns:   root is kept, not copied.
 */
struct line_scanner *line_scanner_new(const struct scan_node *root,
    const struct json_index_version *version);
void line_scanner_free(struct line_scanner *s);

/*
 * Scan the lines of text, but for the first that is longer than max_line and
 * those behind it, and add them to out.  What lies 4 GiB behind base is left
 * too.
 *
 * Shape:  text ends in a newline, with JSON_PAD readable bytes behind it; in
 *         what is added, places are counted from base, which is not after it.
 * Owns:   slots point into text.
 * Errors: none; returns how many bytes of text were scanned.
 */
size_t line_scanner_scan(struct line_scanner *s, const char *base,
    struct span text, size_t max_line, struct scanned_lines *out);

#endif
