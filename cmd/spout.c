/*
 * spout - made-up tuples, the same for the same seed; or those of a file.
 *
 * Source: TestWordSpout of Storm, whose five words these are, and the Zipf
 *         and log-normal streams of the papers on partial key grouping; the
 *         events of the room occupancy sample, which uses Trident.
 *
 * SPDX-License-Identifier: ISC
 */
#include <inttypes.h>
#include <stddef.h>
#include <string.h>

#include "base/duration.h"
#include "base/random.h"
#include "run/file_spout.h"
#include "run/presence.h"
#include "run/spout_main.h"

struct generator {
	struct {
		int64_t count, seed, keys, step, jitter;
		double rate, exponent, mu, sigma;
	} options;
	struct random random, jitter; /* words are the same with any jitter */
	struct zipf zipf;
	int64_t made, ts;
	struct presence presence;
	struct file_spout file;
};

#define AT(option) offsetof(struct generator, options.option)

static const struct option_spec specs[] = {
	{ 'n', "count", "COUNT", OPTION_COUNT, AT(count), 0, INT64_MAX,
	    .help = "how many tuples (without end; presence: a day)" },
	{ 'r', "rate", "RATE", OPTION_REAL, AT(rate), 0, 1000000000,
	    .changeable = true,
	    .help = "tuples a second (as fast as they are read)" },
	{ .name = "exponent",
	    .arg = "S",
	    .kind = OPTION_REAL,
	    .to = AT(exponent),
	    .min = 0,
	    .max = 20,
	    .help = "zipf: rank k has a share of k^-S (1)" },
	{ .name = "jitter",
	    .arg = "D",
	    .kind = OPTION_DURATION_OR_0,
	    .to = AT(jitter),
	    .help = "add up to D to each ts (0)" },
	{ .name = "keys",
	    .arg = "K",
	    .kind = OPTION_COUNT,
	    .to = AT(keys),
	    .min = 1,
	    .max = (int64_t)1 << 48,
	    .help = "zipf: number of keys (10000)" },
	{ .name = "mu",
	    .arg = "M",
	    .kind = OPTION_REAL,
	    .to = AT(mu),
	    .min = -100,
	    .max = 100,
	    .help = "lognormal: a key is exp(M + S N), rounded (1.789)" },
	{ .name = "seed",
	    .arg = "S",
	    .kind = OPTION_COUNT,
	    .to = AT(seed),
	    .min = 0,
	    .max = INT64_MAX,
	    .help = "another stream for another seed (0)" },
	{ .name = "sigma",
	    .arg = "S",
	    .kind = OPTION_REAL,
	    .to = AT(sigma),
	    .min = 0,
	    .max = 100,
	    .help = "lognormal: as above (2.366)" },
	{ .name = "step",
	    .arg = "D",
	    .kind = OPTION_DURATION_OR_0,
	    .to = AT(step),
	    .help = "from one ts to the next (100ms)" },
	{ 0 },
};

static const struct command command = {
	.name = "spout",
	.synopsis = "words|zipf|lognormal|presence [-n COUNT] [-r RATE] "
		    "[--exponent S] [--jitter D] [--keys K] [--mu M] "
		    "[--seed S] [--sigma S] [--step D]\n"
		    "       spout file FILE [-r RATE]",
	.purpose = "make up a stream of tuples",
	.examples = "  spout words -n 1000\n"
		    "  spout zipf -r 500 --keys 1000000 --exponent 1.1\n"
		    "  spout presence --seed 7\n"
		    "  spout file access.ndjson -r 100\n",
	.options = specs,
	.common = spout_main_options,
	.storm = spout_main_storm_options,
};

/*
 * The last ts that is still a time with any jitter: times count from 1970, and go
 * as far as the longest duration.
 */
static int64_t
last_ts(const struct generator *g)
{
	return DURATION_MAX_MS - g->options.jitter;
}

static bool
is_done(const struct generator *g)
{
	return g->made == g->options.count || g->ts > last_ts(g);
}

/* Append the ts of the next tuple, and the end of its line. */
static void
put_time(struct generator *g, struct buffer *line)
{
	int64_t ts = g->ts;

	if (g->options.jitter != 0)
		ts += (int64_t)random_below(&g->jitter,
		    (uint64_t)g->options.jitter + 1);
	buffer_put(line, SPAN(",\"ts\":"));
	buffer_int(line, ts);
	buffer_byte(line, '}');
	g->ts += g->options.step;
	g->made++;
}

static bool
next_word(void *self, struct buffer *line)
{
	static const char *const words[] = { "nathan", "mike", "jackson",
		"golda", "bertels" };
	struct generator *g = self;

	if (is_done(g))
		return false;
	buffer_put(line, SPAN("{\"word\":\""));
	buffer_put(line, span_of(words[random_below(&g->random, 5)]));
	buffer_byte(line, '"');
	put_time(g, line);
	return true;
}

