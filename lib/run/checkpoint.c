/*
 * SPDX-License-Identifier: ISC
 */
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/diagnostics.h"
#include "base/duration.h"
#include "base/memory.h"
#include "run/checkpoint.h"
#include "state/input_state.h"
#include "state/output_state.h"
#include "state/store.h"

/*
 * After a commit there is none for REST times as long as it took, but for no more
 * than MOST times what --commit says.
 */
enum { REST = 20, MOST = 10 };

#define CLOCK "clock" /* the time of the last commit, in the state */

#define AT(member) offsetof(struct checkpoint_settings, member)

const struct option_spec checkpoint_dump_options[] = {
	{ .name = "dump",
	    .kind = OPTION_FLAG,
	    .to = AT(dump),
	    .help = "write all that the state holds, read no input",
	    .needs = "--state" },
	{ .name = "state",
	    .arg = "FILE",
	    .kind = OPTION_FILE,
	    .to = AT(state),
	    .help = "keep the state in FILE, and go on from it" },
	{ .name = "output",
	    .arg = "FILE",
	    .kind = OPTION_FILE,
	    .to = AT(output),
	    .help = "write rows to FILE" },
	{ .name = "final",
	    .kind = OPTION_FLAG,
	    .to = AT(final),
	    .help = "no more input will come: close what is open",
	    .needs = "--state" },
	{ .name = "commit",
	    .arg = "D",
	    .kind = OPTION_DURATION,
	    .to = AT(commit),
	    .help = "commit the state each D (1s)",
	    .needs = "--state" },
	{ .name = "name",
	    .arg = "NAME",
	    .kind = OPTION_TEXT,
	    .to = AT(name),
	    .help = "of this command's part of the state",
	    .needs = "--state" },
	{ .name = "replay",
	    .kind = OPTION_FLAG,
	    .to = AT(replay),
	    .help = "a pipe sends again what was read before",
	    .needs = "--state" },
	{ 0 },
};

#undef AT

struct checkpoint {
	const struct checkpoint_settings *settings;
	const struct bolt *bolt;
	struct store *store;
	struct input_state inputs;
	struct output_state output;
	int64_t due_ms;
	pthread_t thread; /* that commits */
	uint64_t bytes;	  /* read at the last commit */
	bool goes_on;	  /* a run before has read something */
	bool touched;	  /* see _touch; since the last commit */
};

/* How far apart commits are, in milliseconds. */
static int64_t
interval(const struct checkpoint *c)
{
	return c->settings->commit != 0 ? c->settings->commit : 1000;
}

void
checkpoint_add_uses(const struct checkpoint_settings *s, struct file_uses *uses)
{
	if (s->state != NULL)
		file_uses_keep(uses, s->state);
	if (s->output != NULL)
		file_uses_write(uses, "--output", s->output, false);
	else
		file_uses_write_stdout(uses);
}

/* The one that is open, for when the program stops. */
static struct checkpoint *open_checkpoint;

/*
 * A thread that scans may end the program while the one that commits is between
 * its output and its state: then the next run cuts what is too much.
 */
static void
cut_at_exit(void)
{
	if (open_checkpoint != NULL &&
	    pthread_equal(open_checkpoint->thread, pthread_self()))
		output_state_cut(&open_checkpoint->output);
}

/* The command's part of the state. */
static struct store_part
part_of(const struct checkpoint_settings *s, const struct command *command)
{
	return (struct store_part){ .path = s->state,
		.command = command->name,
		.name = s->name == NULL ? command->name : s->name,
		.read_only = s->dump };
}

static struct store *
open_store(const struct checkpoint_settings *s, const struct options *given,
    const char *operands)
{
	struct store_part part = part_of(s, given->command);
	struct store *store;

	if (operands != NULL)
		store_options_add(&part.options, "streams", span_of(operands));
	store_options_add_given(&part.options, given);
	store = store_open(&part);
	store_options_fini(&part.options);
	return store;
}

void
checkpoint_recall(const struct checkpoint_settings *s, struct options *given)
{
	struct store_part part = part_of(s, given->command);

	if (s->dump && s->state != NULL)
		store_part_recall(&part, given);
}

/*
 * Let time go on from where the last run left it, where the clock has been put
 * back since: else what is kept would lie in the future.
 */
