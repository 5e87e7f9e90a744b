/*
 * tables [FACTOR] - what one operation of the tables costs, in nanoseconds;
 * FACTOR makes the runs shorter (0.1) or longer.
 *
 * SPDX-License-Identifier: ISC
 */
#include <inttypes.h>
#include <stdio.h>
#include <time.h>

#include "hash_map.h"
#include "random.h"
#include "timestamp.h"

enum { AHEAD = 16, KEY = 14 };

static double factor = 1;

static double
now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* n keys of twelve bytes and their quotes, as they would stand in lines. */
static char *
keys_of(const uint32_t *numbers, size_t n)
{
	char *keys = memory_new(n + 1, KEY);

	for (size_t i = 0; i < n; i++)
		snprintf(keys + i * KEY, KEY + 1, "\"user%08u\"", numbers[i]);
	return keys;
}

static uint32_t *
draw(size_t n, uint32_t below, bool zipf)
{
	uint32_t *numbers = memory_new(n, sizeof *numbers);
	struct random r = { 1 };
	struct zipf z;

	if (zipf)
		zipf_init(&z, below, 1);
	for (size_t i = 0; i < n; i++)
		numbers[i] = (uint32_t)(zipf ? zipf_next(&z, &r) :
					       random_below(&r, below));
	return numbers;
}

static double
count_keys(const char *keys, size_t n, bool ahead, uint32_t *distinct)
{
	struct hash_map m;
	uint64_t hashes[AHEAD];
	double start = now_ns(), ns;

	hash_map_init(&m, 28);
	for (size_t i = 0; i < n; i += AHEAD) {
		for (size_t k = 0; k < AHEAD; k++)
			hashes[k] = hash_bytes((struct span){
			    keys + (i + k) * KEY, KEY });
		if (ahead)
			hash_map_look_ahead(&m, hashes, AHEAD);
		for (size_t k = 0; k < AHEAD; k++) {
			struct span key = { keys + (i + k) * KEY, KEY };
			bool added;
			uint32_t id =
			    hash_map_put(&m, key, key, hashes[k], &added);

			++*(int64_t *)hash_map_value(&m, id);
		}
	}
	ns = (now_ns() - start) / (double)n;
	*distinct = m.live;
	hash_map_fini(&m);
	return ns;
}

static void
counting(const char *name, double draws, uint32_t below, bool zipf)
{
	size_t n = (size_t)(draws * factor) / AHEAD * AHEAD;
	uint32_t *numbers = draw(n, below, zipf), distinct;
	char *keys = keys_of(numbers, n);
	double plain = count_keys(keys, n, false, &distinct);
	double ahead = count_keys(keys, n, true, &distinct);

	printf("%-28s %8u keys %8.1f ns, looking ahead %8.1f\n", name, distinct,
	    plain, ahead);
	free(numbers);
	free(keys);
}

/* Times a millisecond apart, in the order of time. */
static void
times(const char *name, int kind)
{
	size_t n = 10000, width = 0;
	char *texts = memory_new(n, 32);
	int64_t sum = 0, ns, start_ms = 1772366400000;
	double best = 1e9;

	for (size_t i = 0; i < n; i++) {
		int64_t ms = start_ms + (int64_t)i;
		time_t t = (time_t)(ms / 1000);
		struct tm tm;
		char *text = texts + i * 32;

		gmtime_r(&t, &tm);
		if (kind < 0)
			width = (size_t)snprintf(text, 32, "%" PRId64,
			    kind == -1	   ? ms / 1000 :
				kind == -3 ? ms :
					     ms * 1000);
		else
			width = strftime(text, 32, "%Y-%m-%dT%H:%M:%S", &tm);
		if (kind > 0)
			width += (size_t)snprintf(text + width, 12, ".%0*d",
			    kind, (int)(ms % 1000));
		if (kind >= 0)
			text[width++] = 'Z';
	}
	for (int run = 0; run < 100; run++) {
		double start = now_ns();

		for (size_t i = 0; i < n; i++) {
			ns = 0;
			timestamp_parse((struct span){ texts + i * 32, width },
			    TIME_UNIT_AUTO, &ns);
			sum += ns;
		}
		if ((now_ns() - start) / (double)n < best)
			best = (now_ns() - start) / (double)n;
	}
	printf("%-28s %8.1f ns%s\n", name, best, sum == 0 ? "?" : "");
	free(texts);
}

int
main(int argc, char *argv[])
{
	if (argc > 1)
		factor = atof(argv[1]);
	hash_init();
	times("time, RFC 3339", 0);
	times("time, RFC 3339, ms", 3);
	times("time, RFC 3339, us", 6);
	times("time, RFC 3339, ns", 9);
	times("time, s", -1);
	times("time, ms", -3);
	times("time, us", -6);
	counting("count, Zipf", 2e7, 1000, true);
	counting("count, Zipf", 2e7, 100000, true);
	counting("count, Zipf", 2e7, 1000000, true);
	counting("count, uniform", 2e7, 1000000, false);
	counting("count, Zipf", 2e7, 10000000, true);
	counting("count, uniform", 3e7, 10000000, false);
	return 0;
}
