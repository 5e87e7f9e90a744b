/*
 * SPDX-License-Identifier: ISC
 */
#include <sys/stat.h>

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

#include "checkpoint.h"
#include "clock.h"
#include "diagnostics.h"
#include "hash.h"
#include "memory.h"
#include "position.h"
#include "store.h"

/*
 * A commit is followed by so many times its length without one, but by no
 * more than so many times what --commit says.
 */
enum { REST = 20, MOST = 10 };

static struct {
	const char *state, *name, *output;
	int64_t commit;
	bool final, replay, dump;
} options = { .commit = 1000 };

const struct option_spec checkpoint_dump_options[] = {
	{ .name = "dump",
	    .kind = OPTION_FLAG,
	    .to = &options.dump,
	    .help = "write all that the state holds, read no input" },
	{ .name = "commit",
	    .arg = "D",
	    .kind = OPTION_DURATION,
	    .to = &options.commit,
	    .help = "commit the state each D (1s)" },
	{ .name = "final",
	    .kind = OPTION_FLAG,
	    .to = &options.final,
	    .help = "no more input will come: close what is open" },
	{ .name = "name",
	    .arg = "NAME",
	    .kind = OPTION_TEXT,
	    .to = &options.name,
	    .help = "of this command's part of the state" },
	{ .name = "output",
	    .arg = "FILE",
	    .kind = OPTION_TEXT,
	    .to = &options.output,
	    .help = "write rows to FILE" },
	{ .name = "replay",
	    .kind = OPTION_FLAG,
	    .to = &options.replay,
	    .help = "a pipe sends again what was read before" },
	{ .name = "state",
	    .arg = "FILE",
	    .kind = OPTION_TEXT,
	    .to = &options.state,
	    .help = "keep the state in FILE, and go on from it" },
	{ 0 },
};

/* An input that was read, now or in an earlier run. */
struct source {
	struct position position;
	struct span path;
	bool claimed; /* by an operand of this run */
	bool changed; /* since the last commit */
};

struct checkpoint {
	const struct bolt *bolt;
	struct input *in;
	struct output *out;
	struct input_hooks hooks;
	struct store *store;
	struct store_table *inputs;
	struct source *sources;
	size_t nsources, cap;
	size_t *claims; /* by operand: its source, plus 1 */
	size_t *dirty;	/* sources to be put, for a moment */
	size_t ndirty, dirty_cap;
	XXH3_state_t *hash; /* of what the open pipe has sent */
	int64_t passed;	    /* bytes in it */
	int64_t due_ms;
	uint64_t bytes; /* read at the last commit */
	int64_t length; /* of the output at the last commit; -1: unknown */
	char *output_value;
};

bool
checkpoint_is_wanted(void)
{
	return options.state != NULL;
}

bool
checkpoint_is_dump(void)
{
	return options.dump;
}

bool
checkpoint_is_final(void)
{
	return options.final;
}

const char *
checkpoint_output(void)
{
	return options.output;
}

void
checkpoint_check_options(const struct command *command)
{
	const struct {
		bool given;
		const char *name;
	} needs[] = {
		{ options.dump, "--dump" },
		{ options.final, "--final" },
		{ options.name != NULL, "--name" },
		{ options.replay, "--replay" },
	};

	for (size_t i = 0; i < sizeof needs / sizeof needs[0]; i++)
		if (needs[i].given && options.state == NULL)
			options_misuse(command, "%s needs --state",
			    needs[i].name);
}

/* What is kept of a source, in the columns of the table of inputs. */
enum {
	SOURCE,
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
	[PATH] = { "path", 4 },
	[DEVICE] = { "device", 6 },
	[INODE] = { "inode", 5 },
	[OFFSET] = { "offset", 6 },
	[LINE] = { "line", 4 },
	[HEAD] = { "head", 4 },
	[TAIL] = { "tail", 4 },
};

static struct source *
new_source(struct checkpoint *c, struct span path)
{
	struct source *s;
	char *copy = memory_new(path.n + 1, 1);

	memcpy(copy, path.p, path.n);
	c->sources = memory_grow(c->sources, &c->cap, c->nsources + 1,
	    sizeof *c->sources);
	s = &c->sources[c->nsources++];
	*s = (struct source){ .path = { copy, path.n } };
	return s;
}

