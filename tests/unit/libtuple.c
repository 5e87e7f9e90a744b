/* SPDX-License-Identifier: ISC */
/* Windows, expiring maps and rankings by the header that others include. */
#include "run/libtuple.h"
#include "base/hash.h"
#include "check.h"

static struct lt_span
text(const char *s)
{
	return (struct lt_span){ s, strlen(s) };
}

static struct lt_key
key(const char *s)
{
	return (struct lt_key){ text(s), text(s),
		hash_bytes((struct span){ s, strlen(s) }) };
}

static char said[1024], arg[] = "arg";

static void
say_count(void *given, int64_t end, struct lt_span spelling, int64_t count)
{
	size_t n = strlen(said);

	CHECK(given == arg);
	snprintf(said + n, sizeof said - n, "%" PRId64 ":%.*s=%" PRId64 " ",
	    end, (int)spelling.n, spelling.p, count);
}

static void
windows(void)
{
	struct lt_window *w = lt_window_new(3);
	const struct lt_key a = key("a"), b = key("b");

	said[0] = '\0';
	CHECK(lt_window_add(w, &a, 10, 2));
	CHECK(lt_window_add(w, &b, 11, 5));
	CHECK(lt_window_add(w, &a, 11, 1));
	lt_window_advance(w, 12, say_count, arg);
	CHECK_STR(said, "11:a=2 12:a=3 12:b=5 ");
	CHECK(lt_window_add(w, &a, 10, 1)); /* its last window ends at 13 */
	said[0] = '\0';
	lt_window_advance(w, 20, say_count, arg);
	CHECK_STR(said, "13:a=4 13:b=5 14:a=1 14:b=5 15:a=0 15:b=0 ");
	CHECK(!lt_window_add(w, &a, 17, 1));
	CHECK(lt_window_add(w, &a, 18, 1));
	lt_window_free(w);
}

/* They overflowed: all was too late, and windows came without end. */
static void
first_and_last_windows(void)
{
	struct lt_window *w = lt_window_new(3);
	const struct lt_key a = key("a");

	said[0] = '\0';
	lt_window_advance(w, INT64_MIN, say_count, arg);
	CHECK(lt_window_add(w, &a, INT64_MIN, 2));
	CHECK(lt_window_add(w, &a, 0, 1));
	lt_window_advance(w, 1, say_count, arg);
	CHECK_STR(said,
	    "-9223372036854775807:a=2 -9223372036854775806:a=2 "
	    "-9223372036854775805:a=2 -9223372036854775804:a=0 1:a=1 ");
	lt_window_free(w);

	w = lt_window_new(3);
	said[0] = '\0';
	CHECK(lt_window_add(w, &a, INT64_MAX - 1, 1));
	lt_window_advance(w, INT64_MAX, say_count, arg);
	CHECK_STR(said, "9223372036854775807:a=1 ");
	lt_window_free(w);
}

static void
say_expired(void *given, struct lt_span spelling, int64_t time, void *value)
{
	size_t n = strlen(said);

	CHECK(given == arg);
	snprintf(said + n, sizeof said - n, "%.*s@%" PRId64 "=%d ",
	    (int)spelling.n, spelling.p, time, *(int *)value);
}

