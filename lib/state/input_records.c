/*
 * SPDX-License-Identifier: ISC
 */
#include <sys/stat.h>

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/diagnostics.h"
#include "base/memory.h"
#include "state/input_records.h"

/* What is kept of a record, in the columns of the table. */
enum {
	ID,
	USED,
	KIND,
	STREAM,
	PATH,
	DEVICE,
	INODE,
	OFFSET,
	LINE,
	HEAD,
	TAIL,
	NCOLUMNS,
};

static const struct span column_names[NCOLUMNS] = {
	[ID] = { "input", 5 },
	[USED] = { "used", 4 },
	[KIND] = { "kind", 4 },
	[STREAM] = { "stream", 6 },
	[PATH] = { "path", 4 },
	[DEVICE] = { "device", 6 },
	[INODE] = { "inode", 5 },
	[OFFSET] = { "offset", 6 },
	[LINE] = { "line", 4 },
	[HEAD] = { "head", 4 },
	[TAIL] = { "tail", 4 },
};

/* How a record fits the place of an operand; the best ones last. */
enum fit {
	FIT_NOT,
	FIT_EMPTY,   /* it is of this place, and says nothing */
	FIT_CONTENT, /* it may do by content alone */
	FIT_NAME,
	FIT_FILE,
	FIT_BOTH,
};

static struct span
copy(struct span s)
{
	char *p = memory_new(s.n + 1, 1);

	memcpy(p, s.p, s.n);
	return (struct span){ p, s.n };
}

static void
set_path(struct input_record *r, struct span path)
{
	if (span_eq(r->path, path))
		return;
	free((char *)(uintptr_t)r->path.p);
	r->path = copy(path);
}

static struct input_record *
add_record(struct input_records *rs, struct span stream, struct span path)
{
	struct input_record *r = memory_new(1, sizeof *r);

	rs->records = memory_grow(rs->records, &rs->cap, rs->n + 1,
	    sizeof(struct input_record *));
	*r =
	    (struct input_record){ .stream = copy(stream), .path = copy(path) };
	return rs->records[rs->n++] = r;
}

static void
free_record(struct input_record *r)
{
	free((char *)(uintptr_t)r->stream.p);
	free((char *)(uintptr_t)r->path.p);
	free(r);
}

/* Take in a row, which may hold anything. */
static void
take_row(void *arg, size_t i, const struct stored_value *row)
{
	struct input_records *rs = arg;
	bool pipe = span_eq(row[KIND].bytes, SPAN("pipe"));
	struct input_record *r;

	(void)i;
	if (!store_int_is(&row[ID], 0, INT64_MAX - 1) ||
	    !store_int_is(&row[USED], 0, INT64_MAX - 1) ||
	    row[KIND].kind != STORED_TEXT ||
	    (!pipe && !span_eq(row[KIND].bytes, SPAN("file"))) ||
	    row[STREAM].kind != STORED_TEXT || row[PATH].kind != STORED_TEXT ||
	    row[DEVICE].kind != STORED_INT || row[INODE].kind != STORED_INT ||
	    !store_int_is(&row[OFFSET], 0, INT64_MAX) ||
	    !store_int_is(&row[LINE], 0, row[OFFSET].i) ||
	    row[HEAD].kind != STORED_INT || row[TAIL].kind != STORED_INT)
		store_table_damaged(rs->table);
	r = add_record(rs, row[STREAM].bytes, row[PATH].bytes);
	r->id = row[ID].i;
	r->used = row[USED].i;
	r->pipe = pipe;
	r->device = row[DEVICE].i;
	r->inode = row[INODE].i;
	r->line = row[LINE].i;
	r->content =
	    (struct content_mark){ row[OFFSET].i, row[HEAD].i, row[TAIL].i };
	if (r->used >= rs->run)
		rs->run = r->used + 1;
	if (r->id >= rs->next_id)
		rs->next_id = r->id + 1;
}

