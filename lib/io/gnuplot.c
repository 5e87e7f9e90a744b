/*
 * SPDX-License-Identifier: ISC
 */
#include <sys/wait.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <unistd.h>

#include "base/descriptor.h"
#include "base/diagnostics.h"
#include "base/signals.h"
#include "io/gnuplot.h"

extern char **environ;

/* A file without a name, open for reading and writing. */
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
start(pid_t *pid, int in, int out)
{
	/* Without what the user's own start file says. */
	static char name[] = "gnuplot", plain[] = "-d", in_place[] = "-";
	char *argv[] = { name, plain, in_place, NULL };
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
	/* It warns of fonts that it does without. */
	if (wrong == 0)
		wrong = posix_spawn_file_actions_addopen(&actions,
		    STDERR_FILENO, "/dev/null", O_WRONLY, 0);
	if (wrong == 0)
		wrong = posix_spawnp(pid, argv[0], &actions, &attributes, argv,
		    environ);
	posix_spawn_file_actions_destroy(&actions);
	posix_spawnattr_destroy(&attributes);
	return wrong;
}

/* Run a script.  False: it was told to end.  Where it fails, a file goes. */
static bool
run(struct span script, int out, const char *beside)
{
	FILE *in = nameless_file();
	int wrong, status;
	pid_t pid;

	if ((script.n != 0 && fwrite(script.p, script.n, 1, in) != 1) ||
	    fflush(in) == EOF || lseek(fileno(in), 0, SEEK_SET) < 0)
		die_errno("temporary file");
	wrong = start(&pid, fileno(in), out);
	fclose(in);
	if (wrong == ENOENT)
		die("gnuplot, which draws, is not installed; on Debian, "
		    "apt-get install gnuplot-nox");
	if (wrong != 0) {
		errno = wrong;
		die_errno("gnuplot");
	}
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			die_errno("gnuplot");
	if (WIFSIGNALED(status) && signals_ending() != 0)
		return false;
	if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
		if (beside != NULL)
			unlink(beside);
		die("gnuplot could not draw it");
	}
	return true;
}

void
gnuplot_check(void)
{
	FILE *out = nameless_file();

	(void)run(SPAN("\n"), fileno(out), NULL);
	fclose(out);
}

/*
 * Append the lines that a file has, but for the form feed that text begins with,
 * and the blank line without newline that it ends with.
 */
static void
append(struct buffer *text, FILE *fp)
{
	size_t from = text->n;
	char part[4096];
	size_t n;

	rewind(fp);
	while ((n = fread(part, 1, sizeof part, fp)) != 0)
		buffer_put(text,
		    part[0] == '\f' ? (struct span){ part + 1, n - 1 } :
				      (struct span){ part, n });
	if (ferror(fp))
		die_errno("temporary file");
	while (text->n > from && text->p[text->n - 1] != '\n')
		text->n--;
}

/* Draw beside the file, then let the picture take its place. */
static void
replace(struct span script, const char *file)
{
	struct buffer name = { 0 };
	int fd;

	buffer_put(&name, span_of(file));
	buffer_byte(&name, '.');
	buffer_int(&name, getpid());
	buffer_byte(&name, '\0');
	fd = open(name.p, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	if (fd < 0)
		die_errno("%s", file);
	if (!run(script, fd, name.p))
		unlink(name.p);
	else if (close(fd) < 0 || rename(name.p, file) < 0) {
		int error = errno;

		unlink(name.p);
		errno = error;
		die_errno("%s", file);
	}
	buffer_fini(&name);
}

void
gnuplot_draw(struct span script, const char *file, struct buffer *text)
{
	FILE *out;

	if (file != NULL) {
		replace(script, file);
		return;
	}
	out = nameless_file();
	if (run(script, fileno(out), NULL))
		append(text, out);
	fclose(out);
}
