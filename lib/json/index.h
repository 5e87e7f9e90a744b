/*
 * index - where the tokens of many lines of JSON are, 64 bytes at a
 * time, without a look at the grammar.
 *
 * A token is a brace, bracket, colon or comma, the quote that opens a string,
 * the first byte of anything else that is no white space, or the newline that
 * ends a line.  Strings and numbers of one digit after the other are checked
 * on the way: what is wrong with them marks the line LINE_BAD, so that a
 * slower scanner can say what it is.  It may mark lines that are not wrong,
 * but misses none that is.
 *
 *	{"a":12,"b":[true]}\n	at	0 1 4 5 7 8 11 12 13 17 18 19
 *				token	{ " : 0 , " :  [  0  ]  }  \n
 *
 * Source: the masks are those of simdjson (Langdale and Lemire, Parsing
 *         Gigabytes of JSON per Second, 2019), taken across lines.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef JSON_INDEX_H
#define JSON_INDEX_H

#include <stdint.h>

#include "base/span.h"

enum {
	/* No more than that is indexed at once: offsets have 16 bits. */
	JSON_INDEX_MAX = 65535,
	/* So many tokens may be read, and hold anything, after the last. */
	JSON_INDEX_PAD = 64,
};

enum {
	LINE_BAD = 1,	  /* not valid, or not known to be */
	LINE_ESCAPED = 2, /* there is a backslash in it */
	LINE_MIXED = 4,	  /* not all that is no string is digits */
	LINE_SPACED = 8,  /* there is white space outside of strings */
	LINE_FLAGS = 15,
	LINE_FLAG_BITS = 4,
};

struct json_index {
	uint16_t *at;	/* the offset of each token */
	uint8_t *token; /* its byte; '0' for what is neither of the above */
	/* Of each line: its newline among the tokens, above its flags. */
	uint32_t *lines;
	size_t nlines;
};

void json_index_init(struct json_index *x);
void json_index_fini(struct json_index *x);

/* A way to do it, for one kind of processor. */
struct json_index_version {
	const char *name;
	bool (*runs_here)(void);
	/* Index text, of which a last line without newline is ignored. */
	void (*index)(struct json_index *x, struct span text);
};

/* Each in its own file, where the compiler makes code for the processor. */
extern const struct json_index_version json_index_avx512, json_index_avx2,
    json_index_sse2, json_index_neon;

/* Those that were compiled in, the fastest first, ended by NULL. */
extern const struct json_index_version *const json_index_versions[];

/*
 * The fastest version that runs on this processor, or the one of that name.
 *
 * Errors: NULL where there is none.
 */
const struct json_index_version *json_index_best(void);
const struct json_index_version *json_index_named(const char *name);

#endif