static void
take_source(void *arg, size_t i, const struct column *row)
{
	struct checkpoint *c = arg;
	struct source *s = new_source(c, row[PATH].bytes);

	(void)i;
	s->position = (struct position){ row[DEVICE].i, row[INODE].i,
		row[OFFSET].i, row[LINE].i, row[HEAD].i, row[TAIL].i };
}

static void
fill_source(void *arg, size_t i, struct column *row)
{
	const struct checkpoint *c = arg;
	const struct source *s = &c->sources[c->dirty[i]];
	const struct position *p = &s->position;

	row[SOURCE] = column_of_int((int64_t)c->dirty[i]);
	row[PATH] = column_of_text(s->path);
	row[DEVICE] = column_of_int(p->device);
	row[INODE] = column_of_int(p->inode);
	row[OFFSET] = column_of_int(p->offset);
	row[LINE] = column_of_int(p->line);
	row[HEAD] = column_of_int(p->head);
	row[TAIL] = column_of_int(p->tail);
}

static bool
is_regular(int fd)
{
	struct stat st;

	return fstat(fd, &st) == 0 && S_ISREG(st.st_mode);
}

/* A source for an operand that has none. */
static void
claim_new(struct checkpoint *c, size_t at)
{
	new_source(c, span_of(c->in->names[at]))->claimed = true;
	c->claims[at] = c->nsources;
}

/*
 * Give each operand the source that is its very file, before any is given
 * one by its path: log.1 is what log was when it was read.
 */
static void
claim_files(struct checkpoint *c)
{
	for (size_t at = 0; at < c->in->nnames; at++) {
		const char *name = c->in->names[at];
		struct stat st;

		if (strcmp(name, "-") == 0 ? fstat(STDIN_FILENO, &st) < 0 :
					     stat(name, &st) < 0)
			continue;
		for (size_t i = c->nsources; i-- > 0 && c->claims[at] == 0;) {
			struct source *s = &c->sources[i];

			if (s->claimed || !position_is_of(&s->position, &st))
				continue;
			c->claims[at] = i + 1;
			s->claimed = true;
		}
	}
}

/* Give the operand the last source of its path, if no other has it. */
static void
claim_path(struct checkpoint *c, size_t at, bool regular)
{
	struct span path = span_of(c->in->names[at]);

	for (size_t i = c->nsources; i-- > 0 && c->claims[at] == 0;) {
		struct source *s = &c->sources[i];

		if (s->claimed || !span_eq(s->path, path) ||
		    regular != (s->position.inode != 0))
			continue;
		c->claims[at] = i + 1;
		s->claimed = true;
	}
	if (c->claims[at] == 0)
		claim_new(c, at);
}

/* Say why a file is not resumed, and begin with it anew. */
static void
begin_anew(struct checkpoint *c, size_t at, int fd, enum position_change change)
{
	struct source *s = &c->sources[c->claims[at] - 1];
	const char *what = "it was rewritten since";
	struct stat st;
	bool same = fstat(fd, &st) == 0 && position_is_of(&s->position, &st);

	if (!same)
		what = "another file has taken its place";
	else if (change == POSITION_SHORTER)
		what = "it was truncated since";
	warn_plain("warning: %s: was read up to byte %" PRId64
		   ", but %s; read from its start",
	    input_name(c->in), s->position.offset, what);
	if (same) {
		s->position = (struct position){ 0 };
	} else {
		/* The old one may be there under another name. */
		s->claimed = false;
		claim_new(c, at);
	}
}

static off_t
opened(void *arg, size_t at, int fd, uint64_t *line)
{
	struct checkpoint *c = arg;
	bool regular = is_regular(fd);
	const struct position *p;
	enum position_change change;

	if (c->claims[at] == 0)
		claim_path(c, at, regular);
	p = &c->sources[c->claims[at] - 1].position;
	if (!regular) {
		if (!options.replay)
			c->sources[c->claims[at] - 1].position =
			    (struct position){ 0 };
		XXH3_64bits_reset(c->hash);
		c->passed = 0;
	} else if (p->inode != 0 &&
	    (change = position_check(p, fd)) != POSITION_SAME) {
		begin_anew(c, at, fd, change);
	}
	p = &c->sources[c->claims[at] - 1].position;
	*line = (uint64_t)p->line;
	/* Somebody may have read the beginning of stdin for us. */
	return regular && p->inode == 0 ? lseek(fd, 0, SEEK_CUR) :
					  (off_t)p->offset;
}

