/*
 * SPDX-License-Identifier: ISC
 */
#include <stdlib.h>

#include "line_scanner.h"
#include "memory.h"

enum {
	/* A line of more tokens is walked each time. */
	SHAPE_TOKENS = 512,
	SHAPE_WORDS = SHAPE_TOKENS / 8,
	SHAPE_SUSPECTS = 128,
	SHAPES = 64, /* a power of two */
	/* So many lines with other keys, and the shape is taken anew. */
	SHAPE_MISSES = 16,
	NOWHERE = UINT16_MAX,
	/* Indexed at once, with its index it fits the cache of a core. */
	CHUNK = 16 * 1024,
};

/* Where a slot's value is, among the tokens of its line. */
struct place_of {
	uint16_t token; /* NOWHERE where it is absent */
	uint16_t last;	/* its closing brace or bracket, or the next token */
};

/* A key in an object that is looked into. */
struct shape_key {
	uint16_t token, gap; /* gap: bytes from its quote to its colon */
};

/*
 * One of them that by its length might be the name that child looks for, and
 * is or is not.  The first and the last eight bytes of a name tell, if it
 * has no more than 16.
 */
struct suspect {
	uint16_t token;
	uint16_t tail_at; /* where the last eight bytes begin */
	bool is;
	uint64_t mask, head, tail; /* mask: of the bytes that it has */
	const struct scan_node *child;
};

/* The tokens of a good line, and what follows from them. */
struct shape {
	uint64_t words[SHAPE_WORDS]; /* the tokens; 0 behind the last */
	uint64_t last_mask;	     /* of those that count in the last word */
	size_t nwords, ntokens, nkeys, nsuspects, nscalars;
	struct shape_key keys[SHAPE_TOKENS / 2];
	struct suspect suspects[SHAPE_SUSPECTS];
	uint16_t scalars[SHAPE_TOKENS];
	unsigned misses;
	struct place_of *found; /* of each slot */
};

/* An object or array that the walk is in. */
struct level {
	const struct scan_node *node; /* NULL: nothing in it is looked for */
	int64_t index;		      /* in an array; -1: it is an object */
	int slot;		      /* where it goes itself */
};

struct line_scanner {
	const struct scan_node *root;
	const struct json_index_version *version;
	struct json_index index;
	struct shape *shapes[SHAPES], *last, *draft;
	struct level levels[JSON_DEPTH + 1]; /* the first is outside all */
};

/* The line at hand, and its tokens. */
struct line {
	const char *text;
	const uint16_t *at;
	const uint8_t *token;
	size_t ntokens; /* without the newline */
	uint32_t flags;
};

static struct shape *
shape_new(const struct line_scanner *s)
{
	struct shape *shape = memory_new(1, sizeof *shape);

	shape->found = memory_new((size_t)s->root->end, sizeof *shape->found);
	return shape;
}

static void
shape_free(struct shape *shape)
{
	if (shape != NULL)
		free(shape->found);
	free(shape);
}

struct line_scanner *
line_scanner_new(const struct scan_node *root,
    const struct json_index_version *version)
{
	struct line_scanner *s = memory_new(1, sizeof *s);

	s->root = root;
	s->version = version;
	json_index_init(&s->index);
	s->draft = shape_new(s);
	return s;
}

void
line_scanner_free(struct line_scanner *s)
{
	if (s == NULL)
		return;
	json_index_fini(&s->index);
	for (size_t i = 0; i < SHAPES; i++)
		shape_free(s->shapes[i]);
	shape_free(s->draft);
	free(s);
}

void
scanned_lines_fini(struct scanned_lines *s)
{
	free(s->lines);
	free(s->slots);
	*s = (struct scanned_lines){ 0 };
}

static inline bool
is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

static inline bool
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static const char *
skip_digits(const char *p)
{
	while (is_digit(*p))
		p++;
	return p;
}

