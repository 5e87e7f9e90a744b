/*
 * generate KIND BYTES - made-up input of at least so many bytes, the same lines
 * each time; KIND is one of the following.
 *
 * `log` has an access log of about 180 bytes a line: one each millisecond of
 * 2026-03-01, from one of 100 000 users, whose shares are those of a Zipf
 * distribution with exponent 1; `tuples` has the same requests in about 66.
 * `left` and `right` have the halves of pairs in 45, one of each a millisecond,
 * and each ten thousand lines shuffled.
 *
 * `spaced` is the log as Python's json.dumps writes it, with a blank behind each
 * colon and comma; `texts` is one with a free text, which has escapes in a
 * third of the lines and more than ASCII in a fifth; `nested` has events of
 * about a kilobyte, in which members of nested objects come and go; `traces` has
 * 700 to 2700 bytes, most of them a string; `long` has a thousand requests of the
 * log in each line.
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

/* A request of the log. */
struct request {
	int64_t ms;
	int user, path, host, status, bytes;
	const char *agent;
};

static int
put_tuple(const struct request *q)
{
	return printf("{\"user\":\"u%06d\",\"ts\":%" PRId64
		      ",\"status\":%d,\"bytes\":%d}\n",
	    q->user, (NOON_MS + q->ms) * 1000, q->status, q->bytes);
}

/* The beginning of a line of the log, with its braces left open. */
static int
put_request(const struct request *q, const char *blank)
{
	int s = (int)(q->ms / 1000);

	return printf("{\"ts\":%s\"2026-03-01T%02d:%02d:%02d.%03dZ\",%s"
		      "\"level\":%s\"info\",%s\"host\":%s\"h%d\",%s"
		      "\"user\":%s\"u%06d\",%s\"path\":%s\"/p/%d\",%s"
		      "\"status\":%s%d,%s\"bytes\":%s%d",
	    blank, 12 + s / 3600, s / 60 % 60, s % 60, (int)(q->ms % 1000),
	    blank, blank, blank, blank, q->host, blank, blank, q->user, blank,
	    blank, q->path, blank, blank, q->status, blank, blank, q->bytes);
}

static int
put_log(const struct request *q)
{
	return put_request(q, "") + printf(",\"ua\":\"%s\"}\n", q->agent);
}

static int
put_spaced(const struct request *q)
{
	return put_request(q, " ") + printf(", \"ua\": \"%s\"}\n", q->agent);
}

static int
put_texts(const struct request *q)
{
	static const char *const texts[] = { "said \\\"go\\\" and left",
		"opened C:\\\\temp\\\\x.log", "first line\\nand a second",
		"\\u00e9t\\u00e9, too", "no route to host",
		"\xc3\xa9t\xc3\xa9 \xe2\x82\xac 3",
		"\xe3\x83\xaa\xe3\x82\xaf\xe3\x82\xa8 \xf0\x9f\x98\x80",
		"connection reset by peer", "accepted", "timed out after 30 s",
		"retried twice", "cache is cold", "no such user" };
	/* 5 of 15 have escapes, 3 more than ASCII. */
	static const int of[15] = { 0, 1, 2, 3, 0, 5, 6, 5, 4, 7, 8, 9, 10, 11,
		12 };

	return put_request(q, "") +
	    printf(",\"text\":\"%s\"}\n",
		texts[of[((unsigned)q->ms * 2654435761U >> 16) % 15]]);
}

static int
put_nested(const struct request *q)
{
	unsigned r = (unsigned)q->ms * 2654435761U >> 12;
	int n = put_request(q, "");

	n += printf(",\"actor\":{\"id\":%d,\"login\":\"u%06d\",\"url\":"
		    "\"https://api.example.com/users/u%06d\"},\"public\":%s",
	    q->user, q->user, q->user, (r & 1) != 0 ? "true" : "false");
	if ((r & 2) != 0)
		n += printf(",\"org\":{\"id\":%d,\"name\":null,\"load\":0.%d}",
		    q->host, q->bytes);
	n += printf(",\"payload\":{\"size\":%u,\"commits\":[", r >> 2 & 3);
	for (unsigned i = 0; i <= (r >> 2 & 3); i++)
		n += printf(
		    "%s{\"sha\":\"%08x%08x%08x\",\"message\":\"Make %d "
		    "of it, and leave the rest of what is there as it has always been, but for this\",\"distinct\":true%s,\"url\":"
		    "\"https://api.example.com/repos/%d/commits/%08x\"}",
		    i == 0 ? "" : ",", r, r + i, ~r, q->path,
		    (r >> i & 16) != 0 ? ",\"author\":{\"email\":\"a@b.c\"}" :
					 "",
		    q->path, r);
	return n + printf("]},\"ua\":\"%s\"}\n", q->agent);
}

/* A program's trace of calls, as an error is logged with. */
static int
put_traces(const struct request *q)
{
	int n = put_request(q, "") +
	    printf(",\"trace\":\"java.io.IOException: no route to host");

	for (int i = 0; i < 10 + q->path % 40; i++)
		n += printf("\\n\\tat com.example.h%d.Client.call"
			    "(Client.java:%d)",
		    q->host, q->path + i);
	return n + printf("\"}\n");
}

static int
put_long(const struct request *q)
{
	int n = printf("{\"requests\":[");

	for (int i = 0; i < 1000; i++) {
		struct request one = *q;

		one.ms += i;
		one.path = (q->path + i) % PATHS;
		n += put_request(&one, "") +
		    printf(",\"ua\":\"%s\"}%s", q->agent, i < 999 ? "," : "");
	}
	return n + printf("],\"user\":\"u%06d\"}\n", q->user);
}

static const struct kind {
	const char *name;
	int (*put)(const struct request *q);
} kinds[] = {
	{ "log", put_log },
	{ "tuples", put_tuple },
	{ "spaced", put_spaced },
	{ "texts", put_texts },
	{ "nested", put_nested },
	{ "traces", put_traces },
	{ "long", put_long },
};

static void
put_requests(int (*put)(const struct request *q), int64_t left)
{
	struct random r = { 1 };
	struct zipf users, paths;

	zipf_init(&users, USERS, 1);
	zipf_init(&paths, PATHS, 1);
	for (int64_t ms = 0; left > 0 && ms < 43200000; ms++) {
		struct request q = { .ms = ms };

		q.user = (int)zipf_next(&users, &r);
		q.status = statuses[random_below(&r, 8)];
		q.bytes = (int)(random_below(&r, 300) * random_below(&r, 300));
		q.agent = agents[random_below(&r, 4)];
		q.path = (int)zipf_next(&paths, &r);
		q.host = (int)random_below(&r, HOSTS);
		left -= put(&q);
	}
}

int
main(int argc, char *argv[])
{
	const size_t nkinds = sizeof kinds / sizeof *kinds;
	bool halves = argc == 3 &&
	    (strcmp(argv[1], "left") == 0 || strcmp(argv[1], "right") == 0);
	size_t i = 0;

	while (!halves && argc == 3 && i < nkinds &&
	    strcmp(argv[1], kinds[i].name) != 0)
		i++;
	if (argc != 3 || i == nkinds) {
		fputs("usage: generate log|tuples|spaced|texts|nested|traces|"
		      "long|left|right BYTES\n",
		    stderr);
		return 2;
	}
	if (halves)
		put_halves(argv[1][0] == 'l', strtoll(argv[2], NULL, 10));
	else
		put_requests(kinds[i].put, strtoll(argv[2], NULL, 10));
	return fflush(stdout) == EOF;
}
