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
	/* The bytes that an offset of 16 bits can tell apart. */
	JSON_INDEX_PAGE = 65536,
	/*
	 * The most bytes that are indexed at once: offsets count from up to 63
	 * bytes before the text, see origin.
	 */
	JSON_INDEX_MAX = JSON_INDEX_PAGE - 63,
	/*
	 * The most bytes of a line that is indexed alone.  The longer the line,
	 * the less that gains: nothing any more at 16 MB.
	 */
	JSON_INDEX_LINE = 1 << 20,
	/* Tokens that can be read after the last one; they are unset. */
	JSON_INDEX_PAD = 64,
};

/*
 * Flags are per block of 64 bytes: if one is clear, the line lacks the
 * property; if it is set, the line or a neighbour in the block has it.
 */
enum {
	LINE_BAD = 1,	       /* not valid, or not known to be */
	LINE_TAILS = 2,	       /* a number with more than digits, or 0 first */
	LINE_LOOSE = 4,	       /* white space behind a key or a scalar */
	LINE_LOOSER = 8,       /* more than one byte of it */
	LINE_ESCAPED_KEY = 16, /* a backslash in a string before a colon */
	LINE_ESCAPED = 32,     /* a backslash */
	LINE_FLAGS = 63,
	LINE_FLAG_BITS = 6,
	/* For the versions alone, and not of lines: not only ASCII. */
	LINE_WIDE = 64,
};

struct json_index {
	/* Of each token: */
	uint16_t *at;	/* its offset from origin, modulo 2^16 */
	uint8_t *token; /* its byte */
	/*
	 * A bit for each token, lowest first: a key with a backslash, and no
	 * white space behind.
	 */
	uint64_t *escaped_keys;
	size_t ntokens;
	/* Of each page, from origin on: how many tokens are before it. */
	size_t *pages; /* npages, then ntokens */
	size_t npages;
	/* Of each line: number of its newline << LINE_FLAG_BITS | flags. */
	uint32_t *lines;
	size_t nlines;
	/*
	 * The numbers of those keys of the outmost objects whose lengths, with
	 * white space behind them, are wanted, and of escaped_keys; ended by
	 * UINT16_MAX.  None, if the text has more than one page.
	 */
	uint16_t *keys;
	uint64_t wanted; /* lengths modulo 64, a bit for each; the caller's */
	/* Of each block of 64 bytes: */
	uint8_t *flags; /* for all its lines */
	/* Bits of backslashes and what they escape; unset if not LINE_ESCAPED. */
	uint64_t *escapes;
	/*
	 * Where the first block begins, and offsets count from: the text's
	 * first byte, or up to 63 bytes before it, which are not read.
	 */
	const char *origin;
	size_t cap; /* the bytes of text for which there is room */
	/* For the versions alone: */
	/*
	 * By a mask of 8 bits: the places of those that are zero, lowest first,
	 * a byte each; by 256 plus the mask: the same plus eight.
	 */
	uint64_t *squeeze;
};

void json_index_init(struct json_index *x);
void json_index_fini(struct json_index *x);

/* Make room for a line of n bytes.  It is kept until _fini. */
void json_index_make_room(struct json_index *x, size_t n);

/* A token's offset from origin. */
size_t json_index_offset(const struct json_index *x, size_t token);

/* A way to do it, for one kind of processor. */
struct json_index_version {
	const char *name;
	bool (*runs_here)(void);
	/*
	 * Index text, of 1 to JSON_INDEX_MAX bytes, or one line for which there
	 * is room; it ends in a newline and has JSON_PAD (scanner.h) readable
	 * bytes behind it.
	 */
	void (*index)(struct json_index *x, struct span text);
};

/* Each in its own file, with code for its processor. */
extern const struct json_index_version json_index_avx512, json_index_avx2,
    json_index_sse42, json_index_neon;

/* Those that were compiled in, the fastest first, ended by NULL. */
extern const struct json_index_version *const json_index_versions[];

/*
 * The fastest version that runs on this processor, or the one of that name.
 *
 * Errors: NULL if there is none that runs on this processor.
 */
const struct json_index_version *json_index_best(void);
const struct json_index_version *json_index_named(const char *name);

#endif
