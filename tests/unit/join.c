/*
 * join - random tuples, single and many, against brute force.
 *
 * A tuple is its number, which is also its order and its id.  The stories of
 * the join and of the naive one are compared as text, event by event.
 *
 * SPDX-License-Identifier: ISC
 */
#include <stdlib.h>

#include "base/buffer.h"
#include "base/random.h"
#include "check.h"
#include "join/join.h"

enum { LENGTH = 100, TUPLES = 400, KEYS = 6, MOST = 4, RUNS = 200 };

struct seen {
	int64_t time;
	uint32_t stream;
	size_t key; /* 0 is null */
	bool waits, joined;
};

static struct seen tuples[TUPLES];
static size_t nstreams;
static bool many, replace;

/* Two stories: what the join tells, and what it should. */
static struct buffer got, want;

static void
put_row(struct buffer *b, const size_t *parts, bool alone)
{
	buffer_byte(b, alone ? 'a' : 'r');
	for (size_t i = 0; i < nstreams; i++) {
		buffer_byte(b, ' ');
		if (parts[i] < TUPLES)
			buffer_int(b, (int64_t)parts[i]);
		else
			buffer_byte(b, '-');
	}
	buffer_byte(b, '\n');
}

static void
put_failed(struct buffer *b, size_t tuple, enum join_reason reason)
{
	buffer_byte(b, (char)('0' + reason));
	buffer_byte(b, ' ');
	buffer_int(b, (int64_t)tuple);
	buffer_byte(b, '\n');
}

static void
row(void *self, struct span key, const struct join_part *const *parts,
    bool alone)
{
	size_t numbers[MOST];

	(void)self;
	(void)key;
	for (size_t i = 0; i < nstreams; i++) {
		numbers[i] = parts[i] == NULL ? TUPLES : parts[i]->order;
		/* The line came along with it. */
		if (parts[i] != NULL)
			CHECK_EQ(atoi(parts[i]->line), parts[i]->order);
	}
	put_row(&got, numbers, alone);
}

static void
failed(void *self, const struct join_part *part, enum join_reason reason)
{
	(void)self;
	put_failed(&got, part->order, reason);
}

static void
done(void *self, const struct join_part *part)
{
	(void)self;
	(void)part;
}

/* Everything of one group fails; what is TUPLES is not there. */
static void
naive_fail(const size_t *parts, enum join_reason reason)
{
	put_row(&want, parts, true);
	for (size_t t = 0; t < TUPLES; t++)
		for (size_t i = 0; i < nstreams; i++)
			if (parts[i] == t)
				put_failed(&want, t, reason);
}

static void
naive_fail_one(size_t t, enum join_reason reason)
{
	size_t parts[MOST] = { TUPLES, TUPLES, TUPLES, TUPLES };

	parts[tuples[t].stream] = t;
	naive_fail(parts, reason);
}

/* What waits of a key of a single join; replaced firsts live on in time. */
static struct {
	bool waits;
	int64_t time;
	size_t first, parts[MOST];
} keys[KEYS];

static void
forget_key(size_t k)
{
	keys[k].waits = false;
	for (size_t i = 0; i < MOST; i++)
		keys[k].parts[i] = TUPLES;
}

static void
naive_expire_single(int64_t now, enum join_reason reason)
{
	for (;;) {
		size_t first = KEYS;

		for (size_t k = 0; k < KEYS; k++)
			if (keys[k].waits &&
			    (reason == JOIN_END ||
				now - keys[k].time > LENGTH) &&
			    (first == KEYS || keys[k].time < keys[first].time ||
				(keys[k].time == keys[first].time &&
				    keys[k].first < keys[first].first)))
				first = k;
		if (first == KEYS)
			return;
		naive_fail(keys[first].parts, reason);
		forget_key(first);
	}
}