static bool
next_lognormal(void *self, struct buffer *line)
{
	struct generator *g = self;

	if (is_done(g))
		return false;
	buffer_put(line, SPAN("{\"word\":\"w"));
	buffer_int(line,
	    (int64_t)random_lognormal(&g->random, g->options.mu,
		g->options.sigma));
	buffer_byte(line, '"');
	put_time(g, line);
	return true;
}

static bool
next_zipf(void *self, struct buffer *line)
{
	struct generator *g = self;

	if (is_done(g))
		return false;
	buffer_put(line, SPAN("{\"word\":\"w"));
	buffer_int(line, (int64_t)zipf_next(&g->zipf, &g->random));
	buffer_byte(line, '"');
	put_time(g, line);
	return true;
}

static bool
next_presence(void *self, struct buffer *line)
{
	struct generator *g = self;

	if (is_done(g))
		return false;
	if (g->options.count < 0 && g->presence.ndays != 0 &&
	    presence_day_is_over(&g->presence))
		return false;
	presence_put(&g->presence, &g->random, line);
	put_time(g, line);
	return true;
}

static int
cleanup(void *self, int status)
{
	struct generator *g = self;

	presence_fini(&g->presence);
	return status;
}

static const struct generator usual = { .options = { .count = -1,
					    .keys = 10000,
					    .exponent = 1,
					    .mu = 1.789,
					    .sigma = 2.366,
					    .step = 100 },
	.ts = 1700000000000 };

/* Complain of options that are for other tuples; all kinds but `file` draw. */
static void
check_kind(const struct generator *g, const char *what)
{
	bool draws = strcmp(what, "file") != 0;
	const struct {
		const char *option;
		bool given, fits;
	} rules[] = {
		{ "-n", g->options.count != usual.options.count, draws },
		{ "--seed", g->options.seed != usual.options.seed, draws },
		{ "--step", g->options.step != usual.options.step, draws },
		{ "--jitter", g->options.jitter != 0, draws },
		{ "--keys", g->options.keys != usual.options.keys,
		    strcmp(what, "zipf") == 0 },
		{ "--exponent", g->options.exponent != usual.options.exponent,
		    strcmp(what, "zipf") == 0 },
		{ "--mu", g->options.mu != usual.options.mu,
		    strcmp(what, "lognormal") == 0 },
		{ "--sigma", g->options.sigma != usual.options.sigma,
		    strcmp(what, "lognormal") == 0 },
	};

	for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
		if (rules[i].given && !rules[i].fits)
			options_misuse(&command, "%s and %s exclude each other",
			    what, rules[i].option);
}

/* Refuse more tuples than there are times. */
static void
check_count(const struct generator *g)
{
	int64_t n = g->options.count, step = g->options.step;
	int64_t ms = last_ts(g) - g->ts;

	if (n > 0 && (ms < 0 || (step != 0 && n - 1 > ms / step)))
		options_misuse(&command,
		    "-n: the last of %" PRId64
		    " tuples would come after the year 2262",
		    n);
}

/* Set the spout up that the operands name. */
static void
choose(struct spout *spout, const struct spout_setup *setup)
{
	static const char expected[] =
	    "expected words, zipf, lognormal, presence or file FILE";
	struct generator *g = spout->self;
	char *const *operands = setup->operands;
	size_t n = setup->noperands, most;
	const char *what = n == 0 ? "" : operands[0];
	bool from_file = strcmp(what, "file") == 0;

	most = from_file ? 2 : 1;
	if (strcmp(what, "words") == 0)
		spout->next = next_word;
	else if (strcmp(what, "zipf") == 0)
		spout->next = next_zipf;
	else if (strcmp(what, "lognormal") == 0)
		spout->next = next_lognormal;
	else if (strcmp(what, "presence") == 0)
		spout->next = next_presence;
	else if (n != 0 && !from_file)
		options_misuse(&command, "%s, got '%s'", expected, what);
	if (n < most)
		options_misuse(&command, "%s", expected);
	if (n > most)
		options_misuse(&command,
		    "expected nothing after '%s', got '%s'", operands[most - 1],
		    operands[most]);
	check_kind(g, what);
	if (!from_file) {
		check_count(g);
		return;
	}
	if (operand_is_stdin(operands[1]))
		options_misuse(&command, "file: expected a name, got '-'");
	file_spout_init(&g->file, operands + 1, setup->multilang,
	    setup->has_state, spout);
	if (setup->has_state && spout->go_on == NULL)
		options_misuse(&command,
		    "--state: '%s' is no file that can be read again",
		    operands[1]);
}

static void
configure(struct spout *spout, const struct spout_setup *setup)
{
	struct generator *g = spout->self;

	spout->rate = g->options.rate;
	g->random.state = (uint64_t)g->options.seed;
	g->jitter.state = ~g->random.state;
	zipf_init(&g->zipf, (uint64_t)g->options.keys, g->options.exponent);
	choose(spout, setup);
}

int
main(int argc, char *argv[])
{
	struct generator generator = usual;
	struct spout spout = {
		.self = &generator, .configure = configure, .cleanup = cleanup
	};

	return spout_main(&command, &spout, argc, argv);
}
