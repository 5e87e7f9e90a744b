/*
 * multilang - messages in pieces of all sizes, Storm's dialect, layouts of
 * tuples, and the numbers of tuples that are held or pending.
 *
 * SPDX-License-Identifier: ISC
 */
#include <assert.h>
#include <unistd.h>

#include "base/hash.h"
#include "check.h"
#include "json/scanner.h"
#include "storm/multilang.h"
#include "storm/pending_tuples.h"
#include "storm/tuple_ids.h"
#include "storm/tuple_layout.h"

/* What comes out when text comes in, piece bytes at a time. */
static void
frame(const char *text, size_t piece, size_t max, struct buffer *got)
{
	static const char *const ends[] = { NULL, "(long)", NULL, "(end)",
		"(broken)" };
	struct multilang_input in;
	struct span message;
	size_t at = 0, n = strlen(text);
	int fds[2];

	got->n = 0;
	assert(pipe(fds) == 0);
	multilang_input_init(&in, fds[0], max);
	for (;;) {
		enum multilang_status status = multilang_next(&in, &message);

		if (status == MULTILANG_EMPTY) {
			size_t more = n - at < piece ? n - at : piece;

			if (more == 0)
				close(fds[1]);
			else
				assert(write(fds[1], text + at, more) ==
				    (ssize_t)more);
			at += more;
			multilang_fill(&in);
		} else if (status == MULTILANG_MESSAGE) {
			CHECK(message.p[message.n] == '\n');
			buffer_put(got, message);
			buffer_byte(got, '|');
		} else {
			buffer_put(got, span_of(ends[status]));
			if (status != MULTILANG_LONG)
				break;
		}
	}
	buffer_byte(got, '\0');
	multilang_input_fini(&in);
	close(fds[0]);
}

static void
framing(void)
{
	static const struct {
		const char *text, *want;
	} rows[] = {
		{ "", "(end)" },
		{ "{}\nend\n", "{}|(end)" },
		{ "{}\nend\n[1]\nend\n", "{}|[1]|(end)" },
		{ "{\n\"a\":\n1}\nend\n", "{ \"a\": 1}|(end)" },
		{ " {} \r\n\t\nend\n", "{}|(end)" },
		{ "end\n{}\nend\n", "|{}|(end)" },
		{ "{}\nend", "(broken)" },
		{ "{}\n", "(broken)" },
		{ "{", "(broken)" },
		{ "{}\nend\nend", "{}|(broken)" },
		{ "[\n\"end\"\n, \"x\nend \n end\n\"]\nend\n",
		    "[ \"end\" , \"x end   end \"]|(end)" },
		{ "{}\r\nend\r\n[1]\nend\n", "{}|[1]|(end)" },
		{ "{}\nend \nend\n", "{} end|(end)" },
		/* Beyond the limit, 40 bytes, also where a line is cut. */
		{ "0123456789012345678901234567890123456789friend\nend\n"
		  "{}\nend\n",
		    "(long){}|(end)" },
		{ "012345678901234567890123\n4567890123456789\nfriend\n"
		  "spend\nend\n{}\nend\n",
		    "(long){}|(end)" },
		{ "0123456789012345678901234567890123456789xxx", "(broken)" },
		/*
		 * A message that one read brought whole was taken beyond it,
		 * and one of just the limit was not if its end came in two.
		 */
		{ "0123456789012345678901234567890123456789\nend\n",
		    "0123456789012345678901234567890123456789|(end)" },
		{ "01234567890123456789012345678901234567890\nend\n{}\nend\n",
		    "(long){}|(end)" },
		{ "{\n234567890123456789012345678901234567\n}\nend\n",
		    "{ 234567890123456789012345678901234567 }|(end)" },
		{ "{\n2345678901234567890123456789012345678\n}\nend\n",
		    "(long)(end)" },
	};
	struct buffer got = { 0 };

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		for (size_t piece = 1; piece <= 60; piece++) {
			frame(rows[i].text, piece, 40, &got);
			CHECK_STR(got.p, rows[i].want);
		}
	buffer_fini(&got);
}

