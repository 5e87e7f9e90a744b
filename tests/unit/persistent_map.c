/*
 * persistent_map - Trident's tables of what replaying a batch does to the
 * state, with a count for the CombinerAggregator.
 *
 * Trident stores a transaction id with each value.  Here the number of the
 * last batch, which for a command is the position of its input, is in the
 * same commit: a batch that was committed is not given again, and one that
 * was not has never been.
 *
 * Source: StateTest and TridentIntegrationTest of Apache Storm.
 *
 * SPDX-License-Identifier: ISC
 */
#include <stdlib.h>
#include <unistd.h>

#include "check.h"
#include "reported.h"
#include "state/persistent_map.h"

static char path[64]; /* of a file that is not there at the start */
static struct buffer seen;

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
	return row[1].kind == STORED_INT;
}

static void
drop(void *self, void *value)
{
	(void)self;
	*(int64_t *)value = 0;
}

static void
report(void *self, struct span spelling, const void *value)
{
	(void)self;
	buffer_put(&seen, spelling);
	buffer_byte(&seen, '=');
	buffer_int(&seen, *(const int64_t *)value);
	buffer_byte(&seen, ' ');
}

static const struct persistent_type type = { .size = sizeof(int64_t),
	.ncolumns = 1,
	.save = save,
	.fold = fold,
	.drop = drop,
	.report = report };

/* One process: what it has open, and the last batch that is committed. */
struct process {
	struct store *store;
	struct persistent_map map;
};

static void
commit(struct process *p, int64_t batch)
{
	store_begin(p->store);
	persistent_map_save(&p->map, p->store);
	store_put_int(p->store, "position", batch);
	store_commit(p->store);
}

static struct process
begin(const char *part, bool changes, bool just_reads)
{
	static const struct span names[] = { { "word", 4 }, { "count", 5 } };
	struct process p = { .map = { .type = &type,
				 .nkeys = 1,
				 .changes = changes,
				 .batch_size = 1000000 } };

	p.store = store_open(&(struct store_part){ .path = path,
	    .command = "unit",
	    .name = part,
	    .read_only = just_reads });
	persistent_map_init(&p.map);
	persistent_map_restore(&p.map, p.store, names);
	if (store_is_new(p.store))
		commit(&p, 0);
	return p;
}

static void
end(struct process *p)
{
	persistent_map_fini(&p->map);
	store_close(p->store);
}

static void
add(struct process *p, const char *word, int64_t n)
{
	struct key key = reported_key(word);

	*(int64_t *)persistent_map_touch(&p->map, &key) += n;
	persistent_map_count(&p->map);
}

/* What the end of a batch reports. */
static const char *
end_batch(struct process *p)
{
	seen.n = 0;
	persistent_map_finish(&p->map);
	buffer_byte(&seen, '\0');
	return seen.p;
}

/* All of the state, from another process's view. */
static const char *
state(const char *part)
{
	struct process p = begin(part, false, true);

	seen.n = 0;
	persistent_map_dump(&p.map);
	buffer_byte(&seen, '\0');
	end(&p);
	return seen.p;
}

/*
 * OpaqueMap: the batch is replayed with other tuples in it; the value that
 * was there before it is what counts.
 */
static void
test_opaque(void)
{
	struct process p = begin("opaque", true, false);

	CHECK_EQ(store_get_int(p.store, "position"), 0);
	CHECK_STR(state("opaque"), "");
	add(&p, "\"a\"", 1);
	CHECK_STR(end_batch(&p), "\"a\"=1 ");
	add(&p, "\"a\"", 2);
	CHECK_STR(end_batch(&p), "\"a\"=3 ");
	end(&p); /* the process dies; batch 1 comes again */

	p = begin("opaque", true, false);
	CHECK_EQ(store_get_int(p.store, "position"), 0);
	CHECK_STR(state("opaque"), "");
	add(&p, "\"a\"", 2);
	CHECK_STR(end_batch(&p), "\"a\"=2 ");
	commit(&p, 1);
	end(&p);

	p = begin("opaque", true, false);
	CHECK_EQ(store_get_int(p.store, "position"), 1);
	CHECK_STR(state("opaque"), "\"a\"=2 ");
	add(&p, "\"a\"", 3);
	CHECK_STR(end_batch(&p), "\"a\"=5 ");
	add(&p, "\"a\"", 1);
	CHECK_STR(end_batch(&p), "\"a\"=6 ");
	commit(&p, 2);
	end(&p);
	CHECK_STR(state("opaque"), "\"a\"=6 ");
}