/* Where the number at p ends; p itself where it is none. */
static const char *
number_end(const char *p)
{
	const char *start = p;

	p += *p == '-';
	if (!is_digit(*p))
		return start;
	p = *p == '0' ? p + 1 : skip_digits(p);
	if (*p == '.') {
		if (!is_digit(*++p))
			return start;
		p = skip_digits(p);
	}
	if ((*p | 0x20) == 'e') {
		p++;
		p += *p == '+' || *p == '-';
		if (!is_digit(*p))
			return start;
		p = skip_digits(p);
	}
	return p;
}

/* Tell whether the scalar between two tokens is a number or a word. */
static bool
is_scalar(const char *p, const char *next)
{
	const char *end;

	switch (*p) {
	case 't':
		end = memcmp(p, "true", 4) == 0 ? p + 4 : p;
		break;
	case 'f':
		end = memcmp(p, "false", 5) == 0 ? p + 5 : p;
		break;
	case 'n':
		end = memcmp(p, "null", 4) == 0 ? p + 4 : p;
		break;
	default:
		end = number_end(p);
	}
	return end != p && (end == next || is_space(*end));
}

/* What lies between two tokens, without the white space at its end. */
static inline struct span
between(const struct line *l, size_t token, size_t next)
{
	const char *p = l->text + l->at[token], *end = l->text + l->at[next];

	if ((l->flags & LINE_SPACED) != 0)
		while (is_space(end[-1]))
			end--;
	return (struct span){ p, (size_t)(end - p) };
}

/* The key whose quote is a token, without its quotes. */
static struct span
key_at(const struct line *l, size_t token)
{
	struct span s = between(l, token, token + 1);

	return (struct span){ s.p + 1, s.n - 2 };
}

static bool
has_escape(const struct line *l, struct span s)
{
	return (l->flags & LINE_ESCAPED) != 0 && memchr(s.p, '\\', s.n) != NULL;
}

static inline void
fill_slots(const struct line *l, const struct place_of *found, int n,
    struct value *slots)
{
	for (int i = 0; i < n; i++) {
		struct place_of f = found[i];
		struct value *v = &slots[i];

		if (f.token == NOWHERE) {
			v->raw.p = NULL;
			continue;
		}
		v->raw = between(l, f.token, f.last);
		v->escaped = false;
		if (l->token[f.token] == '"')
			v->escaped = has_escape(l, v->raw);
		else if (l->token[f.token] != '0')
			v->raw.n = (size_t)(l->at[f.last] - l->at[f.token]) + 1;
	}
}

static inline uint64_t
load8(const void *p)
{
	uint64_t v;

	memcpy(&v, p, sizeof v);
	return v;
}

static struct suspect
suspect_of(size_t token, const struct scan_node *child, bool is)
{
	struct suspect u = { .token = (uint16_t)token,
		.is = is,
		.mask = UINT64_MAX,
		.child = child };
	struct span name = child->name;
	char padded[16] = { 0 };

	memcpy(padded, name.p, name.n < 16 ? name.n : 16);
	if (name.n < 8)
		u.mask = ((uint64_t)1 << 8 * name.n) - 1;
	else
		u.tail_at = (uint16_t)(name.n < 16 ? name.n - 8 : 8);
	u.head = load8(padded);
	u.tail = load8(padded + u.tail_at);
	return u;
}

/* Tell whether the key is the one that it was. */
static inline bool
is_cleared(const struct suspect *u, const struct line *l)
{
	const char *p = l->text + l->at[u->token] + 1;
	bool same;

	if (u->child->name.n > 16)
		same = memcmp(p, u->child->name.p, u->child->name.n) == 0;
	else
		same = (((load8(p) & u->mask) ^ u->head) |
			   ((load8(p + u->tail_at) & u->mask) ^ u->tail)) == 0;
	return same == u->is;
}

/*
 * Note a key of an object that is looked into; child is what looks for it.
 * False: its shape is of no use for other lines.
 */