/* Take down how far the operand has been read. */
static void
take_down(struct checkpoint *c, size_t at, int fd, off_t offset)
{
	struct source *s = &c->sources[c->claims[at] - 1];

	/* What is being passed over has been taken down before. */
	if (!c->in->regular && c->passed < s->position.offset)
		return;
	s->changed = true;
	s->position.line = (int64_t)c->in->line - c->in->in_long;
	if (!is_regular(fd)) {
		s->position.offset = c->passed;
		s->position.head = (int64_t)XXH3_64bits_digest(c->hash);
	} else if (position_take(&s->position, fd, offset) < 0) {
		die_errno("%s", input_name(c->in));
	}
}

static void
left(void *arg, size_t at, int fd, off_t offset)
{
	struct checkpoint *c = arg;
	const struct position *p = &c->sources[c->claims[at] - 1].position;

	if (!is_regular(fd) && c->passed < p->offset)
		die("%s: --replay: expected the %" PRId64
		    " bytes that were read before, got %" PRId64,
		    input_name(c->in), p->offset, c->passed);
	take_down(c, at, fd, offset);
}

static void
used(void *arg, struct span bytes)
{
	struct checkpoint *c = arg;
	const struct position *p;

	if (c->in->regular)
		return;
	p = &c->sources[c->claims[c->in->at] - 1].position;
	XXH3_64bits_update(c->hash, bytes.p, bytes.n);
	c->passed += (int64_t)bytes.n;
	if (options.replay && c->passed == p->offset &&
	    p->head != (int64_t)XXH3_64bits_digest(c->hash))
		die("%s: --replay: what was read before is not what is sent "
		    "again",
		    input_name(c->in));
}

/* Cut off what was written after the last commit. */
static void
cut_output(struct checkpoint *c)
{
	if (c->length >= 0 && ftruncate(c->out->fd, (off_t)c->length) < 0)
		warn_errno("%s", c->out->name);
}

/* The one that is open, for when the program stops. */
static struct checkpoint *open_checkpoint;

static void
cut_at_exit(void)
{
	if (open_checkpoint != NULL)
		cut_output(open_checkpoint);
}

static int64_t
output_length(const struct checkpoint *c)
{
	struct stat st;

	if (fstat(c->out->fd, &st) < 0)
		die_errno("%s", c->out->name);
	return S_ISREG(st.st_mode) ? (int64_t)st.st_size : -1;
}

/* Go on in the output where the last commit left it. */
static void
resume_output(struct checkpoint *c)
{
	struct buffer name = { 0 }, got = { 0 };
	int64_t now = output_length(c), then;

	buffer_put(&name, SPAN("output "));
	buffer_put(&name, span_of(c->out->name));
	buffer_byte(&name, '\0');
	c->output_value = name.p;
	c->length = now;
	if (now >= 0 && store_get_value(c->store, c->output_value, &got)) {
		then = store_get_int(c->store, c->output_value);
		if (then <= now)
			c->length = then;
		else
			warn_plain("warning: %s: is shorter than what was "
				   "written to it; goes on at its end",
			    c->out->name);
		cut_output(c);
	}
	buffer_fini(&got);
	open_checkpoint = c;
	atexit(cut_at_exit);
}

static struct store *
open_store(const struct command *command, bool read_only)
{
	struct store_part part = { .path = options.state,
		.command = command->name,
		.name = options.name == NULL ? command->name : options.name,
		.read_only = read_only };
	struct store_option *list = NULL;
	struct buffer text = { 0 };
	struct store *s;
	size_t cap = 0;

	for (const struct option_spec *o = command->options; o->name != NULL;
	     o++) {
		if (o->changeable)
			continue;
		list = memory_grow(list, &cap, part.noptions + 1, sizeof *list);
		options_put_value(o, &text);
		buffer_byte(&text, '\0');
		list[part.noptions].text = text.p;
		text = (struct buffer){ 0 };
		buffer_put(&text, span_of(option_name(o)));
		buffer_byte(&text, '\0');
		list[part.noptions++].name = text.p;
		text = (struct buffer){ 0 };
	}
	part.options = list;
	s = store_open(&part);
	for (size_t i = 0; i < part.noptions; i++) {
		free((char *)(uintptr_t)list[i].name);
		free((char *)(uintptr_t)list[i].text);
	}
	free(list);
	return s;
}