static void
heed_clock(const struct checkpoint *c)
{
	int64_t last = store_get_int(c->store, CLOCK), behind;
	struct buffer text = { 0 };

	if (last < 0 || last > INT64_MAX / 2)
		store_damaged(c->store, CLOCK);
	behind = last - clock_now_ms();
	if (behind <= 0)
		return;
	clock_advance_ms(behind);
	/* Clocks are often set right by less. */
	if (behind < 1000)
		return;
	duration_put(&text, behind);
	warn_plain("warning: %s: the clock is %.*s behind that of the last "
		   "run; time goes on from there",
	    c->settings->state, (int)text.n, text.p);
	buffer_fini(&text);
}

/* Let the bolt load its part. */
static void
restore(struct checkpoint *c, const struct checkpoint_ends *ends)
{
	const struct bolt *bolt = c->bolt;
	struct span *names = NULL;

	if (ends != NULL && bolt->had_names != NULL) {
		names = memory_new(ends->n, sizeof *names);
		input_state_names(&c->inputs, names);
		bolt->had_names(bolt->self, names);
	}
	bolt->restore(bolt->self, c->store);
	free(names);
}

struct checkpoint *
checkpoint_open(const struct checkpoint_settings *settings,
    const struct options *given, const struct bolt *bolt,
    const struct checkpoint_ends *ends)
{
	struct checkpoint *c = memory_new(1, sizeof *c);

	c->settings = settings;
	c->bolt = bolt;
	c->store =
	    open_store(settings, given, ends == NULL ? NULL : bolt->operands);
	if (bolt->by_clock && ends != NULL)
		heed_clock(c);
	if (ends != NULL) {
		c->inputs.replay = settings->replay;
		c->inputs.keep_last = !settings->final;
		c->inputs.is_table = bolt->first;
		input_state_open(&c->inputs, c->store, ends->inputs,
		    bolt->streams, ends->n);
	}
	restore(c, ends);
	c->goes_on = store_get_int(c->store, "read") != 0;
	if (ends == NULL) {
		if (settings->output != NULL &&
		    output_state_has(c->store, settings->output))
			die("--output: runs of this state append to '%s', "
			    "which --dump would empty; give it another file",
			    settings->output);
		return c;
	}
	output_state_open(&c->output, c->store, ends->out,
	    settings->output != NULL);
	c->thread = pthread_self();
	open_checkpoint = c;
	atexit(cut_at_exit);
	checkpoint_commit(c);
	c->due_ms = clock_now_ms() + interval(c);
	input_state_resume(&c->inputs);
	return c;
}

bool
checkpoint_goes_on(const struct checkpoint *c)
{
	return c != NULL && c->goes_on;
}

void
checkpoint_touch(struct checkpoint *c)
{
	c->touched = true;
}

int64_t
checkpoint_due_ms(const struct checkpoint *c)
{
	if (c->inputs.urgent)
		return 0;
	return c->touched || input_state_bytes(&c->inputs) != c->bytes ?
	    c->due_ms :
	    INT64_MAX;
}

bool
checkpoint_is_due(const struct checkpoint *c, int64_t now_ms)
{
	/* Mostly, no input has to be asked what it has read. */
	return c->inputs.urgent ||
	    (now_ms >= c->due_ms && now_ms >= checkpoint_due_ms(c));
}

void
checkpoint_commit(struct checkpoint *c)
{
	int64_t start = clock_now_ms(), rest;
	uint64_t bytes = input_state_bytes(&c->inputs);

	output_state_sync(&c->output);
	store_begin(c->store);
	store_put_int(c->store, "read", c->goes_on || bytes != 0);
	if (c->bolt->by_clock)
		store_put_int(c->store, CLOCK, start);
	c->bolt->save(c->bolt->self, c->store);
	input_state_save(&c->inputs);
	output_state_save(&c->output);
	store_commit(c->store);
	output_state_committed(&c->output);
	c->bytes = bytes;
	c->touched = false;
	rest = REST * (clock_now_ms() - start);
	if (rest / MOST > interval(c))
		rest = MOST * interval(c);
	c->due_ms = start + (interval(c) > rest ? interval(c) : rest);
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
