/*
 * SPDX-License-Identifier: ISC
 */
#include <unistd.h>

#include "base/diagnostics.h"
#include "base/rights.h"
#include "bolt/run.h"
#include "io/part_files.h"
#include "run/bolt_main.h"
#include "run/checkpoint.h"
#include "run/pipeline_runner.h"
#include "storm/multilang_runner.h"

static struct {
	struct pipeline_settings pipeline;
	bool multilang;
} options = {
	.pipeline.bad_lines = { .max_errors = -1, .max_line = 64 << 20 },
};

static const char *const on_error_names[] = { "report", "skip", "stop", NULL };

const struct option_spec bolt_main_options[] = {
	{ 'q', "quiet", NULL, OPTION_FLAG, &options.pipeline.bad_lines.quiet,
	    .help = "say nothing of bad lines and late tuples" },
	{ .name = "rejects",
	    .arg = "FILE",
	    .kind = OPTION_TEXT,
	    .to = &options.pipeline.bad_lines.rejects,
	    .help = "keep bad lines in FILE" },
	{ .name = "stats",
	    .arg = "FILE",
	    .kind = OPTION_OPTIONAL,
	    .to = &options.pipeline.stats,
	    .help = "write counters at the end, to FILE or stderr" },
	{ .name = "progress",
	    .kind = OPTION_FLAG,
	    .to = &options.pipeline.progress,
	    .help = "show how far it is, if stderr is a terminal" },
	{ .name = "on-error",
	    .arg = "WHAT",
	    .kind = OPTION_CHOICE,
	    .to = &options.pipeline.bad_lines.on_error,
	    .choices = on_error_names,
	    .help = "at a bad line: report (default), skip or stop" },
	{ .name = "max-errors",
	    .arg = "N",
	    .kind = OPTION_COUNT,
	    .to = &options.pipeline.bad_lines.max_errors,
	    .min = 0,
	    .max = INT64_MAX,
	    .help = "end at the N+1st bad line" },
	{ .name = "max-line",
	    .arg = "SIZE",
	    .kind = OPTION_SIZE,
	    .to = &options.pipeline.bad_lines.max_line,
	    .min = 1,
	    .max = 1 << 30,
	    .help = "longest line, in bytes, K, M or G (64M)" },
	{ .name = "threads",
	    .arg = "N",
	    .kind = OPTION_COUNT,
	    .to = &options.pipeline.threads,
	    .min = 1,
	    .max = 1024,
	    .help = "use so many processors (as many as there are)" },
	{ 0 },
};

const struct option_spec bolt_main_storm_options[] = {
	{ .name = "multilang",
	    .kind = OPTION_FLAG,
	    .to = &options.multilang,
	    .help = "be a bolt of an Apache Storm topology" },
	{ 0 },
};

/* Tell whether everything is to wait for an end of the input. */
static bool
waits_for_end(const struct command *command)
{
	for (const struct option_spec *o = command->options; o->name != NULL;
	     o++)
		if (o->kind == OPTION_DURATION_ALL &&
		    *(int64_t *)o->to == LATENESS_ALL)
			return true;
	return false;
}

/* Complain of what makes no sense in a topology. */
static void
check_multilang(const struct command *command, const struct bolt *bolt,
    size_t nfiles)
{
	const struct pipeline_settings *p = &options.pipeline;
	const struct {
		bool given;
		const char *name;
	} excluded[] = {
		{ p->bad_lines.max_errors >= 0, "--max-errors" },
		{ p->bad_lines.on_error != ON_ERROR_REPORT, "--on-error" },
		{ p->bad_lines.rejects != NULL, "--rejects" },
		{ p->bad_lines.quiet, "-q" },
		{ p->progress, "--progress" },
		{ p->threads != 0, "--threads" },
		{ checkpoint_is_wanted() || checkpoint_is_dump(), "--state" },
		{ checkpoint_output() != NULL, "--output" },
		{ waits_for_end(command), "-l all" },
	};

	for (size_t i = 0; i < sizeof excluded / sizeof excluded[0]; i++)
		if (excluded[i].given)
			options_misuse(command,
			    "--multilang and %s exclude each other",
			    excluded[i].name);
	if (nfiles != 0 && bolt->streams == NULL)
		options_misuse(command,
		    "--multilang takes its tuples from Storm, not from files");
}

/* Hold all files that the command line names against each other. */
static void
check_files(const struct command *command, const struct bolt *bolt,
    char *const *files, size_t nfiles)
{
	struct file_uses uses = { 0 };
	struct part_files parts = { 0 };

	if (!options.multilang && !checkpoint_is_dump())
		file_uses_read(&uses, files, nfiles);
	checkpoint_add_uses(&uses);
	file_uses_write(&uses, "--rejects", options.pipeline.bad_lines.rejects,
	    true);
	file_uses_write(&uses, bolt->side_option, bolt->side, true);
	file_uses_write(&uses, "--stats", options.pipeline.stats, false);
	if (bolt->tasks.files != NULL)
		part_files_init(&parts, bolt->tasks.files, bolt->tasks.n);
	for (size_t i = 0; i < parts.n; i++)
		file_uses_write(&uses, "--files", parts.names[i].p, false);
	file_uses_check(&uses, command);
	part_files_fini(&parts);
}

static int
run_multilang(const struct command *command, const struct bolt *bolt,
    const struct bolt_setup *setup)
{
	check_multilang(command, bolt, setup->noperands);
	check_files(command, bolt, NULL, 0); /* the operands are components */
	return multilang_runner_run(&(struct multilang_runner){
	    .command = command,
	    .bolt = bolt,
	    .streams = setup->operands,
	    .nstreams = setup->noperands,
	    .stats = options.pipeline.stats,
	    .max_message = options.pipeline.bad_lines.max_line });
}

static int
run_pipeline(const struct command *command, const struct bolt *bolt,
    const struct bolt_setup *setup)
{
	size_t n = setup->noperands;

	if (n == 0 && isatty(STDIN_FILENO) && !checkpoint_is_dump())
		options_short_help(command,
		    !command->in_order && bolt->operands == NULL);
	check_files(command, bolt, setup->operands, n);
	return pipeline_runner_run(&(struct pipeline_runner){
	    .command = command,
	    .bolt = bolt,
	    .settings = &options.pipeline,
	    .files = setup->operands,
	    .nfiles = n });
}

int
bolt_main(const struct command *command, struct bolt *bolt, int argc,
    char *argv[])
{
	struct bolt_setup setup = { .command = command };
	int first, status;

	diagnostics_init(argv[0]);
	projection_init(command->projection);
	first = options_parse(command, argc, argv);
	setup.multilang = options.multilang;
	setup.operands = argv + first;
	setup.noperands = (size_t)(argc - first);
	if (bolt->configure != NULL)
		bolt->configure(bolt, &setup);
	checkpoint_check_options(command);
	projection_compile(command->projection);
	if (bolt->tasks.argv == NULL)
		rights_give_up();
	status = (options.multilang ? run_multilang : run_pipeline)(command,
	    bolt, &setup);
	if (bolt->cleanup != NULL)
		bolt->cleanup(bolt->self);
	projection_fini(command->projection);
	return run_status(status);
}
