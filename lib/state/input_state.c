/*
 * SPDX-License-Identifier: ISC
 */
#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/diagnostics.h"
#include "base/hash_map.h"
#include "base/memory.h"
#include "state/input_state.h"

static struct input_operand *
operand_of(const struct input_reading *r)
{
	return &r->operands[r->in->at];
}

/* What has been used of the open file. */
static struct content_mark
mark(const struct input_reading *r)
{
	if (r->in->in_long)
		return r->long_line;
	if (r->in->regular || r->in->compressed)
		return content_mark(&r->content);
	return (struct content_mark){ .length = r->content.length,
		.head = (int64_t)XXH3_64bits_digest(r->hash) };
}

/* Tell whether the open file is that of a table. */
static bool
is_table(const struct input_reading *r)
{
	return r->operands->is_table && (r->in->regular || r->in->compressed);
}

static void
begin_pipe(struct input_reading *r, struct input_operand *o)
{
	input_match_pipe(&r->all->records, o);
	if (!r->all->replay) {
		o->record->content = (struct content_mark){ 0 };
		o->record->line = 0;
	}
	r->content.length = 0;
	XXH3_64bits_reset(r->hash);
}

/* Begin the hash of a table with what has been read of its file. */
static void
hash_first(struct input_reading *r, int fd, int64_t length)
{
	struct content_file f;

	content_file_init(&f, fd, r->in->names[r->in->at]);
	content_file_hash(&f, length, r->hash);
}

/*
 * Forget what was read of the file of a table if it was changed.  Of what an
 * older version has read that is not known.
 */
static void
check_whole(struct input_reading *r, struct input_record *record, int fd)
{
	hash_first(r, fd, record->content.length);
	if (record->whole == 0 ||
	    record->whole == (int64_t)XXH3_64bits_digest(r->hash))
		return;
	record->content = (struct content_mark){ 0 };
	record->line = 0;
	r->content.length = 0;
}

static void
begin_file(struct input_reading *r, struct input_operand *o, int fd)
{
	struct input_records *rs = &r->all->records;
	const char *name = input_name(r->in);
	off_t at;

	do
		input_match_file(rs, o, fd);
	while (!content_load(&r->content, fd, name, &o->record->content));
	input_match_refute(rs, o, fd);
	if (o->is_table && r->content.length != 0)
		check_whole(r, o->record, fd);
	if (r->content.length != 0)
		return;
	/* Somebody may have read the beginning of stdin for us. */
	at = lseek(fd, 0, SEEK_CUR);
	if (at > 0 && !content_load_first(&r->content, fd, name, (int64_t)at))
		r->content.length = 0;
	if (o->is_table)
		hash_first(r, fd, r->content.length);
}

/* What was read of a compressed file is read again, to come behind it. */
static void
begin_compressed(struct input_reading *r, struct input_operand *o, int fd)
{
	struct input_records *rs = &r->all->records;

	input_match_file(rs, o, fd);
	input_match_refute(rs, o, fd);
	if (fstat(fd, &r->opened) < 0)
		die_errno("%s", input_name(r->in));
	r->used_up = input_match_is_used_up(o->record, &r->opened);
	if (o->is_table && !r->used_up)
		check_whole(r, o->record, fd);
	r->content.length = 0;
	XXH3_64bits_reset(r->hash);
}

static off_t
opened(void *arg, size_t at, int fd, uint64_t *line)
{
	struct input_reading *r = arg;
	struct input_operand *o = &r->operands[at];

	r->used_up = false;
	if (r->in->regular)
		begin_file(r, o, fd);
	else if (r->in->compressed)
		begin_compressed(r, o, fd);
	else
		begin_pipe(r, o);
	*line = (uint64_t)o->record->line;
	if (r->used_up)
		return INPUT_USED_UP;
	return (off_t)(r->in->regular ? r->content.length :
					o->record->content.length);
}

static void
used(void *arg, struct span bytes)
{
	struct input_reading *r = arg;
	const struct content_mark *before = &operand_of(r)->record->content;

	content_add(&r->content, bytes);
	if (is_table(r) || !(r->in->regular || r->in->compressed))
		XXH3_64bits_update(r->hash, bytes.p, bytes.n);
	if (r->in->regular || r->in->compressed)
		return;
	if (r->all->replay && r->content.length == before->length &&
	    before->head != (int64_t)XXH3_64bits_digest(r->hash))
		die("%s: --replay: expected what was read before, got "
		    "something else",
		    input_name(r->in));
}

static void
long_line(void *arg)
{
	struct input_reading *r = arg;

	r->long_line = mark(r);
	if (is_table(r))
		r->long_line_hash = (int64_t)XXH3_64bits_digest(r->hash);
}

