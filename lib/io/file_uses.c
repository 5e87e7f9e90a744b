/*
 * SPDX-License-Identifier: ISC
 */
#include <sys/stat.h>

#include <errno.h>
#include <limits.h>
#include <unistd.h>

#include "base/diagnostics.h"
#include "base/path.h"
#include "io/file_uses.h"
#include "tuple/options.h"

enum use { READ, STATE, SHARED, ALONE }; /* from SHARED on: written */

struct file_use {
	enum use use;
	const char *option; /* or stdout */
	char *path;	    /* as it was given; NULL: stdout */
	size_t number;	    /* of the use, in the order of adding */
	dev_t device;	    /* of the file, or of its folder */
	ino_t inode;
	char *name;  /* in that folder, of what is not there yet; or "" */
	bool closed; /* it is /dev/fd/N, which is not open */
};

/* Tell whether this is the folder of the descriptors that are open. */
static bool
has_descriptors(const char *folder)
{
	char *real = realpath(folder, NULL);
	bool has = real != NULL && strncmp(real, "/proc/", 6) == 0 &&
	    strcmp(strrchr(real, '/'), "/fd") == 0;

	free(real);
	return has;
}

/*
 * Look at what a path leads to.  False: it is not there, or out of reach, which
 * is told when it is opened.
 */
static bool
look_at(const char *path, struct stat *st)
{
	if (stat(path, st) == 0)
		return true;
	if (errno != ENOENT && errno != ENOTDIR && errno != EACCES &&
	    errno != ELOOP && errno != ENAMETOOLONG)
		die_errno("%s", path);
	return false;
}

/* Tell which file a path leads to.  False: none that counts. */
static bool
identify(struct file_use *u, const char *path)
{
	struct stat st = { 0 };
	char *target, *folder;
	bool found = look_at(path, &st);

	if (found && !S_ISREG(st.st_mode))
		return false;
	if (!found && errno == ENOENT) {
		target = path_follow_links(path);
		folder = path_join(path_folder(target), ".");
		free(u->name);
		u->name = path_join(SPAN(""), target + path_folder(target).n);
		found = look_at(folder, &st);
		u->closed = has_descriptors(folder);
		free(target);
		free(folder);
	}
	u->device = st.st_dev;
	u->inode = st.st_ino;
	return found;
}

static bool
identify_open(struct file_use *u, int fd, const char *name)
{
	struct stat st = { 0 };

	if (fstat(fd, &st) < 0 && errno != EBADF)
		die_errno("%s", name);
	if (!S_ISREG(st.st_mode))
		return false;
	u->device = st.st_dev;
	u->inode = st.st_ino;
	return true;
}

static void
forget(struct file_use *u)
{
	free(u->path);
	free(u->name);
}

/* Add a use of a file, or of a descriptor where that is not -1. */
static void
add(struct file_uses *u, enum use use, const char *option, const char *path,
    int fd)
{
	struct file_use new = { .use = use,
		.option = option,
		.path = path == NULL ? NULL : path_join(SPAN(""), path),
		.name = path_join(SPAN(""), ""),
		.number = u->n };

	if (fd < 0 ? !identify(&new, path) :
		     !identify_open(&new, fd, path == NULL ? option : path)) {
		forget(&new);
		return;
	}
	u->list = memory_grow(u->list, &u->cap, u->n + 1, sizeof *u->list);
	u->list[u->n++] = new;
}

void
file_uses_read(struct file_uses *u, char *const *names, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!operand_is_stdin(names[i]))
			add(u, READ, NULL, names[i], -1);
		else
			add(u, READ, NULL, "stdin", STDIN_FILENO);
	if (n == 0)
		add(u, READ, NULL, "stdin", STDIN_FILENO);
}

void
file_uses_keep(struct file_uses *u, const char *path)
{
	static const char *const beside[] = { "-wal", "-shm", "-journal" };
	char *real = realpath(path, NULL), *name;

	add(u, STATE, "--state", path, -1);
	for (size_t i = 0; i < sizeof beside / sizeof beside[0]; i++) {
		name =
		    path_join(span_of(real == NULL ? path : real), beside[i]);
		add(u, STATE, "--state", name, -1);
		free(name);
	}
	free(real);
}

void
file_uses_write(struct file_uses *u, const char *option, const char *path,
    bool shares)
{
	if (path != NULL && *path != '\0')
		add(u, shares ? SHARED : ALONE, option, path, -1);
}

void
file_uses_write_stdout(struct file_uses *u)
{
	add(u, ALONE, "stdout", NULL, STDOUT_FILENO);
}

static int
compare_files(const struct file_use *a, const struct file_use *b)
{
	if (a->device != b->device)
		return a->device < b->device ? -1 : 1;
	if (a->inode != b->inode)
		return a->inode < b->inode ? -1 : 1;
	return strcmp(a->name, b->name);
}

/* By file, and the uses of one in the order of adding. */
static int
compare(const void *a, const void *b)
{
	const struct file_use *x = a, *y = b;
	int order = compare_files(x, y);

	return order != 0 ? order : x->number < y->number ? -1 : 1;
}

/* Complain of the second use of a file if it does not go with the first. */
static void
check(const struct command *c, const struct file_use *first,
    const struct file_use *u)
{
	const char *path = u->path == NULL ? first->path : u->path;

	/*
	 * Files of the state can seem to be one: when another process has just
	 * put a new file in its place, a file beside it can have the inode of
	 * the old one.
	 */
	if (u->use == READ || (u->use == first->use && u->use != ALONE))
		return;
	if (first->use == READ)
		options_misuse(c, "%s: '%s' is an input, too", u->option, path);
	if (first->use == STATE)
		options_misuse(c, "%s: '%s' is part of the state", u->option,
		    path);
	options_misuse(c, "%s: '%s' is the file of %s, too", u->option, path,
	    first->option);
}

void
file_uses_check(struct file_uses *u, const struct command *c)
{
	size_t first = 0;

	/* It would be a file that is opened by then, an input say. */
	for (size_t i = 0; i < u->n; i++)
		if (u->list[i].closed && u->list[i].use >= SHARED)
			options_misuse(c, "%s: '%s' is not open",
			    u->list[i].option, u->list[i].path);
	if (u->n != 0)
		qsort(u->list, u->n, sizeof *u->list, compare);
	for (size_t i = 1; i < u->n; i++)
		if (compare_files(&u->list[first], &u->list[i]) == 0)
			check(c, &u->list[first], &u->list[i]);
		else
			first = i;
	for (size_t i = 0; i < u->n; i++)
		forget(&u->list[i]);
	free(u->list);
	*u = (struct file_uses){ 0 };
}

/* Tell whether what is read from an operand is gone for others; st is its. */
static bool
is_used_up(const char *name, struct stat *st)
{
	if (operand_is_stdin(name))
		return fstat(STDIN_FILENO, st) == 0;
	return stat(name, st) == 0 &&
	    (S_ISFIFO(st->st_mode) || S_ISSOCK(st->st_mode));
}

void
file_uses_check_pipes(char *const *names, size_t n,
    const struct command *command)
{
	struct stat *pipes = memory_new(n, sizeof *pipes);
	size_t npipes = 0;

	for (size_t i = 0; i < n; i++) {
		struct stat *last = &pipes[npipes];

		if (!is_used_up(names[i], last))
			continue;
		for (size_t k = 0; k < npipes; k++)
			if (pipes[k].st_dev == last->st_dev &&
			    pipes[k].st_ino == last->st_ino)
				options_misuse(command,
				    "expected '%s' once, got it twice",
				    names[i]);
		npipes++;
	}
	free(pipes);
}
