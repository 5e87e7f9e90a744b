/*
 * index_tables - classes of bytes: the AND of a table by the high four bits and
 * one by the low four.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef JSON_INDEX_TABLES_H
#define JSON_INDEX_TABLES_H

enum {
	ESCAPABLE = 0x8f, /* one of "/\bfnrtu, by the high four bits */
	UNICODE = 0x80,	  /* u */
	HEX = 0x30,	  /* a hex digit: a digit, or a letter */
};

static const unsigned char escape_high[16] = { 0, 0, 1, 0, 0, 2, 4, 0x88 };
static const unsigned char escape_low[16] = { 0, 0, 0x0d, 0, 8, 0x80, 4, 0, 0,
	0, 0, 0, 2, 0, 4, 1 };
static const unsigned char hex_high[16] = { 0, 0, 0, 0x10, 0x20, 0, 0x20 };
static const unsigned char hex_low[16] = { 0x10, 0x30, 0x30, 0x30, 0x30, 0x30,
	0x30, 0x10, 0x10, 0x10 };

/*
 * What is wrong with two bytes of UTF-8, by the first and by the high four bits
 * of the second.  Two continuations are right if the bytes before want them.
 *
 * Source: Keiser and Lemire, Validating UTF-8 in less than one instruction per
 *         byte, 2021.
 */
enum {
	SHORT = 0x01, /* a first byte, and no continuation */
	LONG = 0x02,  /* ASCII and a continuation */
	OVERLONG3 = 0x04,
	LARGE = 0x08, /* from U+110000 on, second byte from 0x90 on */
	SURROGATE = 0x10,
	OVERLONG2 = 0x20,
	EDGE4 = 0x40,	 /* OVERLONG4, or from U+140000 on, second below 0x90 */
	TWO_MORE = 0x80, /* two continuations */
	ANY = SHORT | LONG | TWO_MORE,
	BEYOND = ANY | LARGE | EDGE4,
};

static const unsigned char utf8_high[16] = { LONG, LONG, LONG, LONG, LONG, LONG,
	LONG, LONG, TWO_MORE, TWO_MORE, TWO_MORE, TWO_MORE, SHORT | OVERLONG2,
	SHORT, SHORT | OVERLONG3 | SURROGATE, SHORT | LARGE | EDGE4 };
static const unsigned char utf8_low[16] = { ANY | OVERLONG3 | OVERLONG2 | EDGE4,
	ANY | OVERLONG2, ANY, ANY, ANY | LARGE, BEYOND, BEYOND, BEYOND, BEYOND,
	BEYOND, BEYOND, BEYOND, BEYOND, BEYOND | SURROGATE, BEYOND, BEYOND };
static const unsigned char utf8_second[16] = { SHORT, SHORT, SHORT, SHORT,
	SHORT, SHORT, SHORT, SHORT,
	LONG | OVERLONG2 | TWO_MORE | OVERLONG3 | EDGE4,
	LONG | OVERLONG2 | TWO_MORE | OVERLONG3 | LARGE,
	LONG | OVERLONG2 | TWO_MORE | SURROGATE | LARGE,
	LONG | OVERLONG2 | TWO_MORE | SURROGATE | LARGE, SHORT, SHORT, SHORT,
	SHORT };

#endif