static void
expiring_maps(void)
{
	struct lt_expiring_map *m = lt_expiring_map_new(10, sizeof(int));
	const struct lt_key a = key("a"), b = key("b"), c = key("c");
	bool added;
	int *value;

	said[0] = '\0';
	CHECK(lt_expiring_map_get(m, &a) == NULL);
	value = lt_expiring_map_put(m, &a, 100, &added);
	CHECK(added && *value == 0);
	*value = 1;
	value = lt_expiring_map_put(m, &a, 105, &added);
	CHECK(!added && *value == 1);
	*(int *)lt_expiring_map_put(m, &b, 101, &added) = 2;
	*(int *)lt_expiring_map_put(m, &c, 102, &added) = 3;
	lt_expiring_map_renew(m, &a, 104);
	lt_expiring_map_delete(m, &b);
	CHECK_EQ(lt_expiring_map_size(m), 2);
	lt_expiring_map_expire(m, 112, say_expired, arg);
	CHECK_STR(said, "");
	lt_expiring_map_expire(m, 113, say_expired, arg);
	CHECK_STR(said, "c@102=3 ");
	CHECK(*(int *)lt_expiring_map_get(m, &a) == 1);
	lt_expiring_map_expire(m, 115, NULL, NULL);
	CHECK_EQ(lt_expiring_map_size(m), 0);
	lt_expiring_map_renew(m, &a, 120); /* it is not there */
	lt_expiring_map_delete(m, &a);
	lt_expiring_map_free(m);
}

/* It deletes what expires, but renews the first. */
static void
change_expired(void *map, struct lt_span spelling, int64_t time, void *value)
{
	const struct lt_key k = key(spelling.p[0] == 'a' ? "a" : "b");

	(void)value;
	if (time == 1)
		lt_expiring_map_renew(map, &k, 200);
	else
		lt_expiring_map_delete(map, &k);
}

/* A second deletion of an entry broke the map, which then had no end. */
static void
maps_that_change(void)
{
	struct lt_expiring_map *m = lt_expiring_map_new(10, sizeof(int));
	const struct lt_key a = key("a"), b = key("b");
	bool added;

	lt_expiring_map_put(m, &a, 1, &added);
	lt_expiring_map_put(m, &b, 2, &added);
	lt_expiring_map_expire(m, 100, change_expired, m);
	CHECK_EQ(lt_expiring_map_size(m), 1);
	CHECK(lt_expiring_map_get(m, &a) != NULL);
	lt_expiring_map_expire(m, 300, change_expired, m);
	CHECK_EQ(lt_expiring_map_size(m), 0);
	lt_expiring_map_free(m);
}

static void
say_rank(void *given, size_t rank, struct lt_span line)
{
	size_t n = strlen(said);

	CHECK(given == arg);
	snprintf(said + n, sizeof said - n, "%zu:%.*s ", rank, (int)line.n,
	    line.p);
}

static void
rankings(void)
{
	struct lt_rankings *r = lt_rankings_new(2, true, false);
	struct lt_rankings *least = lt_rankings_new(2, false, true);
	const struct lt_key a = key("a"), b = key("b"), c = key("c");
	const struct lt_number one = { true, 1, 1, { NULL, 0 } };
	const struct lt_number half = { false, 0, 0.5, { NULL, 0 } };
	const struct lt_number big = { false, 0, 1e20, text("1e20") };

	said[0] = '\0';
	lt_rankings_update(r, &a, &one, text("A"));
	lt_rankings_update(r, &b, &half, text("B"));
	lt_rankings_update(r, &c, &big, text("C"));
	lt_rankings_report(r, say_rank, arg);
	CHECK_STR(said, "1:C 2:A ");
	said[0] = '\0';
	lt_rankings_update(r, &a, &half, text("A"));
	lt_rankings_update(r, &c, &half, text("C"));
	lt_rankings_report(r, say_rank, arg);
	CHECK_STR(said, "1:A 2:B ");
	lt_rankings_clear(r);
	lt_rankings_report(r, say_rank, NULL);
	said[0] = '\0';
	lt_rankings_update(least, NULL, &one, text("one"));
	lt_rankings_update(least, NULL, &big, text("big"));
	lt_rankings_update(least, NULL, &half, text("half"));
	lt_rankings_report(least, say_rank, arg);
	CHECK_STR(said, "1:half 2:one ");
	lt_rankings_free(least);
	lt_rankings_free(r);
}

int
main(void)
{
	windows();
	first_and_last_windows();
	expiring_maps();
	maps_that_change();
	rankings();
	return check_done("libtuple");
}
