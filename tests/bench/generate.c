/*
 * generate log|tuples|left|right BYTES - made-up input of at least so many
 * bytes, the same lines each time.
 *
 * `log` has an access log of about 180 bytes a line: one each millisecond of
 * 2026-03-01, from one of 100 000 users, whose shares are those of a Zipf
 * distribution with exponent 1; `tuples` has the same requests in about 66.
 * `left` and `right` have the halves of pairs in 45, one of each a millisecond,
 * and each ten thousand lines shuffled.
 *
 * SPDX-License-Identifier: ISC
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"

enum { USERS = 100000, HOSTS = 64, PATHS = 1000, SHUFFLED = 10000 };

static const char *const agents[] = {
	"Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0",
	"Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/126.0.0.0",
	"curl/7.88.1 (x86_64-pc-linux-gnu) libcurl",
	"Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) Safari",
};

static const int statuses[] = { 200, 200, 200, 200, 200, 304, 404, 500 };

static const int64_t NOON_MS = 1772366400000; /* 2026-03-01T12:00:00Z */

/* Print one half of pairs. */
static void
put_halves(bool left, int64_t bytes)
{
	static int order[SHUFFLED];
	struct random r = { left ? 2 : 3 };

	for (int64_t from = 0; bytes > 0; from += SHUFFLED) {
		for (int i = 0; i < SHUFFLED; i++) {
			int k = (int)random_below(&r, (uint64_t)i + 1);

			order[i] = order[k];
			order[k] = i;
		}
		for (int i = 0; i < SHUFFLED && bytes > 0; i++) {
			int64_t n = from + order[i];

			bytes -= printf("{\"id\":%" PRId64 ",\"ts\":%" PRId64,
			    1000000 + n, NOON_MS + n);
			bytes -= left ?
			    printf(",\"gender\":\"%c\"}\n",
				"mf"[n * 7919 % 5 > 2]) :
			    printf(",\"age\":%d}\n", (int)(18 + n * 31 % 60));
		}
	}
}

int
main(int argc, char *argv[])
{
	struct random r = { 1 };
	struct zipf users, paths;
	int64_t left;
	int is_log, n;

	if (argc != 3) {
		fputs("usage: generate log|tuples|left|right BYTES\n", stderr);
		return 2;
	}
	is_log = strcmp(argv[1], "log") == 0;
	left = strtoll(argv[2], NULL, 10);
	if (strcmp(argv[1], "left") == 0 || strcmp(argv[1], "right") == 0) {
		put_halves(strcmp(argv[1], "left") == 0, left);
		return fflush(stdout) == EOF;
	}
	zipf_init(&users, USERS, 1);
	zipf_init(&paths, PATHS, 1);
	for (int64_t ms = 0; left > 0 && ms < 43200000; ms++, left -= n) {
		int user = (int)zipf_next(&users, &r);
		int status = statuses[random_below(&r, 8)];
		int bytes =
		    (int)(random_below(&r, 300) * random_below(&r, 300));

		if (!is_log) {
			n = printf("{\"user\":\"u%06d\",\"ts\":%" PRId64
				   ",\"status\":%d,\"bytes\":%d}\n",
			    user, (NOON_MS + ms) * 1000, status, bytes);
			continue;
		}
		n = printf("{\"ts\":\"2026-03-01T%02d:%02d:%02d.%03dZ\","
			   "\"level\":\"info\",\"host\":\"h%d\","
			   "\"user\":\"u%06d\",\"path\":\"/p/%d\","
			   "\"status\":%d,\"bytes\":%d,\"ua\":\"%s\"}\n",
		    12 + (int)(ms / 3600000), (int)(ms / 60000 % 60),
		    (int)(ms / 1000 % 60), (int)(ms % 1000),
		    (int)random_below(&r, HOSTS), user,
		    (int)zipf_next(&paths, &r), status, bytes,
		    agents[random_below(&r, 4)]);
	}
	return fflush(stdout) == EOF;
}
