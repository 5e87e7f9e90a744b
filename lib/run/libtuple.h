/*
 * libtuple - write a filter of tuples of your own, in C.
 *
 * You write what is done with one tuple.  lt_main does the rest: it reads the
 * options and newline-delimited JSON, finds the fields, reports bad lines,
 * writes the rows, and drives the same program as a bolt of Apache Storm when
 * --multilang is given.  libtuple(3) has an example.
 *
 *	static int
 *	execute(void *self, const struct lt_tuple *t, struct lt_collector *c)
 *	{
 *		lt_put(c, lt_line(t));
 *		lt_emit(c, t);
 *		lt_ack(c, lt_id(t));
 *		return 0;
 *	}
 *
 * A span that an lt_ function returns, or hands to your function, is valid until
 * your function (execute, tick, ...) returns, unless it says otherwise.  If
 * memory runs out, or a file cannot be read or written, the program ends with a
 * message and status 2.  In C++ write `struct lt_key` and `struct lt_number`, as
 * functions have the names.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef LIBTUPLE_H
#define LIBTUPLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define LT_API __attribute__((visibility("default")))

/* Bytes; not NUL-terminated. */
struct lt_span {
	const char *p;
	size_t n;
};

/*
 * A number: if it is an integer of 64 bits, i is exact; d is the nearest double,
 * which is infinite if the number is too large for one.  The text is how it
 * stood in a line; that of a computed number may be empty.
 */
struct lt_number {
	bool is_integer; /* of 64 bits */
	int64_t i;
	double d;
	struct lt_span text;
};

/* The fields that an option names. */
struct lt_fields {
	size_t first, n; /* n is 0 if the option was not given */
};

struct lt_tuple;
struct lt_collector;

/*
 * Options
 */
enum lt_option_kind {
	LT_FLAG,     /* bool: true when given */
	LT_TEXT,     /* const char * */
	LT_COUNT,    /* int64_t in min..max, which must be set */
	LT_REAL,     /* double in min..max, likewise */
	LT_DURATION, /* int64_t in milliseconds, at least 1 */
	LT_FIELD,    /* struct lt_fields with n = 1 */
	LT_FIELDS,   /* struct lt_fields */
};

struct lt_option {
	/* No other option, nor one that all commands have, has either. */
	char letter;	  /* or a digit; 0: none */
	const char *name; /* the long name, which each has */
	const char *arg;  /* what --help calls the argument; NULL for a flag */
	enum lt_option_kind kind;
	size_t to; /* offsetof its variable in self, which has the default */
	int64_t min, max;
	bool required;
	const char *help; /* a line for --help */
};

/*
 * The bolt
 *
 * execute is required; every other function may be NULL.
 */
enum lt_tick_source {
	LT_TICK_CLOCK, /* tick_every_ms have passed */
	LT_TICK_INPUT, /* a tick stood in the input: a batch has ended */
	LT_TICK_STORM, /* Storm's tick tuple, in the place of LT_TICK_CLOCK */
};

/* name, synopsis, purpose and examples must not be NULL. */
struct lt_bolt {
	const char *name;
	const char *synopsis; /* what follows the name in the usage line */
	const char *purpose;  /* in a few words */
	const char *examples; /* lines for --help */
	const struct lt_option *options; /* at most 30; ends in { 0 } */
	void *self;			 /* is handed to each function */
	int64_t tick_every_ms;		 /* of LT_TICK_CLOCK; 0: none */

	/* Get ready: the options have been read. */
	void (*prepare)(void *self);

	/*
	 * Take one tuple.  Under Storm each tuple must sooner or later be
	 * acked or failed, once, after the last row that is anchored to it;
	 * in a pipe that does nothing.
	 *
	 * Errors: -1 if the tuple is bad, as the last lt_ function that failed
	 *         has said.  It is then reported and failed, so Storm sends it
	 *         again; a line of a block of lines (storm(7)) is acked.
	 */
	int (*execute)(void *self, const struct lt_tuple *t,
	    struct lt_collector *c);

	/* A tick; ms is its time since 1970.  NULL: ticks are dropped. */
	void (*tick)(void *self, enum lt_tick_source source, int64_t ms,
	    struct lt_collector *c);

	/* The input has ended: emit what is open. */
	void (*finish)(void *self, struct lt_collector *c);

	/* Free what self holds. */
	void (*cleanup)(void *self);
};

