/*
 * SPDX-License-Identifier: ISC
 */
#include <errno.h>
#include <unistd.h>

#include "base/diagnostics.h"
#include "json/text.h"
#include "storm/multilang.h"

enum {
	READ_SIZE = 64 * 1024,
	END = 4, /* bytes of the longest line that ends a message, "end\r" */
};

/*
 * Storm casts the number of a task to Long, which its parser, since 2.6, makes
 * of large numbers only, and then takes the lower 32 bits.
 */
static const int64_t TASK_IS_LONG = INT64_C(1) << 32;

/* The fields of the projection, in its order. */
enum { ID, COMPONENT, STREAM, TASK, TUPLE, COMMAND, FIRST, SECOND };

void
multilang_input_init(struct multilang_input *in, int fd, size_t max)
{
	size_t first, n;

	*in = (struct multilang_input){ .fd = fd, .max = max };
	projection_init(&in->projection);
	projection_add(&in->projection,
	    "id,comp,stream,task,tuple,command,.tuple[0],.tuple[1]", &first,
	    &n);
	projection_compile(&in->projection);
	in->slots = projection_new_slots(&in->projection);
}

void
multilang_input_fini(struct multilang_input *in)
{
	projection_fini(&in->projection);
	free(in->slots);
	free(in->p);
	buffer_fini(&in->mended);
}

/* The scanner takes one line. */
static void
join_lines(char *p, char *end)
{
	while ((p = memchr(p, '\n', (size_t)(end - p))) != NULL)
		*p = ' ';
}

/* The message from start up to its end, which is at end. */
static struct span
message_at(struct multilang_input *in, size_t start, size_t end)
{
	struct span text = { in->p + start, end - start };

	join_lines(in->p + start, in->p + end);
	text = json_trim(text);
	in->p[(size_t)(text.p - in->p) + text.n] = '\n';
	return text;
}

/* Tell whether a line ends a message. */
static bool
is_end(struct span line)
{
	return span_eq(line, SPAN("end\n")) || span_eq(line, SPAN("end\r\n"));
}

enum multilang_status
multilang_next(struct multilang_input *in, struct span *text)
{
	char *newline;

	while (in->searched < in->end &&
	    (newline = memchr(in->p + in->searched, '\n',
		 in->end - in->searched)) != NULL) {
		size_t line = in->line, start = in->start;
		bool was_long = in->in_long;

		in->line = in->searched = (size_t)(newline + 1 - in->p);
		if (!is_end((struct span){ in->p + line, in->line - line })) {
			if (was_long)
				in->start = in->line;
			continue;
		}
		in->start = in->line;
		in->in_long = false;
		if (was_long || line - start > in->max + 1)
			return MULTILANG_LONG;
		*text = message_at(in, start, line);
		return MULTILANG_MESSAGE;
	}
	in->searched = in->end;
	if (in->ended)
		return in->start == in->end && !in->in_long ? MULTILANG_END :
							      MULTILANG_BROKEN;
	/* A last line of up to four bytes may become the end. */
	if (in->line - in->start > in->max + 1 ||
	    (in->end - in->line > END && in->end - in->start > in->max))
		in->in_long = true;
	/* What is long is dropped; the line that is left must be no end. */
	if (in->in_long && in->end - in->line > END) {
		in->p[in->end - 1] = 'x';
		in->line = in->end - 1;
	}
	if (in->in_long)
		in->start = in->line;
	return MULTILANG_EMPTY;
}

void
multilang_fill(struct multilang_input *in)
{
	size_t kept = in->end - in->start;
	ssize_t n;

	if (in->start != 0) {
		memmove(in->p, in->p + in->start, kept);
		in->line -= in->start;
		in->searched -= in->start;
		in->start = 0;
		in->end = kept;
	}
	if (in->cap - in->end < READ_SIZE + JSON_PAD)
		in->p = memory_grow(in->p, &in->cap,
		    in->end + READ_SIZE + JSON_PAD, 1);
	do
		n = read(in->fd, in->p + in->end, READ_SIZE);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		die_errno("stdin");
	in->ended = n == 0;
	in->end += (size_t)n;
	memset(in->p + in->end, '\n', JSON_PAD);
}

/* Append the number that p begins with, if JSON has none such; its length. */
static size_t
put_no_json(struct buffer *b, const char *p, const char *end)
{
	const struct span numbers[] = { SPAN("NaN"), SPAN("Infinity"),
		SPAN("-Infinity") };
	const struct span strings[] = { SPAN(MULTILANG_NAN),
		SPAN("\"Infinity\""), SPAN("\"-Infinity\"") };

	for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
		if ((size_t)(end - p) < numbers[i].n ||
		    memcmp(p, numbers[i].p, numbers[i].n) != 0)
			continue;
		buffer_put(b, strings[i]);
		return numbers[i].n;
	}
	return 0;
}

/* Copy text, bare NaN and the like as strings.  Tells whether any was there. */
static bool
mend(struct buffer *b, struct span text)
{
	const char *p = text.p, *end = p + text.n;
	bool in_string = false, any = false;
	size_t n;

	b->n = 0;
	for (; p < end; p++) {
		if (!in_string && (n = put_no_json(b, p, end)) != 0) {
			p += n - 1;
			any = true;
			continue;
		}
		if (*p == '"')
			in_string = !in_string;
		buffer_byte(b, *p);
		if (in_string && *p == '\\' && p + 1 < end)
			buffer_byte(b, *++p);
	}
	memset(buffer_room(b, JSON_PAD), '\n', JSON_PAD);
	return any;
}

