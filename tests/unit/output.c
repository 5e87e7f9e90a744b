/*
 * output - whole lines reach the file however the system takes them, or the
 * program says why not.
 *
 * SPDX-License-Identifier: ISC
 */
#include <fcntl.h>
#include <signal.h>

#include "base/diagnostics.h"
#include "base/signals.h"
#include "faulty.h"
#include "io/output.h"

static char path[64]; /* of a file that is not there at the start */
static struct buffer said;

/* What the file has, as a C string. */
static const char *
content(void)
{
	static char text[256];
	int fd = open(path, O_RDONLY);
	ssize_t n;

	if (!CHECK(fd >= 0))
		return "";
	n = __real_read(fd, text, sizeof text - 1);
	text[n < 0 ? 0 : n] = '\0';
	__real_close(fd);
	return text;
}

static void
write_lines(void)
{
	struct output o;

	output_open(&o, path);
	output_line(&o, SPAN("one"));
	output_line(&o, SPAN("two"));
	output_flush(&o);
	output_line(&o, SPAN("three"));
	output_close(&o);
}

/* A call that comes back early changes nothing. */
static void
early(void)
{
	FAULTY(write, -EINTR, 1, 3, -EAGAIN, -EAGAIN, 1);
	write_lines();
	CHECK_STR(faulty_calls, "wwwwpwpwwwc");
	CHECK_STR(content(), "one\ntwo\nthree\n");
	FAULTY(close, -EINTR);
	write_lines();
	CHECK_STR(faulty_calls, "wwc");
	CHECK_STR(content(), "one\ntwo\nthree\n");
}

/* What is lost is told, with the status of the commands. */
static void
lost(void)
{
	FAULTY(write, -ENOSPC);
	CHECK_EQ(faulty_run(write_lines, &said), 2);
	CHECK(strstr(said.p, "No space left on device") != NULL);
	CHECK(strstr(said.p, path) != NULL);
	CHECK_STR(content(), "");
	FAULTY(write, 5, -EIO);
	CHECK_EQ(faulty_run(write_lines, &said), 2);
	CHECK_STR(content(), "one\nt");
	FAULTY(write, 0);
	FAULTY(close, -EIO);
	CHECK_EQ(faulty_run(write_lines, &said), 2);
	CHECK(strstr(said.p, "Input/output error") != NULL);
	signal(SIGPIPE, SIG_IGN);
	FAULTY(close, 0);
	FAULTY(write, -EPIPE);
	CHECK_EQ(faulty_run(write_lines, &said), 2);
	CHECK(strstr(said.p, "Broken pipe") != NULL);
}

static void
go_on(void)
{
	struct output o;

	output_continue(&o, path);
	output_line(&o, SPAN("four"));
	output_close(&o);
}

/* What a killed process has left of a line is a line. */
static void
continued(void)
{
	FAULTY(write, 5, -EIO);
	CHECK_EQ(faulty_run(write_lines, &said), 2);
	FAULTY(write, 0);
	go_on();
	CHECK_STR(content(), "one\nt\nfour\n");
	go_on();
	CHECK_STR(content(), "one\nt\nfour\nfour\n");
}

int
main(void)
{
	diagnostics_init("output");
	signals_init();
	snprintf(path, sizeof path, "/tmp/unit-output-%ld", (long)getpid());
	early();
	lost();
	continued();
	CHECK_EQ(unlink(path), 0);
	buffer_fini(&said);
	return check_done("output");
}
