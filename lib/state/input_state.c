/*
 * SPDX-License-Identifier: ISC
 */
#include <sys/stat.h>

#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/diagnostics.h"
#include "base/memory.h"
#include "state/input_state.h"
#include "tuple/options.h"

/* What is kept of a source, in the columns of the table. */
enum {
	SOURCE,
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
	[SOURCE] = { "input", 5 },
	[STREAM] = { "stream", 6 },
	[PATH] = { "path", 4 },
	[DEVICE] = { "device", 6 },
	[INODE] = { "inode", 5 },
	[OFFSET] = { "offset", 6 },
	[LINE] = { "line", 4 },
	[HEAD] = { "head", 4 },
	[TAIL] = { "tail", 4 },
};

static struct input_source *
new_source(struct input_state *s, struct span stream, struct span path)
{
	s->sources = memory_grow(s->sources, &s->cap, s->nsources + 1,
	    sizeof *s->sources);
	s->sources[s->nsources] =
	    (struct input_source){ .stream = span_dup(stream),
		    .path = span_dup(path) };
	return &s->sources[s->nsources++];
}

static void
take_source(void *arg, size_t i, const struct stored_value *row)
{
	struct input_source *source =
	    new_source(arg, row[STREAM].bytes, row[PATH].bytes);

	(void)i;
	source->position = (struct file_position){ row[DEVICE].i, row[INODE].i,
		row[OFFSET].i, row[LINE].i, row[HEAD].i, row[TAIL].i };
}

static void
fill_source(void *arg, size_t i, struct stored_value *row)
{
	const struct input_state *s = arg;
	const struct input_source *source = &s->sources[s->dirty[i]];
	const struct file_position *p = &source->position;

	row[SOURCE] = stored_value_of_int((int64_t)s->dirty[i]);
	row[STREAM] = stored_value_of_text(source->stream);
	row[PATH] = stored_value_of_text(source->path);
	row[DEVICE] = stored_value_of_int(p->device);
	row[INODE] = stored_value_of_int(p->inode);
	row[OFFSET] = stored_value_of_int(p->offset);
	row[LINE] = stored_value_of_int(p->line);
	row[HEAD] = stored_value_of_int(p->head);
	row[TAIL] = stored_value_of_int(p->tail);
}

static bool
is_regular(int fd)
{
	struct stat st;

	return fstat(fd, &st) == 0 && S_ISREG(st.st_mode);
}

/* The source that an operand has claimed. */
static struct input_source *
source_of(const struct input_reading *r, size_t at)
{
	return &r->all->sources[r->claims[at] - 1];
}

/* Give an operand a source, which has its name from now on. */
static void
claim(struct input_reading *r, size_t at, size_t i)
{
	struct input_source *source = &r->all->sources[i];
	struct span path = span_of(r->in->names[at]);

	r->claims[at] = i + 1;
	source->claimed = true;
	if (span_eq(source->path, path))
		return;
	span_free(source->path);
	source->path = span_dup(path);
}

/* A source for an operand that has none. */
static void
claim_new(struct input_reading *r, size_t at)
{
	new_source(r->all, r->stream, span_of(r->in->names[at]));
	claim(r, at, r->all->nsources - 1);
}

/*
 * Tell whether a source is the very file that an operand names.  What is
 * left of a file that is gone may be the inode of another one.
 */
static bool
is_file(const struct input_reading *r, size_t at,
    const struct input_source *source, int fd)
{
	struct stat st;

	return !source->claimed && span_eq(source->stream, r->stream) &&
	    fstat(fd, &st) == 0 &&
	    file_position_is_of(&source->position, &st) &&
	    (span_eq(source->path, span_of(r->in->names[at])) ||
		file_position_check(&source->position, fd) ==
		    FILE_POSITION_SAME);
}

/*
 * Give each operand the source that is its very file, before any is given
 * one by its path: log.1 is what log was when it was read.
 */
static void
claim_files(struct input_reading *r)
{
	for (size_t at = 0; at < r->in->nnames; at++) {
		const char *name = r->in->names[at];
		bool is_stdin = operand_is_stdin(name);
		int fd = is_stdin ?
		    STDIN_FILENO :
		    open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

		for (size_t i = r->all->nsources; i-- > 0;)
			if (is_file(r, at, &r->all->sources[i], fd)) {
				claim(r, at, i);
				break;
			}
		if (fd >= 0 && !is_stdin)
			close(fd);
	}
}

/* Give the operand the last source of its path, if no other has it. */
static void
claim_path(struct input_reading *r, size_t at, bool regular)
{
	struct input_state *s = r->all;
	struct span path = span_of(r->in->names[at]);

	for (size_t i = s->nsources; i-- > 0 && r->claims[at] == 0;) {
		const struct input_source *source = &s->sources[i];

		if (!source->claimed && span_eq(source->stream, r->stream) &&
		    span_eq(source->path, path) &&
		    regular == (source->position.inode != 0))
			claim(r, at, i);
	}
	if (r->claims[at] == 0)
		claim_new(r, at);
}

/* Say why a file is not resumed, and begin with it anew. */
static void
begin_anew(struct input_reading *r, size_t at, int fd,
    enum file_position_change change)
{
	struct input_source *source = source_of(r, at);
	const char *what = "it was rewritten since";
	struct stat st;
	bool same =
	    fstat(fd, &st) == 0 && file_position_is_of(&source->position, &st);

