/*
 * store - rows, values and parts of a file: what a commit keeps and what is
 * lost without one.
 *
 * SPDX-License-Identifier: ISC
 */
#include <stdlib.h>
#include <unistd.h>

#include "check.h"
#include "state/store.h"

enum { MANY = 1000 };

static char path[64]; /* of a file that is not there at the start */
static struct buffer seen;

static struct store *
open_part(const char *name)
{
	return store_open(&(struct store_part){
	    .path = path, .command = "unit", .name = name });
}

static struct store_table *
open_table(struct store *s)
{
	static const struct span names[] = { { "k", 1 }, { "j", 1 },
		{ "v", 1 } };

	return store_table(s, PART_ITSELF, names, 2, 3);
}

/* Row i is i % 10, i, i * i. */
static void
fill(void *arg, size_t i, struct stored_value *row)
{
	int64_t from = arg == NULL ? 0 : *(int64_t *)arg;
	int64_t n = from + (int64_t)i;

	row[0] = stored_value_of_int(n % 10);
	row[1] = stored_value_of_int(n);
	row[2] = stored_value_of_int(n * n);
}

static void
fill_key(void *arg, size_t i, struct stored_value *row)
{
	int64_t n = *(int64_t *)arg + (int64_t)i;

	row[0] = stored_value_of_int(n % 10);
	row[1] = stored_value_of_int(n);
}

static void
see(void *arg, size_t i, const struct stored_value *row)
{
	(void)arg;
	buffer_int(&seen, (int64_t)i);
	for (size_t k = 0; k < 3; k++) {
		buffer_byte(&seen, k == 0 ? '=' : ',');
		stored_value_put(&seen, &row[k]);
	}
	buffer_byte(&seen, ' ');
}

static void
count(void *arg, size_t i, const struct stored_value *row)
{
	(void)i;
	(void)row;
	++*(size_t *)arg;
}

/* What was seen since the last call. */
static const char *
take_seen(void)
{
	buffer_byte(&seen, '\0');
	seen.n = 0;
	return seen.p;
}

static size_t
size_of(struct store_table *t)
{
	size_t n = 0;

	store_table_scan(t, STORE_TABLE_KEY, count, &n);
	return n;
}

static void
test_rows(void)
{
	struct store *s = open_part("rows");
	struct store_table *t = open_table(s);
	int64_t from = 98;

	store_begin(s);
	store_table_put(t, 100, fill, NULL);
	store_table_get(t, 4, fill_key, see, &from);
	CHECK_STR(take_seen(), "0=8,98,9604 1=9,99,9801 ");
	store_table_put(t, 100, fill, NULL);
	CHECK_EQ(size_of(t), 100);
	store_table_scan_above(t, 2, 96 * 96, see, NULL);
	CHECK_STR(take_seen(), "0=7,97,9409 1=8,98,9604 2=9,99,9801 ");
	from = 3;
	store_table_del(t, 95, fill_key, &from);
	store_table_scan(t, STORE_TABLE_KEY, see, NULL);
	CHECK_STR(take_seen(),
	    "0=0,0,0 1=1,1,1 2=2,2,4 3=8,98,9604 4=9,99,9801 ");
	store_table_clear_below(t, 2);
	CHECK_EQ(size_of(t), 3);
	store_table_clear(t);
	CHECK_EQ(size_of(t), 0);
	store_table_get(t, 0, fill_key, see, NULL);
	CHECK_STR(take_seen(), "");
	store_commit(s);
	store_close(s);
}

/* What a row is, is kept to the bit, whatever its kind. */
static void
fill_kinds(void *arg, size_t i, struct stored_value *row)
{
	static const struct stored_value kinds[] = {
		{ .kind = STORED_NULL },
		{ .kind = STORED_INT, .i = INT64_MIN },
		{ .kind = STORED_REAL, .d = -0x1.fffffffffffffp+1023 },
		{ .kind = STORED_TEXT, .bytes = { "", 0 } },
		{ .kind = STORED_TEXT, .bytes = { "a'\"b", 4 } },
		{ .kind = STORED_BLOB, .bytes = { "[1.10]", 6 } },
	};

	(void)arg;
	row[0] = row[1] = stored_value_of_int((int64_t)i);
	row[2] = kinds[i];
}