static void
fill_row(void *arg, size_t i, struct stored_value *row)
{
	const struct input_records *rs = arg;
	const struct input_record *r = rs->chosen[i];

	row[ID] = stored_value_of_int(r->id);
	row[USED] = stored_value_of_int(r->used);
	row[KIND] = stored_value_of_text(r->pipe ? SPAN("pipe") : SPAN("file"));
	row[STREAM] = stored_value_of_text(r->stream);
	row[PATH] = stored_value_of_text(r->path);
	row[DEVICE] = stored_value_of_int(r->device);
	row[INODE] = stored_value_of_int(r->inode);
	row[OFFSET] = stored_value_of_int(r->content.length);
	row[LINE] = stored_value_of_int(r->line);
	row[HEAD] = stored_value_of_int(r->content.head);
	row[TAIL] = stored_value_of_int(r->content.tail);
}

void
input_records_open(struct input_records *rs, struct store *store)
{
	*rs = (struct input_records){ .run = 1,
		.table =
		    store_table(store, "inputs", column_names, 1, NCOLUMNS) };
	store_table_scan(rs->table, NULL, 0, take_row, rs);
}

void
input_records_fini(struct input_records *rs)
{
	for (size_t i = 0; i < rs->n; i++)
		free_record(rs->records[i]);
	free(rs->records);
	free(rs->chosen);
}

static bool
is_stdin(const struct input_operand *o)
{
	return span_eq(o->name, SPAN("-"));
}

static const char *
shown_name(const struct input_operand *o)
{
	return is_stdin(o) ? "stdin" : o->name.p;
}

static bool
is_of(const struct input_record *r, const struct stat *st)
{
	return r->device == (int64_t)st->st_dev &&
	    r->inode == (int64_t)st->st_ino;
}

static enum fit
fit(const struct input_record *r, const struct input_operand *o,
    const struct stat *st)
{
	bool file = is_of(r, st);
	/* What is redirected to stdin has no name. */
	bool name = span_eq(r->path, o->name) && !is_stdin(o);

	if (r->pipe || !span_eq(r->stream, o->stream))
		return FIT_NOT;
	if (r->content.length == 0)
		return file || name ? FIT_EMPTY : FIT_NOT;
	if (file || name)
		return !name ? FIT_FILE : !file ? FIT_NAME : FIT_BOTH;
	return r->content.length >= CONTENT_HEAD ? FIT_CONTENT : FIT_NOT;
}

/* Look at a file that is open. */
static void
look_at(struct content_file *f, const struct input_operand *o, int fd,
    struct stat *st)
{
	if (fstat(fd, st) < 0)
		die_errno("%s", shown_name(o));
	content_file_init(f, fd, shown_name(o), (int64_t)st->st_size);
}

/*
 * Open and look at what an operand names.  False: it is no regular file, or is
 * not there any more.
 */
static bool
open_file(struct content_file *f, const struct input_operand *o,
    struct stat *st)
{
	int fd = STDIN_FILENO;

	/* A pipe must not be opened: it would have had a reader. */
	if ((is_stdin(o) ? fstat(fd, st) : stat(o->name.p, st)) < 0)
		fd = -1;
	else if (!S_ISREG(st->st_mode))
		return false;
	else if (!is_stdin(o))
		fd = open(o->name.p, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0 && errno != ENOENT)
		die_errno("%s", shown_name(o));
	if (fd >= 0)
		look_at(f, o, fd, st);
	return fd >= 0;
}

static void
close_file(const struct content_file *f)
{
	if (f->fd != STDIN_FILENO)
		close(f->fd);
}

/*
 * Tell whether a record is free.  One of an operand that has been left is, if
 * its content is gone from there: a log may be renamed or copied after it was
 * read, and before its new name is.
 */
