/*
 * What an option is given: from text, and back to text.
 *
 * SPDX-License-Identifier: ISC
 */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/duration.h"
#include "base/fault.h"
#include "base/time_format.h"
#include "base/utf8.h"
#include "tuple/field_path.h"
#include "tuple/options_value.h"

static void
take_count(const struct command *c, const struct option_given *g,
    const char *arg)
{
	const struct option_spec *s = g->spec;
	char *end;
	intmax_t v;

	errno = 0;
	v = strtoimax(arg, &end, 10);
	if (end == arg || *end != '\0')
		options_misuse(c, "%s: expected a whole number, got '%s'",
		    option_name(s), arg);
	if (v < s->min && s->max == INT64_MAX)
		options_misuse(c, "%s: must be at least %" PRId64 ", got '%s'",
		    option_name(s), s->min, arg);
	if (errno == ERANGE || v < s->min || v > s->max)
		options_misuse(c, "%s: %s is not in %" PRId64 "..%" PRId64,
		    option_name(s), arg, s->min, s->max);
	*(int64_t *)g->to = v;
}

static void
take_real(const struct command *c, const struct option_given *g,
    const char *arg)
{
	const struct option_spec *s = g->spec;
	char *end;
	double v = strtod(arg, &end);

	if (end == arg || *end != '\0' || isnan(v))
		options_misuse(c, "%s: expected a number, got '%s'",
		    option_name(s), arg);
	if (v < (double)s->min || v > (double)s->max)
		options_misuse(c, "%s: %s is not in %" PRId64 "..%" PRId64,
		    option_name(s), arg, s->min, s->max);
	*(double *)g->to = v;
}

static void
take_size(const struct command *c, const struct option_given *g,
    const char *arg)
{
	static const char units[] = "KMG";
	const struct option_spec *s = g->spec;
	const char *unit;
	char *end;
	intmax_t v;
	intmax_t unit_bytes = 1;

	errno = 0;
	v = strtoimax(arg, &end, 10);
	if (end != arg && *end != '\0' && end[1] == '\0' &&
	    (unit = strchr(units, *end)) != NULL) {
		unit_bytes = (intmax_t)1 << 10 * (unit - units + 1);
		end++;
	}
	if (end == arg || *end != '\0')
		options_misuse(c,
		    "%s: expected a size like 4096, 64K or 16M, got '%s'",
		    option_name(s), arg);
	if (errno == ERANGE || v > s->max / unit_bytes || v < 0 ||
	    v * unit_bytes < s->min)
		options_misuse(c,
		    "%s: %s is not in %" PRId64 "..%" PRId64 " bytes",
		    option_name(s), arg, s->min, s->max);
	*(int64_t *)g->to = v * unit_bytes;
}

static void
take_duration(const struct command *c, const struct option_given *g,
    const char *arg)
{
	const struct option_spec *s = g->spec;
	bool or_all = s->kind == OPTION_DURATION_ALL;
	const char *wrong;

	if (or_all && strcmp(arg, "all") == 0) {
		*(int64_t *)g->to = LATENESS_ALL;
		return;
	}
	wrong = duration_parse(arg, g->to);
	if (wrong != NULL && or_all)
		options_misuse(c, "%s: %s, or all, got '%s'", option_name(s),
		    wrong, arg);
	options_check(c, option_name(s), wrong, arg);
	if (s->kind == OPTION_DURATION && *(int64_t *)g->to == 0)
		options_misuse(c, "%s: must be at least 1ms, got '%s'",
		    option_name(s), arg);
}

/* Read a duration that may be negative. */
static const char *
parse_signed(struct span text, int64_t *ms)
{
	bool negative = text.n != 0 && *text.p == '-';
	struct span copy =
	    span_dup((struct span){ text.p + negative, text.n - negative });
	const char *wrong = duration_parse(copy.p, ms);

	span_free(copy);
	if (wrong == NULL && negative)
		*ms = -*ms;
	return wrong;
}