/*
 * Run a bolt; main returns what this returns.  A program calls it once.
 *
 * Returns the exit status.
 */
LT_API int lt_main(const struct lt_bolt *bolt, int argc, char *argv[]);

/*
 * Tuples
 *
 * A field is lt_fields.first, or one of the n from there on.
 */

/* The whole object, as it stands in the line. */
LT_API struct lt_span lt_line(const struct lt_tuple *t);

/*
 * The tuple's id for lt_ack, lt_fail and lt_emit_for; 0 is a valid id.  The lines
 * of a block of lines have the same, and each is acked or failed.
 */
LT_API uint64_t lt_id(const struct lt_tuple *t);

/* When the tuple was read, in milliseconds since 1970. */
LT_API int64_t lt_arrival_ms(const struct lt_tuple *t);

/* The JSON text of a field, as it stands; p is NULL if there is none. */
LT_API struct lt_span lt_json(const struct lt_tuple *t, size_t field);

/*
 * Read a field as a number, a time in nanoseconds since 1970, or a string with
 * its escapes decoded.  lt_number and lt_time also accept a string that holds
 * one.
 *
 * Errors: -1 if the field is missing or is something else.
 */
LT_API int lt_number(const struct lt_tuple *t, size_t field,
    struct lt_number *x);
LT_API int lt_time(const struct lt_tuple *t, size_t field, int64_t *ns);
LT_API int lt_string(const struct lt_tuple *t, size_t field, struct lt_span *s);

/*
 * Say what was expected of a field, such as "a colour", in place of what an lt_
 * function has said before.
 *
 * Returns -1, for execute to return.
 */
LT_API int lt_reject(const struct lt_tuple *t, size_t field,
    const char *expected);

/* A key: bytes are equal for equal keys, spelling is for lt_put_key. */
struct lt_key {
	struct lt_span bytes, spelling;
	uint64_t hash; /* of bytes, another in each run: do not store it */
};

/*
 * Make a key of some fields of a tuple.  Strings are the same if they decode
 * to the same, numbers if their values are.
 *
 * Shape:  fields.n > 0.
 * Owns:   key is good until execute returns or another is made.
 * Errors: -1 if a field is missing, an object or an array.
 */
LT_API int lt_key(const struct lt_tuple *t, struct lt_fields fields,
    struct lt_key *key);

/*
 * Rows
 *
 * A row is appended piece by piece, and is then emitted.  What your function has
 * appended and not emitted when it returns is dropped.
 */

/*
 * Append text as it is, or a value as JSON.  lt_put_string writes what lt_string
 * gave as the same string; in other text, a byte that is not UTF-8 becomes
 * \u00XX.
 * lt_put_double writes as many digits as it takes to read back the same double;
 * JSON has no infinity, for which it writes the largest double, and no NaN, for
 * which it writes 0.
 */
LT_API void lt_put(struct lt_collector *c, struct lt_span text);
LT_API void lt_put_text(struct lt_collector *c, const char *text);
LT_API void lt_put_string(struct lt_collector *c, struct lt_span decoded);
LT_API void lt_put_integer(struct lt_collector *c, int64_t x);
LT_API void lt_put_double(struct lt_collector *c, double x);

/* Append the members of a key, `"host":"a","port":80`, without braces. */
LT_API void lt_put_key(struct lt_collector *c, struct lt_fields fields,
    struct lt_span spelling);

/*
 * Emit the row that was appended.  lt_emit anchors it to t, or to no tuple if t
 * is NULL; lt_emit_for anchors it to n tuples, by what lt_id gave.
 *
 * Shape:  the row is one JSON object, without a newline.  The tuples have been
 *         neither acked nor failed yet.
 */
LT_API void lt_emit(struct lt_collector *c, const struct lt_tuple *t);
LT_API void lt_emit_for(struct lt_collector *c, const uint64_t *ids, size_t n);

/*
 * Write a tick, at ms milliseconds since 1970: the rows before it are all of a
 * batch.  A row that was not emitted is dropped.
 */
LT_API void lt_tick(struct lt_collector *c, int64_t ms);

/*
 * _ack: a tuple is done.  _fail: Storm sends it again, but no line of a block of
 * lines: such a line is done.
 *
 * Shape:  it has been neither acked nor failed yet; after that its id may become
 *         that of another.
 * Errors: under Storm, a program that uses a tuple after that is ended with a
 *         message, if that is noticed.
 */