void
checkpoint_recall(const struct command *command)
{
	if (options.dump && options.state != NULL)
		store_options(&(struct store_part){ .path = options.state,
				  .name = options.name == NULL ? command->name :
								 options.name },
		    options_give);
}

struct checkpoint *
checkpoint_open(const struct command *command, const struct bolt *bolt,
    struct input *in, struct output *out)
{
	struct checkpoint *c = memory_new(1, sizeof *c);

	*c = (struct checkpoint){
		.bolt = bolt, .in = in, .out = out, .length = -1
	};
	c->store = open_store(command, options.dump);
	bolt->restore(bolt->self, c->store);
	if (options.dump)
		return c;
	c->inputs = store_table(c->store, "inputs", column_names, 1, NCOLUMNS);
	store_scan(c->inputs, NULL, 0, take_source, c);
	c->claims = memory_new(in->nnames, sizeof *c->claims);
	claim_files(c);
	c->hash = XXH3_createState();
	if (c->hash == NULL)
		die("out of memory");
	c->hooks = (struct input_hooks){ .arg = c,
		.opened = opened,
		.left = left,
		.used = used,
		.keep_last = !options.final,
		.keep_last_of_pipes = options.replay && !options.final };
	if (options.output != NULL)
		resume_output(c);
	checkpoint_commit(c);
	c->due_ms = clock_now_ms() + options.commit;
	input_resume(in, &c->hooks);
	return c;
}

int64_t
checkpoint_due_ms(const struct checkpoint *c)
{
	return c->in->bytes == c->bytes ? INT64_MAX : c->due_ms;
}

/* Put the sources that have changed. */
static void
put_sources(struct checkpoint *c)
{
	c->ndirty = 0;
	for (size_t i = 0; i < c->nsources; i++) {
		if (!c->sources[i].changed)
			continue;
		c->sources[i].changed = false;
		c->dirty = memory_grow(c->dirty, &c->dirty_cap, c->ndirty + 1,
		    sizeof *c->dirty);
		c->dirty[c->ndirty++] = i;
	}
	store_multi_put(c->inputs, c->ndirty, fill_source, c);
}

/* Let the output reach the disk before what says how long it is. */
static void
sync_output(struct checkpoint *c)
{
	output_flush(c->out);
	if (c->length < 0)
		return;
	if (fdatasync(c->out->fd) < 0)
		die_errno("%s", c->out->name);
	store_put_int(c->store, c->output_value, output_length(c));
}

void
checkpoint_commit(struct checkpoint *c)
{
	int64_t start = clock_now_ms(), rest;

	if (c->in->hooks != NULL && c->in->at < c->in->nnames) {
		input_tell(c->in);
		take_down(c, c->in->at, c->in->fd, input_offset(c->in));
	}
	store_begin(c->store);
	c->bolt->save(c->bolt->self, c->store);
	put_sources(c);
	sync_output(c);
	store_commit(c->store);
	if (c->length >= 0)
		c->length = output_length(c);
	c->bytes = c->in->bytes;
	rest = REST * (clock_now_ms() - start);
	if (rest / MOST > options.commit)
		rest = MOST * options.commit;
	c->due_ms = start + (options.commit > rest ? options.commit : rest);
}

void
checkpoint_close(struct checkpoint *c)
{
	if (c == NULL)
		return;
	open_checkpoint = NULL;
	store_close(c->store);
	for (size_t i = 0; i < c->nsources; i++)
		free((char *)(uintptr_t)c->sources[i].path.p);
	free(c->sources);
	free(c->claims);
	free(c->dirty);
	free(c->output_value);
	XXH3_freeState(c->hash);
	free(c);
}
