/*
 * SPDX-License-Identifier: ISC
 */
#include <sys/stat.h>

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "checkpoint.h"
#include "clock.h"
#include "diagnostics.h"
#include "hash.h"
#include "input_state.h"
#include "memory.h"
#include "store.h"

/*
 * A commit is followed by so many times its length without one, but by no
 * more than so many times what --commit says.
 */
enum { REST = 20, MOST = 10 };

/* By so many bytes at its end an output is known. */
enum { OUTPUT_TAIL = 4096 };

static struct {
	const char *state, *name, *output;
	int64_t commit;
	bool final, replay, dump;
} options;

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

struct checkpoint {
	const struct bolt *bolt;
	struct output *out;
	struct store *store;
	struct input_state inputs;
	int64_t due_ms;
	uint64_t bytes; /* read at the last commit */
	int64_t length; /* of the output at the last commit; -1: unknown */
	int reader;	/* of the output; -1: none */
	char *output_value, *hash_value, *hashed_value;
};

/* How far apart commits are, in milliseconds. */
static int64_t
interval(void)
{
	return options.commit != 0 ? options.commit : 1000;
}

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
		{ options.commit != 0, "--commit" },
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

static bool
is_file(const struct stat *file, const char *name)
{
	struct stat st;

	return (strcmp(name, "-") == 0 ? fstat(STDIN_FILENO, &st) :
					 stat(name, &st)) == 0 &&
	    st.st_dev == file->st_dev && st.st_ino == file->st_ino;
}