LT_API void lt_ack(struct lt_collector *c, uint64_t id);
LT_API void lt_fail(struct lt_collector *c, uint64_t id);

/*
 * Windows: counts per key in the last n slots of time.  The caller numbers
 * slots, for example by time / length.  Each lt_..._free does nothing with NULL.
 */
struct lt_window;

/* Shape: nslots > 0. */
LT_API struct lt_window *lt_window_new(int64_t nslots);
LT_API void lt_window_free(struct lt_window *w);

/*
 * Add to what a key has in a slot.
 *
 * Shape:  slot < INT64_MAX; the sum of a window stays between -2^61 and 2^61.
 * Owns:   copies the key.
 * Errors: false if lt_window_advance has passed the last window that contains
 *         the slot: it is too late.
 */
LT_API bool lt_window_add(struct lt_window *w, const struct lt_key *key,
    int64_t slot, int64_t count);

/*
 * Report every window that is not empty and ends at `end` or before.  The
 * window with the end e has the slots e - nslots to e - 1.  A key that has left
 * the window is reported once with 0.  fn is not to change the window.
 */
typedef void lt_window_fn(void *arg, int64_t end, struct lt_span spelling,
    int64_t count);
LT_API void lt_window_advance(struct lt_window *w, int64_t end,
    lt_window_fn *fn, void *arg);

/*
 * Expiring maps: an entry expires when its time is more than timeout ago.
 * Times are the caller's, in any unit.
 */
struct lt_expiring_map;

/* Shape: timeout >= 0; a value is aligned to 8 bytes. */
LT_API struct lt_expiring_map *lt_expiring_map_new(int64_t timeout,
    size_t value_size);
LT_API void lt_expiring_map_free(struct lt_expiring_map *m);
LT_API size_t lt_expiring_map_size(const struct lt_expiring_map *m);

/*
 * Find the value of a key.  If there is none, _get returns NULL, and _put adds
 * an entry with that time, whose value is all zero, and sets *added to say so.
 * An entry that has expired is there, and counted by _size, until
 * lt_expiring_map_expire drops it.
 *
 * Owns:   the value is the map's, valid until the next _put; the key is copied.
 * Errors: none.
 */
LT_API void *lt_expiring_map_get(const struct lt_expiring_map *m,
    const struct lt_key *key);
LT_API void *lt_expiring_map_put(struct lt_expiring_map *m,
    const struct lt_key *key, int64_t time, bool *added);

/* Change the time of an entry, or delete it, if there is one. */
LT_API void lt_expiring_map_renew(struct lt_expiring_map *m,
    const struct lt_key *key, int64_t time);
LT_API void lt_expiring_map_delete(struct lt_expiring_map *m,
    const struct lt_key *key);

/*
 * Call fn, unless it is NULL, for each entry that has expired by now, oldest
 * first, then drop it.  fn may change the map; spelling and value are then valid
 * until its next _put, and an entry that it renews stays.
 */
typedef void lt_expired_fn(void *arg, struct lt_span spelling, int64_t time,
    void *value);
LT_API void lt_expiring_map_expire(struct lt_expiring_map *m, int64_t now,
    lt_expired_fn *fn, void *arg);

/*
 * Rankings: the n largest, or smallest, of what was put in.  Of equal values
 * the smaller key goes first; without keys, what came first.
 */
struct lt_rankings;

/* Shape: n > 0; keyed: an update replaces what its key had. */
LT_API struct lt_rankings *lt_rankings_new(size_t n, bool keyed, bool smallest);
LT_API void lt_rankings_free(struct lt_rankings *r);

/*
 * Put a line in by its value; key is NULL if rankings are not keyed.
 *
 * Shape:  the value is not NaN.
 * Owns:   key, value and line are copied.
 */
LT_API void lt_rankings_update(struct lt_rankings *r, const struct lt_key *key,
    const struct lt_number *value, struct lt_span line);

/* Report the best in order, from rank 1.  fn is not to change the rankings. */
typedef void lt_ranking_fn(void *arg, size_t rank, struct lt_span line);
LT_API void lt_rankings_report(struct lt_rankings *r, lt_ranking_fn *fn,
    void *arg);
LT_API void lt_rankings_clear(struct lt_rankings *r);

#ifdef __cplusplus
}
#endif

#endif
