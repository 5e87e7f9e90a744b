/*
 * index_grammar - whether the tokens of a line are an object: what may follow
 * what, 64 tokens at a time, and after that what is in which object or array:
 * at once if only the outmost object has others in it, else one bracket after
 * the other.  A version includes this after index_kernel and the functions that
 * it declares.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef JSON_INDEX_GRAMMAR_H
#define JSON_INDEX_GRAMMAR_H

#include "json/index_scalars.h"
#include "json/index_utf8.h"

enum {
	/* Of 64 tokens, the first 62 have their next two at hand. */
	GRAMMAR_STEP = 62,
	/* Lines that are nested deeper are left to json_scan. */
	GRAMMAR_DEPTH = 64,
};

/* Which of 64 tokens are what. */
struct kinds {
	uint64_t object, array; /* the braces and brackets that open one */
	uint64_t brace;		/* of braces and brackets, the braces */
	uint64_t close, colon, comma, newline;
	uint64_t value;	 /* that begin one, or a key */
	uint64_t scalar; /* words, and numbers that begin with no digit */
	uint64_t key;	 /* strings before a colon */
	uint64_t deep;	 /* those in what is in a line's outmost object */
	uint64_t outer;	 /* the first brace of a line, and its last */
};

/* What the tokens are in, from the outside to the inside. */
struct nest {
	uint64_t objects; /* 1 for an object, 0 for an array; bit 0 is inmost */
	size_t depth;
	bool begins; /* the next token is the first of its line */
	bool lost;   /* the rest of the line is not followed */
};

/* The kinds of 64 tokens. */
KERNEL struct kinds
kinds_of(const uint8_t *token, bool begins)
{
	const char *p = (const char *)token;
	uint64_t quote = equal(p, '"'), open, begin;
	struct kinds k;

	open = equal_letter(p, '{');
	k.brace = at_least(p, '{');
	k.object = open & k.brace;
	k.array = open & ~k.brace;
	k.close = equal_letter(p, '}');
	k.colon = equal(p, ':');
	k.comma = equal(p, ',');
	k.newline = equal(p, '\n');
	k.value = ~(k.close | k.colon | k.comma | k.newline);
	k.scalar =
	    k.value & ~(open | quote | (at_least(p, '0') & ~at_least(p, ':')));
	k.key = quote & k.colon >> 1;
	begin = k.newline << 1 | begins;
	k.outer = (begin & k.object) | (k.newline >> 1 & k.close & k.brace);
	k.deep = 0; /* follow_brackets sets it */
	return k;
}

/*
 * Which tokens are not followed by what may follow them: a key comes after a
 * brace or a comma, a value after a bracket, a colon or a comma, and a line is
 * empty or begins with a brace.
 */
KERNEL uint64_t
bad_pairs(const struct kinds *k, bool begins)
{
	uint64_t before_close = k->close >> 1, before_key = k->key >> 1;
	uint64_t ends = k->value & ~(k->object | k->array | k->key);
	uint64_t begin = k->newline << 1 | begins;

	return (k->object & ~(before_key | before_close)) |
	    (k->array & ~(k->value >> 1 | before_close)) |
	    ((k->colon | k->comma) & ~(k->value >> 1)) |
	    ((k->array | k->colon) & before_key) |
	    (ends & ~(k->comma >> 1 | before_close)) |
	    (k->close & ~(k->comma >> 1 | before_close | k->outer)) |
	    (begin & ~(k->object | k->newline));
}

/* Go into an object or array, unless that is too deep. */
KERNEL bool
enter(struct nest *nest, bool object)
{
	if (nest->depth == GRAMMAR_DEPTH)
		return false;
	nest->depth++;
	nest->objects = nest->objects << 1 | object;
	return true;
}

/* Go out of one.  False: it is of the other kind, or the outmost. */
KERNEL bool
leave(struct nest *nest, bool object)
{
	bool good = (nest->objects & 1) == object;

	nest->objects >>= 1;
	return good && --nest->depth != 0;
}

/*
 * Follow all brackets at once, if only the outmost object has others in it;
 * *good tells whether they fit, and the commas and newlines.  False: they are
 * nested deeper, or one is closed that is not open; only k->deep has changed.
 * This takes 2 to 6 % off a scan of nested lines.
 */
