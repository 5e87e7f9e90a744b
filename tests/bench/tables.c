/*
 * tables [FACTOR [NAME]] - what one operation of the tables costs, in
 * nanoseconds of processor time; FACTOR makes the runs shorter (0.1) or
 * longer, NAME leaves only those that have it in their name.
 *
 * SPDX-License-Identifier: ISC
 */
#include <inttypes.h>
#include <stdio.h>
#include <time.h>

#include "base/hash_map.h"
#include "base/random.h"
#include "base/timestamp.h"
#include "window/sliding_window_counter.h"

enum { AHEAD = TUPLE_AHEAD, KEY = 14 };

static const struct time_form any_form = { .unit = TIME_UNIT_AUTO };

static double factor = 1;
static const char *wanted = "";

static bool
is_wanted(const char *name)
{
	return strstr(name, wanted) != NULL;
}

static double
now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
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
	uint32_t hints[AHEAD];
	double start = now_ns(), ns;

	hash_map_init(&m, 28);
	for (size_t i = 0; i < n; i += AHEAD) {
		for (size_t k = 0; k < AHEAD; k++) {
			hashes[k] = hash_bytes((struct span){
			    keys + (i + k) * KEY, KEY });
			if (ahead)
				hash_map_prefetch(&m, hashes[k]);
		}
		for (size_t k = 0; k < AHEAD; k++)
			hints[k] = ahead ? hash_map_look_ahead(&m, hashes[k]) :
					   HASH_MAP_NONE;
		for (size_t k = 0; k < AHEAD; k++) {
			struct span key = { keys + (i + k) * KEY, KEY };
			bool added;
			uint32_t id = hash_map_put_hinted(&m, hints[k], key,
			    key, hashes[k], &added);

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

/* Keys from numbers on; chosen: those with the same six bits of hash on top. */
static uint32_t *
set_of(size_t n, bool chosen)
{
	uint32_t *numbers = memory_new(n, sizeof *numbers);
	char key[KEY + 1];
	uint32_t next = 0;

	for (size_t i = 0; i < n; next++) {
		snprintf(key, sizeof key, "\"user%08u\"", next);
		numbers[i] = next;
		i +=
		    !chosen || hash_bytes((struct span){ key, KEY }) >> 58 == 0;
	}
	return numbers;
}

static void
count_set(const char *name, const uint32_t *set, size_t nset, double draws)
{
	size_t n = (size_t)(draws * factor) / AHEAD * AHEAD;
	uint32_t *numbers = draw(n, (uint32_t)nset, false), distinct;
	char *keys;

	for (size_t i = 0; i < n; i++)
		numbers[i] = set[numbers[i]];
	keys = keys_of(numbers, n);
	printf("%-28s %8.1f ns\n", name, count_keys(keys, n, true, &distinct));
	free(numbers);
	free(keys);
}

/*
 * Keys that somebody has chosen who knows the hash, under the secret that all
 * programs with it have, and under that of this process.
 */
static void
attack(void)
{
	enum { KEYS = 20000 };
	uint32_t *chosen, *others = set_of(KEYS, false);
	unsigned char own[HASH_SECRET_BYTES];

	memcpy(own, hash_secret, sizeof own);
	memcpy(hash_secret, XXH3_kSecret, sizeof own);
	chosen = set_of(KEYS, true);
	count_set("attack, no secret", chosen, KEYS, 1e6);
	memcpy(hash_secret, own, sizeof own);
	count_set("attack", chosen, KEYS, 2e7);
	count_set("attack, other keys", others, KEYS, 2e7);
	free(chosen);
	free(others);
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

/*
 * All that counting by event time does after a line has been scanned: the
 * look ahead, the time, the slot, the table.  Every batch is scanned first,
 * outside of what is measured.
 */
static void
after_scanning(const char *name, uint32_t users, int64_t every_ns)
{
	enum { BATCH = 1024, LINE = 256 };
	static const char rest[] = "\",\"path\":\"/p/3\",\"status\":304,"
				   "\"bytes\":38703,\"ua\":\"Mozilla/5.0 "
				   "(Windows NT 10.0; Win64; x64) "
				   "Chrome/126.0.0.0\"}\n";
	size_t n = (size_t)(4e6 * factor) / BATCH * BATCH, first, many;
	char *text = memory_new(BATCH, LINE);
	struct projection p;
	struct value *slots;
	struct tuple *tuples = memory_new(BATCH, sizeof *tuples);
	struct sliding_window_counter w;
	static struct keys_ahead keys;
	struct tuple *next[AHEAD];
	uint32_t *numbers = draw(n, users, true);
	struct buffer scratch = { 0 };
	struct fault f = { 0 };
	double ns = 0, start;
	int64_t slot, time;

	projection_init(&p);
	projection_add(&p, "user", &first, &many);
	projection_add(&p, "ts", &first, &many);
	projection_compile(&p);
	slots = memory_new(BATCH * (size_t)p.root.end, sizeof *slots);
	sliding_window_counter_init(&w, 1, NULL);
	for (size_t i = 0; i < n; i += BATCH) {
		for (size_t k = 0; k < BATCH; k++) {
			char *line = text + k * LINE;
			int ms = (int)(i + k);
			int len = snprintf(line, LINE,
			    "{\"ts\":\"2026-03-01T%02d:%02d:%02d.%03dZ\","
			    "\"level\":\"info\",\"host\":\"h3\","
			    "\"user\":\"u%06u%s",
			    ms / 3600000, ms / 60000 % 60, ms / 1000 % 60,
			    ms % 1000, numbers[i + k], rest);

			tuples[k] =
			    (struct tuple){ .line = { line, (size_t)len - 1 },
				    .projection = &p,
				    .slots = slots + k * (size_t)p.root.end,
				    .scratch = &scratch };
			if (json_scan(&p.root, tuples[k].line,
				slots + k * (size_t)p.root.end, &f) < 0)
				abort();
		}
		start = now_ns();
		for (size_t k = 0; k < BATCH; k += AHEAD) {
			for (size_t j = 0; j < AHEAD; j++)
				next[j] = &tuples[k + j];
			sliding_window_counter_look_ahead(&w, &keys, next,
			    AHEAD, 0, 1);
			for (size_t j = k; j < k + AHEAD; j++) {
				if (tuple_time(&tuples[j], 1, &any_form, &time,
					&f) < 0)
					abort();
				slot = time / every_ns;
				sliding_window_counter_add(&w, tuples[j].key,
				    slot, NULL);
			}
		}
		ns += now_ns() - start;
	}
	printf("%-28s %8.1f ns\n", name, ns / (double)n);
}

int
main(int argc, char *argv[])
{
	if (argc > 1)
		factor = atof(argv[1]);
	if (argc > 2)
		wanted = argv[2];
	hash_init();
	if (is_wanted("time, RFC 3339"))
		times("time, RFC 3339", 0);
	if (is_wanted("time, RFC 3339, ms"))
		times("time, RFC 3339, ms", 3);
	if (is_wanted("time, RFC 3339, us"))
		times("time, RFC 3339, us", 6);
	if (is_wanted("time, RFC 3339, ns"))
		times("time, RFC 3339, ns", 9);
	if (is_wanted("time, s"))
		times("time, s", -1);
	if (is_wanted("time, ms"))
		times("time, ms", -3);
	if (is_wanted("time, us"))
		times("time, us", -6);
	if (is_wanted("after scanning, 100 000 keys"))
		after_scanning("after scanning, 100 000 keys", 100000,
		    INT64_C(864000000000000));
	if (is_wanted("count, Zipf"))
		counting("count, Zipf", 2e7, 1000, true);
	if (is_wanted("count, Zipf"))
		counting("count, Zipf", 2e7, 100000, true);
	if (is_wanted("count, Zipf"))
		counting("count, Zipf", 2e7, 1000000, true);
	if (is_wanted("count, uniform"))
		counting("count, uniform", 2e7, 1000000, false);
	if (is_wanted("count, Zipf"))
		counting("count, Zipf", 2e7, 10000000, true);
	if (is_wanted("count, uniform"))
		counting("count, uniform", 3e7, 10000000, false);
	if (is_wanted("attack"))
		attack();
	return 0;
}
