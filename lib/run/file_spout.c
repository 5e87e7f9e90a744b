/*
 * SPDX-License-Identifier: ISC
 */
#include <inttypes.h>
#include <poll.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/diagnostics.h"
#include "base/packed.h"
#include "json/text.h"
#include "run/file_spout.h"
#include "state/store.h"
#include "tuple/tuple.h"

enum { MAX_LINE = 64 << 20 };

static struct place
place_of(const struct file_spout *f)
{
	return (struct place){ input_name(&f->in), f->in.line,
		f->start == 0 && f->in.line == f->blank + 1,
		f->in.line - f->blank };
}

/* Tell whether a line is a tuple; a bad one is told of. */
static bool
is_tuple(struct file_spout *f, struct span raw, struct span *line)
{
	struct place place = place_of(f);
	struct fault fault = { .unsaid = f->bad_lines.unsaid };
	struct tuple t = { .line = json_trim(raw),
		.projection = &f->projection,
		.slots = f->slots };
	int64_t ms;
	int tick;

	*line = t.line;
	if (line->n == 0) {
		f->blank++;
		return false;
	}
	if (json_scan(&f->projection.root, *line, f->slots, &fault) < 0 ||
	    (tick = tuple_is_tick(&t, &ms, &fault)) < 0) {
		if (f->waits && f->in.padded) {
			f->unfinished = input_offset(&f->in) - (off_t)raw.n;
			return false;
		}
		fault.column += (size_t)(line->p - raw.p);
		bad_lines_add(&f->bad_lines, &place, &fault, raw);
		return false;
	}
	f->ticks += (uint64_t)tick;
	return tick == 0 || !f->multilang;
}

/* Tell whether a read does not wait: files are always ready. */
static bool
is_ready(const struct file_spout *f)
{
	return poll(&(struct pollfd){ f->in.fd, POLLIN, 0 }, 1, 0) > 0;
}

static bool
next(void *self, struct buffer *b)
{
	struct file_spout *f = self;
	enum input_status status;
	struct span raw, line;

	while (f->unfinished < 0) {
		struct place place;

		switch (status = input_line(&f->in, &raw)) {
		case INPUT_LINE:
			if (!is_tuple(f, raw, &line))
				break;
			buffer_put(b, line);
			return true;
		case INPUT_LONG:
		case INPUT_REST:
			place = place_of(f);
			bad_lines_add_long(&f->bad_lines, &f->long_line, &place,
			    raw, status == INPUT_LONG);
			break;
		case INPUT_EMPTY:
			if (!is_ready(f))
				return false;
			input_fill(&f->in);
			break;
		case INPUT_END:
		case INPUT_BACK: /* never, since nothing is lent */
			return false;
		}
	}
	return false;
}

static int
waits_for(void *self)
{
	const struct file_spout *f = self;

	return f->unfinished < 0 && f->in.at < f->in.nnames ? f->in.fd : -1;
}

static void
count(const void *self, struct counters *c)
{
	const struct file_spout *f = self;

	c->lines = f->in.line;
	c->bytes = (uint64_t)input_offset(&f->in);
	c->blank = f->blank;
	c->ticks = f->ticks;
	c->rejects = f->bad_lines.n;
}

static int64_t
place(void *self)
{
	const struct file_spout *f = self;

	return f->unfinished >= 0 ? f->unfinished :
				    input_offset(&f->in) + f->in.skip;
}

/* Mark the bytes of a compressed file, which are not looked at again. */
static void
look_at_packed(struct file_spout *f)
{
	struct content c;
	struct stat st;

	if (f->in.compressed && fstat(f->fd, &st) == 0 &&
	    content_load_first(&c, f->fd, f->in.names[0], st.st_size))
		f->packed = content_mark(&c);
}

static void
keep(void *self, struct store *s, int64_t offset)
{
	const struct file_spout *f = self;
	struct content_mark m = f->packed;
	struct content read;

	if (m.length == 0) {
		/* The file was cut: keep the old mark, which will not fit. */
		if (!content_load_first(&read, f->fd, f->in.names[0], offset))
			return;
		m = content_mark(&read);
	}
	store_put_int(s, "offset", offset);
	store_put_int(s, "packed", f->packed.length);
	store_put_int(s, "head", m.head);
	store_put_int(s, "tail", m.tail);
}

static off_t
opened(void *arg, size_t at, int fd, uint64_t *line)
{
	const struct file_spout *f = arg;

	(void)at;
	(void)fd;
	*line = 0;
	return f->start;
}

static bool
go_on(void *self, struct store *s)
{
	struct file_spout *f = self;
	struct content read;
	struct content_mark mark;

	/* Older states of compressed files have no offset. */
	if (store_get_int(s, "offset") == 0)
		return false;
	f->start = store_get_int_within(s, "offset", 0, PACKED_MOST);
	mark.length = store_get_int(s, "packed");
	if (mark.length <= 0)
		mark.length = f->start;
	mark.head = store_get_int_within(s, "head", INT64_MIN, INT64_MAX);
	mark.tail = store_get_int_within(s, "tail", INT64_MIN, INT64_MAX);
	if (!content_load(&read, f->fd, f->in.names[0], &mark)) {
		warn_plain("warning: %s: was read up to byte %" PRId64
			   ", but is another file now; read from its start",
		    f->in.names[0], (int64_t)f->start);
		return false;
	}
	f->hooks = (struct input_hooks){ .arg = f, .opened = opened };
	input_resume(&f->in, &f->hooks);
	return true;
}

/* Bad lines are data that could not be used. */
static int
cleanup(void *self, int status)
{
	struct file_spout *f = self;

	input_fini(&f->in);
	close(f->fd);
	projection_fini(&f->projection);
	free(f->slots);
	long_line_fini(&f->long_line);
	return bad_lines_close(&f->bad_lines) && status == EXIT_OK ? EXIT_DATA :
								     status;
}

void
file_spout_init(struct file_spout *f, char *const *name, bool multilang,
    bool waits, struct spout *spout)
{
	*f = (struct file_spout){ .multilang = multilang,
		.unfinished = -1,
		.policy = { .max_errors = -1, .max_line = MAX_LINE } };
	input_init(&f->in, name, 1, MAX_LINE);
	f->fd = dup(f->in.fd);
	if (f->fd < 0)
		die_errno("%s", *name);
	look_at_packed(f);
	projection_init(&f->projection);
	projection_compile(&f->projection);
	f->slots = projection_new_slots(&f->projection);
	bad_lines_init(&f->bad_lines, &f->policy, false);
	spout->self = f;
	spout->next = next;
	spout->waits_for = waits_for;
	spout->cleanup = cleanup;
	spout->in = &f->in;
	spout->count = count;
	if (f->in.regular || f->in.compressed) {
		f->waits = waits && f->in.regular;
		spout->place = place;
		spout->keep = keep;
		spout->go_on = go_on;
	}
}