KERNEL bool
follow_shallow(struct nest *nest, struct kinds *k, uint64_t part, bool *good)
{
	uint64_t open = (k->object | k->array) & part & ~k->outer;
	uint64_t brackets = open | (k->close & part & ~k->outer);
	uint64_t squares = brackets & ~k->brace, commas = k->comma & part;
	uint64_t begun = -(uint64_t)(nest->depth == 2), in_array;

	/* 1 from each that opens up to the next, which is to close it. */
	k->deep = prefix_xor(brackets) ^ begun;
	if (nest->depth > 2 || (brackets & k->deep) != open)
		return false;
	in_array = prefix_xor(squares) ^ (begun & ~-(nest->objects & 1));
	*good = ((brackets & k->brace & in_array) |
		    ((squares & in_array) ^ (squares & open)) |
		    (k->deep & k->newline & part) |
		    (commas & ~(in_array ^ k->key >> 1))) == 0;
	nest->depth = 1 + (k->deep >> 63);
	nest->objects = 1 << (k->deep >> 63) | !(in_array >> 63);
	return true;
}

/*
 * Follow the brackets of those tokens whose bits are in part.  False: a
 * bracket, comma or newline does not fit the object or array around it.
 */
KERNEL bool
follow_brackets(struct nest *nest, struct kinds *k, uint64_t part)
{
	uint64_t left = (k->object | k->array | k->close) & part & ~k->outer;
	uint64_t commas = k->comma & part, members = commas & k->key >> 1;
	uint64_t in_object = -(nest->objects & 1);
	bool good;

	if (left != 0 && follow_shallow(nest, k, part, &good))
		return good;
	k->deep = -(uint64_t)(nest->depth != 1);
	for (; left != 0; left &= left - 1) {
		uint64_t bit = left & -left, from = -bit;
		bool object = (k->brace & bit) != 0;

		if (!((k->close & bit) != 0 ? leave(nest, object) :
					      enter(nest, object)))
			return false;
		/* What is behind is in this. */
		in_object ^= (in_object ^ -(nest->objects & 1)) & from;
		k->deep ^= (k->deep ^ -(uint64_t)(nest->depth != 1)) & from;
	}
	return ((k->deep & k->newline & part) |
		   (members ^ (commas & in_object))) == 0;
}

/* The bits up to the lowest newline, with it; all where there is none. */
KERNEL uint64_t
first_line(uint64_t newlines)
{
	return newlines ^ (newlines - 1);
}

/*
 * Mark the blocks that n tokens are in, from the from-th on.  With several
 * pages there is one line, and it does not matter which of its blocks is
 * marked: it is one in the first page.
 */
KERNEL void
mark_bad(const struct json_index *x, size_t from, size_t n)
{
	for (size_t i = from; i < from + n; i++)
		x->flags[x->at[i] / 64] |= LINE_BAD;
}

/*
 * Follow those of 64 tokens whose bits are in part.  False: some are bad, or
 * their brackets do not fit; nest is then undefined.
 */
KERNEL bool
follow(struct nest *nest, struct kinds *k, uint64_t part, uint64_t bad)
{
	uint64_t followed = part, newline = k->newline & part;

	if (nest->lost)
		followed &= ~first_line(newline);
	if ((bad & followed) != 0 || !follow_brackets(nest, k, followed))
		return false;
	nest->begins = (newline & ~(part >> 1)) != 0;
	nest->lost = nest->lost && newline == 0; /* until its line ends */
	return true;
}

/*
 * Do the same line by line, when follow has failed, and mark the bad ones.  A
 * line that began before part is taken to be bad: follow may have changed what
 * was known of its brackets.
 */
