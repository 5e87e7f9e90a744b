/*
 * timed_window - which windows are emitted, and when, by each way in which time
 * can move.
 *
 * SPDX-License-Identifier: ISC
 */
#include "window/timed_window.h"
#include "check.h"
#include "reported.h"

static struct timed_window w;
static struct reported seen;
static int64_t late_ms;

/* `END/LENGTH=` before the rows of each batch. */
static void
emit(void *self, int64_t boundary, int64_t end_ms, int64_t length_ms)
{
	if (seen.text.n != 0)
		buffer_byte(&seen.text, ' ');
	buffer_int(&seen.text, end_ms);
	buffer_byte(&seen.text, '/');
	buffer_int(&seen.text, length_ms);
	buffer_byte(&seen.text, '=');
	CHECK(self == &w);
	sliding_window_counter_advance(&w.counter, boundary, reported_add,
	    &seen);
}

/* A window of 20 ms that moves by 10. */
static void
start(enum window_time time, int64_t lateness_ms, int64_t now_ms)
{
	w = (struct timed_window){ .time = time,
		.length_ms = 20,
		.every_ms = 10,
		.lateness_ms = lateness_ms,
		.self = &w,
		.emit = emit };
	timed_window_init(&w, NULL, now_ms);
	seen.sums = &w.counter.counter.sums;
}

static bool
add(const char *text, int64_t ms)
{
	struct key key = reported_key(text);

	return timed_window_add(&w, &key, ms, NULL, &late_ms);
}

static const char *
finish(int64_t now_ms, bool drain)
{
	timed_window_finish(&w, now_ms, drain);
	timed_window_fini(&w);
	return reported_take(&seen);
}

/* The greatest time moves on, less what there may be of disorder. */
static void
by_events(void)
{
	start(WINDOW_BY_EVENTS, 5, 0);
	CHECK(add("a", 3));
	CHECK(add("b", 14));
	CHECK_STR(reported_take(&seen), "");
	CHECK(add("a", 7)); /* 14 - 5 is not past it */
	CHECK(add("a", 15));
	CHECK_STR(reported_take(&seen), "10/20= a:2");
	CHECK(add("c", 2)); /* its second window is open yet */
	CHECK(add("a", 31));
	CHECK_STR(reported_take(&seen), "20/20= a:3 b:1 c:1");
	CHECK(!add("c", 9));
	CHECK_EQ(late_ms, 26 + 5 - 9);
	CHECK_STR(finish(0, false), "30/20= a:1 b:1 c:0! 40/20= a:1 b:0!");
}

/* Without an order nothing is due, and nothing late, before the end. */
static void
held(void)
{
	start(WINDOW_BY_EVENTS_HELD, INT64_MAX, 0);
	CHECK(add("a", 1000));
	CHECK(add("a", 5));
	CHECK_STR(reported_take(&seen), "");
	CHECK_STR(finish(0, true),
	    "10/20= a:1 20/20= a:1 30/20= a:0! 1010/20= a:1 1020/20= a:1 "
	    "1030/20= a:0!");
}

/* What comes for a slot that time has passed is in the next window. */
static void
passed(void)
{
	start(WINDOW_BY_EVENTS, 0, 0);
	CHECK(add("a", 3));
	timed_window_move(&w, 47);
	CHECK_STR(reported_take(&seen), "10/20= a:1 20/20= a:1 30/20= a:0!");
	CHECK(add("b", 35));
	CHECK_STR(finish(0, false), "50/20= b:1");
}

/* By arrival the first windows are as long as there was time, and the last. */
static void
by_arrival(void)
{
	start(WINDOW_BY_ARRIVAL, 0, 103);
	CHECK(add("a", 0));
	CHECK_EQ(timed_window_move(&w, 112), INT64_MIN);
	CHECK_EQ(timed_window_move(&w, 113), 113);
	CHECK_STR(reported_take(&seen), "113/10= a:1");
	CHECK(add("a", 0));
	CHECK_STR(finish(117, false), "117/14= a:2");
}

/* A tick closes a slot, whatever its time is. */
static void
by_ticks(void)
{
	start(WINDOW_BY_TICKS, 0, 0);
	CHECK(!timed_window_close_slot(&w, 1000));
	CHECK(add("a", 0));
	CHECK(timed_window_close_slot(&w, 1007));
	CHECK(timed_window_close_slot(&w, 1050));
	CHECK(timed_window_close_slot(&w, 1060));
	CHECK_STR(reported_take(&seen),
	    "1007/17= a:1 1050/50= a:1 1060/53= a:0!");
	timed_window_fini(&w);
}

/* Slots begin at align_ms. */
static void
aligned(void)
{
	start(WINDOW_BY_EVENTS_AND_TICKS, 0, 0);
	timed_window_fini(&w);
	w.align_ms = 3;
	timed_window_init(&w, NULL, 0);
	CHECK(add("a", 12));
	CHECK_EQ(timed_window_move(&w, 12), INT64_MIN);
	CHECK_EQ(timed_window_move(&w, 14), 13);
	CHECK_STR(reported_take(&seen), "13/20= a:1");
	CHECK_STR(finish(0, true), "23/20= a:1 33/20= a:0!");
}

int
main(void)
{
	hash_init();
	by_events();
	held();
	passed();
	by_arrival();
	by_ticks();
	aligned();
	buffer_fini(&seen.text);
	return check_done("timed_window");
}
