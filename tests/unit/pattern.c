/*
 * A pattern is found where regexec(3) alone finds it, however it is cut up.
 *
 * SPDX-License-Identifier: ISC
 */
#include <string.h>

#include "base/random.h"
#include "check.h"
#include "tuple/pattern.h"

enum { PATTERNS = 30000, TEXTS = 60 };

/* What a pattern is made of, and a text. */
static const char *const tokens[] = { "a", "b", "ab", ".*", ".", "^", "$", "*",
	"+", "?", "|", "(", ")", "(a", "b)", "(a|b)", "(b*)", "{2}", "{0}",
	"{,1}", "[ab]", "[^a]", "[]a]", "[^]|]", "[[:alpha:]b]", "[[.a.]]",
	"[[=]=]]", "\\.", "\\*", "\\|", "\\(", "\\)", "\\\\", "\\b", "\\w",
	"\\<", "\\>", "\\B", "\\s", ".+", "a+", "[ab]+", "\\1", "\\x41",
	"\xc3\xa9", "\xff", "\n", "]", "}" };
static const char bytes[] = "aaaabbb\0\n.*|()]\\\xc3\xa9\xff";

static void
make_pattern(struct random *r, struct buffer *b)
{
	enum { N = sizeof tokens / sizeof tokens[0], OFTEN = 4 };
	size_t n;

	b->n = 0;
	if (random_below(r, 4) == 0)
		buffer_byte(b, '^');
	do {
		if (b->n > 1)
			buffer_byte(b, '|');
		for (n = random_below(r, 7); n > 0; n--)
			buffer_put(b,
			    span_of(tokens[random_below(r,
				random_below(r, 2) == 0 ? OFTEN : N)]));
	} while (random_below(r, 3) == 0);
	if (random_below(r, 4) == 0)
		buffer_byte(b, '$');
	buffer_byte(b, '\0');
}

static void
make_text(struct random *r, struct buffer *b)
{
	b->n = 0;
	for (size_t n = random_below(r, 9); n > 0; n--)
		buffer_byte(b, bytes[random_below(r, sizeof bytes - 1)]);
	buffer_byte(b, '\0');
	b->n--;
}

/* As it was done before patterns were cut up. */
static bool
is_found(const regex_t *regex, struct span text)
{
	regmatch_t all = { .rm_eo = (regoff_t)text.n };

#ifdef REG_STARTEND
	return regexec(regex, text.p, 1, &all, REG_STARTEND) == 0;
#else
	return regexec(regex, text.p, 1, &all, 0) == 0;
#endif
}

/* The search began anew at each letter, and took the square of their number. */
static void
check_long(void)
{
	static const char *const patterns[] = { "[a-z].*[0-9]", "a.*[0-9]$",
		"a.+[0-9]", "a.*a.*.[^a]", ".*[0-9]", "[a-z]+[0-9]",
		"[a-z]+.*[0-9]", "x-y|[a-z]+7" };
	struct buffer text = { 0 }, room = { 0 };

	memset(buffer_room(&text, 1000000), 'a', 1000000);
	text.n = 1000000;
	for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
		struct pattern p = { 0 };

		CHECK_EQ(pattern_compile(&p, patterns[i]), 0);
		text.p[text.n - 1] = 'a';
		CHECK(!pattern_found(&p, buffer_span(&text), &room));
		text.p[text.n - 1] = '7';
		CHECK(pattern_found(&p, buffer_span(&text), &room));
		pattern_fini(&p);
	}
	buffer_fini(&text);
	buffer_fini(&room);
}

int
main(void)
{
	struct random rng = { 1 };
	struct buffer pattern = { 0 }, text = { 0 }, room = { 0 };
	unsigned found = 0, exact = 0, cut = 0, branched = 0;
	regex_t regex;

	for (int i = 0; i < PATTERNS; i++) {
		struct pattern p = { 0 };

		make_pattern(&rng, &pattern);
		if (regcomp(&regex, pattern.p, REG_EXTENDED) != 0)
			continue;
		CHECK_EQ(pattern_compile(&p, pattern.p), 0);
		exact += p.exact;
		cut += p.nparts > 1;
		branched += p.nbranches != 0;
		for (int k = 0; k < TEXTS; k++) {
			bool is;

			make_text(&rng, &text);
			is = is_found(&regex, buffer_span(&text));
			found += is;
			if (!CHECK(pattern_found(&p, buffer_span(&text),
				       &room) == is))
				fprintf(stderr, "%s: %.*s\n", pattern.p,
				    (int)text.n, text.p);
			if (p.once != NULL)
				CHECK(pattern_found(p.once, buffer_span(&text),
					  &room) == is);
		}
		pattern_fini(&p);
		regfree(&regex);
	}
	check_long();
	CHECK(exact > PATTERNS / 20);
	CHECK(branched > PATTERNS / 100);
#ifdef REG_STARTEND
	CHECK(cut > PATTERNS / 100);
#else
	CHECK_EQ(cut, 0);
#endif
	CHECK(found > PATTERNS);
	buffer_fini(&pattern);
	buffer_fini(&text);
	buffer_fini(&room);
	return check_done("pattern");
}