static bool
is_free(const struct input_record *r)
{
	struct content_file f;
	struct stat st;
	bool has;

	if (r->operand == NULL)
		return true;
	if (!r->operand->left || !open_file(&f, r->operand, &st))
		return r->operand->left;
	has = content_file_has(&f, &r->content);
	close_file(&f);
	return !has;
}

/* Of the free records that fit so and stand in the file, the longest. */
static struct input_record *
best(const struct input_records *rs, const struct input_operand *o,
    enum fit wanted, const struct content_file *f, const struct stat *st)
{
	struct input_record *found = NULL;

	for (size_t i = 0; i < rs->n; i++) {
		struct input_record *r = rs->records[i];

		if (fit(r, o, st) == wanted &&
		    (found == NULL ||
			r->content.length > found->content.length) &&
		    content_file_has(f, &r->content) && is_free(r))
			found = r;
	}
	return found;
}

/* Let a record, or a new one where it is NULL, serve an operand. */
static void
serve(struct input_records *rs, struct input_record *r, struct input_operand *o)
{
	if (r == NULL) {
		r = add_record(rs, o->stream, o->name);
		r->id = rs->next_id++;
	}
	if (r->operand != NULL)
		r->operand->record = NULL;
	r->operand = o;
	o->record = r;
	set_path(r, o->name);
	r->used = rs->run;
	r->changed = true;
}

static void
serve_file(struct input_records *rs, struct input_record *r,
    struct input_operand *o, const struct stat *st)
{
	serve(rs, r, o);
	o->record->device = (int64_t)st->st_dev;
	o->record->inode = (int64_t)st->st_ino;
}

static void
match(struct input_records *rs, struct input_operand *o, enum fit wanted)
{
	struct content_file f;
	struct stat st;
	struct input_record *r;

	if (!open_file(&f, o, &st))
		return;
	r = best(rs, o, wanted, &f, &st);
	if (r != NULL)
		serve_file(rs, r, o, &st);
	close_file(&f);
}

void
input_records_match(struct input_records *rs, struct input_operand *operands,
    size_t n)
{
	/* All of one kind, before any takes what is another one's. */
	for (enum fit wanted = FIT_BOTH; wanted >= FIT_CONTENT; wanted--)
		for (size_t i = 0; i < n; i++)
			if (operands[i].record == NULL)
				match(rs, &operands[i], wanted);
}

bool
input_records_is_matched(const struct input_operand *o, int fd)
{
	const struct input_record *r = o->record;
	struct content_file f;
	struct stat st;

	if (r == NULL || r->content.length == 0)
		return false;
	look_at(&f, o, fd, &st);
	return is_of(r, &st) && content_file_has(&f, &r->content);
}

/* Take its record from an operand. */
static void
release(struct input_operand *o)
{
	if (o->record != NULL)
		o->record->operand = NULL;
	o->record = NULL;
}

void
input_records_settle(struct input_records *rs, struct input_operand *o, int fd)
{
	struct content_file f;
	struct stat st;
	struct input_record *r = NULL;

	release(o);
	look_at(&f, o, fd, &st);
	for (enum fit wanted = FIT_BOTH; wanted != FIT_NOT && r == NULL;
	     wanted--)
		r = best(rs, o, wanted, &f, &st);
	serve_file(rs, r, o, &st);
}

void
input_records_settle_pipe(struct input_records *rs, struct input_operand *o)
{
	struct input_record *found = NULL;

	release(o);
	for (size_t i = rs->n; i-- > 0 && found == NULL;) {
		struct input_record *r = rs->records[i];

		if (r->pipe && r->operand == NULL &&
		    span_eq(r->stream, o->stream) && span_eq(r->path, o->name))
			found = r;
	}
	serve(rs, found, o);
	o->record->pipe = true;
}