static void
test_kinds(void)
{
	struct store *s = open_part("kinds");
	struct store_table *t = open_table(s);

	store_begin(s);
	store_table_put(t, 6, fill_kinds, NULL);
	store_commit(s);
	store_table_scan(t, STORE_TABLE_KEY, see, NULL);
	CHECK_STR(take_seen(),
	    "0=0,0,null 1=1,1,-9223372036854775808 "
	    "2=2,2,-1.7976931348623157e+308 3=3,3,\"\" 4=4,4,\"a'\"b\" "
	    "5=5,5,[1.10] ");
	store_close(s);
}

/* All rows have their text in the same buffer, one after the other. */
static void
fill_text(void *arg, size_t i, struct stored_value *row)
{
	struct buffer *text = arg;

	text->n = 0;
	buffer_int(text, (int64_t)(i * i));
	row[0] = row[1] = stored_value_of_int((int64_t)i);
	row[2] = stored_value_of_text(buffer_span(text));
}

static void
check_text(void *arg, size_t i, const struct stored_value *row)
{
	struct stored_value as_filled[3];

	fill_text(arg, i, as_filled);
	CHECK_EQ(row[0].i, as_filled[0].i);
	CHECK(span_eq(row[2].bytes, as_filled[2].bytes));
}

/* The key of each third row, from the second on. */
static void
fill_third(void *arg, size_t i, struct stored_value *row)
{
	fill_text(arg, 3 * i + 1, row);
}

static size_t got;

static void
check_got(void *arg, size_t i, const struct stored_value *row)
{
	CHECK_EQ(i, got);
	got += got % 3 == 0 ? 2 : 1;
	check_text(arg, i, row);
}

/* However many rows are put, or got, each is as it was filled in. */
static void
test_many(void)
{
	struct store *s = open_part("many");
	struct store_table *t = open_table(s);
	struct buffer text = { 0 };

	for (size_t n = 0; n < 600; n += n < 70 ? 1 : 62) {
		store_begin(s);
		store_table_clear(t);
		store_table_put(t, n, fill_text, &text);
		store_commit(s);
		CHECK_EQ(size_of(t), n);
		store_table_scan(t, STORE_TABLE_KEY, check_text, &text);
		store_begin(s);
		store_table_del(t, (n + 1) / 3, fill_third, &text);
		store_commit(s);
		got = 0;
		store_table_get(t, n + 10, fill_text, check_got, &text);
		CHECK_EQ(got, n % 3 == 1 ? n + 1 : n);
	}
	store_begin(s);
	store_table_clear(t);
	store_commit(s);
	buffer_fini(&text);
	store_close(s);
}

enum { LONG_ROWS = 5, LONG_BYTES = 700000 };

/* Each row of a letter of its own, from the first letter on. */
static void
fill_long(void *arg, size_t i, struct stored_value *row)
{
	static char letters[LONG_BYTES];
	const char *first = arg;

	memset(letters, *first + (int)i, sizeof letters);
	row[0] = row[1] = stored_value_of_int((int64_t)i);
	row[2] =
	    stored_value_of_text((struct span){ letters, sizeof letters - i });
}

static void
check_long(void *arg, size_t i, const struct stored_value *row)
{
	struct stored_value as_filled[3];

	fill_long(arg, i, as_filled);
	CHECK(span_eq(row[2].bytes, as_filled[2].bytes));
	got++;
}

/* Rows of which a few are as much as one statement puts. */
static void
test_long(void)
{
	struct store *s = open_part("long");
	struct store_table *t = open_table(s);

	for (char *first = (char[]){ "aAA" }; *first != '\0'; first++) {
		store_begin(s);
		store_table_put(t, LONG_ROWS, fill_long, first);
		store_commit(s);
		got = 0;
		store_table_get(t, LONG_ROWS, fill_long, check_long, first);
		CHECK_EQ(got, LONG_ROWS);
	}
	store_close(s);
}

