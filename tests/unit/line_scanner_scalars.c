/*
 * line_scanner_scalars - all short texts of what numbers are made of, numbers
 * of many digits, and words with a byte more, less or another, as the value in
 * a line, at each place where a block of 64 bytes may cut them: each version of
 * the line scanner, json_scan and jansson agree on what is a number or a word.
 *
 * SPDX-License-Identifier: ISC
 */
#include "check.h"
#include "scanners.h"

enum { LONGEST = 5 };

static struct scanners scanners;

/* Try it with its first byte, and 63 or all behind it, first in a block. */
static bool
agree(struct span value)
{
	static struct buffer b;

	b.n = 0;
	buffer_put(&b, SPAN("{\"a\":"));
	buffer_put(&b, value);
	buffer_put(&b, SPAN("}\n"));
	for (size_t i = 0; i <= value.n + 1 && i < 64; i++)
		if (!scanners_agree(&scanners, buffer_span(&b),
			(128 - 5 - i) % 64))
			return CHECK(false);
	return true;
}

static void
check_numbers(void)
{
	static const char bytes[] = "-05.eE+]";
	char text[LONGEST];

	for (size_t n = 1, all = 8; n <= LONGEST; n++, all *= 8)
		for (size_t i = 0; i < all; i++) {
			for (size_t k = 0, rest = i; k < n; k++, rest /= 8)
				text[k] = bytes[rest % 8];
			if (!agree((struct span){ text, n }))
				return;
		}
	CHECK(scanners.nvalid > 1000 && scanners.ninvalid > 100000);
}

/* Digits that go on for whole blocks, and what comes behind them. */
static void
check_long_numbers(void)
{
	static const char *const before[] = { "", "-", "0", "1.", "-0.", "1e",
		"1e-", "1.5E+" };
	static const char *const behind[] = { "", ".", ".5", "e5", "e", "-",
		".5e+5", "e5.5", "e5e5", "x" };
	char text[256];

	for (size_t n = 50; n < 140; n += 3)
		for (size_t i = 0; i < sizeof before / sizeof *before; i++)
			for (size_t k = 0; k < sizeof behind / sizeof *behind;
			     k++) {
				snprintf(text, sizeof text, "%s%0*d%s",
				    before[i], (int)n, 7, behind[k]);
				if (!agree(span_of(text)))
					return;
				text[strlen(before[i])] = '1';
				if (!agree(span_of(text)))
					return;
			}
}

static void
check_words(const char *word)
{
	static const char bytes[] = "aeflnrstuTE01-. ,}\t";
	size_t length = strlen(word);
	char text[16];

	CHECK(agree((struct span){ word, length }));
	for (size_t i = 0; i <= length; i++)
		for (const char *c = bytes; *c != '\0'; c++)
			for (size_t skip = 0; skip < 2; skip++) {
				memcpy(text, word, i);
				text[i] = *c;
				strcpy(text + i + 1,
				    i < length ? word + i + skip : "");
				agree(span_of(text));
			}
}

int
main(void)
{
	scanners_init(&scanners, "a");
	check_numbers();
	check_long_numbers();
	check_words("true");
	check_words("false");
	check_words("null");
	scanners_fini(&scanners);
	return check_done("line_scanner_scalars");
}
