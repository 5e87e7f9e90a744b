/*
 * scanners - a line scanner for each version of the index that runs here, held
 * against json_scan and jansson line by line.  NO_JANSSON leaves jansson out.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef SCANNERS_H
#define SCANNERS_H

#include <stdio.h>

#ifndef NO_JANSSON
#include "jansson_limits.h"
#endif
#include "json/line_scanner.h"
#include "json/text.h"
#include "padded.h"

enum { SCANNERS_MOST = 4 };

struct scanners {
	struct projection projection;
	struct span fields;
	const struct json_index_version *versions[SCANNERS_MOST]; /* or NULL */
	struct line_scanner *scanners[SCANNERS_MOST];
	size_t n;
	struct scanned_lines lines; /* of the one that was last */
	struct value *slots;	    /* of json_scan's last line */
	unsigned nvalid, ninvalid;
};

/* Shape:  fields is what an option takes, without commas in names. */
static inline void
scanners_init(struct scanners *x, const char *fields)
{
	const struct json_index_version *const *v = json_index_versions;
	const char *wrong;
	size_t first, n;

	*x = (struct scanners){ .fields = span_of(fields) };
	projection_init(&x->projection);
	wrong = projection_add(&x->projection, fields, &first, &n);
	assert(wrong == NULL);
	(void)wrong;
	projection_compile(&x->projection);
	x->slots = memory_new((size_t)x->projection.nslots, sizeof *x->slots);
	for (; *v != NULL; v++)
		if ((*v)->runs_here())
			x->versions[x->n++] = *v;
	x->n++; /* none at all */
	for (size_t i = 0; i < x->n; i++)
		x->scanners[i] =
		    line_scanner_new(&x->projection.root, x->versions[i]);
}

static inline void
scanners_fini(struct scanners *x)
{
	for (size_t i = 0; i < x->n; i++)
		line_scanner_free(x->scanners[i]);
	scanned_lines_fini(&x->lines);
	projection_fini(&x->projection);
	free(x->slots);
}

/* Tell whether what is said to be digits is a number of those alone. */
static inline bool
scanners_is_digits(struct span s)
{
	for (size_t i = 0; i < s.n; i++)
		if (s.p[i] < '0' || s.p[i] > '9')
			return false;
	return s.n == 1 || s.p[0] != '0';
}

static inline bool
scanners_is_same_value(const struct value *a, const struct value *b)
{
	if (a->p == NULL || b->p == NULL)
		return a->p == b->p;
	return a->p == b->p && a->n == b->n && a->escaped == b->escaped &&
	    (!a->digits || scanners_is_digits(value_raw(a)));
}

/* Tell whether json_scan takes raw for what the i-th line is said to be. */
static inline bool
scanners_is_same_line(struct scanners *x, const char *text, size_t i,
    struct span raw)
{
	const struct scanned_line *line = &x->lines.lines[i];
	const struct value *slots =
	    &x->lines.slots[i * (size_t)x->projection.nslots];
	struct span object = json_trim(raw);

	if (line->at != (size_t)(raw.p - text) || line->n != raw.n)
		return false;
	if (object.n == 0)
		return line->kind == LINE_BLANK;
	if (line->object_at != (size_t)(object.p - text) ||
	    line->object_n != object.n)
		return false;
	if (json_scan(&x->projection.root, object, x->slots, NULL) < 0)
		return line->kind == LINE_INVALID;
	for (int k = 0; k < x->projection.nslots; k++)
		if (!scanners_is_same_value(&slots[k], &x->slots[k]))
			return false;
	return line->kind == LINE_OBJECT;
}

