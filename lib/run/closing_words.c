/*
 * SPDX-License-Identifier: ISC
 */
#include <sys/stat.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/diagnostics.h"
#include "base/duration.h"
#include "run/closing_words.h"
#include "tuple/condition.h"

/* Tell whether late tuples would be kept with a larger -l. */
static bool
larger_helps(const struct pipeline *p)
{
	return p->bolt->lateness_helps &&
	    p->run.counters.max_late_ms > p->bolt->lateness_ms;
}

void
closing_words_of_late(const struct pipeline *p)
{
	const struct counters *c = &p->run.counters;
	bool one = c->late == 1;
	struct buffer by = { 0 }, needed = { 0 };

	if (p->bad_lines.policy->quiet)
		return;
	duration_put(&by, c->max_late_ms);
	buffer_byte(&by, '\0');
	duration_put_lateness(&needed, c->max_late_ms);
	buffer_byte(&needed, '\0');
	if (larger_helps(p))
		warn_plain("warning: %" PRIu64 " late tuple%s, by up to %s; "
			   "-l %s keeps %s",
		    c->late, one ? "" : "s", by.p, needed.p,
		    one ? "it" : "them");
	else if (p->bolt->lateness_helps)
		warn_plain("warning: %" PRIu64 " late tuple%s, whose window "
			   "an earlier --final has closed",
		    c->late, one ? "" : "s");
	else
		warn_plain("warning: %" PRIu64 " late tuple%s, by up to %s",
		    c->late, one ? "" : "s", by.p);
	buffer_fini(&by);
	buffer_fini(&needed);
}

void
closing_words_of_late_so_far(struct pipeline *p)
{
	const struct counters *c = &p->run.counters;
	struct buffer by = { 0 };

	if (!p->advises || !p->dropped || p->told_of_late ||
	    p->bolt->side != NULL)
		return;
	p->told_of_late = true;
	duration_put(&by, c->max_late_ms);
	buffer_byte(&by, '\0');
	warn_plain("%" PRIu64 " late tuple%s so far, by up to %s; the end of "
		   "the input tells of all",
	    c->late, c->late == 1 ? "" : "s", by.p);
	buffer_fini(&by);
}

/* A tuple that is so late may be right, and the time before it wrong. */
static const int64_t VERY_LATE_MS = 86400000;

static bool
unseen_field(const void *unseen, size_t i, struct buffer *text)
{
	return unseen_fields_hint(unseen, i, text);
}

static void
tell_each(bool (*hint)(const void *, size_t, struct buffer *), const void *of)
{
	struct buffer text = { 0 };
	size_t n = 0;

	for (size_t i = 0; hint(of, i, &text); i++) {
		if (text.n != 0 && n++ < BAD_LINES_SHOWN)
			warn_plain("%.*s", (int)text.n, text.p);
		text.n = 0;
	}
	if (n > BAD_LINES_SHOWN)
		warn_plain("%zu more messages like these are not shown",
		    n - BAD_LINES_SHOWN);
	buffer_fini(&text);
}

void
closing_words_of_missing(const struct pipeline *p, bool is_part)
{
	if (p->bad_lines.policy->quiet)
		return;
	if (!is_part || p->bad_lines.kinds[FAULT_MISSING] != 0)
		tell_each(unseen_field, &p->unseen);
	/* What cuts JSON, as jq does, cuts ticks. */
	if (!is_part && p->bolt->waits_for_ticks &&
	    p->run.counters.ticks == 0 && p->run.counters.live_keys != 0 &&
	    p->checkpoint == NULL)
		warn_plain("warning: no tick came, so no window was written; "
			   "-i needs those of rollcount -T or pkgroup -t -e, "
			   "which jq and grep leave out");
	if ((!is_part || p->bolt->hints_of_part) && p->bolt->hint != NULL)
		tell_each(p->bolt->hint, p->bolt->self);
	if (p->advises && p->bolt->held != NULL)
		tell_each(p->bolt->held, p->bolt->self);
}

/* Say how to take, or to leave out, the tuples that lack a field. */
static void
advise_missing(const struct pipeline *p)
{
	size_t missing = p->bad_lines.missing;
	struct buffer condition = { 0 };
	const struct field *f;

	if (missing == 0 || unseen_fields_has(&p->unseen, missing - 1))
		return;
	f = &p->unseen.projection->fields[missing - 1];
	condition_put_field(&condition, f->text);
	if (p->bolt->fields_by_stream)
		warn_plain("if '%.*s' has another name in %s, %s "
			   "STREAM:FIELD,... names that of each stream",
		    (int)f->text.n, f->text.p, p->bad_lines.missing_in,
		    f->of_key ? "-k" : "-t");
	else if (f->of_key)
		warn_plain("'%.*s?' in place of '%.*s' takes tuples that lack "
			   "it, as null",
		    (int)f->text.n, f->text.p, (int)f->text.n, f->text.p);
	else
		warn_plain("keep '%.*s' in front of it leaves out the tuples "
			   "that lack it",
		    (int)condition.n, condition.p);
	buffer_fini(&condition);
}

