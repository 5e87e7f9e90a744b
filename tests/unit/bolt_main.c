/*
 * bolt_main - what becomes of a command whose calls of the system come back
 * early, or fail: here one that passes its tuples on.
 *
 * SPDX-License-Identifier: ISC
 */
#include <fcntl.h>

#include "faulty.h"
#include "run/bolt_main.h"

static char in[64], out[64]; /* files */
static struct buffer said;

static const struct option_spec specs[] = { { 0 } };

static const struct command command = {
	.name = "unit",
	.synopsis = "[FILE...]",
	.purpose = "pass tuples on",
	.examples = "",
	.options = specs,
	.common = bolt_main_options,
};

static struct collector *collector;

static void
prepare(void *self, const struct bolt_context *context)
{
	(void)self;
	collector = context->collector;
}

static int
execute(void *self, const struct tuple *t, struct fault *f)
{
	(void)self;
	(void)f;
	buffer_put(collector_row(collector), t->line);
	collector_emit(collector, NULL, 0);
	collector_ack(collector, t->id);
	return 0;
}

static void
run(void)
{
	struct bolt bolt = { .prepare = prepare, .execute = execute };
	static char name[] = "unit", threads[] = "--threads=1";
	char *argv[] = { name, threads, in, NULL };

	dup2(open(out, O_WRONLY | O_CREAT | O_TRUNC, 0666), STDOUT_FILENO);
	exit(bolt_main(&command, &bolt, 3, argv));
}

/* What came out, as a C string. */
static const char *
rows(void)
{
	static char text[256];
	int fd = open(out, O_RDONLY);
	ssize_t n = __real_read(fd, text, sizeof text - 1);

	__real_close(fd);
	text[n < 0 ? 0 : n] = '\0';
	return text;
}

static const char all[] = "{\"a\":1}\n{\"a\":2}\n{\"a\":3}\n";

static void
early(void)
{
	CHECK_EQ(faulty_run(run, &said), 0);
	CHECK_STR(said.p, "");
	CHECK_STR(rows(), all);
	FAULTY(read, -EINTR, 1, 9, -EAGAIN, 1);
	FAULTY(write, -EINTR, 1, 9, -EAGAIN, 1);
	CHECK_EQ(faulty_run(run, &said), 0);
	CHECK_STR(said.p, "");
	CHECK_STR(rows(), all);
}

/* What was read of a file before it could not be read is used. */
static void
unreadable(void)
{
	FAULTY(write, 0);
	FAULTY(read, 18, -EIO); /* in the third line */
	CHECK_EQ(faulty_run(run, &said), 2);
	CHECK(strstr(said.p, "unit: ") == said.p);
	CHECK(strstr(said.p, in) != NULL);
	CHECK(strstr(said.p, "Input/output error") != NULL);
	CHECK_STR(rows(), "{\"a\":1}\n{\"a\":2}\n");
}

static void
full(void)
{
	FAULTY(read, 0);
	FAULTY(write, -ENOSPC);
	CHECK_EQ(faulty_run(run, &said), 2);
	CHECK_STR(said.p, "unit: stdout: No space left on device\n");
	CHECK_STR(rows(), "");
}

int
main(void)
{
	int fd;

	snprintf(in, sizeof in, "/tmp/unit-main-in-%ld", (long)getpid());
	snprintf(out, sizeof out, "/tmp/unit-main-out-%ld", (long)getpid());
	fd = open(in, O_WRONLY | O_CREAT | O_TRUNC, 0666);
	CHECK(__real_write(fd, all, sizeof all - 1) == sizeof all - 1);
	__real_close(fd);
	early();
	unreadable();
	full();
	CHECK_EQ(unlink(in), 0);
	CHECK_EQ(unlink(out), 0);
	buffer_fini(&said);
	return check_done("bolt_main");
}
