/*
 * content - ends that are kept as bytes go by, against those of a file.
 *
 * SPDX-License-Identifier: ISC
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/random.h"
#include "check.h"
#include "state/content.h"

enum { BYTES = 40000, ROUNDS = 300 };

static struct random rng = { 5 };
static char bytes[BYTES];
static int fd;

static struct span
piece(size_t from, size_t n)
{
	return (struct span){ bytes + from, n };
}

/* Pieces of any length come to what a file of them has. */
static void
test_pieces(void)
{
	for (int round = 0; round < ROUNDS; round++) {
		static struct content c, loaded;
		struct content_mark m, other;
		size_t most = round % 3 == 0 ? 10 :
		    round % 3 == 1	     ? 3000 :
					       BYTES;
		size_t end = random_below(&rng, BYTES) + 1;

		c.length = 0;
		while ((size_t)c.length < end) {
			size_t at = (size_t)c.length;
			size_t n = random_below(&rng, most) + 1;

			content_add(&c, piece(at, n < end - at ? n : end - at));
		}
		m = content_mark(&c);
		CHECK(content_load_first(&loaded, fd, "file", c.length));
		other = content_mark(&loaded);
		CHECK(memcmp(&m, &other, sizeof m) == 0);
		CHECK(content_load(&loaded, fd, "file", &m));
		CHECK(span_eq(content_tail(&c), content_tail(&loaded)));
	}
}

/* One byte is another one, at the beginning or at the end. */
static void
test_changes(void)
{
	static const size_t lengths[] = { 1, 2, CONTENT_HEAD - 1, CONTENT_HEAD,
		CONTENT_HEAD + 1, CONTENT_TAIL, CONTENT_TAIL + 1, BYTES };

	for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
		static struct content c;
		static struct content_file f;
		int64_t n = (int64_t)lengths[i];
		struct content_mark m, changed;

		CHECK(content_load_first(&c, fd, "file", n));
		m = content_mark(&c);
		content_file_init(&f, fd, "file");
		CHECK(content_file_has(&f, &m));
		CHECK(content_load(&c, fd, "file", &m));
		changed = m;
		changed.head++;
		CHECK(!content_file_has(&f, &changed));
		CHECK(!content_load(&c, fd, "file", &changed));
		changed = m;
		changed.tail++;
		CHECK(!content_file_has(&f, &changed));
		CHECK(!content_load(&c, fd, "file", &changed));
	}
}

static void
test_ends(void)
{
	static struct content c;
	static struct content_file f;
	struct content_mark m;

	/* What was read is not all there any more. */
	CHECK(!content_load_first(&c, fd, "file", BYTES + 1));
	m = (struct content_mark){ .length = BYTES + 1 };
	content_file_init(&f, fd, "file");
	CHECK(!content_file_has(&f, &m));
	CHECK(content_load_first(&c, fd, "file", 0));
	m = content_mark(&c);
	CHECK(m.length == 0 && m.head == 0 && m.tail == 0);
	CHECK(content_is_at(fd, "file", 17, piece(17, 0)));
	CHECK(content_is_at(fd, "file", 17, piece(17, BYTES - 17)));
	CHECK(!content_is_at(fd, "file", 17, piece(18, BYTES - 18)));
	CHECK(!content_is_at(fd, "file", 17, piece(16, BYTES - 16)));
	CHECK(!content_is_at(fd, "file", BYTES, piece(0, 1)));
}

static void
test_hash(void)
{
	static const int64_t lengths[] = { 0, 1, CONTENT_HEAD, BYTES,
		BYTES + 1 };
	static struct content_file f;
	XXH3_state_t *hash = XXH3_createState();

	content_file_init(&f, fd, "file");
	for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
		size_t n = (size_t)(lengths[i] < BYTES ? lengths[i] : BYTES);

		content_file_hash(&f, lengths[i], hash);
		CHECK(XXH3_64bits_digest(hash) == hash_seeded(piece(0, n), 0));
	}
	XXH3_freeState(hash);
}

int
main(void)
{
	char path[] = "/tmp/content-XX"
		      "XX"
		      "XX";

	for (size_t i = 0; i < BYTES; i++)
		bytes[i] = (char)random_next(&rng);
	fd = mkstemp(path);
	if (!CHECK(fd >= 0) || !CHECK(write(fd, bytes, BYTES) == BYTES))
		return check_done("content");
	unlink(path);
	test_pieces();
	test_changes();
	test_ends();
	test_hash();
	close(fd);
	return check_done("content");
}
