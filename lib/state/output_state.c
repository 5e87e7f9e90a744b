/*
 * SPDX-License-Identifier: ISC
 */
#include <sys/stat.h>

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/diagnostics.h"
#include "base/hash.h"
#include "state/output_state.h"

/* By so many bytes at its end a file is known. */
enum { TAIL = 4096 };

/* The name of a value that is kept of an output. */
static char *
value_name(const char *what, const char *output)
{
	struct buffer b = { 0 };

	buffer_put(&b, span_of(what));
	buffer_byte(&b, ' ');
	buffer_put(&b, span_of(output));
	buffer_byte(&b, '\0');
	return b.p;
}

static int64_t
length_now(const struct output_state *s)
{
	struct stat st;

	if (fstat(s->out->fd, &st) < 0)
		die_errno("%s", s->out->name);
	return S_ISREG(st.st_mode) ? (int64_t)st.st_size : -1;
}

/* Hash the last bytes before an offset; 0 where they cannot be read. */
static int64_t
hash_before(const struct output_state *s, int64_t end)
{
	char bytes[TAIL];
	size_t n = end < TAIL ? (size_t)end : TAIL;

	if (s->reader < 0 ||
	    pread(s->reader, bytes, n, (off_t)end - (off_t)n) != (ssize_t)n)
		return 0;
	return (int64_t)(hash_seeded((struct span){ bytes, n }, 0) >> 1);
}

/* Where the last commit left the file, which has so many bytes now. */
static int64_t
length_then(struct output_state *s, int64_t now)
{
	int64_t then = store_get_int(s->store, s->length_name);
	int64_t hash = store_get_int(s->store, s->hash_name);
	const char *wrong = "not";
	char last = '\n';

	if (then > now)
		wrong = "shorter than";
	else if (hash == 0 || hash == hash_before(s, then))
		return then;
	warn_plain("warning: %s: is %s what was written to it; goes on at its "
		   "end",
	    s->out->name, wrong);
	if (s->reader >= 0 && now > 0 &&
	    pread(s->reader, &last, 1, (off_t)now - 1) == 1 && last != '\n')
		buffer_byte(&s->out->rows, '\n');
	return now;
}

void
output_state_open(struct output_state *s, struct store *store,
    struct output *out)
{
	struct buffer got = { 0 };

	*s = (struct output_state){
		.out = out, .store = store, .length = -1, .reader = -1
	};
	if (store == NULL)
		return;
	s->length_name = value_name("output", out->name);
	s->hash_name = value_name("hash", out->name);
	s->length = length_now(s);
	if (s->length < 0)
		return;
	s->reader = open(out->name, O_RDONLY | O_CLOEXEC);
	if (store_get_value(store, s->length_name, &got)) {
		s->length = length_then(s, s->length);
		output_state_cut(s);
	}
	buffer_fini(&got);
}

void
output_state_fini(struct output_state *s)
{
	free(s->length_name);
	free(s->hash_name);
	if (s->reader >= 0)
		close(s->reader);
}

void
output_state_save(struct output_state *s)
{
	int64_t length;

	output_flush(s->out);
	if (s->length < 0)
		return;
	if (fdatasync(s->out->fd) < 0)
		die_errno("%s", s->out->name);
	length = length_now(s);
	store_put_int(s->store, s->length_name, length);
	store_put_int(s->store, s->hash_name, hash_before(s, length));
}

void
output_state_committed(struct output_state *s)
{
	if (s->length >= 0)
		s->length = length_now(s);
}

void
output_state_cut(struct output_state *s)
{
	if (s->length >= 0 && ftruncate(s->out->fd, (off_t)s->length) < 0)
		warn_errno("%s", s->out->name);
}