static void
take_reach(const struct command *c, const struct option_given *g,
    const char *arg)
{
	struct duration_reach *r = g->to;
	const char *dots = strstr(arg, ".."), *wrong;

	r->is_pair = dots != NULL;
	if (!r->is_pair) {
		options_check(c, option_name(g->spec),
		    duration_parse(arg, &r->before_ms), arg);
		r->after_ms = r->before_ms;
		return;
	}
	wrong = parse_signed((struct span){ arg, (size_t)(dots - arg) },
	    &r->before_ms);
	if (wrong == NULL)
		wrong = parse_signed(span_of(dots + 2), &r->after_ms);
	options_check(c, option_name(g->spec), wrong, arg);
	if (r->before_ms + r->after_ms < 0)
		options_misuse(c, "%s: ends before it begins, got '%s'",
		    option_name(g->spec), arg);
}

/* A text may come from a state, which is closed before it is looked at. */
static void
take_text(struct option_given *g, const char *arg)
{
	g->text.n = 0;
	buffer_put(&g->text, span_of(arg == NULL ? "" : arg));
	buffer_byte(&g->text, '\0');
	*(const char **)g->to = g->text.p;
}

static void
take_file(const struct command *c, struct option_given *g, const char *arg)
{
	/* "$file" that was not set, or what means standard output elsewhere. */
	if (arg != NULL && (*arg == '\0' || strcmp(arg, "-") == 0))
		options_check(c, option_name(g->spec), "expected a file", arg);
	take_text(g, arg);
}

static void
take_time_format(const struct command *c, struct option_given *g,
    const char *arg)
{
	struct fault fault = { 0 };

	if (time_format_check(arg, &fault) != 0)
		options_misuse(c, "%s: %s, got '%s'", option_name(g->spec),
		    fault.message, arg);
	take_text(g, arg);
}

static void
take_choice(const struct command *c, const struct option_given *g,
    const char *arg)
{
	const struct option_spec *s = g->spec;
	struct buffer list = { 0 };

	for (int i = 0; s->choices[i] != NULL; i++) {
		if (strcmp(s->choices[i], arg) == 0) {
			*(int *)g->to = i;
			buffer_fini(&list);
			return;
		}
		buffer_put(&list, i == 0 ? SPAN("") : SPAN(", "));
		buffer_put(&list, span_of(s->choices[i]));
	}
	options_misuse(c, "%s: expected one of %.*s, got '%s'", option_name(s),
	    (int)list.n, list.p, arg);
}

/* Append a list less the blanks around its commas. */
static void
put_list(struct buffer *b, struct span list)
{
	static const char blanks[] = " \t";
	size_t n;

	for (;;) {
		n = field_path_until(list, ',');
		buffer_put(b, (struct span){ list.p, n });
		if (n == list.n)
			break;
		while (b->n != 0 && strchr(blanks, b->p[b->n - 1]) != NULL)
			b->n--;
		buffer_byte(b, ',');
		for (n++; n < list.n && strchr(blanks, list.p[n]) != NULL; n++)
			;
		list.p += n;
		list.n -= n;
	}
}

void
option_take(const struct command *c, struct option_given *g, const char *arg)
{
	switch (g->spec->kind) {
	case OPTION_FLAG:
		*(bool *)g->to = true;
		break;
	case OPTION_TEXT:
	case OPTION_OPTIONAL:
		take_text(g, arg);
		break;
	case OPTION_FILE:
	case OPTION_OPTIONAL_FILE:
		take_file(c, g, arg);
		break;
	case OPTION_TIME_FORMAT:
		take_time_format(c, g, arg);
		break;
	case OPTION_COUNT:
		take_count(c, g, arg);
		break;
	case OPTION_REAL:
		take_real(c, g, arg);
		break;
	case OPTION_SIZE:
		take_size(c, g, arg);
		break;
	case OPTION_DURATION:
	case OPTION_DURATION_OR_0:
	case OPTION_DURATION_ALL:
		take_duration(c, g, arg);
		break;
	case OPTION_REACH:
		take_reach(c, g, arg);
		break;
	case OPTION_CHOICE:
		take_choice(c, g, arg);
		break;
	case OPTION_FIELD:
	case OPTION_KEY:
		g->text.n = 0;
		buffer_put(&g->text, span_of(arg));
		break;
	case OPTION_FIELDS:
	case OPTION_LIST:
	case OPTION_NAMES:
		if (g->given)
			buffer_byte(&g->text, ',');
		put_list(&g->text, span_of(arg));
		break;
	}
	g->given = true;
}

