/*
 * SPDX-License-Identifier: ISC
 */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/prefetch.h"
#include "json/line_fields.h"
#include "json/line_scanner.h"

struct line_scanner {
	const struct scan_node *root;
	const struct json_index_version *version;
	struct json_index index;
	size_t chunk; /* bytes that are indexed at once */
	size_t most;  /* lines that are enough */
	/* Some lines had white space behind keys; it is looked for from then on. */
	bool spaced;
	bool in_thread; /* another processor uses the results */
};

/* Of many fields fewer lines are indexed at once, if they are so short. */
enum { SHORT_LINE = 8 };

struct line_scanner *
line_scanner_new(const struct scan_node *root,
    const struct json_index_version *version)
{
	struct line_scanner *s = memory_new(1, sizeof *s);

	s->root = root;
	s->version = version;
	json_index_init(&s->index);
	s->index.wanted = root->lengths;
	s->most = LINE_SCANNER_SLOTS / (size_t)root->end + 1;
	s->chunk = s->most * SHORT_LINE;
	if (s->chunk > LINE_SCANNER_CHUNK)
		s->chunk = LINE_SCANNER_CHUNK;
	return s;
}

struct line_scanner *
line_scanner_like(const struct line_scanner *s)
{
	struct line_scanner *other = line_scanner_new(s->root, s->version);

	other->in_thread = true;
	return other;
}

void
line_scanner_free(struct line_scanner *s)
{
	if (s == NULL)
		return;
	json_index_fini(&s->index);
	free(s);
}

void
scanned_lines_fini(struct scanned_lines *s)
{
	free(s->lines);
	free(s->slots);
	*s = (struct scanned_lines){ 0 };
}

/* Let json_scan do a line. */
static void
scan_singly(const struct line_scanner *s, const char *base,
    struct scanned_line *line, struct value *slots)
{
	struct span object =
	    json_trim((struct span){ base + line->at, line->n });

	line->object_at = (uint32_t)(object.p - base);
	line->object_n = (uint32_t)object.n;
	if (object.n == 0)
		line->kind = LINE_BLANK;
	else if (json_scan(s->root, object, slots, NULL) < 0)
		line->kind = LINE_INVALID;
	else
		line->kind = LINE_OBJECT;
}

/*
 * Scan a line by its tokens; origin is where the index's is.  False: it is left
 * to json_scan.
 */
static bool
scan_tokens(const struct line_scanner *s, struct indexed_line *l,
    uint32_t origin, struct scanned_line *line, struct value *slots)
{
	const uint16_t *at = l->x->at;

	if (l->newline == l->first || (l->flags & LINE_BAD) != 0 ||
	    !line_fields_find(l, s->root, slots))
		return false;
	line->object_at = origin + at[l->first];
	line->object_n = (uint32_t)(at[l->newline - 1] - at[l->first]) + 1;
	line->kind = LINE_OBJECT;
	return true;
}

/* Room for n more lines. */
static void
make_room(const struct line_scanner *s, struct scanned_lines *out, size_t n)
{
	size_t nslots = (size_t)s->root->end;

	if (out->cap < out->n + n)
		out->lines = memory_grow(out->lines, &out->cap, out->n + n,
		    sizeof *out->lines);
	if (out->slots_cap < (out->n + n) * nslots)
		out->slots = memory_grow(out->slots, &out->slots_cap,
		    (out->n + n) * nslots, sizeof *out->slots);
}

/*
 * Fetch the places where the next chunk will put a line and its slots, since
 * another processor used them last.  They are about as many lines further on as
 * this chunk has.
 */
static inline __attribute__((always_inline)) void
fetch_room(const struct scanned_line *line, const struct value *slots,
    size_t nslots, size_t nlines)
{
	prefetch_to_write_behind(line, nlines * sizeof *line, sizeof *line);
	prefetch_to_write_behind(slots, nlines * nslots * sizeof *slots,
	    nslots * sizeof *slots);
}

/* scan_tokens for a line that is indexed alone; the slots may be unset. */
static bool
scan_far(struct line_scanner *s, const char *base, struct span text,
    struct scanned_line *line, struct value *slots)
{
	struct json_index *x = &s->index;
	struct indexed_line l = { .x = x };
	const char *object, *end;

