/*
 * SPDX-License-Identifier: ISC
 */
#include <stddef.h>
#include <unistd.h>

#include "base/diagnostics.h"
#include "base/hash.h"
#include "base/rights.h"
#include "bolt/run.h"
#include "io/part_files.h"
#include "run/bolt_main.h"
#include "run/checkpoint.h"
#include "run/pipeline_runner.h"
#include "storm/multilang_runner.h"

/* What the options say that all commands have in common. */
struct settings {
	struct pipeline_settings pipeline;
	bool multilang;
};

#define AT(member) offsetof(struct settings, member)

static const char *const on_error_names[] = { "report", "skip", "stop", NULL };

const struct option_spec bolt_main_options[] = {
	{ 'q', "quiet", NULL, OPTION_FLAG, AT(pipeline.bad_lines.quiet),
	    .help = "say nothing of bad lines and late tuples" },
	{ .name = "rejects",
	    .arg = "FILE",
	    .kind = OPTION_FILE,
	    .to = AT(pipeline.bad_lines.rejects),
	    .help = "keep bad lines in FILE" },
	{ .name = "stats",
	    .arg = "FILE",
	    .kind = OPTION_OPTIONAL_FILE,
	    .to = AT(pipeline.stats),
	    .help = "write counters at the end, to FILE or stderr" },
	{ .name = "progress",
	    .kind = OPTION_FLAG,
	    .to = AT(pipeline.progress),
	    .help = "show how far it is, if stderr is a terminal" },
	{ .name = "on-error",
	    .arg = "WHAT",
	    .kind = OPTION_CHOICE,
	    .to = AT(pipeline.bad_lines.on_error),
	    .choices = on_error_names,
	    .help = "at a bad line: report (default), skip or stop" },
	{ .name = "max-errors",
	    .arg = "N",
	    .kind = OPTION_COUNT,
	    .to = AT(pipeline.bad_lines.max_errors),
	    .min = 0,
	    .max = INT64_MAX,
	    .help = "end at the N+1st bad line" },
	{ .name = "max-line",
	    .arg = "SIZE",
	    .kind = OPTION_SIZE,
	    .to = AT(pipeline.bad_lines.max_line),
	    .min = 1,
	    .max = 1 << 30,
	    .help = "longest line, in bytes, K, M or G (64M)" },
	{ .name = "threads",
	    .arg = "N",
	    .kind = OPTION_COUNT,
	    .to = AT(pipeline.threads),
	    .min = 1,
	    .max = 1024,
	    .help = "use so many processors (all, up to 8)" },
	{ 0 },
};

const struct option_spec bolt_main_storm_options[] = {
	{ .name = "multilang",
	    .kind = OPTION_FLAG,
	    .to = AT(multilang),
	    .help = "be a bolt of an Apache Storm topology",
	    .excludes = "--max-errors --on-error --rejects -q --progress "
			"--threads --state --output --interleave" },
	{ 0 },
};

#undef AT

/* A command line, and the bolt that is to be run by it. */
struct run_request {
	struct bolt *bolt;
	struct options options;
	struct settings settings;
	struct projection projection;
	struct bolt_setup setup;
};

/* Complain of what makes no sense in a topology. */
static void
check_multilang(const struct run_request *r)
{
	if (options_wait_for_end(&r->options))
		options_misuse(r->setup.command,
		    "--multilang and -l all exclude each other");
	if (r->setup.noperands != 0 && r->bolt->streams == NULL)
		options_misuse(r->setup.command,
		    "--multilang takes its tuples from Storm, not from files");
}