static void
test_commit(void)
{
	struct store *s = open_part("commit");
	struct buffer text = { 0 };

	store_begin(s);
	store_table_put(open_table(s), MANY, fill, NULL);
	store_put_int(s, "position", 1);
	store_put_value(s, "text", SPAN("one"));
	store_commit(s);
	store_begin(s);
	store_table_clear(open_table(s));
	store_put_int(s, "position", 2);
	store_put_value(s, "text", SPAN("two"));
	store_close(s);

	s = open_part("commit");
	CHECK_EQ(size_of(open_table(s)), MANY);
	CHECK_EQ(store_get_int(s, "position"), 1);
	CHECK_EQ(store_get_int(s, "none"), 0);
	CHECK(!store_get_value(s, "none", &text));
	CHECK(store_get_value(s, "text", &text));
	CHECK(span_eq(buffer_span(&text), SPAN("one")));
	store_close(s);
	buffer_fini(&text);
}

/* What is only read stays as it was, though another process goes on. */
static void
test_snapshot(void)
{
	struct store *s = open_part("snapshot"), *reader;

	store_table_put(open_table(s), 3, fill, NULL);
	store_put_int(s, "position", 3);
	store_commit(s);
	reader = store_open(&(struct store_part){ .path = path,
	    .command = "unit",
	    .name = "snapshot",
	    .read_only = true });
	CHECK_EQ(store_get_int(reader, "position"), 3);
	store_begin(s);
	store_table_put(open_table(s), 10, fill, NULL);
	store_put_int(s, "position", 10);
	store_commit(s);
	CHECK_EQ(size_of(open_table(reader)), 3);
	CHECK_EQ(store_get_int(reader, "position"), 3);
	store_close(reader);
	CHECK_EQ(size_of(open_table(s)), 10);
	store_close(s);
}

static void
test_parts(void)
{
	struct store *a = open_part("a"), *b;

	store_table_put(open_table(a), 10, fill, NULL);
	store_put_int(a, "x", 1);
	store_commit(a);
	b = open_part("b");
	CHECK_EQ(size_of(open_table(b)), 0);
	CHECK_EQ(store_get_int(b, "x"), 0);
	store_close(a);
	store_close(b);
}

/* Of a part that was never committed nothing is left. */
static void
test_new(void)
{
	struct store *s = open_part("new");

	CHECK(store_is_new(s));
	store_table_put(open_table(s), 10, fill, NULL);
	store_close(s);
	s = open_part("new");
	CHECK(store_is_new(s));
	CHECK_EQ(size_of(open_table(s)), 0);
	store_commit(s);
	CHECK(!store_is_new(s));
	store_close(s);
	s = open_part("new");
	CHECK(!store_is_new(s));
	store_close(s);
}

/*
 * Columns of one name, which a key and an aggregate may have; and of the names
 * that columns of the keys have, while rows are got.
 */
static void
test_names(void)
{
	static const struct span names[] = { { "c1", 2 }, { "C1", 2 },
		{ "a\"b", 3 } };
	struct store *s = open_part("names");
	struct store_table *t = store_table(s, PART_KEYS, names, 1, 3);

	store_table_put(t, 1, fill, NULL);
	store_table_scan_above(t, 1, -1, see, NULL);
	store_table_scan_above(t, 2, -1, see, NULL);
	CHECK_STR(take_seen(), "0=0,0,0 0=0,0,0 ");
	store_table_get(t, 1, fill, see, NULL);
	CHECK_STR(take_seen(), "0=0,0,0 ");
	store_close(s);
}

int
main(void)
{
	snprintf(path, sizeof path, "/tmp/unit-store-%ld.db", (long)getpid());
	unlink(path);
	test_rows();
	test_kinds();
	test_many();
	test_long();
	test_commit();
	test_snapshot();
	test_parts();
	test_new();
	test_names();
	CHECK_EQ(unlink(path), 0);
	buffer_fini(&seen);
	return check_done("store");
}
