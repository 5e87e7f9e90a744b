/*
 * passed_slots - which slots of a window a state tells from others, and what a
 * list of them cannot be.
 *
 * SPDX-License-Identifier: ISC
 */
#include <unistd.h>

#include "check.h"
#include "reported.h"
#include "state/passed_slots.h"

static struct sliding_window_counter w;
static struct passed_slots passed;
static struct store *store;

static void
add(int64_t slot)
{
	struct key key = reported_key("a");

	CHECK(sliding_window_counter_add(&w, &key, slot, NULL));
}

/* The slots from 0 to 9 that the store has; `!` if that cannot be right. */
static const char *
kept(void)
{
	static char seen[16];
	size_t n = 0;

	passed_slots_load(&passed, store);
	passed_slots_begin(&passed, &w);
	for (int slot = 0; slot < 10; slot++)
		if (passed_slots_has(&passed, slot))
			seen[n++] = (char)('0' + slot);
	if (!passed_slots_done(&passed))
		seen[n++] = '!';
	seen[n] = '\0';
	return seen;
}

static const char *
saved(void)
{
	passed_slots_save(&passed, &w, store);
	return kept();
}

/* A window of three slots. */
static void
test_window(void)
{
	struct reported seen = { .sums = &w.counter.sums };
	int64_t boundary;

	sliding_window_counter_init(&w, 3, NULL);
	CHECK_STR(saved(), "");
	add(4);
	add(5);
	CHECK_STR(saved(), ""); /* time has come to no slot */
	CHECK(sliding_window_counter_next(&w, &boundary));
	sliding_window_counter_advance(&w, boundary, reported_add, &seen);
	CHECK_EQ(w.reached, 5);
	CHECK_STR(saved(), ""); /* 4 is open, 5 to come */
	add(3);
	CHECK_STR(saved(), "3");
	sliding_window_counter_reach(&w, 6);
	CHECK_STR(saved(), "35");
	/* Asked again from the first on. */
	passed_slots_begin(&passed, &w);
	CHECK(!passed_slots_has(&passed, 4));
	CHECK(passed_slots_has(&passed, 5));
	buffer_fini(&seen.text);
}

/* What kept tells of a list of two. */
static const char *
listed(int64_t one, int64_t other)
{
	struct buffer b = { 0 };

	pack_form(&b, 1);
	pack_int(&b, one);
	pack_int(&b, other);
	store_put_value(store, "passed", buffer_span(&b));
	buffer_fini(&b);
	return kept();
}

/* The window has reached 6, and has the slots from 3 on. */
static void
test_damage(void)
{
	CHECK_STR(listed(3, 5), "35");
	CHECK(strchr(listed(2, 5), '!') != NULL);
	CHECK(strchr(listed(4, 4), '!') != NULL);
	CHECK(strchr(listed(4, 3), '!') != NULL);
	CHECK(strchr(listed(4, 6), '!') != NULL);
	store_put_value(store, "passed", SPAN(""));
	CHECK_STR(kept(), "!");
}

int
main(void)
{
	char path[64];

	snprintf(path, sizeof path, "/tmp/unit-passed-%ld.db", (long)getpid());
	store = store_open(&(struct store_part){
	    .path = path, .command = "unit", .name = "passed" });
	store_begin(store);
	test_window();
	test_damage();
	store_close(store);
	CHECK_EQ(unlink(path), 0);
	passed_slots_fini(&passed);
	sliding_window_counter_fini(&w);
	return check_done("passed_slots");
}