TARGET static __attribute__((noinline)) void
follow_lines(const struct json_index *x, struct nest *nest, struct kinds *k,
    uint64_t part, size_t at, uint64_t bad, bool begins)
{
	uint64_t deep = 0, line, newline;

	for (; part != 0; part ^= line) {
		newline = k->newline & part;
		line = part & first_line(newline);
		*nest = (struct nest){ .objects = 1, .depth = 1 };
		if (!begins || !follow(nest, k, line, bad)) {
			mark_bad(x, at + (size_t)__builtin_ctzll(line),
			    (size_t)__builtin_popcountll(line));
			*nest = (struct nest){ .objects = 1,
				.depth = 1,
				.begins = newline != 0,
				.lost = newline == 0 };
		}
		deep |= k->deep & line;
		begins = true;
	}
	k->deep = deep;
}

/* Check those of 64 tokens, from the at-th on, whose bits are in part. */
KERNEL void
check_grammar(const struct json_index *x, struct nest *nest, struct kinds *k,
    uint64_t part, size_t at)
{
	bool begins = nest->begins;
	uint64_t bad = bad_pairs(k, begins);

	if (!follow(nest, k, part, bad))
		follow_lines(x, nest, k, part, at, bad, begins);
}

/* What is true of the blocks that have a part of a line. */
KERNEL uint32_t
flags_of(const struct json_index *x, size_t from, size_t newline)
{
	const char *block = (const char *)x->flags + from / 64;
	size_t n = newline / 64 - from / 64;
	uint64_t flags = 0;

	for (; n >= 8; n -= 8, block += 8)
		flags |= word_load(block);
	flags |= word_load(block) << (56 - 8 * n);
	flags |= flags >> 32;
	flags |= flags >> 16;
	return (flags | flags >> 8) & LINE_FLAGS;
}

/* Add the lines that end at newlines, of those from the at-th token on. */
KERNEL size_t
put_lines(struct json_index *x, const char *page, size_t from,
    uint64_t newlines, size_t at)
{
	for (; newlines != 0; newlines &= newlines - 1) {
		size_t last = at + (size_t)__builtin_ctzll(newlines);
		size_t end = (size_t)(page - x->origin) + x->at[last];

		x->lines[x->nlines++] =
		    (uint32_t)last << LINE_FLAG_BITS | flags_of(x, from, end);
		from = end + 1;
	}
	return from;
}

/* Which of 64 tokens, from the at-th on, are keys with a backslash. */
KERNEL uint64_t
escaped_keys_in(const struct json_index *x, size_t at)
{
	const uint64_t *bits = x->escaped_keys + at / 64;

	return bits[0] >> at % 64 | bits[1] << 1 << (63 - at % 64);
}

/* Note the keys that may be wanted. */
KERNEL size_t
put_keys(const struct json_index *x, size_t n, uint64_t keys, size_t at,
    const uint64_t wanted[2])
{
	keys &= distances_in(x->at + at, wanted) | escaped_keys_in(x, at);
	put_numbers(x->keys + n, at, keys);
	return n + (size_t)__builtin_popcountll(keys);
}

ALWAYS_INLINE KERNEL void
index_text(struct json_index *x, struct span text)
{
	struct nest nest = { .objects = 1, .depth = 1, .begins = true };
	/* By distances to colons; made before the loop, not to wait for it. */
	const uint64_t wanted[2] = { x->wanted << 2 | x->wanted >> 62 };
	size_t from, nkeys = 0;

	index_tokens(x, text);
	check_utf8(x, text);
	from = (size_t)(text.p - x->origin);
	x->nlines = 0;
	for (size_t i = 0; i < x->npages; i++) {
		const char *page = x->origin + i * JSON_INDEX_PAGE;
		size_t end = x->pages[i + 1];

		for (size_t at = x->pages[i]; at < end; at += GRAMMAR_STEP) {
			struct kinds k = kinds_of(x->token + at, nest.begins);
			uint64_t part = ((uint64_t)1 << GRAMMAR_STEP) - 1;

			if (end - at < GRAMMAR_STEP)
				part = ((uint64_t)1 << (end - at)) - 1;
			check_scalars(x, page, at, k.scalar & part);
			check_grammar(x, &nest, &k, part, at);
			if (x->npages == 1)
				nkeys = put_keys(x, nkeys,
				    k.key & part & ~k.deep, at, wanted);
			from = put_lines(x, page, from, k.newline & part, at);
		}
	}
	x->keys[nkeys] = UINT16_MAX;
}

#endif