/* Take a message apart, and put its tuple together again. */
static void
dialect(void)
{
	static const struct {
		const char *tuple, *out; /* NULL: the message is no good */
	} rows[] = {
		{ "[1.0E21,1.10,\"a\\/b\"]", "[1.0E21,1.10,\"a\\/b\"]" },
		{ "[NaN]", "[NaN]" },
		{ "[[NaN,{\"NaN\":NaN}],NaN]", "[[NaN,{\"NaN\":NaN}],NaN]" },
		{ "[\"NaN\",\"a\\\"NaN\",\"\\\\\",NaN]",
		    "[\"NaN\",\"a\\\"NaN\",\"\\\\\",NaN]" },
		{ "[nan]", NULL },
		{ "[NaN", NULL },
		{ "[Infinity,[-Infinity]]", "[\"Infinity\",[\"-Infinity\"]]" },
		{ "[Infinit]", NULL },
	};
	struct multilang_input in;
	struct multilang_message m;
	struct buffer b = { 0 };
	struct fault f = { 0 };
	enum multilang_kind kind;

	multilang_input_init(&in, -1, 100);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct span text;

		b.n = 0;
		buffer_put(&b, SPAN("{\"id\":\"-7\",\"comp\":null,\"tuple\":"));
		buffer_put(&b, span_of(rows[i].tuple));
		buffer_byte(&b, '}');
		text.n = b.n;
		memset(buffer_room(&b, JSON_PAD), '\n', JSON_PAD);
		text.p = b.p;
		kind = multilang_parse(&in, text, &m, &f);
		CHECK_EQ(kind,
		    rows[i].out == NULL ? MULTILANG_INVALID : MULTILANG_OBJECT);
		if (kind != MULTILANG_OBJECT)
			continue;
		CHECK(span_eq(m.id, SPAN("\"-7\"")));
		CHECK(span_eq(m.component, SPAN("null")));
		CHECK(m.stream.p == NULL && m.stream.n == 0);
		b.n = 0;
		buffer_put(&b, m.tuple);
		multilang_restore_nan(&b, 0);
		CHECK(span_eq(buffer_span(&b), span_of(rows[i].out)));
	}
	CHECK_EQ(multilang_parse(&in, SPAN("[1]\n"), &m, &f),
	    MULTILANG_TASK_IDS);
	multilang_input_fini(&in);
	buffer_fini(&b);
}

static void
layouts(void)
{
	static const struct span fields[] = { { "a", 1 }, { "x,\"y", 4 },
		{ "tuple", 5 } };
	static const struct {
		size_t n; /* of the fields, from first; 9: not declared */
		size_t first;
		const char *values, *object; /* NULL: refused */
	} in[] = {
		{ 2, 0, "[1,[2]]", "{\"a\":1,\"x,\\\"y\":[2]}" },
		{ 2, 0, " [ 1 , {} ] ", "{\"a\":1,\"x,\\\"y\":{}}" },
		{ 2, 0, "[1]", NULL },
		{ 2, 0, "[1,2,3]", NULL },
		{ 0, 0, "[]", "{}" },
		{ 1, 2, "[{\"b\":2}]", "{\"b\":2}" },
		{ 1, 2, "[2]", "{\"tuple\":2}" },
		{ 2, 1, "[1,{}]", "{\"x,\\\"y\":1,\"tuple\":{}}" },
		{ 9, 0, "[1,\"b\"]", "{\"0\":1,\"1\":\"b\"}" },
		{ 9, 0, "[{\"b\":2}]", "{\"b\":2}" },
	};
	static const struct {
		size_t n, first;
		const char *object, *values;
		size_t found;
	} out[] = {
		{ 2, 0, "{\"x,\\\"y\":1.10,\"b\":2,\"a\":3}", "3,1.10", 2 },
		{ 2, 0, "{\"a\":1,\"a\":2}", "2,null", 1 },
		{ 3, 0, "{\"b\":1}", "null,null,{\"b\":1}", 1 },
		{ 1, 2, "{\"tuple\":4}", "4", 1 },
		{ 0, 0, "{\"b\":1}", "", 0 },
		{ 9, 0, "{\"b\":1,\"a\":[]}", "1,[]", 2 },
	};
	struct buffer b = { 0 }, object = { 0 };
	struct tuple_layout l;
	struct fault f = { 0 };

	for (size_t i = 0; i < sizeof in / sizeof *in; i++) {
		bool known = in[i].n != 9;
		struct span values = span_of(in[i].values);
		int status;

		while (*values.p == ' ') {
			values.p++;
			values.n -= 2;
		}
		tuple_layout_init(&l, known ? fields + in[i].first : NULL,
		    known ? in[i].n : 0);
		b.n = 0;
		f.kind = FAULT_NONE;
		status = tuple_layout_put_object(&l, &b, values, SPAN(""), &f);
		CHECK_EQ(status, in[i].object == NULL ? -1 : 0);
		if (status == 0)
			CHECK(span_eq(buffer_span(&b), span_of(in[i].object)));
		tuple_layout_fini(&l);
	}
	for (size_t i = 0; i < sizeof out / sizeof *out; i++) {
		bool known = out[i].n != 9;
		struct span row = span_of(out[i].object);

		tuple_layout_init(&l, known ? fields + out[i].first : NULL,
		    known ? out[i].n : 0);
		object.n = b.n = 0;
		buffer_put(&object, row);
		memset(buffer_room(&object, JSON_PAD), '\n', JSON_PAD);
		row.p = object.p;
		CHECK_EQ(tuple_layout_put_values(&l, &b, row), out[i].found);
		CHECK(span_eq(buffer_span(&b), span_of(out[i].values)));
		tuple_layout_fini(&l);
	}
	buffer_fini(&b);
	buffer_fini(&object);
}

