/*
 * input - lines, wherever the reads and the files happen to end.
 *
 * SPDX-License-Identifier: ISC
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/random.h"
#include "check.h"
#include "io/input.h"
#include "json/scanner.h"

enum { MAX_FILES = 4 };

static struct random rng = { 23 };
static char folder[] = "/tmp/input-XX"
		       "XX"
		       "XX";
static char paths[MAX_FILES][64];
static char *names[MAX_FILES];

static void
write_file(size_t i, struct span s)
{
	FILE *f = fopen(paths[i], "wb");

	if (!CHECK(f != NULL))
		exit(1);
	if (s.n > 0)
		fwrite(s.p, 1, s.n, f);
	fclose(f);
}

/* Append a line as it is shown: <text> whole, (text) in pieces. */
static void
show(struct buffer *b, struct span line, char open, char close)
{
	buffer_byte(b, open);
	buffer_put(b, line);
	buffer_byte(b, close);
}

/* Whole lines end in a newline, and the pad may be read. */
static void
check_pad(struct span line)
{
	unsigned sum = 0;

	CHECK(line.p[line.n] == '\n');
	for (size_t i = 0; i < JSON_PAD; i++)
		sum += (unsigned char)line.p[line.n + i];
	CHECK(sum > 0);
}

/*
 * Read all and show it.  With writer the input is stdin, a pipe that gets
 * another byte of bytes whenever the input has nothing left.
 */
static void
read_all(struct buffer *seen, size_t nfiles, size_t max_line, int writer,
    struct span bytes)
{
	struct input in;
	struct span line;
	uint64_t lines = 0;
	size_t at = 0;

	seen->n = 0;
	input_init(&in, names, nfiles, max_line);
	for (;;)
		switch (input_line(&in, &line)) {
		case INPUT_LINE:
			CHECK(line.n <= max_line);
			check_pad(line);
			show(seen, line, '<', '>');
			lines++;
			CHECK(in.line <= lines && in.line >= 1);
			break;
		case INPUT_LONG:
			CHECK(line.n > max_line);
			buffer_byte(seen, '(');
			buffer_put(seen, line);
			lines++;
			break;
		case INPUT_REST:
			buffer_put(seen, line);
			if (line.n > 0 && line.p[line.n - 1] == '\n') {
				seen->n--;
				buffer_byte(seen, ')');
			}
			break;
		case INPUT_EMPTY:
			if (writer >= 0 && at < bytes.n)
				CHECK(write(writer, bytes.p + at++, 1) == 1);
			else if (writer >= 0 && at++ == bytes.n)
				close(writer);
			input_fill(&in);
			break;
		case INPUT_BACK:
			CHECK(false);
			break;
		case INPUT_END:
			CHECK(input_line(&in, &line) == INPUT_END);
			input_fini(&in);
			return;
		}
}

/* What read_all should show of a file, taken apart with no buffer at all. */
static void
show_naive(struct buffer *b, struct span s, size_t max_line)
{
	if (s.n >= 3 && memcmp(s.p, "\xef\xbb\xbf", 3) == 0)
		s = (struct span){ s.p + 3, s.n - 3 };
	while (s.n > 0) {
		const char *newline = memchr(s.p, '\n', s.n);
		size_t n = newline == NULL ? s.n : (size_t)(newline - s.p);
		struct span line = { s.p, n };

		show(b, line, n <= max_line ? '<' : '(',
		    n <= max_line ? '>' : ')');
		n += newline != NULL;
		s = (struct span){ s.p + n, s.n - n };
	}
}

static bool
same(const struct buffer *a, const struct buffer *b)
{
	return span_eq(buffer_span(a), buffer_span(b));
}

/* Files by hand and how their lines are shown, the limit being 8 bytes. */
static const struct row {
	const char *files[MAX_FILES];
	const char *shown;
} rows[] = {
	{ { "" }, "" },
	{ { "\n" }, "<>" },
	{ { "\n\n" }, "<><>" },
	{ { "a" }, "<a>" },
	{ { "a\n" }, "<a>" },
	{ { "{}" }, "<{}>" },
	{ { "{}\n" }, "<{}>" },
	{ { "a\nb" }, "<a><b>" },
	{ { "a\r\nb\r\n" }, "<a\r><b\r>" },
	{ { "a\rb\n" }, "<a\rb>" },
	{ { "\xef\xbb\xbf" }, "" },
	{ { "\xef\xbb\xbf\n" }, "<>" },
	{ { "\xef\xbb\xbf{}\n" }, "<{}>" },
	{ { "\xef\xbb\xbf\xef\xbb\xbf{}" }, "<\xef\xbb\xbf{}>" },
	{ { "\xef\xbb" }, "<\xef\xbb>" },
	{ { "\xef\xbbx\n" }, "<\xef\xbbx>" },
	{ { "a\n\xef\xbb\xbf"
	    "b" },
	    "<a><\xef\xbb\xbf"
	    "b>" },
	{ { "\xef\xbb\xbf"
	    "12345678\n" },
	    "<12345678>" },
	/* A file that does not end in a newline ends its line all the same. */
	{ { "a", "b" }, "<a><b>" },
	{ { "a\n", "", "b" }, "<a><b>" },
	{ { "", "", "" }, "" },
	{ { "a",
	      "\xef\xbb\xbf"
	      "b",
	      "\xef\xbb\xbf" },
	    "<a><b>" },
	/* What is too long, its rest, and what comes after. */
	{ { "12345678" }, "<12345678>" },
	{ { "12345678\n" }, "<12345678>" },
	{ { "123456789" }, "(123456789)" },
	{ { "123456789\n" }, "(123456789)" },
	{ { "123456789\nab\n" }, "(123456789)<ab>" },
	{ { "ab\n123456789", "cd" }, "<ab>(123456789)<cd>" },
	{ { "123456789\n123456789\n\n" }, "(123456789)(123456789)<>" },
	{ { "12345678\r\n" }, "(12345678\r)" },
};