static void
naive_add_single(size_t t, int64_t now)
{
	size_t k = tuples[t].key, s = tuples[t].stream, there = 0;
	int64_t time = tuples[t].time;

	if (keys[k].waits && time - keys[k].time > LENGTH) {
		naive_fail(keys[k].parts, JOIN_TIMEOUT);
		forget_key(k);
	}
	if (keys[k].waits ? keys[k].time - time > LENGTH :
			    now - time > LENGTH) {
		naive_fail_one(t, JOIN_LATE);
		return;
	}
	if (!keys[k].waits) {
		keys[k].waits = true;
		keys[k].time = time;
		keys[k].first = t;
	} else if (keys[k].parts[s] < TUPLES) {
		put_failed(&want, replace ? keys[k].parts[s] : t,
		    JOIN_DUPLICATE);
		if (!replace)
			return;
	}
	keys[k].parts[s] = t;
	for (size_t i = 0; i < nstreams; i++)
		there += keys[k].parts[i] < TUPLES;
	if (there == nstreams) {
		put_row(&want, keys[k].parts, false);
		forget_key(k);
	}
}

/* Tell whether tuple a goes before b: by time, then arrival. */
static bool
goes_before(size_t a, size_t b)
{
	return tuples[a].time != tuples[b].time ?
	    tuples[a].time < tuples[b].time :
	    a < b;
}

/* The kept tuple that goes after another one; TUPLES is before the first. */
static size_t
next_kept(size_t after, int64_t limit, size_t key, size_t stream)
{
	size_t next = TUPLES;

	for (size_t t = 0; t < TUPLES; t++) {
		if (!tuples[t].waits || tuples[t].time >= limit)
			continue;
		if (key != KEYS &&
		    (tuples[t].key != key || tuples[t].stream != stream))
			continue;
		if (after < TUPLES && !goes_before(after, t))
			continue;
		if (next == TUPLES || goes_before(t, next))
			next = t;
	}
	return next;
}

static void
naive_expire_many(int64_t limit, enum join_reason reason)
{
	size_t t;

	while ((t = next_kept(TUPLES, limit, KEYS, 0)) < TUPLES) {
		if (!tuples[t].joined)
			naive_fail_one(t, reason);
		tuples[t].waits = false;
	}
}

static void
naive_combine(size_t t, size_t *parts, size_t stream)
{
	size_t p = TUPLES;

	if (stream == nstreams) {
		int64_t low = INT64_MAX, high = INT64_MIN;

		for (size_t i = 0; i < nstreams; i++) {
			int64_t time = tuples[parts[i]].time;

			low = time < low ? time : low;
			high = time > high ? time : high;
		}
		if (high - low > LENGTH)
			return;
		put_row(&want, parts, false);
		for (size_t i = 0; i < nstreams; i++)
			tuples[parts[i]].joined = true;
	} else if (stream == tuples[t].stream) {
		parts[stream] = t;
		naive_combine(t, parts, stream + 1);
	} else {
		while ((p = next_kept(p, INT64_MAX, tuples[t].key, stream)) <
		    TUPLES) {
			parts[stream] = p;
			naive_combine(t, parts, stream + 1);
		}
	}
}

static void
naive_add_many(size_t t, int64_t now)
{
	size_t parts[MOST];

	naive_combine(t, parts, 0);
	tuples[t].waits = now - tuples[t].time <= LENGTH;
	if (!tuples[t].waits && !tuples[t].joined)
		naive_fail_one(t, JOIN_LATE);
}

static void
add(struct join *j, size_t t, int64_t now)
{
	char name[32], line[32];
	struct key key = { 0 };
	struct join_part part = {
		.time = tuples[t].time, .order = t, .stream = tuples[t].stream
	};

	part.line = line;
	part.n = (uint32_t)snprintf(line, sizeof line, "%zu ", t);
	snprintf(name, sizeof name, "%zu", tuples[t].key);
	key.bytes = tuples[t].key == 0 ? SPAN("null") : span_of(name);
	key.spelling = key.bytes;
	key.hash = hash_bytes(key.bytes);
	key.has_null = tuples[t].key == 0;
	join_expire(j, now);
	join_add(j, &key, &part, now);

	if (many)
		naive_expire_many(now - LENGTH, JOIN_TIMEOUT);
	else
		naive_expire_single(now, JOIN_TIMEOUT);
	if (tuples[t].key == 0)
		naive_fail_one(t, JOIN_NULL_KEY);
	else if (many)
		naive_add_many(t, now);
	else
		naive_add_single(t, now);
}

