/*
 * input_faults - the lines of files, and what is said, however the system gives
 * them.
 *
 * SPDX-License-Identifier: ISC
 */
#include <fcntl.h>

#include "base/diagnostics.h"
#include "faulty.h"
#include "io/input.h"

static char paths[2][64], none[] = "/nowhere/at/all";
static char *names[] = { paths[0], paths[1], none };
static struct buffer seen, said;

static void
write_file(const char *path, struct span s)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);

	CHECK(fd >= 0 && __real_write(fd, s.p, s.n) == (ssize_t)s.n);
	__real_close(fd);
}

/* The lines of n files, each after its name's number; `!` at a failure. */
static const char *
lines(size_t n)
{
	enum input_status status;
	struct input in;
	struct span line;

	seen.n = 0;
	input_init(&in, names, n, 100);
	while ((status = input_line(&in, &line)) != INPUT_END)
		if (status == INPUT_EMPTY) {
			input_fill(&in);
		} else {
			buffer_int(&seen, (int64_t)in.at);
			buffer_put(&seen, line);
			buffer_byte(&seen, ' ');
		}
	if (in.error != 0)
		buffer_byte(&seen, '!');
	buffer_byte(&seen, '\0');
	input_fini(&in);
	return seen.p;
}

/* A call that comes back early changes nothing. */
static void
early(void)
{
	FAULTY(read, -EINTR, 1, 1, -EAGAIN, 1, 1, 2);
	CHECK_STR(lines(2), "0a 0bc 1d 1e ");
	CHECK_STR(faulty_calls, "rrrrprrrrcrrc");
}

static void
read_lines(void)
{
	lines(2);
}

static void
tell(void)
{
	struct input in;
	struct span line;

	input_init(&in, names, 1, 100);
	while (input_line(&in, &line) != INPUT_END)
		input_fill(&in);
	exit(input_report_failure(&in) ? 7 : 0);
}

/* What is there before a file that cannot be read on is used. */
static void
unreadable(void)
{
	FAULTY(read, 3, -EIO);
	CHECK_STR(lines(2), "0a !");
	/* The rest of a line that is not all there is none. */
	FAULTY(read, 0, -EIO);
	CHECK_STR(lines(2), "0a 0bc !");
	FAULTY(read, 0, 0, -EISDIR);
	CHECK_STR(lines(2), "0a 0bc !");
	FAULTY(read, -EIO);
	CHECK_EQ(faulty_run(tell, &said), 7);
	CHECK(strstr(said.p, paths[0]) != NULL);
	CHECK(strstr(said.p, "Input/output error") != NULL);
}

static void
read_all(void)
{
	lines(3);
}

/* A file that is not there is told before anything is read. */
static void
missing(void)
{
	FAULTY(read, -EIO);
	CHECK_EQ(faulty_run(read_all, &said), 2);
	CHECK(strstr(said.p, none) != NULL);
	FAULTY(read, 0);
	CHECK_EQ(faulty_run(read_lines, &said), 0);
	CHECK_STR(said.p, "");
}

int
main(void)
{
	diagnostics_init("input_faults");
	for (int i = 0; i < 2; i++)
		snprintf(paths[i], sizeof paths[i], "/tmp/unit-input-%ld-%d",
		    (long)getpid(), i);
	write_file(paths[0], SPAN("a\nbc\n"));
	write_file(paths[1], SPAN("d\ne\n"));
	early();
	unreadable();
	missing();
	for (int i = 0; i < 2; i++)
		CHECK_EQ(unlink(paths[i]), 0);
	buffer_fini(&seen);
	buffer_fini(&said);
	return check_done("input_faults");
}