static void
table(void)
{
	struct buffer seen = { 0 };
	int ends[2];

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		size_t n = 0;

		for (; n < MAX_FILES && rows[i].files[n] != NULL; n++)
			write_file(n, span_of(rows[i].files[n]));
		read_all(&seen, n, 8, -1, (struct span){ NULL, 0 });
		buffer_byte(&seen, '\0');
		CHECK_STR(seen.p, rows[i].shown);
		if (n > 1)
			continue;
		/* Byte by byte through a pipe on stdin. */
		if (!CHECK(pipe(ends) == 0 && dup2(ends[0], 0) == 0))
			break;
		close(ends[0]);
		read_all(&seen, 0, 8, ends[1], span_of(rows[i].files[0]));
		buffer_byte(&seen, '\0');
		CHECK_STR(seen.p, rows[i].shown);
	}
	buffer_fini(&seen);
}

/* Line numbers and names start anew with each file. */
static void
numbers(void)
{
	struct input in;
	struct span line;
	char text[512] = "";
	enum input_status status;

	write_file(0, SPAN("a\nb"));
	write_file(1, SPAN(""));
	write_file(2, SPAN("c\n\n"));
	input_init(&in, names, 3, 100);
	CHECK_EQ(in.size, 6);
	while ((status = input_line(&in, &line)) != INPUT_END)
		if (status == INPUT_EMPTY)
			input_fill(&in);
		else
			snprintf(text + strlen(text),
			    sizeof text - strlen(text), "%s:%d ",
			    strrchr(input_name(&in), '/') + 1, (int)in.line);
	CHECK_STR(text, "0:1 0:2 2:1 2:2 ");
	CHECK_EQ(in.bytes, 6);
	input_fini(&in);
}

/* Long files of lines of all lengths, cut at the edges of the buffer. */
static void
random_files(void)
{
	struct buffer files[MAX_FILES] = { { 0 } }, seen = { 0 }, want = { 0 };

	for (int round = 0; round < 30; round++) {
		size_t n = 1 + random_below(&rng, MAX_FILES);
		size_t lengths[] = { 10, 300, 5000, 200000, 600000 };
		size_t longest = lengths[random_below(&rng, 5)];
		size_t max_line = 1 + random_below(&rng, longest);

		want.n = 0;
		for (size_t i = 0; i < n; i++) {
			struct buffer *b = &files[i];
			size_t size = random_below(&rng, 1500000);

			b->n = 0;
			if (random_below(&rng, 3) == 0)
				buffer_put(b, SPAN("\xef\xbb\xbf"));
			while (b->n < size) {
				size_t k = random_below(&rng, longest);

				memset(buffer_room(b, k), 'a' + (int)(k % 26),
				    k);
				b->n += k;
				buffer_byte(b, '\n');
			}
			/* Sometimes end where the buffer does. */
			if (b->n > 262144 && random_below(&rng, 3) == 0)
				b->n = 262144;
			else if (b->n > 0)
				b->n -= random_below(&rng, 2);
			write_file(i, buffer_span(b));
			show_naive(&want, buffer_span(b), max_line);
		}
		read_all(&seen, n, max_line, -1, (struct span){ NULL, 0 });
		CHECK(same(&seen, &want));
	}
	for (size_t i = 0; i < MAX_FILES; i++)
		buffer_fini(&files[i]);
	buffer_fini(&seen);
	buffer_fini(&want);
}

/* A line beyond the limit is not kept whole in memory. */
static void
bounded(void)
{
	struct buffer b = { 0 };
	struct input in;
	struct span line;
	enum input_status status;
	size_t n = 0;

	memset(buffer_room(&b, 8000000), 'x', 8000000);
	b.n = 8000000;
	write_file(0, buffer_span(&b));
	input_init(&in, names, 1, 1000);
	while ((status = input_line(&in, &line)) != INPUT_END)
		if (status == INPUT_EMPTY)
			input_fill(&in);
		else
			n += line.n;
	CHECK_EQ(n, 8000001);
	CHECK(in.cap < 1000000);
	input_fini(&in);
	buffer_fini(&b);
}

/* A file that cannot be read ends the input after what came before it. */
static void
unreadable(void)
{
	static char memory[] = "/proc/self/mem";
	char *files[] = { names[0], memory, names[1] };
	struct input in;
	struct span line;
	enum input_status status;
	int n = 0;

	if (access(memory, R_OK) < 0)
		return;
	write_file(0, SPAN("a\nb"));
	write_file(1, SPAN("c\n"));
	input_init(&in, files, 3, 100);
	while ((status = input_line(&in, &line)) != INPUT_END)
		if (status == INPUT_EMPTY)
			input_fill(&in);
		else
			n++;
	CHECK_EQ(n, 2);
	CHECK_EQ(in.error, EIO);
	CHECK(strcmp(in.failed, memory) == 0);
	input_fini(&in);
}

int
main(void)
{
	if (!CHECK(mkdtemp(folder) != NULL))
		return check_done("input");
	for (size_t i = 0; i < MAX_FILES; i++) {
		snprintf(paths[i], sizeof paths[i], "%s/%zu", folder, i);
		names[i] = paths[i];
	}
	table();
	numbers();
	random_files();
	bounded();
	unreadable();
	for (size_t i = 0; i < MAX_FILES; i++)
		unlink(paths[i]);
	rmdir(folder);
	return check_done("input");
}
