/*
 * SPDX-License-Identifier: ISC
 */
#include <sys/stat.h>

#include <fcntl.h>
#include <unistd.h>

#include "base/diagnostics.h"
#include "state/output_state.h"

/* What is kept of an output, in the columns of the table. */
enum {
	PATH,
	DEVICE,
	INODE,
	BEGIN,
	LENGTH,
	HEAD,
	TAIL,
	FIRST,
	NCOLUMNS,
};

static const struct span column_names[NCOLUMNS] = {
	[PATH] = { "path", 4 },
	[DEVICE] = { "device", 6 },
	[INODE] = { "inode", 5 },
	[BEGIN] = { "begin", 5 },
	[LENGTH] = { "length", 6 },
	[HEAD] = { "head", 4 },
	[TAIL] = { "tail", 4 },
	[FIRST] = { "first", 5 },
};

/* What the store has of an output. */
struct before {
	struct output_state *now;
	bool is_there;
	bool is_same; /* the file, by whatever name; else one of its name */
	int64_t begin;
	struct content_mark content;
	struct buffer first;
};

static void
fill_row(void *arg, size_t i, struct stored_value *row)
{
	const struct output_state *s = arg;
	struct content_mark mark = content_mark(&s->content);

	(void)i;
	row[PATH] = stored_value_of_text(span_of(s->out->name));
	row[DEVICE] = stored_value_of_int(s->device);
	row[INODE] = stored_value_of_int(s->inode);
	row[BEGIN] = stored_value_of_int(s->begin);
	row[LENGTH] = stored_value_of_int(mark.length);
	row[HEAD] = stored_value_of_int(mark.head);
	row[TAIL] = stored_value_of_int(mark.tail);
	row[FIRST] = stored_value_of_blob(s->first);
}

static void
fill_old_path(void *arg, size_t i, struct stored_value *row)
{
	const struct output_state *s = arg;

	(void)i;
	row[PATH] = stored_value_of_text(buffer_span(&s->old_path));
}

/* Put what is known of it, under its name, in place of what was. */
static void
put_record(struct output_state *s)
{
	if (s->old_path.n != 0)
		store_table_del(s->table, 1, fill_old_path, s);
	s->old_path.n = 0;
	store_table_put(s->table, 1, fill_row, s);
}

/*
 * Take in a row, which may hold anything, if it is of this file: one under
 * another name would be out of date when that is used again.  Of several the
 * longest was written last.
 */
static void
take_row(void *arg, size_t i, const struct stored_value *row)
{
	struct before *b = arg;
	struct output_state *s = b->now;
	bool has_name = span_eq(row[PATH].bytes, span_of(s->out->name)), same;

	(void)i;
	if (row[PATH].kind != STORED_TEXT || row[DEVICE].kind != STORED_INT ||
	    row[INODE].kind != STORED_INT ||
	    !store_int_is(&row[LENGTH], 0, INT64_MAX) ||
	    !store_int_is(&row[BEGIN], 0, row[LENGTH].i) ||
	    row[HEAD].kind != STORED_INT || row[TAIL].kind != STORED_INT ||
	    row[FIRST].kind != STORED_BLOB || row[FIRST].bytes.n > CONTENT_TAIL)
		store_table_damaged(b->now->table);
	same = row[DEVICE].i == s->device && row[INODE].i == s->inode;
	if (!same && (b->is_same || !has_name))
		return;
	if (same && b->is_same && row[LENGTH].i < b->content.length)
		return;
	b->is_same = same;
	s->old_path.n = b->first.n = 0;
	if (!has_name)
		buffer_put(&s->old_path, row[PATH].bytes);
	b->is_there = true;
	b->begin = row[BEGIN].i;
	b->content =
	    (struct content_mark){ row[LENGTH].i, row[HEAD].i, row[TAIL].i };
	buffer_put(&b->first, row[FIRST].bytes);
}

/*
 * What is to become of the file of so many bytes: where to cut it, or -1 where
 * rows are appended, with wrong set if it is not the file of before.
 */
static int64_t
cut_at(const struct before *b, struct content *c, int fd, int64_t size,
    const char **wrong)
{
	const struct output_state *s = b->now;
	struct span first = buffer_span(&b->first);
	int64_t length = b->content.length;

	if (!b->is_there)
		return -1;
	if (s->old_path.n == 0)
		*wrong = size < length && b->is_same ? "shorter than" : "not";
	if (!b->is_same)
		return -1;
	if (!content_load(c, fd, s->out->name, &b->content))
		return -1;
	if (first.n > (uint64_t)(size - length))
		first.n = (size_t)(size - length);
	if (b->begin < length ||
	    (first.n != 0 && content_is_at(fd, s->out->name, length, first)))
		return length;
	/* Nothing was written: what is there is somebody else's. */
	if (first.n == 0)
		*wrong = NULL;
	return -1;
}

