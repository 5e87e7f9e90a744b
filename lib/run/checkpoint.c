/*
 * SPDX-License-Identifier: ISC
 */
#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/diagnostics.h"
#include "base/memory.h"
#include "run/checkpoint.h"
#include "state/input_state.h"
#include "state/output_state.h"
#include "state/store.h"

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
	{ .name = "state",
	    .arg = "FILE",
	    .kind = OPTION_TEXT,
	    .to = &options.state,
	    .help = "keep the state in FILE, and go on from it" },
	{ .name = "output",
	    .arg = "FILE",
	    .kind = OPTION_TEXT,
	    .to = &options.output,
	    .help = "write rows to FILE" },
	{ .name = "final",
	    .kind = OPTION_FLAG,
	    .to = &options.final,
	    .help = "no more input will come: close what is open" },
	{ .name = "commit",
	    .arg = "D",
	    .kind = OPTION_DURATION,
	    .to = &options.commit,
	    .help = "commit the state each D (1s)" },
	{ .name = "name",
	    .arg = "NAME",
	    .kind = OPTION_TEXT,
	    .to = &options.name,
	    .help = "of this command's part of the state" },
	{ .name = "replay",
	    .kind = OPTION_FLAG,
	    .to = &options.replay,
	    .help = "a pipe sends again what was read before" },
	{ 0 },
};

struct checkpoint {
	const struct bolt *bolt;
	struct store *store;
	struct input_state inputs;
	struct output_state output;
	int64_t due_ms;
	uint64_t bytes; /* read at the last commit */
	bool goes_on;	/* a run before has read something */
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
checkpoint_add_uses(struct file_uses *uses)
{
	if (options.state != NULL)
		file_uses_keep(uses, options.state);
	if (options.output != NULL)
		file_uses_write(uses, "--output", options.output, false);
	else
		file_uses_write_stdout(uses);
}

/* The one that is open, for when the program stops. */
static struct checkpoint *open_checkpoint;

static void
cut_at_exit(void)
{
	if (open_checkpoint != NULL)
		output_state_cut(&open_checkpoint->output);
}

static struct store *
open_store(const struct command *command, const char *streams, bool read_only)
{
	struct store_part part = { .path = options.state,
		.command = command->name,
		.name = options.name == NULL ? command->name : options.name,
		.read_only = read_only };
	struct store *s;

	if (streams != NULL)
		store_options_add(&part.options, "streams", span_of(streams));
	store_options_add_command(&part.options, command);
	s = store_open(&part);
	store_options_fini(&part.options);
	return s;
}

void
checkpoint_recall(const struct command *command)
{
	if (options.dump && options.state != NULL)
		store_recall(&(struct store_part){ .path = options.state,
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

	c->bolt = bolt;
	c->store = open_store(command, ends == NULL ? NULL : ends->operands,
	    options.dump);
	bolt->restore(bolt->self, c->store);
	c->goes_on = store_get_int(c->store, "read") != 0;
	if (ends == NULL)
		return c;
	c->inputs.replay = options.replay;
	c->inputs.keep_last = !options.final;
	input_state_open(&c->inputs, c->store, ends->inputs, ends->streams,
	    ends->n);
	output_state_open(&c->output, c->store, ends->out,
	    options.output != NULL);
	open_checkpoint = c;
	atexit(cut_at_exit);
	checkpoint_commit(c);
	c->due_ms = clock_now_ms() + interval();
	input_state_resume(&c->inputs);
	return c;
}

bool
checkpoint_goes_on(const struct checkpoint *c)
{
	return c != NULL && c->goes_on;
}

int64_t
checkpoint_due_ms(const struct checkpoint *c)
{
	if (c->inputs.urgent)
		return 0;
	return input_state_bytes(&c->inputs) == c->bytes ? INT64_MAX :
							   c->due_ms;
}

void
checkpoint_commit(struct checkpoint *c)
{
	int64_t start = clock_now_ms(), rest;
	uint64_t bytes = input_state_bytes(&c->inputs);

	output_state_sync(&c->output);
	store_begin(c->store);
	store_put_int(c->store, "read", c->goes_on || bytes != 0);
	c->bolt->save(c->bolt->self, c->store);
	input_state_save(&c->inputs);
	output_state_save(&c->output);
	store_commit(c->store);
	output_state_committed(&c->output);
	c->bytes = bytes;
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
	output_state_fini(&c->output);
	open_checkpoint = NULL;
	store_close(c->store);
	input_state_fini(&c->inputs);
	free(c);
}