static struct span
member(const struct multilang_input *in, size_t field)
{
	struct span raw =
	    value_raw(&in->slots[in->projection.fields[field].slot]);

	/* Of what is absent the scanner only says where it is: nowhere. */
	if (raw.p == NULL)
		raw.n = 0;
	return raw;
}

enum multilang_kind
multilang_parse(struct multilang_input *in, struct span text,
    struct multilang_message *m, struct fault *f)
{
	const struct scan_node *root = &in->projection.root;
	struct span line = text;

	if (line.n != 0 && *line.p == '[')
		return MULTILANG_TASK_IDS;
	f->kind = FAULT_NONE;
	if (json_scan(root, line, in->slots, f) < 0) {
		if (!mend(&in->mended, line))
			return MULTILANG_INVALID;
		line = buffer_span(&in->mended);
		f->kind = FAULT_NONE;
		if (json_scan(root, line, in->slots, f) < 0)
			return MULTILANG_INVALID;
		in->has_nan = true;
	}
	*m = (struct multilang_message){ .text = line,
		.id = member(in, ID),
		.component = member(in, COMPONENT),
		.stream = member(in, STREAM),
		.task = member(in, TASK),
		.tuple = member(in, TUPLE),
		.command = member(in, COMMAND),
		.first = member(in, FIRST),
		.second = member(in, SECOND) };
	return MULTILANG_OBJECT;
}

struct span
multilang_text(struct span raw, struct buffer *scratch)
{
	if (raw.n < 2 || *raw.p != '"')
		return (struct span){ "", 0 };
	raw.p++;
	raw.n -= 2;
	if (raw.n == 0 || memchr(raw.p, '\\', raw.n) == NULL)
		return raw;
	scratch->n = 0;
	json_decode(scratch, raw);
	return buffer_span(scratch);
}

static void
put_end(struct buffer *b)
{
	buffer_put(b, SPAN("\nend\n"));
}

void
multilang_put_sync(struct buffer *b)
{
	buffer_put(b, SPAN("{\"command\":\"sync\"}"));
	put_end(b);
}

void
multilang_put_pid(struct buffer *b, int64_t pid)
{
	buffer_put(b, SPAN("{\"pid\":"));
	buffer_int(b, pid);
	buffer_byte(b, '}');
	put_end(b);
}

void
multilang_put_log(struct buffer *b, enum multilang_level level,
    struct span text)
{
	buffer_put(b, SPAN("{\"command\":\"log\",\"level\":"));
	buffer_int(b, level);
	buffer_put(b, SPAN(",\"msg\":"));
	json_put_string(b, text);
	buffer_byte(b, '}');
	put_end(b);
}

void
multilang_put_error(struct buffer *b, struct span text)
{
	buffer_put(b, SPAN("{\"command\":\"error\",\"msg\":"));
	json_put_string(b, text);
	buffer_byte(b, '}');
	put_end(b);
}

static void
put_with_id(struct buffer *b, struct span command, struct span id)
{
	buffer_put(b, command);
	buffer_put(b, id);
	buffer_byte(b, '}');
	put_end(b);
}

void
multilang_put_ack(struct buffer *b, struct span id)
{
	put_with_id(b, SPAN("{\"command\":\"ack\",\"id\":"), id);
}

void
multilang_put_fail(struct buffer *b, struct span id)
{
	put_with_id(b, SPAN("{\"command\":\"fail\",\"id\":"), id);
}

void
multilang_put_emit(struct buffer *b, struct span id, struct span stream,
    int64_t task)
{
	buffer_put(b, SPAN("{\"command\":\"emit\",\"need_task_ids\":false"));
	if (id.p != NULL) {
		buffer_put(b, SPAN(",\"id\":"));
		buffer_put(b, id);
	}
	if (stream.p != NULL && !span_eq(stream, SPAN("default"))) {
		buffer_put(b, SPAN(",\"stream\":"));
		json_put_string(b, stream);
	}
	if (task != 0) {
		buffer_put(b, SPAN(",\"task\":"));
		buffer_int(b, task + TASK_IS_LONG);
	}
}

void
multilang_put_anchor(struct buffer *b, struct span id, bool first)
{
	buffer_put(b, first ? SPAN(",\"anchors\":[") : SPAN(","));
	buffer_put(b, id);
}

void
multilang_put_tuple(struct buffer *b, bool anchored)
{
	buffer_put(b, anchored ? SPAN("],\"tuple\":[") : SPAN(",\"tuple\":["));
}

void
multilang_end_tuple(struct buffer *b)
{
	buffer_put(b, SPAN("]}"));
	put_end(b);
}

void
multilang_restore_nan(struct buffer *b, size_t from)
{
	static const char spelled[] = MULTILANG_NAN;
	static const char nan[] = { 'N', 'a', 'N' };
	const size_t n = sizeof spelled - 1;
	char *to = b->p + from, *p = to, *end = b->p + b->n;

	while (p < end) {
		if (*p == '"' && (size_t)(end - p) >= n &&
		    memcmp(p, spelled, n) == 0) {
			memcpy(to, nan, sizeof nan);
			to += sizeof nan;
			p += n;
		} else {
			*to++ = *p++;
		}
	}
	b->n = (size_t)(to - b->p);
}
