/*
 * SPDX-License-Identifier: ISC
 */
#include <sys/stat.h>

#include <stdlib.h>
#include <unistd.h>

#include "checkpoint.h"
#include "clock.h"
#include "diagnostics.h"
#include "input_state.h"
#include "memory.h"
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
	char *output_value;
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

void
checkpoint_check_output(const struct command *command, char *const *files,
    size_t n)
{
	struct stat out, in;

	if (options.output == NULL || stat(options.output, &out) < 0 ||
	    !S_ISREG(out.st_mode))
		return;
	for (size_t i = 0; i <= n; i++) {
		const char *name = i < n ? files[i] : options.state;

		if (name != NULL && stat(name, &in) == 0 &&
		    in.st_dev == out.st_dev && in.st_ino == out.st_ino)
			options_misuse(command, "--output: '%s' is %s",
			    options.output,
			    i < n ? "an input, too" : "the state");
	}
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
				  .name = options.name == NULL ? command->name :
								 options.name },
		    options_give);
}

struct checkpoint *
checkpoint_open(const struct command *command, const struct bolt *bolt,
    const struct checkpoint_ends *ends)
{
	struct checkpoint *c = memory_new(1, sizeof *c);

	*c = (struct checkpoint){ .bolt = bolt, .length = -1 };
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
	free(c);
}
