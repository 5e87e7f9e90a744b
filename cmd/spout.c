/*
 * spout - made-up tuples, the same for the same seed.
 *
 * Source: TestWordSpout of Storm, whose five words these are, and the Zipf
 *         and log-normal streams of the papers on partial key grouping.
 *
 * SPDX-License-Identifier: ISC
 */
#include "diagnostics.h"
#include "pipe_runner.h"
#include "random.h"

static struct {
	int64_t count, seed, keys, step, jitter;
	double rate, exponent, mu, sigma;
} options = { .count = -1,
	.keys = 10000,
	.exponent = 1,
	.mu = 1.789,
	.sigma = 2.366,
	.step = 100 };

static const struct option_spec specs[] = {
	{ 'n', "count", "COUNT", OPTION_COUNT, &options.count, 0, INT64_MAX,
	    .help = "how many tuples (without end)" },
	{ 'r', "rate", "RATE", OPTION_REAL, &options.rate, 0, 1000000000,
	    .help = "tuples a second (as fast as they are read)" },
	{ .name = "exponent",
	    .arg = "S",
	    .kind = OPTION_REAL,
	    .to = &options.exponent,
	    .min = 0,
	    .max = 20,
	    .help = "zipf: rank k has a share of k^-S (1)" },
	{ .name = "jitter",
	    .arg = "D",
	    .kind = OPTION_DURATION_OR_0,
	    .to = &options.jitter,
	    .help = "add up to D to each ts (0)" },
	{ .name = "keys",
	    .arg = "K",
	    .kind = OPTION_COUNT,
	    .to = &options.keys,
	    .min = 1,
	    .max = (int64_t)1 << 48,
	    .help = "zipf: number of keys (10000)" },
	{ .name = "mu",
	    .arg = "M",
	    .kind = OPTION_REAL,
	    .to = &options.mu,
	    .min = -100,
	    .max = 100,
	    .help = "lognormal: a key is exp(M + S N), rounded (1.789)" },
	{ .name = "seed",
	    .arg = "S",
	    .kind = OPTION_COUNT,
	    .to = &options.seed,
	    .min = 0,
	    .max = INT64_MAX,
	    .help = "another stream for another seed (0)" },
	{ .name = "sigma",
	    .arg = "S",
	    .kind = OPTION_REAL,
	    .to = &options.sigma,
	    .min = 0,
	    .max = 100,
	    .help = "lognormal: as above (2.366)" },
	{ .name = "step",
	    .arg = "D",
	    .kind = OPTION_DURATION_OR_0,
	    .to = &options.step,
	    .help = "from one ts to the next (100ms)" },
};

static const struct command command = {
	.name = "spout",
	.synopsis = "words|zipf|lognormal [-n COUNT] [-r RATE] [--exponent S] "
		    "[--jitter D] [--keys K] [--mu M] [--seed S] [--sigma S] "
		    "[--step D]",
	.purpose = "make up a stream of tuples",
	.examples = "  spout words -n 1000\n"
		    "  spout zipf -r 500 --keys 1000000 --exponent 1.1\n",
	.options = specs,
	.noptions = sizeof specs / sizeof specs[0],
	.common = pipe_spout_options,
};

static const int64_t START_MS = 1700000000000;

struct source {
	struct random random;
	struct zipf zipf;
	int64_t made, ts;
};

/* Append the time of the next tuple, and the end of its line. */
static void
put_time(struct source *s, struct buffer *line)
{
	int64_t ts = s->ts;

	if (options.jitter != 0)
		ts += (int64_t)random_below(&s->random,
		    (uint64_t)options.jitter + 1);
	buffer_put(line, SPAN("\",\"ts\":"));
	buffer_int(line, ts);
	buffer_byte(line, '}');
	s->ts += options.step;
	s->made++;
}

static bool
next_word(void *self, struct buffer *line)
{
	static const char *const words[] = { "nathan", "mike", "jackson",
		"golda", "bertels" };
	struct source *s = self;

	if (s->made == options.count)
		return false;
	buffer_put(line, SPAN("{\"word\":\""));
	buffer_put(line, span_of(words[random_below(&s->random, 5)]));
	put_time(s, line);
	return true;
}

static bool
next_lognormal(void *self, struct buffer *line)
{
	struct source *s = self;

	if (s->made == options.count)
		return false;
	buffer_put(line, SPAN("{\"word\":\"w"));
	buffer_int(line,
	    (int64_t)random_lognormal(&s->random, options.mu, options.sigma));
	put_time(s, line);
	return true;
}

static bool
next_zipf(void *self, struct buffer *line)
{
	struct source *s = self;

	if (s->made == options.count)
		return false;
	buffer_put(line, SPAN("{\"word\":\"w"));
	buffer_int(line, (int64_t)zipf_next(&s->zipf, &s->random));
	put_time(s, line);
	return true;
}

int
main(int argc, char *argv[])
{
	struct source source = { .ts = START_MS };
	struct spout spout = { .self = &source };
	struct command cmd = command;
	int first;

	diagnostics_init(argv[0]);
	cmd.ncommon = pipe_spout_noptions;
	first = options_parse(&cmd, argc, argv);
	if (argc - first != 1)
		options_misuse(&cmd, "expected words, zipf or lognormal");
	if (strcmp(argv[first], "words") == 0)
		spout.next = next_word;
	else if (strcmp(argv[first], "zipf") == 0)
		spout.next = next_zipf;
	else if (strcmp(argv[first], "lognormal") == 0)
		spout.next = next_lognormal;
	else
		options_misuse(&cmd,
		    "expected words, zipf or lognormal, got '%s'", argv[first]);
	source.random.state = (uint64_t)options.seed;
	zipf_init(&source.zipf, (uint64_t)options.keys, options.exponent);
	spout.rate = options.rate;
	return pipe_runner_spout(&cmd, &spout);
}