void
checkpoint_check_output(const struct command *command, const char *option,
    const char *path, char *const *files, size_t n)
{
	static char just_stdin[] = "-", *const none[] = { just_stdin };
	struct stat st;
	bool exists = path != NULL && stat(path, &st) == 0;

	if (path != NULL && options.state != NULL &&
	    (exists ? is_file(&st, options.state) :
		      strcmp(path, options.state) == 0))
		options_misuse(command, "%s: '%s' is the state", option, path);
	if (!exists || !S_ISREG(st.st_mode))
		return;
	if (n == 0) {
		files = none;
		n = 1;
	}
	for (size_t i = 0; i < n; i++)
		if (is_file(&st, files[i]))
			options_misuse(command, "%s: '%s' is an input, too",
			    option, path);
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

/*
 * Hash what the file has before an offset, its last bytes, by which a file
 * that was put in its place is known; 0 where it cannot be read.
 */
static int64_t
hash_before(const struct checkpoint *c, int64_t end)
{
	char bytes[OUTPUT_TAIL];
	size_t n = end < OUTPUT_TAIL ? (size_t)end : OUTPUT_TAIL;
	ssize_t got;

	if (c->reader < 0)
		return 0;
	got = pread(c->reader, bytes, n, (off_t)end - (off_t)n);
	if (got != (ssize_t)n)
		return 0;
	return (int64_t)(hash_seeded((struct span){ bytes, n }, 0) >> 1);
}

/* Where the last commit left the output, which has so many bytes now. */
static int64_t
length_then(struct checkpoint *c, int64_t now)
{
	int64_t then = store_get_int(c->store, c->output_value);
	int64_t hash = store_get_int(c->store, c->hash_value);
	const char *wrong = "not";
	char last = '\n';

	if (then > now)
		wrong = "shorter than";
	else if (hash == 0 ||
	    store_get_int(c->store, c->hashed_value) != then ||
	    hash == hash_before(c, then))
		return then;
	warn_plain("warning: %s: is %s what was written to it; goes on at its "
		   "end",
	    c->out->name, wrong);
	if (c->reader >= 0 && now > 0 &&
	    pread(c->reader, &last, 1, (off_t)now - 1) == 1 && last != '\n')
		buffer_byte(&c->out->rows, '\n');
	return now;
}

/* Go on in the output where the last commit left it. */
static void
resume_output(struct checkpoint *c)
{
	struct buffer got = { 0 };

	c->output_value = value_name("output", c->out->name);
	c->hash_value = value_name("hash", c->out->name);
	c->hashed_value = value_name("hashed", c->out->name);
	c->length = output_length(c);
	if (c->length >= 0)
		c->reader = open(c->out->name, O_RDONLY | O_CLOEXEC);
	if (c->length >= 0 &&
	    store_get_value(c->store, c->output_value, &got)) {
		c->length = length_then(c, c->length);
		cut_output(c);
	}
	buffer_fini(&got);
	open_checkpoint = c;
	atexit(cut_at_exit);
}

struct option_list {
	struct store_option *options;
	size_t n, cap;
};

static char *
copy(struct span s)
{
	char *p = memory_new(s.n + 1, 1);

	memcpy(p, s.p, s.n);
	return p;
}

static void
add_option(struct option_list *l, const char *name, struct span text)
{
	l->options =
	    memory_grow(l->options, &l->cap, l->n + 1, sizeof *l->options);
	l->options[l->n++] =
	    (struct store_option){ copy(span_of(name)), copy(text) };
}

static struct store *
open_store(const struct command *command, const char *streams, bool read_only)
{
	struct store_part part = { .path = options.state,
		.command = command->name,
		.name = options.name == NULL ? command->name : options.name,
		.read_only = read_only };
	struct option_list list = { 0 };
	struct buffer text = { 0 };
	struct store *s;

	if (streams != NULL)
		add_option(&list, "streams", span_of(streams));
	for (const struct option_spec *o = command->options; o->name != NULL;
	     o++) {
		if (o->changeable)
			continue;
		text.n = 0;
		options_put_value(o, &text);
		add_option(&list, option_name(o), buffer_span(&text));
	}
	part.options = list.options;
	part.noptions = list.n;
	s = store_open(&part);
	for (size_t i = 0; i < list.n; i++) {
		free((char *)(uintptr_t)list.options[i].name);
		free((char *)(uintptr_t)list.options[i].text);
	}
	free(list.options);
	buffer_fini(&text);
	return s;
}

void
checkpoint_recall(const struct command *command)
{
	if (options.dump && options.state != NULL)
		store_options(&(struct store_part){ .path = options.state,
				  .command = command->name,
				  .name = options.name == NULL ? command->name :
								 options.name },
		    options_give);
}

struct checkpoint *
checkpoint_open(const struct command *command, const struct bolt *bolt,
    const struct checkpoint_ends *ends)
{
	struct checkpoint *c = memory_new(1, sizeof *c);

	*c = (struct checkpoint){ .bolt = bolt, .length = -1, .reader = -1 };
	c->store = open_store(command, ends == NULL ? NULL : ends->operands,
	    options.dump);
	bolt->restore(bolt->self, c->store);
	if (ends == NULL)
		return c;
	c->out = ends->out;
	c->inputs.replay = options.replay;
	c->inputs.keep_last = !options.final;
	input_state_open(&c->inputs, c->store, ends->inputs, ends->streams,
	    ends->n);
	if (options.output != NULL)
		resume_output(c);
	checkpoint_commit(c);
	c->due_ms = clock_now_ms() + interval();
	input_state_resume(&c->inputs);
	return c;
}

int64_t
checkpoint_due_ms(const struct checkpoint *c)
{
	return input_state_bytes(&c->inputs) == c->bytes ? INT64_MAX :
							   c->due_ms;
}

/* Let the output reach the disk before what says how long it is. */
static void
sync_output(struct checkpoint *c)
{
	int64_t length;

	output_flush(c->out);
	if (c->length < 0)
		return;
	if (fdatasync(c->out->fd) < 0)
		die_errno("%s", c->out->name);
	length = output_length(c);
	store_put_int(c->store, c->output_value, length);
	store_put_int(c->store, c->hash_value, hash_before(c, length));
	store_put_int(c->store, c->hashed_value, length);
}

void
checkpoint_commit(struct checkpoint *c)
{
	int64_t start = clock_now_ms(), rest;

	store_begin(c->store);
	c->bolt->save(c->bolt->self, c->store);
	input_state_save(&c->inputs);
	sync_output(c);
	store_commit(c->store);
	if (c->length >= 0)
		c->length = output_length(c);
	c->bytes = input_state_bytes(&c->inputs);
	rest = REST * (clock_now_ms() - start);
	if (rest / MOST > interval())
		rest = MOST * interval();
	c->due_ms = start + (interval() > rest ? interval() : rest);
}

void
checkpoint_close(struct checkpoint *c)
{
	if (c == NULL)
		return;
	open_checkpoint = NULL;
	store_close(c->store);
	input_state_fini(&c->inputs);
	free(c->output_value);
	free(c->hash_value);
	free(c->hashed_value);
	if (c->reader >= 0)
		close(c->reader);
	free(c);
}