static bool
note_key(struct shape *d, const struct line *l, size_t token, struct span key,
    const struct scan_node *node, const struct scan_node *child)
{
	size_t gap = (size_t)(l->at[token + 1] - l->at[token]);

	if (gap != key.n + 2)
		return false;
	d->keys[d->nkeys++] =
	    (struct shape_key){ (uint16_t)token, (uint16_t)gap };
	for (size_t i = 0; i < node->nchildren; i++) {
		const struct scan_node *other = &node->children[i];

		if (other->name.p == NULL || other->name.n != key.n)
			continue;
		if (d->nsuspects == SHAPE_SUSPECTS)
			return false;
		d->suspects[d->nsuspects++] =
		    suspect_of(token, other, other == child);
	}
	return true;
}

/*
 * Walk through the tokens of a line, which is a good one, or false: it is bad
 * or more than this can do.  s->draft then has where the fields are, and with
 * *keep all that makes a shape.
 */
static bool
walk(struct line_scanner *s, const struct line *l, bool *keep)
{
	struct shape *d = s->draft;
	struct level *top = s->levels;
	const struct scan_node *node = s->root, *child;
	struct span key;
	bool escaped;
	size_t i = 0;
	int slot;

	*keep = l->ntokens < SHAPE_TOKENS;
	d->nkeys = d->nsuspects = d->nscalars = 0;
	for (int k = 0; k < s->root->end; k++)
		d->found[k].token = NOWHERE;
	if (l->token[0] != '{')
		return false;
value:
	/* An earlier member of this name is forgotten, with all below it. */
	slot = SCAN_NO_SLOT;
	if (node != NULL) {
		for (int k = node->first; k < node->end; k++)
			d->found[k].token = NOWHERE;
		slot = node->slot;
		if (slot >= 0)
			d->found[slot] =
			    (struct place_of){ (uint16_t)i, (uint16_t)(i + 1) };
	}
	switch (l->token[i]) {
	case '"':
		break;
	case '0':
		if ((l->flags & LINE_MIXED) != 0 &&
		    !is_scalar(l->text + l->at[i], l->text + l->at[i + 1]))
			return false;
		if (*keep)
			d->scalars[d->nscalars++] = (uint16_t)i;
		break;
	case '{':
	case '[':
		if (top - s->levels == JSON_DEPTH)
			return false;
		*++top =
		    (struct level){ node, l->token[i] == '{' ? -1 : 0, slot };
		i++;
		if (top->index < 0) {
			if (l->token[i] != '}')
				goto key;
		} else if (l->token[i] != ']') {
			goto element;
		}
		goto end;
	default:
		return false;
	}
	i++;
next:
	if (l->token[i] == ',') {
		i++;
		if (top->index < 0)
			goto key;
		top->index++;
		goto element;
	}
	if (l->token[i] != (top->index < 0 ? '}' : ']'))
		return false;
end:
	if (top->slot >= 0)
		d->found[top->slot].last = (uint16_t)i;
	i++;
	if (--top > s->levels)
		goto next;
	return i == l->ntokens;
element:
	node = top->node;
	if (node != NULL)
		node = scan_node_element(node, 0, top->index);
	if (node != NULL && node->twin)
		return false;
	goto value;
key:
	if (l->token[i] != '"' || l->token[i + 1] != ':')
		return false;
	node = top->node;
	if (node != NULL) {
		key = key_at(l, i);
		escaped = has_escape(l, key);
		child = scan_node_member(node, 0, key, escaped);
		if (child != NULL && child->twin)
			return false;
		if (*keep)
			*keep = !escaped && note_key(d, l, i, key, node, child);
		node = child;
	}
	i += 2;
	goto value;
}