/* Go on where the last commit left the file, or at its end. */
static void
go_on(struct output_state *s, const struct before *b, int64_t size)
{
	const char *name = s->out->name, *wrong = NULL;
	int fd = s->out->fd;
	int64_t at = cut_at(b, &s->content, fd, size, &wrong);

	if (at >= 0) {
		s->begin = b->begin;
		if (size > at && ftruncate(fd, (off_t)at) < 0)
			die_errno("%s", name);
		return;
	}
	if (wrong != NULL)
		warn_plain("warning: %s: is %s what was written to it; rows "
			   "are appended",
		    name, wrong);
	s->begin = size;
	if (!content_load_first(&s->content, fd, name, size))
		die("%s: another process writes to it, too", name);
}

/* Commit how the first rows begin, so that they are known if they are torn. */
static void
announce(struct output_state *s)
{
	struct buffer *rows = &s->out->rows;
	struct span tail = content_tail(&s->content);

	if (tail.n != 0 && tail.p[tail.n - 1] != '\n') {
		buffer_room(rows, 1);
		memmove(rows->p + 1, rows->p, rows->n++);
		rows->p[0] = '\n';
	}
	s->first = buffer_span(rows);
	if (s->first.n > CONTENT_TAIL)
		s->first.n = CONTENT_TAIL;
	store_begin(s->store);
	put_record(s);
	store_commit(s->store);
	s->first.n = 0;
}

static void
writing(void *arg)
{
	struct output_state *s = arg;

	if (s->content.length == s->begin)
		announce(s);
	content_add(&s->content, buffer_span(&s->out->rows));
}

void
output_state_open(struct output_state *s, struct store *store,
    struct output *out, bool is_wanted)
{
	struct before before = { .now = s };
	struct stat st;

	*s = (struct output_state){ .out = out, .store = store };
	s->table = store_table(store, PART_OUTPUTS, column_names, 1, NCOLUMNS);
	if (!is_wanted)
		return;
	if (fstat(out->fd, &st) < 0)
		die_errno("%s", out->name);
	s->is_kept = S_ISREG(st.st_mode);
	if (!s->is_kept)
		return;
	/* What the last run wrote is compared with what is there. */
	if (access(out->name, R_OK) < 0)
		die_errno("%s", out->name);
	s->device = (int64_t)st.st_dev;
	s->inode = (int64_t)st.st_ino;
	store_table_scan(s->table, STORE_TABLE_KEY, take_row, &before);
	go_on(s, &before, (int64_t)st.st_size);
	buffer_fini(&before.first);
	s->committed = s->content.length;
	out->writing = writing;
	out->arg = s;
}

/* What output_state_has looks for. */
struct wanted {
	const char *name;
	int fd;
	struct stat st;
	bool found;
};

/* Another file can have got the number of one that is gone: its content tells. */
static void
compare_row(void *arg, size_t i, const struct stored_value *row)
{
	struct wanted *w = arg;
	struct content_mark mark = { row[LENGTH].i, row[HEAD].i, row[TAIL].i };
	struct content content;

	(void)i;
	if (w->found || row[PATH].kind != STORED_TEXT ||
	    !store_int_is(&row[LENGTH], 0, INT64_MAX))
		return;
	w->found = span_eq(row[PATH].bytes, span_of(w->name)) ||
	    (row[DEVICE].i == (int64_t)w->st.st_dev &&
		row[INODE].i == (int64_t)w->st.st_ino &&
		content_load(&content, w->fd, w->name, &mark));
}

bool
output_state_has(struct store *store, const char *name)
{
	struct wanted w = { .name = name };
	struct store_table *table =
	    store_table(store, PART_OUTPUTS, column_names, 1, NCOLUMNS);

	if (stat(name, &w.st) < 0 || !S_ISREG(w.st.st_mode) ||
	    (w.fd = open(name, O_RDONLY | O_CLOEXEC)) < 0)
		return false;
	store_table_scan(table, STORE_TABLE_KEY, compare_row, &w);
	close(w.fd);
	return w.found;
}

void
output_state_fini(struct output_state *s)
{
	if (!s->is_kept)
		return;
	output_flush(s->out);
	buffer_fini(&s->old_path);
	s->out->writing = NULL;
}

void
output_state_sync(struct output_state *s)
{
	struct stat st;

	output_flush(s->out);
	if (!s->is_kept || s->content.length == s->committed)
		return;
	if (fdatasync(s->out->fd) < 0 || fstat(s->out->fd, &st) < 0)
		die_errno("%s", s->out->name);
	if (st.st_nlink == 0)
		die("%s: it was removed while this run wrote to it; the next "
		    "run writes again what was not committed",
		    s->out->name);
}

void
output_state_save(struct output_state *s)
{
	if (s->is_kept)
		put_record(s);
	s->is_unsure = true;
}

void
output_state_committed(struct output_state *s)
{
	s->committed = s->content.length;
	s->is_unsure = false;
}

void
output_state_cut(struct output_state *s)
{
	if (s->is_kept && !s->is_unsure && s->content.length > s->committed &&
	    ftruncate(s->out->fd, (off_t)s->committed) < 0)
		warn_errno("%s", s->out->name);
}