/* Say why a file that was read is begun with anew. */
static void
warn_anew(const struct input_operand *o, const struct input_record *r,
    const struct content_file *f, const struct stat *st)
{
	const char *what = "another file has taken its place";

	if (is_of(r, st))
		what = f->size < r->content.length ? "it was truncated since" :
						     "it was rewritten since";
	warn_plain("warning: %s: was read up to byte %" PRId64
		   ", but %s; read from its start",
	    shown_name(o), r->content.length, what);
}

static void
choose(struct input_records *rs, struct input_record *r)
{
	rs->chosen = memory_grow(rs->chosen, &rs->chosen_cap, rs->nchosen + 1,
	    sizeof(struct input_record *));
	rs->chosen[rs->nchosen++] = r;
}

static int
by_use(const void *a, const void *b)
{
	const struct input_record *x = *(struct input_record *const *)a;
	const struct input_record *y = *(struct input_record *const *)b;

	if (x->used != y->used)
		return x->used < y->used ? -1 : 1;
	return x->id < y->id ? -1 : x->id > y->id;
}

/* Let a record forget that it is of this place. */
static void
refute(struct input_record *r, const struct input_operand *o,
    const struct stat *st)
{
	if (span_eq(r->path, o->name))
		set_path(r, SPAN(""));
	if (is_of(r, st))
		r->device = r->inode = 0;
	/* Where nothing can fit any more, it is the first to go. */
	if (r->path.n == 0 && r->inode == 0 && r->content.length < CONTENT_HEAD)
		r->used = 0;
	r->changed = true;
}

void
input_records_refute(struct input_records *rs, const struct input_operand *o,
    int fd)
{
	const struct input_record *last = NULL;
	struct content_file f;
	struct stat st;

	look_at(&f, o, fd, &st);
	rs->nchosen = 0;
	for (size_t i = 0; i < rs->n; i++) {
		struct input_record *r = rs->records[i];

		if (r->operand == NULL && fit(r, o, &st) >= FIT_NAME &&
		    !content_file_has(&f, &r->content))
			choose(rs, r);
	}
	if (rs->nchosen == 0)
		return;
	qsort(rs->chosen, rs->nchosen, sizeof(struct input_record *), by_use);
	for (size_t i = 0; i < rs->nchosen; i++)
		if (span_eq(rs->chosen[i]->path, o->name))
			last = rs->chosen[i];
	if (last != NULL && o->record->content.length == 0)
		warn_anew(o, last, &f, &st);
	for (size_t i = 0; i < rs->nchosen; i++)
		refute(rs->chosen[i], o, &st);
}

static void
fill_id(void *arg, size_t i, struct stored_value *row)
{
	const struct input_records *rs = arg;

	row[ID] = stored_value_of_int(rs->chosen[i]->id);
}

/* Delete those that are beyond what is kept. */
static void
delete_old(struct input_records *rs)
{
	size_t kept = 0;

	rs->nchosen = 0;
	for (size_t i = 0; i < rs->n; i++)
		if (rs->records[i]->operand == NULL)
			choose(rs, rs->records[i]);
	if (rs->nchosen <= INPUT_RECORDS_OTHERS)
		return;
	qsort(rs->chosen, rs->nchosen, sizeof(struct input_record *), by_use);
	rs->nchosen -= INPUT_RECORDS_OTHERS;
	store_table_del(rs->table, rs->nchosen, fill_id, rs);
	for (size_t i = 0; i < rs->nchosen; i++)
		rs->chosen[i]->id = -1;
	for (size_t i = 0; i < rs->n; i++)
		if (rs->records[i]->id < 0)
			free_record(rs->records[i]);
		else
			rs->records[kept++] = rs->records[i];
	rs->n = kept;
}

void
input_records_save(struct input_records *rs)
{
	delete_old(rs);
	rs->nchosen = 0;
	for (size_t i = 0; i < rs->n; i++)
		if (rs->records[i]->changed) {
			rs->records[i]->changed = false;
			choose(rs, rs->records[i]);
		}
	store_table_put(rs->table, rs->nchosen, fill_row, rs);
}
