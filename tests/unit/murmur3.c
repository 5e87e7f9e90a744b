/*
 * murmur3 - known values, and each way in which a text can end.
 *
 * SPDX-License-Identifier: ISC
 */
#include "grouping/murmur3.h"
#include "check.h"

/* What Guava's murmur3_128(seed).hashBytes(b).asLong() gives. */
static void
known(void)
{
	static const struct {
		const char *text;
		uint32_t seed;
		uint64_t want;
	} rows[] = {
		{ "", 13, 0xa10ea8b22762995a },
		{ "key1", 13, 0x9c57578ed9ceaf04 },
		{ "key1", 17, 0x73b205b01010152f },
		{ "hello", 0, 0xcbd8a7b341bd9b02 },
		{ "hello, world", 0, 0x342fac623a5ebc8e },
		{ "19 Jan 2038 at 3:14:07 AM", 0, 0xb89e5988b737affc },
		{ "The quick brown fox jumps over the lazy dog", 0,
		    0xe34bbc7bbc071b6c },
		{ "The quick brown fox jumps over the lazy dog.", 0,
		    0xcd99481f9ee902c9 },
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
		if (!CHECK(murmur3_x64_128(span_of(rows[i].text),
			       rows[i].seed) == rows[i].want))
			fprintf(stderr, "\t'%s'\n", rows[i].text);
}

/*
 * Texts of the bytes 0, 1, 2, ... of each length up to 255, with the seeds 256
 * down to 1; then all that these gave, each its lowest byte first.  The value
 * is that of the author's own code, whose verification has the same texts.
 */
static void
all_lengths(void)
{
	char text[256], got[256 * 8];

	for (size_t n = 0; n < 256; n++) {
		uint64_t h;

		h = murmur3_x64_128((struct span){ text, n },
		    (uint32_t)(256 - n));
		for (size_t i = 0; i < 8; i++)
			got[n * 8 + i] = (char)(h >> 8 * i);
		text[n] = (char)n;
	}
	CHECK(murmur3_x64_128((struct span){ got, sizeof got }, 0) ==
	    0x91430ab4443d8c6d);
}

int
main(void)
{
	known();
	all_lengths();
	return check_done("murmur3");
}