/* Tell whether a line has the tokens of a shape. */
static inline bool
same_tokens(const struct shape *shape, const struct line *l)
{
	size_t last = shape->nwords - 1;
	uint64_t differ;

	if (shape->ntokens != l->ntokens)
		return false;
	differ = (load8(l->token + 8 * last) ^ shape->words[last]) &
	    shape->last_mask;
	for (size_t i = 0; i < last; i++)
		differ |= load8(l->token + 8 * i) ^ shape->words[i];
	return differ == 0;
}

static size_t
hash_tokens(const struct line *l)
{
	uint64_t h = l->ntokens;

	for (size_t i = 0; i + 8 <= l->ntokens; i += 8)
		h = (h ^ load8(l->token + i)) * 0x9e3779b97f4a7c15;
	return (size_t)(h >> 32) % SHAPES;
}

/* Tell whether the keys of a line are where those of its shape are. */
static bool
same_keys(const struct shape *shape, const struct line *l)
{
	unsigned differ = 0;

	for (size_t i = 0; i < shape->nkeys; i++) {
		struct shape_key k = shape->keys[i];
		size_t colon = l->at[k.token + 1];

		differ |= (unsigned)(colon - l->at[k.token]) ^ k.gap;
	}
	if ((l->flags & LINE_SPACED) != 0)
		for (size_t i = 0; i < shape->nkeys; i++) {
			size_t colon = l->at[shape->keys[i].token + 1];

			differ |= (unsigned)(l->text[colon - 1] ^ '"');
		}
	if (differ != 0)
		return false;
	for (size_t i = 0; i < shape->nsuspects; i++)
		if (!is_cleared(&shape->suspects[i], l))
			return false;
	if ((l->flags & LINE_ESCAPED) != 0)
		for (size_t i = 0; i < shape->nkeys; i++) {
			struct shape_key k = shape->keys[i];

			if (memchr(l->text + l->at[k.token], '\\', k.gap) !=
			    NULL)
				return false;
		}
	return true;
}

static bool
scalars_good(const struct shape *shape, const struct line *l)
{
	if ((l->flags & LINE_MIXED) != 0)
		for (size_t i = 0; i < shape->nscalars; i++) {
			size_t k = shape->scalars[i];

			if (!is_scalar(l->text + l->at[k],
				l->text + l->at[k + 1]))
				return false;
		}
	return true;
}

/* Make what the walk has noted a shape, in the place of another. */
static void
keep_draft(struct line_scanner *s, const struct line *l, size_t place)
{
	struct shape *d = s->draft;
	size_t used;

	d->ntokens = l->ntokens;
	d->nwords = (l->ntokens + 7) / 8;
	used = l->ntokens - 8 * (d->nwords - 1);
	d->last_mask = UINT64_MAX >> (64 - 8 * used);
	for (size_t i = 0; i < d->nwords; i++)
		d->words[i] = load8(l->token + 8 * i);
	d->words[d->nwords - 1] &= d->last_mask;
	d->misses = 0;
	s->draft = s->shapes[place] != NULL ? s->shapes[place] : shape_new(s);
	s->last = s->shapes[place] = d;
}

