/*
 * index - find the tokens of many lines of JSON, 64 bytes at a time, and check
 * that each line is a valid object, 64 tokens at a time.
 *
 * A token is a brace, bracket, colon or comma, the quote that opens a string,
 * the first byte of a number or word (true, false, null), or the newline that
 * ends a line.  A line with a mistake is marked LINE_BAD, for json_scan to say
 * what it is.  Some valid lines are marked too (those nested more than 64
 * deep, and neighbours of bad ones), but no bad line is left unmarked.
 *
 *	{"a":12,"b":[true]}\n	at	0 1 4 5 7 8 11 12 13 17 18 19
 *				token	{ " : 1 , " :  [  t  ]  }  \n
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
	LINE_MIXED = 4,	  /* it has words, or more than digits in numbers */
	LINE_SPACED = 8,  /* there is white space outside of strings */
	LINE_ESCAPED_KEY = 16, /* there is a backslash in a key */
	LINE_FLAGS = 31,
	LINE_FLAG_BITS = 5,
};

struct json_index {
	/* Of each token: */
	uint16_t *at;	/* its offset in the text */
	uint8_t *token; /* its byte */
	/* Which token of its line closes the value that it opens. */
	uint16_t *close;
	size_t ntokens;
	/* Of each line: its newline among the tokens, above its flags. */
	uint32_t *lines;
	size_t nlines;
	/* For those who fill it: */
	uint8_t *flags;	   /* of the lines in each block of 64 bytes */
	size_t before;	   /* bytes of the first block before the text */
	uint16_t *escaped; /* the tokens of strings that have escapes */
	size_t nescaped;
	uint64_t *squeeze; /* by 8 bits, which of them are set, a byte each */
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
    json_index_ssse3, json_index_neon;

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
