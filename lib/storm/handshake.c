/*
 * SPDX-License-Identifier: ISC
 */
#include <sys/stat.h>

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/diagnostics.h"
#include "storm/handshake.h"

/* What is said to stderr while nobody reads it is lost. */
static void
never_wait_for_stderr(void)
{
	struct stat st;
	int flags = fcntl(STDERR_FILENO, F_GETFL);

	if (flags >= 0 && fstat(STDERR_FILENO, &st) == 0 &&
	    S_ISFIFO(st.st_mode))
		fcntl(STDERR_FILENO, F_SETFL, flags | O_NONBLOCK);
}

static void
log_warning(void *arg, struct span text)
{
	struct output *out = arg;

	multilang_put_log(&out->rows, MULTILANG_WARN, text);
}

static void
leave_pid(struct span dir, int64_t pid)
{
	struct buffer path = { 0 };
	int fd;

	buffer_put(&path, dir);
	buffer_byte(&path, '/');
	buffer_int(&path, pid);
	buffer_byte(&path, '\0');
	fd = open(path.p, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
	if (fd < 0 || close(fd) < 0)
		die_errno("%s", path.p);
	buffer_fini(&path);
}

void
handshake(struct multilang_input *in, struct topology_context *context,
    struct output *out)
{
	enum multilang_status status;
	enum multilang_kind kind;
	struct multilang_message m;
	struct fault f;
	struct span text;
	char wrong[256];

	never_wait_for_stderr();
	while ((status = multilang_next(in, &text)) == MULTILANG_EMPTY)
		multilang_fill(in);
	if (status != MULTILANG_MESSAGE)
		die("stdin: expected Storm's setup message, got %s",
		    status == MULTILANG_LONG ? "one beyond --max-line" :
					       "end of input");
	/* The scanner knows the dialect, and what it has mended is JSON. */
	kind = multilang_parse(in, text, &m, &f);
	if (kind == MULTILANG_TASK_IDS)
		die("stdin: expected Storm's setup message, got an array");
	if (kind == MULTILANG_INVALID)
		die("stdin: expected Storm's setup message: %s", f.message);
	if (topology_context_init(context, m.text, wrong, sizeof wrong) < 0)
		die("stdin: expected Storm's setup message: %s", wrong);
	multilang_put_pid(&out->rows, getpid());
	output_flush(out);
	if (context->pid_dir.p != NULL)
		leave_pid(context->pid_dir, getpid());
	diagnostics_divert(log_warning, out);
}
