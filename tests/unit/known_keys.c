/*
 * known_keys - what each of the tuples that wait is told, in one run and in the
 * next.
 *
 * SPDX-License-Identifier: ISC
 */
#include <unistd.h>

#include "check.h"
#include "reported.h"
#include "state/known_keys.h"

static char path[64]; /* of a file that is not there at the start */
static struct buffer seen;

/* `ID:LINE`, with an exclamation mark if its key is known. */
static void
see(void *self, uint64_t id, struct span line, bool known)
{
	CHECK(self == &seen);
	buffer_int(&seen, (int64_t)id);
	buffer_byte(&seen, ':');
	buffer_put(&seen, line);
	if (known)
		buffer_byte(&seen, '!');
	buffer_byte(&seen, ' ');
}

static const char *
answer(struct known_keys *k)
{
	seen.n = 0;
	known_keys_answer(k, see, &seen);
	buffer_byte(&seen, '\0');
	return seen.p;
}

static struct store *
begin(struct known_keys *k)
{
	struct store *s = store_open(&(struct store_part){
	    .path = path, .command = "unit", .name = "known" });

	store_begin(s);
	known_keys_init(k, 1, NULL);
	known_keys_restore(k, s, &SPAN("key"));
	return s;
}

static void
end(struct known_keys *k, struct store *s, bool commit)
{
	if (commit) {
		known_keys_save(k, s);
		store_commit(s);
	}
	known_keys_fini(k);
	store_close(s);
}

static void
ask(struct known_keys *k, const char *key, uint64_t id, const char *line)
{
	struct key text = reported_key(key);

	known_keys_ask(k, &text, id, span_of(line));
}

int
main(void)
{
	struct known_keys k;
	struct store *s;

	snprintf(path, sizeof path, "/tmp/unit-known-%ld.db", (long)getpid());
	s = begin(&k);
	CHECK_STR(answer(&k), "");
	ask(&k, "\"a\"", 7, "one");
	ask(&k, "\"b\"", 8, "");
	ask(&k, "\"a\"", 9, "three");
	CHECK_STR(answer(&k), "7:one 8: 9:three! ");
	CHECK_STR(answer(&k), "");
	ask(&k, "\"b\"", 10, "x");
	CHECK_STR(answer(&k), "10:x! ");
	CHECK_EQ(known_keys_held(&k)->live, 2);
	end(&k, s, true);

	s = begin(&k);
	ask(&k, "\"c\"", 1, "c");
	ask(&k, "\"a\"", 2, "a");
	ask(&k, "\"c\"", 3, "c");
	CHECK_STR(answer(&k), "1:c 2:a! 3:c! ");
	end(&k, s, false); /* c is not kept */

	s = begin(&k);
	ask(&k, "\"c\"", 1, "c");
	ask(&k, "\"b\"", 2, "b");
	CHECK_STR(answer(&k), "1:c 2:b! ");
	end(&k, s, true);
	CHECK_EQ(unlink(path), 0);
	buffer_fini(&seen);
	return check_done("known_keys");
}
