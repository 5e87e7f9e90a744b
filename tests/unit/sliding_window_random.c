/*
 * sliding_window_random - random streams, in and out of order, with and
 * without weights, against a list of all that was counted.
 *
 * SPDX-License-Identifier: ISC
 */
#include "base/random.h"
#include "check.h"
#include "reported.h"
#include "window/sliding_window_counter.h"

static struct sliding_window_counter w;
static struct reported seen;
static struct random rng = { 13 };

static void
start(int64_t nslots)
{
	sliding_window_counter_init(&w, nslots, NULL);
	seen.sums = &w.counter.sums;
}

static bool
add(const char *text, int64_t slot, const char *weight)
{
	struct key key = reported_key(text);
	struct number x;

	if (weight == NULL)
		return sliding_window_counter_add(&w, &key, slot, NULL);
	CHECK(number_parse(&x, span_of(weight)) == 0);
	return sliding_window_counter_add(&w, &key, slot, &x);
}

/* Close a slot whether or not somebody has something to say, like Storm. */
static const char *
advance(int64_t boundary)
{
	sliding_window_counter_advance(&w, boundary, reported_add, &seen);
	return reported_take(&seen);
}

enum { NKEYS = 12, NEVENTS = 4000 };

/* All that was counted, and nothing clever. */
static struct event {
	int key;
	int64_t slot;
	int64_t quarters;
	bool huge, fraction;
} events[NEVENTS];
static size_t nevents;
static int order[NKEYS], norder; /* the keys there are, as they came */
static bool shown[NKEYS];
static int64_t reached, width;
static bool started;

static void
name_of(char text[24], int key)
{
	/* Some are short, some are beyond what an entry holds. */
	snprintf(text, 24, key % 2 == 0 ? "%d" : "a key that is long %d", key);
}

/* Whether key has something from slot first on. */
static bool
has(int key, int64_t first, int64_t end)
{
	for (size_t i = 0; i < nevents; i++)
		if (events[i].key == key && events[i].slot >= first &&
		    events[i].slot < end)
			return true;
	return false;
}

static void
put_naive(struct buffer *b, int key, int64_t boundary)
{
	int64_t quarters = 0, huge = 0;
	bool doubles = false;

	for (size_t i = 0; i < nevents; i++)
		if (events[i].key == key &&
		    events[i].slot >= boundary - width &&
		    events[i].slot < boundary) {
			quarters += events[i].quarters;
			huge += events[i].huge;
			doubles |= events[i].huge || events[i].fraction;
		}
	if (doubles)
		buffer_double(b, (double)huge * 1e40 + (double)quarters / 4);
	else
		buffer_int(b, quarters / 4);
}

/* What the window that ends at boundary is, in reported's form. */
static const char *
naive_advance(struct buffer *b, int64_t boundary)
{
	int n = norder;

	b->n = 0;
	norder = 0;
	for (int i = 0; i < n; i++) {
		int key = order[i];
		bool there = has(key, boundary - width, boundary);
		char text[24];

		if (there || shown[key]) {
			if (b->n > 0)
				buffer_byte(b, ' ');
			name_of(text, key);
			buffer_put(b, span_of(text));
			buffer_byte(b, ':');
			put_naive(b, key, boundary);
			if (!there)
				buffer_byte(b, '!');
		}
		shown[key] = there;
		if (there || has(key, boundary, INT64_MAX))
			order[norder++] = key;
	}
	buffer_byte(b, '\0');
	reached = boundary;
	started = true;
	/* What is in no window to come need not be kept. */
	n = 0;
	for (size_t i = 0; i < nevents; i++)
		if (events[i].slot >= boundary - width)
			events[n++] = events[i];
	nevents = (size_t)n;
	return b->p;
}

static bool
naive_next(int64_t *boundary)
{
	bool any = false;

	for (int key = 0; key < NKEYS; key++)
		if (shown[key]) {
			*boundary = reached + 1;
			return true;
		}
	for (size_t i = 0; i < nevents; i++) {
		int64_t b = events[i].slot + 1;

		if (started && b <= reached)
			b = reached + 1;
		if (!any || b < *boundary)
			*boundary = b;
		any = true;
	}
	return any;
}

static void
random_add(int64_t slot, bool weighted)
{
	struct event e = { (int)random_below(&rng, NKEYS), slot, 4, false,
		false };
	bool late = started && slot + width <= reached;
	char name[24], weight[48] = "1e40";

	name_of(name, e.key);
	if (weighted && random_below(&rng, 40) == 0) {
		e.huge = true;
		e.quarters = 0;
	} else if (weighted) {
		e.quarters = (int64_t)random_below(&rng, 4000) - 2000;
		e.fraction = e.quarters % 4 != 0;
		snprintf(weight, sizeof weight, "%.2f", (double)e.quarters / 4);
	}
	CHECK(add(name, slot, weighted ? weight : NULL) == !late);
	if (late)
		return;
	for (int i = 0; i < norder; i++)
		if (order[i] == e.key)
			goto known;
	order[norder++] = e.key;
known:
	events[nevents++] = e;
}

static void
random_stream(bool weighted)
{
	struct buffer naive = { 0 };
	int64_t now = (int64_t)random_below(&rng, 2000) - 1000, disorder;

	width = 1 + (int64_t)random_below(&rng, 6);
	disorder = (int64_t)random_below(&rng, 8);
	nevents = 0;
	norder = 0;
	started = false;
	memset(shown, 0, sizeof shown);
	start(width);
	for (int i = 0; i < 400; i++) {
		int64_t mine = 0, theirs = 0, until;
		size_t what = random_below(&rng, 20);

		now += what == 0 ? (int64_t)random_below(&rng, 100) :
		    what < 8	 ? (int64_t)random_below(&rng, 3) :
				   0;
		random_add(now -
			(int64_t)random_below(&rng, (uint64_t)disorder + 3),
		    weighted);
		until = i == 399 ? INT64_MAX : now - disorder;
		for (;;) {
			bool any = sliding_window_counter_next(&w, &mine);

			CHECK(any == naive_next(&theirs));
			if (!CHECK(!any || mine == theirs))
				return;
			if (!any || mine > until)
				break;
			CHECK_STR(advance(mine), naive_advance(&naive, mine));
		}
		if (until == INT64_MAX)
			break;
		sliding_window_counter_reach(&w, until);
		if (!started || until > reached)
			reached = until;
		started = true;
	}
	CHECK_EQ(w.counter.keys.live, 0);
	sliding_window_counter_fini(&w);
	buffer_fini(&naive);
}

int
main(void)
{
	hash_init();
	for (int i = 0; i < 150; i++)
		random_stream(i % 2 == 1);
	buffer_fini(&seen.text);
	return check_done("sliding_window_random");
}
