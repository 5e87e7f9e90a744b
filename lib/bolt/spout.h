/*
 * spout - what a source of tuples is; a runner drives it.
 *
 * Source: Storm's ISpout, whose acks and fails are the runner's business.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef BOLT_SPOUT_H
#define BOLT_SPOUT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/counters.h"
#include "io/input.h"

struct store;

/* The command line while a spout is configured, when options have been read. */
struct spout_setup {
	char *const *operands;
	size_t noperands;
	bool multilang; /* Storm will drive the spout */
	bool has_state; /* --state: the next run goes on after this one */
};

struct spout {
	/* Handed to what follows; the command's options are kept in it. */
	void *self;

	/*
	 * Make sense of the operands: fill in what follows.
	 *
	 * Errors: what is wrong stops the program, see options_misuse.
	 */
	void (*configure)(struct spout *s, const struct spout_setup *setup);

	/*
	 * Free what the spout holds.  status is the exit status so far; returns
	 * the one to exit with.
	 */
	int (*cleanup)(void *self, int status);

	/*
	 * Append the next tuple as a line without newline; false: there is
	 * none, or none yet.
	 */
	bool (*next)(void *self, struct buffer *line);

	/*
	 * For one that may have none yet, else NULL: the descriptor to poll
	 * before the next call of next; -1 if there is no more.
	 */
	int (*waits_for)(void *self);

	/* What it reads, or NULL; an error of that ends the program. */
	const struct input *in;

	/* Fill in the counters of what it reads, as of now, or NULL. */
	void (*count)(const void *self, struct counters *c);

	double rate; /* tuples a second; 0: as fast as they are taken */

	/*
	 * For spouts that can resume, else NULL.  place: where the next tuple
	 * is.  keep: store a place.  go_on: go there; false if it is gone.
	 */
	int64_t (*place)(void *self);
	void (*keep)(void *self, struct store *store, int64_t place);
	bool (*go_on)(void *self, struct store *store);
};

#endif