/* Hold all files that the command line names against each other. */
static void
check_files(const struct run_request *r)
{
	const struct pipeline_settings *p = &r->settings.pipeline;
	const struct bolt *bolt = r->bolt;
	struct file_uses uses = { 0 };
	struct part_files parts = { 0 };

	/* Under Storm the operands are components. */
	if (!r->settings.multilang && !p->checkpoint.dump) {
		if (bolt->streams != NULL)
			file_uses_check_pipes(r->setup.operands,
			    r->setup.noperands, r->setup.command);
		file_uses_read(&uses, r->setup.operands, r->setup.noperands);
	}
	checkpoint_add_uses(&p->checkpoint, &uses);
	file_uses_write(&uses, "--rejects", p->bad_lines.rejects, true);
	file_uses_write(&uses, bolt->side_option, bolt->side, true);
	file_uses_write(&uses, "--stats", p->stats, false);
	file_uses_write(&uses, "-o", bolt->picture, false);
	if (bolt->tasks.files != NULL)
		part_files_init(&parts, bolt->tasks.files, bolt->tasks.n);
	for (size_t i = 0; i < parts.n; i++)
		file_uses_write(&uses, "--files", parts.names[i].p, false);
	file_uses_check(&uses, r->setup.command);
	part_files_fini(&parts);
}

/* Look at the command line as a whole, before anything is opened. */
static void
check(const struct run_request *r)
{
	const struct command *command = r->setup.command;

	if (r->settings.pipeline.checkpoint.dump && r->setup.noperands != 0)
		warn_plain("warning: --dump reads no input, not '%s'",
		    r->setup.operands[0]);
	if (r->settings.multilang)
		check_multilang(r);
	else if (r->setup.noperands == 0 && isatty(STDIN_FILENO) &&
	    !r->settings.pipeline.checkpoint.dump)
		options_short_help(command, r->bolt->operands == NULL);
	check_files(r);
}

/* Read the command line, and let the bolt make sense of it. */
static void
configure(struct run_request *r, int argc, char *argv[])
{
	struct bolt *bolt = r->bolt;
	struct settings *s = &r->settings;
	struct options_kept kept = { bolt->options == NULL ? bolt->self :
							     bolt->options,
		&s->pipeline.checkpoint, s, s };
	int first =
	    options_read(&r->options, r->setup.command, &kept, argc, argv);

	checkpoint_recall(&s->pipeline.checkpoint, &r->options);
	options_finish(&r->options, &r->projection);
	r->setup.multilang = s->multilang;
	r->setup.operands = argv + first;
	r->setup.noperands = (size_t)(argc - first);
	if (r->setup.command->runs_command)
		r->setup.argv = options_take_command(&r->options,
		    r->setup.operands, &r->setup.noperands);
	if (bolt->configure != NULL)
		bolt->configure(bolt, &r->setup);
}

static int
run_multilang(const struct run_request *r)
{
	return multilang_runner_run(&(struct multilang_runner){
	    .command = r->setup.command->name,
	    .projection = &r->projection,
	    .bolt = r->bolt,
	    .streams = r->setup.operands,
	    .nstreams = r->setup.noperands,
	    .stats = r->settings.pipeline.stats,
	    .max_message = r->settings.pipeline.bad_lines.max_line });
}

static int
run_pipeline(const struct run_request *r)
{
	return pipeline_runner_run(&(struct pipeline_runner){
	    .options = &r->options,
	    .projection = &r->projection,
	    .bolt = r->bolt,
	    .settings = &r->settings.pipeline,
	    .files = r->setup.operands,
	    .nfiles = r->setup.noperands });
}

int
bolt_main(const struct command *command, struct bolt *bolt, int argc,
    char *argv[])
{
	struct run_request r = { .bolt = bolt,
		.settings.pipeline.bad_lines = { .max_errors = -1,
		    .max_line = 64 << 20 },
		.setup = { .command = command, .projection = &r.projection } };
	int status;

	diagnostics_init(argv[0]);
	hash_init();
	projection_init(&r.projection);
	configure(&r, argc, argv);
	check(&r);
	projection_compile(&r.projection);
	if (bolt->tasks.argv == NULL)
		rights_drop();
	status = (r.settings.multilang ? run_multilang : run_pipeline)(&r);
	if (bolt->cleanup != NULL)
		bolt->cleanup(bolt->self);
	projection_fini(&r.projection);
	options_fini(&r.options);
	return run_status(status);
}