/* Give the map batch number n, unless it has had it. */
static void
play(const char *part, int64_t n, int64_t first, int64_t second)
{
	struct process p = begin(part, false, false);

	if (store_get_int(p.store, "position") < n) {
		add(&p, "\"a\"", first);
		add(&p, "\"a\"", second);
		commit(&p, n);
	}
	end(&p);
}

/* TransactionalMap: the batch is replayed after it was committed. */
static void
test_transactional(void)
{
	play("tx", 1, 1, 2);
	CHECK_STR(state("tx"), "\"a\"=3 ");
	play("tx", 1, 1, 2);
	CHECK_STR(state("tx"), "\"a\"=3 ");
	play("tx", 2, 3, 1);
	CHECK_STR(state("tx"), "\"a\"=7 ");
}

static void
add_words(struct process *p, const char *const *words)
{
	for (; *words != NULL; words++)
		add(p, *words, 1);
}

/* TridentIntegrationTest: the word count, whose empty batches do nothing. */
static void
test_word_count(void)
{
	static const char *const first[] = { "\"hello\"", "\"the\"", "\"man\"",
		"\"said\"", "\"the\"", NULL };
	static const char *const second[] = { "\"the\"", "\"man\"", "\"on\"",
		"\"the\"", "\"moon\"", "\"where\"", "\"are\"", "\"you\"",
		NULL };
	struct process p = begin("words", true, false);

	add_words(&p, first);
	CHECK_STR(end_batch(&p), "\"hello\"=1 \"the\"=2 \"man\"=1 \"said\"=1 ");
	commit(&p, 1);
	CHECK_STR(end_batch(&p), "");
	commit(&p, 2);
	add_words(&p, second);
	CHECK_STR(end_batch(&p),
	    "\"the\"=4 \"man\"=2 \"on\"=1 \"moon\"=1 \"where\"=1 \"are\"=1 "
	    "\"you\"=1 ");
	commit(&p, 3);
	end(&p);
	CHECK_STR(state("words"),
	    "\"are\"=1 \"hello\"=1 \"man\"=2 \"moon\"=1 \"on\"=1 \"said\"=1 "
	    "\"the\"=4 \"where\"=1 \"you\"=1 ");
}

/* A commit in the middle of a batch: the batch goes on after it. */
static void
test_open_batch(void)
{
	struct process p = begin("open", true, false);

	add(&p, "\"a\"", 1);
	add(&p, "\"b\"", 1);
	commit(&p, 1);
	end(&p);
	p = begin("open", true, false);
	CHECK_EQ(p.map.ntuples, 2);
	add(&p, "\"b\"", 1);
	add(&p, "\"c\"", 1);
	CHECK_STR(end_batch(&p), "\"a\"=1 \"b\"=2 \"c\"=1 ");
	CHECK_STR(end_batch(&p), "");
	end(&p);
}

/* What was touched since the last end of input, over several runs. */
static void
test_touched(void)
{
	struct process p = begin("touched", false, false);

	add(&p, "\"a\"", 1);
	add(&p, "\"b\"", 1);
	CHECK_STR(end_batch(&p), "\"a\"=1 \"b\"=1 ");
	commit(&p, 1);
	end(&p);
	p = begin("touched", false, false);
	add(&p, "\"b\"", 1);
	commit(&p, 2);
	end(&p); /* no end of input */
	p = begin("touched", false, false);
	add(&p, "\"c\"", 1);
	CHECK_STR(end_batch(&p), "\"b\"=2 \"c\"=1 ");
	end(&p);
}

int
main(void)
{
	snprintf(path, sizeof path, "/tmp/unit-map-%ld.db", (long)getpid());
	unlink(path);
	test_opaque();
	test_transactional();
	test_word_count();
	test_open_batch();
	test_touched();
	CHECK_EQ(unlink(path), 0);
	buffer_fini(&seen);
	return check_done("persistent_map");
}