/* Say which -l would have done for those that only some rows may lack. */
static void
advise_behind(const struct pipeline *p)
{
	const struct counters *c = &p->run.counters;
	/* One -l for these and those that were late. */
	int64_t most = c->max_behind_ms > c->max_late_ms ? c->max_behind_ms :
							   c->max_late_ms;
	bool one = c->behind == 1;
	struct buffer needed = { 0 };

	if (p->bolt->behind == NULL || !p->bolt->lateness_helps ||
	    c->behind == 0)
		return;
	duration_put_lateness(&needed, most);
	buffer_byte(&needed, '\0');
	warn_plain("%" PRIu64 " tuple%s came after %s %s; -l %s avoids that",
	    c->behind, one ? "" : "s", p->bolt->behind, one ? "it" : "them",
	    needed.p);
	buffer_fini(&needed);
}

/* Say what may help against tuples out of order other than -l. */
static void
advise_late(const struct pipeline *p, const struct options *o)
{
	const struct counters *c = &p->run.counters;
	bool late = c->late != 0 && p->bolt->side == NULL;
	bool behind = c->behind != 0 && p->bolt->behind != NULL;

	if (!late && !behind)
		return;
	if (p->checkpoint != NULL && (larger_helps(p) || behind))
		warn_plain("a state keeps the -l that it was begun with; "
			   "--name begins another");
	if (p->streams[0].source.in.nnames > 1 &&
	    options_lack(o, "--interleave"))
		warn_plain("if each file is in order, --interleave reads them "
			   "side by side");
	if (c->max_late_ms >= VERY_LATE_MS && options_lack(o, "--max-ahead"))
		warn_plain("if one clock is ahead, --max-ahead 1h leaves out "
			   "the tuples with its time");
}

/* Tell whether a file of that name begins with a short line like a tuple. */
static bool
has_tuples(const char *name)
{
	char line[4096] = "";
	struct stat st;
	FILE *f = stat(name, &st) == 0 && S_ISREG(st.st_mode) ?
	    fopen(name, "r") :
	    NULL;
	size_t n;

	if (f == NULL)
		return false;
	if (fgets(line, sizeof line, f) == NULL)
		*line = '\0';
	fclose(f);
	n = strcspn(line, "\r\n");
	return *line == '{' && line[n - 1] == '}';
}

/* A file behind -- is read by each task, which is hardly what is meant. */
static void
advise_operand(const struct pipeline *p)
{
	char *const *word = p->bolt->tasks.argv;

	for (; word != NULL && word[1] != NULL; word++)
		if (*word[0] != '-' && has_tuples(word[1])) {
			warn_plain("each task reads all of '%s', and not its "
				   "part; for that it goes before --",
			    word[1]);
			break;
		}
}

/* Tell whether all rows wait for another run, or for --final. */
static bool
is_all_open(const struct pipeline *p, const struct options *o)
{
	return p->checkpoint != NULL && p->bolt->stays_open &&
	    options_lack(o, "--final") && p->run.counters.emitted == 0 &&
	    p->run.counters.live_keys != 0;
}

/*
 * Tell whether whole files were read as if they were being written.  To a join
 * that has no length it matters less: all of them have nearly the same time.
 */
static bool
is_by_arrival(const struct pipeline *p, const struct options *o)
{
	return p->bolt->by_clock &&
	    (!p->bolt->fields_by_stream || !options_lack(o, "-w")) &&
	    options_lack(o, "-t") && p->run.counters.lines != 0 &&
	    p->streams->source.in.files;
}

/* Tell whether the last time of a stream is of 1970, as hardly any is. */
static bool
is_of_1970(const struct pipeline *p)
{
	const int64_t year_ns = INT64_C(365) * 86400 * 1000000000;

	for (size_t i = 0; i < p->nstreams; i++) {
		const struct tuple *t = p->streams[i].source.tuple;

		if (t != NULL && t->timed && t->time_ns >= 0 &&
		    t->time_ns < year_ns)
			return true;
	}
	return false;
}

void
closing_words_of_advice(const struct pipeline *p, const struct options *o)
{
	if (!p->advises)
		return;
	advise_missing(p);
	if (p->bad_lines.kinds[FAULT_TIME] != 0 &&
	    options_lack(o, "--time-format"))
		warn_plain("tuple(5) lists the times that are read; "
			   "--time-format reads others");
	if (p->bad_lines.kinds[FAULT_UTF8] != 0)
		warn_plain("if the text is Latin-1, iconv -f LATIN1 -t UTF-8 "
			   "converts it");
	if (is_of_1970(p))
		warn_plain("the times are of 1970: -t may be no time, or "
			   "--time-format or --time-unit is needed");
	advise_operand(p);
	advise_behind(p);
	advise_late(p, o);
	if (is_all_open(p, o))
		warn_plain("what is open is kept in the state, for the next "
			   "run; --final writes it");
	if (is_by_arrival(p, o))
		warn_plain("without -t, tuples have the time at which they "
			   "were read; -t PATH takes their own");
}