static bool
same_story(void)
{
	bool same = span_eq(buffer_span(&got), buffer_span(&want));

	CHECK(same);
	if (!same)
		fprintf(stderr, "got\n%.*swant\n%.*s", (int)got.n, got.p,
		    (int)want.n, want.p);
	got.n = want.n = 0;
	return same;
}

static void
random_run(uint64_t seed)
{
	struct random rng = { seed };
	struct join_owner owner = { NULL, row, failed, done };
	struct join j;
	int64_t now = INT64_MIN / 2, time = 0, high = 0;
	uint64_t disorder = random_below(&rng, 3) * LENGTH;
	int64_t lateness = (int64_t)random_below(&rng, 2 * LENGTH);

	many = seed % 2 == 0;
	replace = !many && random_below(&rng, 2) == 0;
	nstreams = 2 + random_below(&rng, MOST - 1);
	for (size_t k = 0; k < KEYS; k++)
		forget_key(k);
	memset(tuples, 0, sizeof tuples);
	join_init(&j, &owner, nstreams, 0, LENGTH, lateness);
	j.many = many;
	j.replace = replace;
	for (size_t t = 0; t < TUPLES; t++) {
		time += (int64_t)random_below(&rng, many ? 60 : 25);
		if (random_below(&rng, 40) == 0)
			time += (int64_t)random_below(&rng, 500 * LENGTH);
		tuples[t].time =
		    time - (int64_t)random_below(&rng, 1 + disorder);
		tuples[t].stream = (uint32_t)random_below(&rng, nstreams);
		tuples[t].key = random_below(&rng, many ? 3 : KEYS);
		high = tuples[t].time > high ? tuples[t].time : high;
		now = high - lateness;
		add(&j, t, now);
		if (!same_story())
			break;
	}
	join_finish(&j);
	if (many)
		naive_expire_many(INT64_MAX, JOIN_END);
	else
		naive_expire_single(0, JOIN_END);
	same_story();
	CHECK_EQ(j.parts.n, 0);
	CHECK_EQ(join_keys(&j)->live, 0);
	join_fini(&j);
}

/* The waiting part has of its line "ab<12>cd<345>ef" what is needed of it. */
static void
row_of_kept(void *self, struct span key, const struct join_part *const *parts,
    bool alone)
{
	const struct join_field *fields = join_part_fields(parts[0]);

	(void)key;
	CHECK(!alone);
	CHECK(span_eq(join_part_line(parts[0]), SPAN("<12>cd<345>")));
	CHECK(fields[0].at == 6 && fields[0].n == 5);
	CHECK(fields[1].n == 0);
	CHECK(fields[2].at == 0 && fields[2].n == 4);
	*(int *)self += 1;
}

/* Of a part that waits no more is kept than is needed. */
static void
keeping(void)
{
	static const struct join_field fields[3] = { { 8, 5 }, { 0, 0 },
		{ 2, 4 } };
	struct join_part *part = join_part_new(3);
	struct key key = { .bytes = SPAN("1"), .spelling = SPAN("1") };
	int rows = 0;
	struct join_owner owner = { &rows, row_of_kept, failed, done };
	struct join j;

	key.hash = hash_bytes(key.bytes);
	part->line = "ab<12>cd<345>ef";
	part->n = 15;
	part->fields_only = true;
	memcpy(join_part_fields(part), fields, sizeof fields);
	join_init(&j, &owner, 2, 3, LENGTH, 0);
	join_add(&j, &key, part, 0);
	part->stream = 1;
	part->order = 1;
	join_add(&j, &key, part, 0);
	CHECK_EQ(rows, 1);
	CHECK_EQ(j.parts.n, 0);
	join_fini(&j);
	free(part);
}

int
main(void)
{
	keeping();
	for (uint64_t seed = 1; seed <= RUNS; seed++)
		random_run(seed);
	buffer_fini(&got);
	buffer_fini(&want);
	return check_done("join");
}
