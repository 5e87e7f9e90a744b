/*
 * SPDX-License-Identifier: ISC
 */
#include <inttypes.h>
#include <stdlib.h>

#include "base/diagnostics.h"
#include "base/memory.h"
#include "state/input_match.h"
#include "tuple/options.h"

/* How a record fits the place of an operand; the best ones last. */
enum fit {
	FIT_NOT,
	FIT_EMPTY,   /* it is of this place, and says nothing */
	FIT_CONTENT, /* it may do by content alone */
	FIT_NAME,
	FIT_FILE,
	FIT_BOTH,
};

static bool
is_of(const struct input_record *r, const struct stat *st)
{
	return r->device == (int64_t)st->st_dev &&
	    r->inode == (int64_t)st->st_ino;
}

static int64_t
mtime_ns(const struct stat *st)
{
	/* Without a sign, as a file may claim any time. */
	return (int64_t)((uint64_t)st->st_mtim.tv_sec * 1000000000 +
	    (uint64_t)st->st_mtim.tv_nsec);
}

bool
input_match_is_used_up(const struct input_record *r, const struct stat *st)
{
	return is_of(r, st) && r->size != 0 &&
	    r->size == (int64_t)st->st_size && r->mtime_ns == mtime_ns(st);
}

void
input_match_use_up(struct input_record *r, const struct stat *st)
{
	r->size = (int64_t)st->st_size;
	r->mtime_ns = mtime_ns(st);
}

/* Tell whether what was read still stands in the file. */
static bool
stands(const struct input_record *r, const struct content_file *f)
{
	return input_match_is_used_up(r, &f->st) ||
	    content_file_has(f, &r->content);
}

