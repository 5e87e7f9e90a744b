/* SPDX-License-Identifier: ISC */
/*
 * check.h - counts the checks of a unit program and shows those that fail.
 *
 *	CHECK(span_is_empty(s));
 *	CHECK_EQ(got, 3);		whole numbers of any type
 *	CHECK_STR(got, "abc");		C strings, or NULL
 *	return check_done("span");	the last line of main
 */
#ifndef CHECK_H
#define CHECK_H

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define CHECK(cond) check_that(__FILE__, __LINE__, #cond, (cond))
#define CHECK_EQ(got, want) \
	check_eq(__FILE__, __LINE__, #got, (intmax_t)(got), (intmax_t)(want))
#define CHECK_STR(got, want) check_str(__FILE__, __LINE__, #got, got, want)

static unsigned check_count, check_failures;

static inline bool
check_that(const char *file, int line, const char *text, bool held)
{
	check_count++;
	if (!held) {
		check_failures++;
		fprintf(stderr, "%s:%d: %s\n", file, line, text);
	}
	return held;
}

static inline void
check_eq(const char *file, int line, const char *text, intmax_t got,
    intmax_t want)
{
	if (!check_that(file, line, text, got == want))
		fprintf(stderr, "\tgot %jd, want %jd\n", got, want);
}

static inline void
check_str(const char *file, int line, const char *text, const char *got,
    const char *want)
{
	bool same = got == want ||
	    (got != NULL && want != NULL && strcmp(got, want) == 0);

	if (!check_that(file, line, text, same))
		fprintf(stderr, "\tgot  '%s'\n\twant '%s'\n",
		    got == NULL ? "(null)" : got,
		    want == NULL ? "(null)" : want);
}

static inline int
check_done(const char *name)
{
	printf("%s: %u checks", name, check_count);
	if (check_failures != 0)
		printf(", %u failed", check_failures);
	printf("\n");
	fflush(stdout); /* leak checking ends the process before exit does */
	return check_failures != 0;
}

#endif