static void
ids(void)
{
	struct tuple_ids held = { 0 };
	uint64_t a = tuple_ids_hold(&held, SPAN("\"a\""));
	uint64_t b = tuple_ids_hold(&held, SPAN("\"b\"")), c;
	const struct tuple_id *last;

	tuple_ids_share(&held, a);
	tuple_ids_fail(&held, a);
	CHECK(tuple_ids_release(&held, a) == NULL);
	last = tuple_ids_release(&held, a);
	CHECK(span_eq(buffer_span(&last->text), SPAN("\"a\"")));
	CHECK(last->failed);
	c = tuple_ids_hold(&held, SPAN("\"longer than it was\""));
	CHECK_EQ(c, a); /* numbers are used again */
	CHECK(span_eq(tuple_ids_text(&held, b), SPAN("\"b\"")));
	CHECK(span_eq(tuple_ids_text(&held, c),
	    SPAN("\"longer than it was\"")));
	tuple_ids_set_block(&held, c);
	tuple_ids_fail(&held, c);
	CHECK(!held.ids[c].failed);
	for (int i = 0; i < 1000; i++)
		tuple_ids_release(&held, tuple_ids_hold(&held, SPAN("\"d\"")));
	CHECK_EQ(held.n, 3);
	tuple_ids_fini(&held);
}

static void
pending(void)
{
	struct pending_tuples p;
	struct pending_tuple *t;

	pending_tuples_init(&p);
	CHECK(pending_tuples_oldest(&p) == NULL);
	for (uint64_t i = 0; i < 5; i++)
		pending_tuples_add(&p, i * 3, (int64_t)i, SPAN("line"));
	CHECK(pending_tuples_find(&p, 1) == NULL);
	pending_tuples_drop(&p, pending_tuples_find(&p, 6));
	CHECK_EQ(pending_tuples_oldest(&p)->number, 0);
	pending_tuples_drop(&p, pending_tuples_find(&p, 0));
	CHECK_EQ(pending_tuples_oldest(&p)->number, 3);
	pending_tuples_fail(&p, pending_tuples_find(&p, 12), 100);
	pending_tuples_fail(&p, pending_tuples_find(&p, 3), 150);
	CHECK(pending_tuples_again(&p, 99) == NULL);
	t = pending_tuples_again(&p, 120);
	CHECK(t != NULL && t->number == 12 && t->failures == 1);
	CHECK(pending_tuples_again(&p, 120) == NULL);
	pending_tuples_fail(&p, t, 160);
	t = pending_tuples_again(&p, 200);
	CHECK(t != NULL && t->number == 3);
	pending_tuples_drop(&p, t);
	t = pending_tuples_again(&p, 200);
	CHECK(t != NULL && t->number == 12 && t->failures == 2);
	CHECK(pending_tuples_again(&p, 200) == NULL);
	pending_tuples_drop(&p, t);
	CHECK_EQ(pending_tuples_oldest(&p)->number, 9);
	CHECK_EQ(p.n, 1);
	pending_tuples_fini(&p);
}

int
main(void)
{
	hash_init();
	framing();
	dialect();
	layouts();
	ids();
	pending();
	return check_done("multilang");
}