/* Tell whether they are of one file. */
static bool
is_same(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

static enum fit
fit(const struct input_record *r, const struct input_operand *o,
    const struct stat *st)
{
	bool file = is_of(r, st);
	/* What is redirected to stdin has no name. */
	bool name = span_eq(r->path, o->name) && !operand_is_stdin(o->name.p);

	/* Rows of a table that lost its name to another were replaced since. */
	if (r->pipe || !span_eq(r->stream, o->stream) ||
	    (o->is_table && !name && r->path.n == 0))
		return FIT_NOT;
	if (r->content.length == 0)
		return file || name ? FIT_EMPTY : FIT_NOT;
	if (file || name)
		return !name ? FIT_FILE : !file ? FIT_NAME : FIT_BOTH;
	return r->content.length >= CONTENT_HEAD ? FIT_CONTENT : FIT_NOT;
}

/*
 * Tell whether a record is free.  One that serves another operand is, if its
 * content is gone from there: a log may be renamed or copied while others are
 * read.
 */
static bool
is_free(const struct input_record *r)
{
	struct content_file f;
	bool has;

	if (r->operand == NULL || !content_file_open(&f, r->operand->name.p))
		return true;
	has = stands(r, &f);
	content_file_close(&f);
	return !has;
}

/* Of the free records that fit so and stand in the file, the longest. */
static struct input_record *
best(struct input_slice s, const struct input_operand *o, enum fit wanted,
    const struct content_file *f)
{
	struct input_record *found = NULL;

	for (size_t i = 0; i < s.n; i++) {
		struct input_record *r = s.records[i];

		if (fit(r, o, &f->st) == wanted &&
		    (found == NULL ||
			r->content.length > found->content.length) &&
		    stands(r, f) && is_free(r))
			found = r;
	}
	return found;
}

static void
set_path(struct input_record *r, struct span path)
{
	if (span_eq(r->path, path))
		return;
	span_free(r->path);
	r->path = span_dup(path);
}

/* Let a record serve an operand. */
static void
serve(struct input_record *r, struct input_operand *o)
{
	if (r->operand != NULL)
		r->operand->record = NULL;
	r->operand = o;
	o->record = r;
}

/* Record the name and the file of its operand. */
static void
place(struct input_records *rs, const struct input_operand *o,
    const struct stat *st)
{
	struct input_record *r = o->record;

	set_path(r, o->name);
	r->device = st == NULL ? 0 : (int64_t)st->st_dev;
	r->inode = st == NULL ? 0 : (int64_t)st->st_ino;
	r->used = rs->run;
	r->changed = true;
}

/* Match the operands that have no record yet with those that fit so. */
static void
match(struct input_slice sorted, input_order_fn *order, enum fit wanted,
    struct input_operand *operands, size_t n)
{
	if (sorted.n == 0)
		return;
	qsort(sorted.records, sorted.n, sizeof *sorted.records, order);
	for (size_t i = 0; i < n; i++) {
		struct input_operand *o = &operands[i];
		struct content_file f;
		struct input_record *r, like = { .path = o->name };

		if (o->record != NULL || !content_file_open(&f, o->name.p))
			continue;
		like.device = (int64_t)f.st.st_dev;
		like.inode = (int64_t)f.st.st_ino;
		like.content.head = f.head_hash;
		r = best(input_records_alike(sorted, order, &like), o, wanted,
		    &f);
		if (r != NULL && is_same(&f.st, &o->seen))
			serve(r, o);
		content_file_close(&f);
	}
}

void
input_match_all(struct input_records *rs, struct input_operand *operands,
    size_t n)
{
	struct input_slice all = { memory_new(rs->n, sizeof *all.records),
		rs->n };

	for (size_t i = 0; i < rs->n; i++)
		all.records[i] = rs->records[i];
	/* What is another file later has been renamed: see input_match_file. */
	for (size_t i = 0; i < n; i++)
		if (!content_file_see(operands[i].name.p, &operands[i].seen))
			operands[i].seen = (struct stat){ 0 };
	/* All of one kind, before any takes what is another one's. */
	match(all, input_records_by_file, FIT_BOTH, operands, n);
	match(all, input_records_by_file, FIT_FILE, operands, n);
	match(all, input_records_by_name, FIT_NAME, operands, n);
	match(all, input_records_by_head, FIT_CONTENT, operands, n);
	match(all, input_records_by_name, FIT_EMPTY, operands, n);
	free(all.records);
	for (size_t i = 0; i < n; i++) {
		if (operands[i].record == NULL)
			continue;
		operands[i].was = span_dup(operands[i].record->path);
		place(rs, &operands[i], &operands[i].seen);
	}
	input_records_find_free(rs);
}

/* Tell whether the file is what it was when operands were matched. */
static bool
is_as_seen(const struct input_operand *o, const struct stat *st)
{
	const struct stat *seen = &o->seen;

	return is_same(st, seen) && st->st_size == seen->st_size &&
	    st->st_ctim.tv_sec == seen->st_ctim.tv_sec &&
	    st->st_ctim.tv_nsec == seen->st_ctim.tv_nsec;
}

/* Look for a record among all, those of other operands included. */
static struct input_record *
find(const struct input_records *rs, const struct input_operand *o,
    const struct content_file *f)
{
	struct input_slice all = { rs->records, rs->n };
	struct input_record *r = NULL;

	for (enum fit wanted = FIT_BOTH; wanted != FIT_NOT && r == NULL;
	     wanted--)
		r = best(all, o, wanted, f);
	return r;
}

/* Tell whether all of a file is the beginning of what an operand names. */
static bool
is_beginning_of(const struct content_file *f, const struct input_operand *o)
{
	struct content all;
	struct content_mark m;
	struct content_file other;
	bool is;

	if (f->compressed)
		content_load_compressed(&all, f->fd, f->name, INT64_MAX);
	else if (!content_load_first(&all, f->fd, f->name,
		     (int64_t)f->st.st_size))
		return false;
	if (!content_file_open(&other, o->name.p))
		return false;
	m = content_mark(&all);
	is = content_file_has(&other, &m);
	content_file_close(&other);
	return is;
}

/*
 * Warn of a new file that has lines that were read in earlier runs: those of a
 * log that is read in this one, too, by another name of the file, or since it
 * was just copied, and not truncated yet; or those of one that is gone, of which
 * too little was read to know it again.
 */
static void
warn_copy(const struct input_records *rs, const struct content_file *f,
    const struct input_operand *o)
{
	for (size_t i = 0; i < rs->n; i++) {
		const struct input_record *r = rs->records[i];
		int64_t length = r->content.length;

		if (r->id >= rs->first_new || r->pipe || length == 0 ||
		    o->is_table || !span_eq(r->stream, o->stream))
			continue;
		if (r->operand == NULL && length < CONTENT_HEAD &&
		    content_file_has(f, &r->content)) {
			warn_plain(
			    "warning: %s: begins like a file of which %" PRId64
			    " bytes were read before; below %d that is not "
			    "enough to know it again, and its lines count",
			    f->name, length, CONTENT_HEAD);
			return;
		}
		if (r->operand != NULL && length >= CONTENT_HEAD &&
		    r->content.head == f->head_hash &&
		    is_beginning_of(f, r->operand)) {
			warn_plain("warning: %s: begins like %s, which was "
				   "read before; the lines of both count",
			    f->name, r->operand->name.p);
			return;
		}
	}
}

void
input_match_file(struct input_records *rs, struct input_operand *o, int fd)
{
	struct content_file f;
	struct input_record *r = o->record;
	bool as_seen;

	content_file_init(&f, fd, o->name.p);
	as_seen = is_as_seen(o, &f.st);
	/* What is compressed takes its time, and was looked at before. */
	if (r != NULL && is_of(r, &f.st) &&
	    ((f.compressed && as_seen) || stands(r, &f)) &&
	    (r->content.length != 0 || as_seen))
		return;
	if (r != NULL)
		input_records_release(rs, r);
	r = r == NULL && as_seen ? NULL : find(rs, o, &f);
	if (r == NULL) {
		warn_copy(rs, &f, o);
		r = input_records_add(rs, o->stream, o->name);
	}
	serve(r, o);
	place(rs, o, &f.st);
}

void
input_match_pipe(struct input_records *rs, struct input_operand *o)
{
	struct input_record *found = NULL;

	if (o->record != NULL)
		input_records_release(rs, o->record);
	for (size_t i = rs->nfree; i-- > 0 && found == NULL;) {
		struct input_record *r = rs->free[i];

		if (r->pipe && r->operand == NULL &&
		    span_eq(r->stream, o->stream) && span_eq(r->path, o->name))
			found = r;
	}
	if (found == NULL)
		found = input_records_add(rs, o->stream, o->name);
	serve(found, o);
	place(rs, o, NULL);
	found->pipe = true;
}

/* Say why a file is begun with anew, of which m was read. */
static void
warn_anew(const struct content_file *f, const struct content_mark *m,
    bool same_file)
{
	const char *what = "another file has taken its place";
	bool again = m->length >= CONTENT_HEAD && m->head == f->head_hash;

	if (same_file)
		what = !f->compressed && f->st.st_size < m->length ?
		    "it was truncated since" :
		    "it was rewritten since";
	warn_plain("warning: %s: was read up to byte %" PRId64
		   ", but %s; read from its start%s",
	    f->name, m->length, what, again ? ", which was read before" : "");
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
	r->changed = true;
}

void
input_match_refute(struct input_records *rs, const struct input_operand *o,
    int fd)
{
	struct content_mark last = { 0 }; /* of the last one of that name */
	int64_t used = -1;
	bool same_file = false;
	struct content_file f;

	if (rs->nfree == 0)
		return;
	content_file_init(&f, fd, o->name.p);
	for (size_t i = 0; i < rs->nfree; i++) {
		struct input_record *r = rs->free[i];

		if (r->operand != NULL || fit(r, o, &f.st) < FIT_NAME ||
		    stands(r, &f))
			continue;
		if (span_eq(r->path, o->name) && r->used >= used) {
			used = r->used;
			last = r->content;
			same_file = is_of(r, &f.st);
		}
		refute(r, o, &f.st);
	}
	if (used >= 0 && o->record->content.length == 0 && !o->is_table)
		warn_anew(&f, &last, same_file);
}
