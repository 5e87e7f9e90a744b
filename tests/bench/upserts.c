/*
 * upserts [ROUNDS] - rows put into a file a second, in commits of 100 000 by
 * key: by a bare SQLite program, by the store, by the map of tally over it.
 * The best of the rounds (10), which take turns.
 *
 * SPDX-License-Identifier: ISC
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include <sqlite3.h>

#include "state/persistent_map.h"

enum { KEYS = 100000, ROUNDS = 10, PATH_BYTES = 64 };

static char words[KEYS][8]; /* "w00042", with the quotes */

static double
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void
check(sqlite3 *db, int code)
{
	if (code == SQLITE_OK || code == SQLITE_DONE)
		return;
	fprintf(stderr, "upserts: %s\n", sqlite3_errmsg(db));
	exit(2);
}

/* The same file as the store makes. */
static sqlite3 *
open_bare(const char *path, sqlite3_stmt **put)
{
	sqlite3 *db = NULL;

	check(db, sqlite3_open(path, &db));
	check(db,
	    sqlite3_exec(db,
		"PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; "
		"PRAGMA cache_size = -65536; "
		"PRAGMA wal_autocheckpoint = 4000; "
		"CREATE TABLE tally (word, count, _touched, _spelling, "
		"PRIMARY KEY (word)) WITHOUT ROWID",
		NULL, NULL, NULL));
	check(db,
	    sqlite3_prepare_v2(db, "REPLACE INTO tally VALUES (?, ?, ?, ?)", -1,
		put, NULL));
	return db;
}

/* One commit of all keys by SQLite alone. */
static void
put_bare(sqlite3 *db, sqlite3_stmt *put, int64_t count)
{
	check(db, sqlite3_exec(db, "BEGIN IMMEDIATE", NULL, NULL, NULL));
	for (int i = 0; i < KEYS; i++) {
		sqlite3_bind_text(put, 1, words[i] + 1, 6, SQLITE_STATIC);
		sqlite3_bind_int64(put, 2, count);
		sqlite3_bind_int64(put, 3, i);
		sqlite3_bind_null(put, 4);
		check(db, sqlite3_step(put));
		sqlite3_reset(put);
	}
	check(db, sqlite3_exec(db, "COMMIT", NULL, NULL, NULL));
}

static void
fill(void *arg, size_t i, struct stored_value *row)
{
	row[0] = stored_value_of_text((struct span){ words[i] + 1, 6 });
	row[1] = stored_value_of_int(*(int64_t *)arg);
	row[2] = stored_value_of_int((int64_t)i);
	row[3] = (struct stored_value){ .kind = STORED_NULL };
}

static void
put_store(struct store *s, struct store_table *t, int64_t count)
{
	store_begin(s);
	store_table_put(t, KEYS, fill, &count);
	store_commit(s);
}

static void
save(void *self, const void *value, struct stored_value *columns)
{
	(void)self;
	columns[0] = stored_value_of_int(*(const int64_t *)value);
}

static bool
fold(void *self, void *value, const struct stored_value *row)
{
	(void)self;
	*(int64_t *)value += row[1].i;
	return true;
}

static void
drop(void *self, void *value)
{
	(void)self;
	(void)value;
}

static void
put_map(struct store *s, struct persistent_map *m)
{
	for (int i = 0; i < KEYS; i++) {
		struct key key = { .bytes = { words[i], 8 },
			.spelling = { words[i], 8 } };

		key.hash = hash_bytes(key.bytes);
		++*(int64_t *)persistent_map_touch(m, &key);
	}
	store_begin(s);
	persistent_map_save(m, s);
	store_commit(s);
}

static void
name_keys(void)
{
	for (int i = 0; i < KEYS; i++) {
		memcpy(words[i], "\"w00000\"", sizeof words[i]);
		for (int digit = 6, rest = i; rest != 0; rest /= 10)
			words[i][digit--] = (char)('0' + rest % 10);
	}
}

static void
keep_best(double *best, double start)
{
	double seconds = now() - start;

	if (*best == 0 || seconds < *best)
		*best = seconds;
}

int
main(int argc, char *argv[])
{
	static const struct persistent_type type = {
		.size = sizeof(int64_t),
		.ncolumns = 1,
		.save = save,
		.fold = fold,
		.drop = drop,
	};
	static const char *const names[] = { "bare SQLite", "store",
		"map of tally" };
	const struct span columns[] = { SPAN("word"), SPAN("count"),
		SPAN("_touched"), SPAN("_spelling") };
	int rounds = argc > 1 ? atoi(argv[1]) : ROUNDS;
	char path[2][PATH_BYTES];
	double best[3] = { 0 }, start;
	struct store *rows, *counts;
	struct store_table *table;
	struct persistent_map map = { .type = &type, .nkeys = 1 };
	sqlite3_stmt *put;
	sqlite3 *db;

	name_keys();
	snprintf(path[0], PATH_BYTES, "/tmp/upserts-%ld-bare.db",
	    (long)getpid());
	snprintf(path[1], PATH_BYTES, "/tmp/upserts-%ld.db", (long)getpid());
	db = open_bare(path[0], &put);
	rows = store_open(&(struct store_part){
	    .path = path[1], .command = "rows", .name = "rows" });
	table = store_table(rows, PART_ITSELF, columns, 1, 4);
	store_commit(rows);
	counts = store_open(&(struct store_part){
	    .path = path[1], .command = "tally", .name = "tally" });
	persistent_map_init(&map);
	persistent_map_restore(&map, counts, columns);
	store_commit(counts);

	for (int i = 0; i < rounds; i++) {
		start = now();
		put_bare(db, put, i);
		keep_best(&best[0], start);
		start = now();
		put_store(rows, table, i);
		keep_best(&best[1], start);
		start = now();
		put_map(counts, &map);
		keep_best(&best[2], start);
	}
	printf("\n%-32s %10s %8s\n", "upserts, 100 000 keys", "rows/s",
	    "of bare");
	for (int i = 0; i < 3; i++)
		printf("%-32s %10.0f %8.2f\n", names[i], KEYS / best[i],
		    best[0] / best[i]);

	persistent_map_fini(&map);
	store_close(counts);
	store_close(rows);
	sqlite3_finalize(put);
	sqlite3_close(db);
	unlink(path[0]);
	unlink(path[1]);
	return 0;
}