	if (!same)
		what = "another file has taken its place";
	else if (change == FILE_POSITION_SHORTER)
		what = "it was truncated since";
	warn_plain("warning: %s: was read up to byte %" PRId64
		   ", but %s; read from its start",
	    input_name(r->in), source->position.offset, what);
	if (same) {
		source->position = (struct file_position){ 0 };
	} else {
		/* The old one may be there under another name. */
		source->claimed = false;
		claim_new(r, at);
	}
}

static off_t
opened(void *arg, size_t at, int fd, uint64_t *line)
{
	struct input_reading *r = arg;
	bool regular = is_regular(fd);
	struct file_position *p;
	enum file_position_change change;

	if (r->claims[at] == 0)
		claim_path(r, at, regular);
	p = &source_of(r, at)->position;
	if (!regular) {
		if (!r->all->replay)
			*p = (struct file_position){ 0 };
		XXH3_64bits_reset(r->hash);
		r->passed = 0;
	} else if (p->inode != 0 &&
	    (change = file_position_check(p, fd)) != FILE_POSITION_SAME) {
		begin_anew(r, at, fd, change);
		p = &source_of(r, at)->position;
	}
	*line = (uint64_t)p->line;
	/* Somebody may have read the beginning of stdin for us. */
	return regular && p->inode == 0 ? lseek(fd, 0, SEEK_CUR) :
					  (off_t)p->offset;
}

/* Take down how far the operand has been read. */
static void
take_down(struct input_reading *r, size_t at, int fd, off_t offset)
{
	struct input_source *source = source_of(r, at);
	struct file_position *p = &source->position;

	/* What is being passed over has been taken down before. */
	if (!r->in->regular && r->passed < p->offset)
		return;
	source->changed = true;
	p->line = (int64_t)input_line_number(r->in);
	if (!is_regular(fd)) {
		p->offset = r->passed;
		p->head = (int64_t)XXH3_64bits_digest(r->hash);
	} else if (file_position_take(p, fd, offset) < 0) {
		die_errno("%s", input_name(r->in));
	}
}

static void
left(void *arg, size_t at, int fd, off_t offset)
{
	struct input_reading *r = arg;
	const struct file_position *p = &source_of(r, at)->position;

	if (!is_regular(fd) && r->passed < p->offset)
		die("%s: --replay: expected the %" PRId64
		    " bytes that were read before, got %" PRId64,
		    input_name(r->in), p->offset, r->passed);
	take_down(r, at, fd, offset);
}

static void
used(void *arg, struct span bytes)
{
	struct input_reading *r = arg;
	const struct file_position *p;

	if (r->in->regular)
		return;
	p = &source_of(r, r->in->at)->position;
	XXH3_64bits_update(r->hash, bytes.p, bytes.n);
	r->passed += (int64_t)bytes.n;
	if (r->all->replay && r->passed == p->offset &&
	    p->head != (int64_t)XXH3_64bits_digest(r->hash))
		die("%s: --replay: what was read before is not what is sent "
		    "again",
		    input_name(r->in));
}

void
input_state_open(struct input_state *s, struct store *store,
    struct input *const *inputs, const struct span *streams, size_t n)
{
	s->table = store_table(store, "inputs", column_names, 1, NCOLUMNS);
	store_table_scan(s->table, NULL, 0, take_source, s);
	s->readings = memory_new(n, sizeof *s->readings);
	s->nreadings = n;
	for (size_t i = 0; i < n; i++) {
		struct input_reading *r = &s->readings[i];

		*r = (struct input_reading){ .all = s,
			.in = inputs[i],
			.stream = streams == NULL ? SPAN("") : streams[i],
			.claims =
			    memory_new(inputs[i]->nnames, sizeof *r->claims),
			.hash = XXH3_createState() };
		if (r->hash == NULL)
			memory_exhausted();
		r->hooks = (struct input_hooks){ .arg = r,
			.opened = opened,
			.left = left,
			.used = used,
			.keep_last = s->keep_last,
			.keep_last_of_pipes = s->keep_last && s->replay };
		claim_files(r);
	}
}

void
input_state_fini(struct input_state *s)
{
	for (size_t i = 0; i < s->nreadings; i++) {
		free(s->readings[i].claims);
		XXH3_freeState(s->readings[i].hash);
	}
	free(s->readings);
	for (size_t i = 0; i < s->nsources; i++) {
		span_free(s->sources[i].stream);
		span_free(s->sources[i].path);
	}
	free(s->sources);
	free(s->dirty);
}

void
input_state_resume(struct input_state *s)
{
	for (size_t i = 0; i < s->nreadings; i++)
		input_resume(s->readings[i].in, &s->readings[i].hooks);
}

void
input_state_save(struct input_state *s)
{
	for (size_t i = 0; i < s->nreadings; i++) {
		struct input_reading *r = &s->readings[i];

		if (r->in->hooks == NULL || r->in->at == r->in->nnames)
			continue;
		input_tell(r->in);
		take_down(r, r->in->at, r->in->fd, input_offset(r->in));
	}
	s->ndirty = 0;
	for (size_t i = 0; i < s->nsources; i++) {
		if (!s->sources[i].changed)
			continue;
		s->sources[i].changed = false;
		s->dirty = memory_grow(s->dirty, &s->dirty_cap, s->ndirty + 1,
		    sizeof *s->dirty);
		s->dirty[s->ndirty++] = i;
	}
	store_table_put(s->table, s->ndirty, fill_source, s);
}

uint64_t
input_state_bytes(const struct input_state *s)
{
	uint64_t bytes = 0;

	for (size_t i = 0; i < s->nreadings; i++)
		bytes += s->readings[i].in->bytes;
	return bytes;
}