	json_index_make_room(x, text.n);
	s->version->index(x, text);
	memset(slots, 0, (size_t)s->root->end * sizeof *slots);
	l.newline = x->ntokens - 1;
	l.flags = (*x->lines & LINE_FLAGS) | LINE_FAR;
	if (l.newline == 0 || (l.flags & LINE_BAD) != 0 ||
	    !line_fields_find_far(&l, s->root, slots))
		return false;
	object = x->origin + json_index_offset(x, 0);
	end = x->origin + json_index_offset(x, l.newline - 1) + 1;
	line->object_at = (uint32_t)(object - base);
	line->object_n = (uint32_t)(end - object);
	line->kind = LINE_OBJECT;
	return true;
}

/* Scan a line alone. */
static void
scan_one(struct line_scanner *s, const char *base, struct span text,
    struct scanned_lines *out)
{
	size_t nslots = (size_t)s->root->end;
	struct scanned_line *line;
	struct value *slots;

	make_room(s, out, 1);
	line = &out->lines[out->n];
	slots = out->slots + out->n * nslots;
	out->n++;
	line->at = (uint32_t)(text.p - base);
	line->n = (uint32_t)text.n - 1;
	if (s->version == NULL || text.n > JSON_INDEX_LINE ||
	    !scan_far(s, base, text, line, slots))
		scan_singly(s, base, line, slots);
}

/* Have keys with one white space behind them found among those wanted. */
static void
look_for_spaced(struct line_scanner *s)
{
	s->index.wanted |= s->root->lengths << 1 | s->root->lengths >> 63;
	s->spaced = true;
}

static void
scan_chunk(struct line_scanner *s, const char *base, struct span text,
    struct scanned_lines *out)
{
	const struct json_index *x = &s->index;
	uint32_t origin, at;
	size_t nslots = (size_t)s->root->end;
	struct indexed_line l = {
		.x = x, .keys = x->keys, .spaced = s->spaced
	};
	uint32_t flags = 0;
	const uint32_t *of, *end;
	struct scanned_line *line;
	struct value *slots;

	s->version->index(&s->index, text);
	origin = (uint32_t)(x->origin - base);
	at = (uint32_t)(text.p - x->origin);
	of = x->lines;
	end = of + x->nlines;
	make_room(s, out, x->nlines);
	line = out->lines + out->n;
	slots = out->slots + out->n * nslots;
	out->n += x->nlines;
	/* At once: clearing those of each line takes 3 % more time. */
	memset(slots, 0, x->nlines * nslots * sizeof *slots);
	for (; of < end; of++, line++, slots += nslots) {
		if (s->in_thread)
			fetch_room(line, slots, nslots, x->nlines);
		l.newline = *of >> LINE_FLAG_BITS;
		l.flags = *of & LINE_FLAGS;
		flags |= l.flags;
		line->at = origin + at;
		line->n = (uint32_t)x->at[l.newline] - at;
		if (!scan_tokens(s, &l, origin, line, slots))
			scan_singly(s, base, line, slots);
		at = (uint32_t)x->at[l.newline] + 1;
		while (*l.keys < l.newline)
			l.keys++;
		l.first = l.newline + 1;
	}
	if ((flags & LINE_LOOSE) != 0)
		look_for_spaced(s);
}

/*
 * The lines at the beginning of text that are scanned at once: as many as
 * are indexed together, or one.
 */
static struct span
cut(const struct line_scanner *s, struct span text)
{
	size_t from = s->version == NULL ? 0 : s->chunk;
	const char *end;

	if (text.n <= from)
		return text;
	end = (const char *)memchr(text.p + from, '\n', text.n - from) + 1;
	/* memchr, as most often none is there, and the loop is slow. */
	if (end - text.p > JSON_INDEX_MAX && memchr(text.p, '\n', from) != NULL)
		for (size_t n = from; n > 0; n--)
			if (text.p[n - 1] == '\n')
				return (struct span){ text.p, n };
	return (struct span){ text.p, (size_t)(end - text.p) };
}

size_t
line_scanner_scan(struct line_scanner *s, struct span text,
    struct scanned_lines *out)
{
	struct span lines;
	size_t at = 0;

	out->n = 0;
	for (; at < text.n && out->n < s->most; at += lines.n) {
		lines = cut(s, (struct span){ text.p + at, text.n - at });
		if (s->version == NULL || lines.n > JSON_INDEX_MAX)
			scan_one(s, text.p, lines, out);
		else
			scan_chunk(s, text.p, lines, out);
	}
	return at;
}
