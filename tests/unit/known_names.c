/*
 * known_names - which name is taken for which.
 *
 * SPDX-License-Identifier: ISC
 */
#include "base/known_names.h"
#include "check.h"

static void
finds_the_nearest(void)
{
	static const char *const names[] = { "rtt", "id.orig_h", "timestamp",
		"user.userName", "v", "HOST", "v", "ab", "", "ba" };
	static const struct {
		const char *name, *like;
	} asked[] = {
		{ "rt", "rtt" },
		{ "rrt", "rtt" },
		{ "trt", "rtt" },
		{ "rxx", NULL },
		{ "vv", "v" },
		{ "w", NULL },
		{ "V", "v" },
		{ "host", "HOST" },
		{ "@OST", "HOST" },
		{ "id_orig_h", "id.orig_h" },
		{ "orig_h", "id.orig_h" },
		{ "origh", NULL }, /* the dot is one edit, too */
		{ "timestmap", "timestamp" },
		{ "tmiestmap", "timestamp" },
		{ "tiemstmpa", "timestamp" },
		{ "time", NULL },
		{ "username", "user.userName" },
		{ "useName", "user.userName" },
		{ "user", NULL },
		{ "aba", "ab" },
	};
	struct known_names k;
	char text[80];

	known_names_init(&k);
	CHECK(known_names_like(&k, SPAN("v")).p == NULL);
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		known_names_add(&k, span_of(names[i]), span_of(names[i]));
	for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
		struct span like = known_names_like(&k, span_of(asked[i].name));

		snprintf(text, sizeof text, "%.*s", (int)like.n,
		    like.p == NULL ? "" : like.p);
		CHECK_STR(text, asked[i].like == NULL ? "" : asked[i].like);
	}
	known_names_fini(&k);
}

static void
has_limits(void)
{
	char name[KNOWN_NAMES_LONGEST + 2];
	struct known_names k;

	known_names_init(&k);
	memset(name, 'x', sizeof name);
	known_names_add(&k, (struct span){ name, KNOWN_NAMES_LONGEST + 1 },
	    SPAN(""));
	CHECK(known_names_like(&k, (struct span){ name, 60 }).p == NULL);
	known_names_add(&k, (struct span){ name, KNOWN_NAMES_LONGEST },
	    SPAN(""));
	CHECK_EQ(known_names_like(&k, (struct span){ name, 60 }).n,
	    KNOWN_NAMES_LONGEST);
	for (int i = 1; i < KNOWN_NAMES_MOST + 10; i++) {
		snprintf(name, sizeof name, "%d", 100000 + i);
		known_names_add(&k, span_of(name), span_of(name));
	}
	CHECK_EQ(k.names.live, KNOWN_NAMES_MOST);
	known_names_fini(&k);
}

int
main(void)
{
	finds_the_nearest();
	has_limits();
	return check_done("known_names");
}