/* Tell whether what was read before is still being passed over. */
static bool
is_behind(const struct input_reading *r)
{
	return !r->in->regular &&
	    r->content.length < operand_of(r)->record->content.length;
}

/* Take down how far the open file has been used. */
static void
take_down(struct input_reading *r)
{
	struct input_record *record = operand_of(r)->record;

	if (is_behind(r) || r->used_up)
		return;
	record->content = mark(r);
	record->size = 0;
	record->line = (int64_t)input_line_number(r->in);
	record->changed = true;
	if (is_table(r))
		record->whole = r->in->in_long ?
		    r->long_line_hash :
		    (int64_t)XXH3_64bits_digest(r->hash);
}

static bool
stands(void *arg, struct span rest)
{
	struct input_reading *r = arg;
	const struct content *c = &r->content;
	const char *name = input_name(r->in);
	struct span tail = content_tail(c);

	if (content_is_at(r->in->fd, name, c->length - (int64_t)tail.n, tail) &&
	    content_is_at(r->in->fd, name, c->length, rest))
		return true;
	take_down(r);
	r->all->urgent = true;
	return false;
}

static void
left(void *arg)
{
	struct input_reading *r = arg;

	if (is_behind(r) && !r->in->compressed)
		die("%s: --replay: expected the %" PRId64
		    " bytes that were read before, got %" PRId64,
		    input_name(r->in), operand_of(r)->record->content.length,
		    r->content.length);
	take_down(r);
	if (r->in->compressed && !r->used_up && !r->in->is_damaged &&
	    r->in->start == r->in->end && !r->in->in_long)
		input_match_use_up(operand_of(r)->record, &r->opened);
}

static void
reading_init(struct input_reading *r, struct input_state *s, struct input *in,
    struct input_operand *operands, struct span stream, bool table)
{
	*r = (struct input_reading){ .all = s,
		.in = in,
		.operands = operands,
		.hash = XXH3_createState() };
	if (r->hash == NULL)
		memory_exhausted();
	for (size_t i = 0; i < in->nnames; i++)
		operands[i] =
		    (struct input_operand){ .name = span_of(in->names[i]),
			    .stream = stream,
			    .is_table = table };
	r->hooks = (struct input_hooks){ .arg = r,
		.opened = opened,
		.used = used,
		.long_line = long_line,
		.stands = stands,
		.left = left,
		.keep_last = s->keep_last,
		.keep_last_of_pipes = s->keep_last && s->replay };
}

void
input_state_open(struct input_state *s, struct store *store,
    struct input *const *inputs, const struct span *streams, size_t n)
{
	size_t noperands = 0, at = 0;

	input_records_open(&s->records, store);
	for (size_t i = 0; i < n; i++)
		noperands += inputs[i]->nnames;
	s->operands = memory_new(noperands, sizeof *s->operands);
	s->readings = memory_new(n, sizeof *s->readings);
	s->nreadings = n;
	for (size_t i = 0; i < n; i++) {
		reading_init(&s->readings[i], s, inputs[i], s->operands + at,
		    streams == NULL ? SPAN("") : streams[i],
		    s->is_table != NULL && s->is_table[i]);
		at += inputs[i]->nnames;
	}
	input_match_all(&s->records, s->operands, noperands);
}

void
input_state_names(const struct input_state *s, struct span *names)
{
	struct hash_map taken; /* what files were called in the last run */
	bool added;

	hash_map_init(&taken, 0);
	for (size_t i = 0; i < s->nreadings; i++) {
		struct span was = s->readings[i].operands->was;

		if (was.p != NULL)
			hash_map_put(&taken, was, was, hash_bytes(was), &added);
	}
	for (size_t i = 0; i < s->nreadings; i++) {
		const struct input_operand *o = s->readings[i].operands;

		if (o->was.p != NULL)
			names[i] = o->was;
		else if (hash_map_get(&taken, o->name, hash_bytes(o->name)) ==
		    HASH_MAP_NONE)
			names[i] = o->name;
		else
			names[i] = SPAN("");
	}
	hash_map_fini(&taken);
}

void
input_state_fini(struct input_state *s)
{
	for (size_t i = 0; i < s->nreadings; i++)
		for (size_t k = 0; k < s->readings[i].in->nnames; k++)
			span_free(s->readings[i].operands[k].was);
	for (size_t i = 0; i < s->nreadings; i++)
		XXH3_freeState(s->readings[i].hash);
	free(s->readings);
	free(s->operands);
	input_records_fini(&s->records);
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
		take_down(r);
	}
	input_records_save(&s->records);
	s->urgent = false;
}

uint64_t
input_state_bytes(const struct input_state *s)
{
	uint64_t bytes = 0;

	for (size_t i = 0; i < s->nreadings; i++)
		bytes += s->readings[i].in->bytes;
	return bytes;
}
