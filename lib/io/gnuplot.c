/*
 * SPDX-License-Identifier: ISC
 */
#include <sys/stat.h>
#include <sys/wait.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/descriptor.h"
#include "base/diagnostics.h"
#include "base/path.h"
#include "base/signals.h"
#include "io/gnuplot.h"

extern char **environ;

/* A file without a name, for a script. */
static FILE *
nameless_file(void)
{
	FILE *fp = tmpfile();

	if (fp == NULL)
		die_errno("temporary file");
	return fp;
}

/* Start it.  Returns 0, or why it could not be. */
static int
start(pid_t *pid, int in, int out, int errors)
{
	/*
	 * Without what the user's own start file says.  It would read "-", or
	 * no name, a byte at a time.
	 */
	static char name[] = "gnuplot", plain[] = "-d", script[] = "/dev/stdin";
	char *argv[] = { name, plain, script, NULL };
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	int wrong;

	/* A signal to all of a pipeline is for tplot, which draws at the end. */
	posix_spawnattr_init(&attributes);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
	posix_spawn_file_actions_init(&actions);
	wrong = posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO);
	if (wrong == 0)
		wrong = posix_spawn_file_actions_adddup2(&actions, out,
		    STDOUT_FILENO);
	if (wrong == 0)
		wrong = posix_spawn_file_actions_adddup2(&actions, errors,
		    STDERR_FILENO);
	if (wrong == 0)
		wrong = posix_spawnp(pid, argv[0], &actions, &attributes, argv,
		    environ);
	posix_spawn_file_actions_destroy(&actions);
	posix_spawnattr_destroy(&attributes);
	return wrong;
}

/* Append what comes from a descriptor up to its end, and close it. */
static void
read_all(int fd, struct buffer *b)
{
	enum { BLOCK = 1 << 16 };
	ssize_t n;

	do {
		n = read(fd, buffer_room(b, BLOCK), BLOCK);
		if (n < 0 && errno != EINTR)
			die_errno("pipe");
		b->n += n < 0 ? 0 : (size_t)n;
	} while (n != 0);
	close(fd);
}

/*
 * Stop the program with the last line of what gnuplot said, which is the error.
 * Where it succeeds nobody reads it: it warns of fonts that it does without.
 */
static _Noreturn void
die_of(FILE *errors)
{
	char line[256], last[256] = "";

	rewind(errors);
	while (fgets(line, sizeof line, errors) != NULL)
		if (line[strspn(line, " \t\n")] != '\0')
			strcpy(last, line);
	last[strcspn(last, "\n")] = '\0';
	if (*last == '\0')
		die("gnuplot could not draw it");
	die("gnuplot could not draw it: %s", last);
}

/*
 * Run a script, and append what it draws.  It draws into a pipe, as gnuplot does
 * not tell when it cannot write a file.  False: gnuplot was told to end.
 */
static bool
run(struct span script, struct buffer *picture)
{
	FILE *in = nameless_file(), *errors = nameless_file();
	int wrong, status, out[2];
	pid_t pid;

	if ((script.n != 0 && fwrite(script.p, script.n, 1, in) != 1) ||
	    fflush(in) == EOF || lseek(fileno(in), 0, SEEK_SET) < 0)
		die_errno("temporary file");
	if (descriptor_pipe(out) < 0)
		die_errno("pipe");
	wrong = start(&pid, fileno(in), out[1], fileno(errors));
	fclose(in);
	close(out[1]);
	if (wrong == ENOENT)
		die("gnuplot, which draws, is not installed; on Debian, "
		    "apt-get install gnuplot-nox");
	if (wrong != 0) {
		errno = wrong;
		die_errno("gnuplot");
	}
	read_all(out[0], picture);
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			die_errno("gnuplot");
	if (WIFSIGNALED(status) && signals_ending() != 0) {
		fclose(errors);
		return false;
	}
	if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
		die_of(errors);
	fclose(errors);
	return true;
}