#ifdef NO_JANSSON
static inline bool
scanners_jansson_agrees(const struct scanners *x, const char *text, size_t i)
{
	(void)x, (void)text, (void)i;
	return true;
}
#else
/* Tell whether jansson finds in j what v has for the member of that name. */
static inline bool
scanners_jansson_finds(const struct value *v, const json_t *j, struct span name)
{
	char copy[80]; /* json_object_getn is of jansson 2.14 */
	json_t *value, *found;
	bool same;

	assert(name.n < sizeof copy);
	snprintf(copy, sizeof copy, "%.*s", (int)name.n, name.p);
	value = json_object_get(j, copy);
	if (v->p == NULL || value == NULL)
		return v->p == NULL && value == NULL;
	found = json_loadb(v->p, v->n, JSON_DECODE_ANY | JSON_ALLOW_NUL, NULL);
	same = json_equal(found, value) != 0;
	json_decref(found);
	return same;
}

/* The same for all fields of the i-th line that are no paths. */
static inline bool
scanners_jansson_finds_all(const struct scanners *x, const json_t *j, size_t i)
{
	const struct value *slots =
	    &x->lines.slots[i * (size_t)x->projection.nslots];
	const char *p = x->fields.p, *end = p + x->fields.n;

	for (size_t k = 0; k < x->projection.nfields; k++) {
		const struct value *v = &slots[x->projection.fields[k].slot];
		size_t n = strcspn(p, ",");

		if (strcspn(p, "./[") >= n &&
		    !scanners_jansson_finds(v, j, (struct span){ p, n }))
			return false;
		p += p + n == end ? n : n + 1;
	}
	return true;
}

static inline bool
scanners_jansson_agrees(const struct scanners *x, const char *text, size_t i)
{
	const struct scanned_line *line = &x->lines.lines[i];
	struct span object = { text + line->object_at, line->object_n };
	bool valid = line->kind == LINE_OBJECT;
	struct fault f = { 0 };
	json_error_t e;
	json_t *j;
	bool agrees;

	/* jansson loses a NUL after a number. */
	if (line->kind == LINE_BLANK ||
	    memchr(object.p, '\0', object.n) != NULL)
		return !valid;
	j = json_loadb(object.p, object.n, JSON_ALLOW_NUL, &e);
	if (valid)
		agrees = j == NULL ?
		    is_limit_of_jansson(&e) :
		    json_is_object(j) && scanners_jansson_finds_all(x, j, i);
	else
		agrees = !json_is_object(j) ||
		    (json_scan(&x->projection.root, object, x->slots, &f) < 0 &&
			f.kind == FAULT_LIMIT);
	json_decref(j);
	return agrees;
}
#endif

/* Tell whether the i-th scanner is right about text, or show where it is not. */
static inline bool
scanners_is_right(struct scanners *x, size_t i, struct span text)
{
	size_t scanned = line_scanner_scan(x->scanners[i], text, &x->lines);
	size_t n = 0;
	const char *p = text.p, *end = p + scanned;

	for (; p < end; n++) {
		const char *newline = memchr(p, '\n', (size_t)(end - p));
		struct span raw = { p, (size_t)(newline - p) };

		if (n == x->lines.n ||
		    !scanners_is_same_line(x, text.p, n, raw) ||
		    (i == 0 && !scanners_jansson_agrees(x, text.p, n))) {
			fprintf(stderr, "version %s, -k %s, line %zu: %.*s\n",
			    x->versions[i] == NULL ? "none" :
						     x->versions[i]->name,
			    x->fields.p, n + 1,
			    (int)(raw.n < 2000 ? raw.n : 2000), raw.p);
			return false;
		}
		if (x->lines.lines[n].kind == LINE_INVALID)
			x->ninvalid++;
		else
			x->nvalid++;
		p = newline + 1;
	}
	if (n != x->lines.n || (scanned == 0 && text.n != 0))
		return false;
	return scanned == text.n ||
	    scanners_is_right(x, i, (struct span){ end, text.n - scanned });
}

/*
 * Tell whether all agree on text, scanned where as many other bytes lie
 * before it; or show where they do not.
 *
 * Shape:  text ends in a newline.
 */
static inline bool
scanners_agree(struct scanners *x, struct span text, size_t before)
{
	char *p = padded_behind(before, text);
	bool agree = true;

	for (size_t i = 0; i < x->n && agree; i++)
		agree = scanners_is_right(x, i,
		    (struct span){ p + before, text.n });
	free(p);
	return agree;
}

#endif