/* Scan a line that is not bad.  False: it is, after all, or not known. */
static bool
scan_line(struct line_scanner *s, const struct line *l, struct value *slots)
{
	struct shape *shape = s->last;
	size_t place = 0;
	bool keep;

	if (shape == NULL || !same_tokens(shape, l)) {
		place = hash_tokens(l);
		shape = s->shapes[place];
		if (shape != NULL && !same_tokens(shape, l))
			shape = NULL;
	}
	if (shape != NULL && same_keys(shape, l)) {
		s->last = shape;
		if (!scalars_good(shape, l))
			return false;
		fill_slots(l, shape->found, s->root->end, slots);
		return true;
	}
	if (!walk(s, l, &keep))
		return false;
	fill_slots(l, s->draft->found, s->root->end, slots);
	if (keep && (shape == NULL || shape->misses++ == SHAPE_MISSES))
		keep_draft(s, l, shape == NULL ? place : hash_tokens(l));
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

/* Let json_scan do a line. */
static void
scan_singly(const struct line_scanner *s, const char *base, struct span raw,
    struct scanned_line *line, struct value *slots)
{
	struct span object = json_trim(raw);

	if (object.n == 0 || json_scan(s->root, object, slots, NULL) < 0)
		object.n = 0;
	line->object_at = (uint32_t)(object.p - base);
	line->object_n = (uint32_t)object.n;
}

/* Both of these return how many bytes have been scanned. */
static size_t
scan_all_singly(const struct line_scanner *s, const char *base,
    struct span text, size_t max_line, struct scanned_lines *out)
{
	const char *p = text.p, *end = p + text.n;

	while (p < end) {
		const char *newline = memchr(p, '\n', (size_t)(end - p));
		struct span raw = { p, (size_t)(newline - p) };
		struct scanned_line *line;

		if (raw.n > max_line)
			break;
		make_room(s, out, 1);
		line = &out->lines[out->n];
		line->at = (uint32_t)(p - base);
		line->n = (uint32_t)raw.n;
		scan_singly(s, base, raw, line,
		    out->slots + out->n * (size_t)s->root->end);
		out->n++;
		p = newline + 1;
	}
	return (size_t)(p - text.p);
}

static size_t
scan_indexed(struct line_scanner *s, const char *base, struct span text,
    size_t max_line, struct scanned_lines *out)
{
	const struct json_index *x = &s->index;
	uint32_t start = (uint32_t)(text.p - base), at = 0;
	size_t nslots = (size_t)s->root->end, first = 0;

	s->version->index(&s->index, text);
	make_room(s, out, x->nlines);
	for (size_t i = 0; i < x->nlines; i++) {
		size_t last = x->lines[i] >> LINE_FLAG_BITS;
		struct line l = { text.p, x->at + first, x->token + first,
			last - first, x->lines[i] & LINE_FLAGS };
		struct scanned_line *line = &out->lines[out->n];
		struct value *slots = out->slots + out->n * nslots;

		line->at = start + at;
		line->n = (uint32_t)x->at[last] - at;
		if (line->n > max_line)
			break;
		if (l.ntokens != 0 && (l.flags & LINE_BAD) == 0 &&
		    scan_line(s, &l, slots)) {
			line->object_at = start + l.at[0];
			line->object_n =
			    (uint32_t)(l.at[l.ntokens - 1] - l.at[0]) + 1;
		} else {
			scan_singly(s, base,
			    (struct span){ text.p + at, line->n }, line, slots);
		}
		out->n++;
		at = (uint32_t)x->at[last] + 1;
		first = last + 1;
	}
	return at;
}

/*
 * The lines at the beginning of text that are indexed at once, or the first
 * where that is too long.
 */
static struct span
cut(struct span text)
{
	const char *end = NULL;

	if (text.n <= CHUNK)
		return text;
	for (size_t n = CHUNK; n > 0 && end == NULL; n--)
		if (text.p[n - 1] == '\n')
			end = text.p + n;
	if (end == NULL)
		end =
		    (const char *)memchr(text.p + CHUNK, '\n', text.n - CHUNK) +
		    1;
	return (struct span){ text.p, (size_t)(end - text.p) };
}

size_t
line_scanner_scan(struct line_scanner *s, const char *base, struct span text,
    size_t max_line, struct scanned_lines *out)
{
	size_t at = 0, n;
	struct span lines;

	do {
		lines = cut((struct span){ text.p + at, text.n - at });
		if ((size_t)(lines.p - base) + lines.n > UINT32_MAX)
			break;
		if (s->version == NULL || lines.n > JSON_INDEX_MAX)
			n = scan_all_singly(s, base, lines, max_line, out);
		else
			n = scan_indexed(s, base, lines, max_line, out);
		at += n;
	} while (n == lines.n && at < text.n);
	return at;
}