static bool
is_list(enum option_kind kind)
{
	return kind == OPTION_FIELD || kind == OPTION_KEY ||
	    kind == OPTION_FIELDS || kind == OPTION_LIST ||
	    kind == OPTION_NAMES;
}

/* Add the fields of a list, and return as add of struct option_spec does. */
static const char *
add_list(const struct option_given *g, struct projection *p, struct span *text)
{
	struct field_range *range = g->to;

	if (g->spec->kind == OPTION_LIST)
		return g->spec->add(g->to, p, text);
	if (g->spec->kind == OPTION_FIELDS)
		return projection_add_key(p, g->text.p, &range->first,
		    &range->n);
	return (g->spec->kind == OPTION_KEY ?
		projection_add_key_path :
		projection_add_path)(p, g->text.p, &range->first, &range->n);
}

void
option_finish(const struct command *c, struct option_given *g,
    struct projection *p)
{
	const struct option_spec *s = g->spec;
	struct span text;
	const char *wrong;

	if (!g->given && s->standard != NULL)
		option_take(c, g, s->standard);
	if (s->required && !g->given)
		options_misuse(c, "%s is required", option_name(s));
	if (!is_list(s->kind) || !g->given)
		return;
	buffer_byte(&g->text, '\0');
	if (s->kind == OPTION_NAMES) {
		*(const char **)g->to = g->text.p;
		return;
	}
	/* These are names of members on output, so they must be UTF-8. */
	if (!utf8_is_valid(g->text.p, g->text.p + g->text.n))
		options_check(c, option_name(s), "expected UTF-8", g->text.p);
	text = span_of(g->text.p);
	if ((wrong = add_list(g, p, &text)) != NULL)
		options_misuse(c, "%s: %s, got '%.*s'", option_name(s), wrong,
		    (int)text.n, text.p);
}

static void
put_duration(struct buffer *b, int64_t ms)
{
	if (ms < 0)
		buffer_byte(b, '-');
	buffer_seconds(b, ms < 0 ? -ms : ms);
	buffer_byte(b, 's');
}

/* Nothing if there is none: no length alone is negative. */
static void
put_reach(struct buffer *b, const struct duration_reach *r)
{
	if (!r->is_pair && r->before_ms < 0)
		return;
	put_duration(b, r->before_ms);
	if (r->is_pair) {
		buffer_put(b, SPAN(".."));
		put_duration(b, r->after_ms);
	}
}

void
options_put_value(const struct option_given *g, struct buffer *b)
{
	switch (g->spec->kind) {
	case OPTION_FLAG:
		buffer_put(b, *(bool *)g->to ? SPAN("on") : SPAN("off"));
		break;
	case OPTION_COUNT:
	case OPTION_SIZE:
		buffer_int(b, *(int64_t *)g->to);
		break;
	case OPTION_REAL:
		buffer_double(b, *(double *)g->to);
		break;
	case OPTION_DURATION:
	case OPTION_DURATION_OR_0:
	case OPTION_DURATION_ALL:
		if (*(int64_t *)g->to == LATENESS_ALL) {
			buffer_put(b, SPAN("all"));
			break;
		}
		put_duration(b, *(int64_t *)g->to);
		break;
	case OPTION_REACH:
		put_reach(b, g->to);
		break;
	case OPTION_CHOICE:
		buffer_put(b, span_of(g->spec->choices[*(int *)g->to]));
		break;
	case OPTION_TEXT:
	case OPTION_FILE:
	case OPTION_TIME_FORMAT:
	case OPTION_OPTIONAL:
	case OPTION_OPTIONAL_FILE:
		if (*(const char **)g->to != NULL)
			buffer_put(b, span_of(*(const char **)g->to));
		break;
	case OPTION_FIELD:
	case OPTION_KEY:
	case OPTION_FIELDS:
	case OPTION_LIST:
	case OPTION_NAMES:
		if (g->given)
			buffer_put(b, span_of(g->text.p));
		break;
	}
}