void
gnuplot_check(void)
{
	struct buffer nothing = { 0 };

	/* Its terminal is named in each script, and may be one that it lacks. */
	if (unsetenv("GNUTERM") < 0)
		die_errno("unsetenv");
	/* Ignored, it would leave no child to wait for. */
	if (signal(SIGCHLD, SIG_DFL) == SIG_ERR)
		die_errno("signal");
	(void)run(SPAN("\n"), &nothing);
	buffer_fini(&nothing);
}

/* Stop if a call on the file has failed, unless it is to be tried again. */
static void
check(bool failed, const char *file)
{
	if (failed && errno != EINTR)
		die_errno("%s", file);
	/* The reader may never read on. */
	if (failed && signals_ending() != 0)
		signals_die(signals_ending());
}

/* Open what is no regular file: a device, or a pipe. */
static int
open_to_write(const char *file)
{
	int fd = open(file, O_WRONLY | O_CLOEXEC | O_NONBLOCK);

	if (fd >= 0) {
		if (fcntl(fd, F_SETFL, O_WRONLY) < 0)
			die_errno("%s", file);
		return fd;
	}
	/* A pipe may never have a reader, and a signal has come, or comes now. */
	if (errno == ENXIO)
		signals_let_die();
	do
		check((fd = open(file, O_WRONLY | O_CLOEXEC)) < 0, file);
	while (fd < 0);
	return fd;
}

/* Write the picture into it. */
static void
write_into(struct span picture, const char *file)
{
	int fd = open_to_write(file);
	ssize_t n;

	while (picture.n != 0) {
		n = write(fd, picture.p, picture.n);
		check(n < 0, file);
		picture.p += n < 0 ? 0 : n;
		picture.n -= n < 0 ? 0 : (size_t)n;
	}
	if (close(fd) < 0)
		die_errno("%s", file);
}

/*
 * Write the picture beside the file, then let it take its place, with its mode.
 * False: errno says why not.
 */
static bool
replace(struct span picture, const char *file)
{
	char name[4096];
	struct stat old;
	bool is_there = stat(file, &old) == 0;
	int fd = descriptor_create_beside(file, name, sizeof name), error;
	FILE *fp;

	if (fd < 0)
		return false;
	if ((fp = fdopen(fd, "w")) != NULL &&
	    (!is_there || fchmod(fd, old.st_mode & 07777) == 0) &&
	    fwrite(picture.p, picture.n, 1, fp) == 1 && fclose(fp) != EOF &&
	    rename(name, file) == 0)
		return true;
	error = errno;
	unlink(name);
	errno = error;
	return false;
}

/* The same with the file that a symbolic link leads to: the link stays. */
static void
replace_target(struct span picture, const char *file)
{
	char *target = path_follow_links(file);
	bool done = replace(picture, target);
	int error = errno;

	free(target);
	errno = error;
	if (!done)
		die_errno("%s", file);
}

/* Leave out the form feed that a page begins with, and blanks at its end. */
static struct span
trim(struct span page)
{
	if (page.n != 0 && *page.p == '\f') {
		page.p++;
		page.n--;
	}
	while (page.n != 0 && page.p[page.n - 1] != '\n')
		page.n--;
	return page;
}

bool
gnuplot_replaces(const char *file)
{
	struct stat st;

	return stat(file, &st) < 0 || S_ISREG(st.st_mode);
}

static void
put_picture(struct span picture, const char *file, struct buffer *text)
{
	if (picture.n == 0)
		die("gnuplot drew nothing");
	if (file == NULL)
		buffer_put(text, trim(picture));
	else if (gnuplot_replaces(file))
		replace_target(picture, file);
	else
		write_into(picture, file);
}

int64_t
gnuplot_draw(struct span script, const char *file, struct buffer *text)
{
	struct buffer picture = { 0 };
	int64_t start = clock_now_ms();

	if (run(script, &picture))
		put_picture(buffer_span(&picture), file, text);
	buffer_fini(&picture);
	return clock_now_ms() - start;
}
