/*
 * SPDX-License-Identifier: ISC
 */
#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/path.h"

enum { MAX_LINKS = 40 };

struct span
path_folder(const char *path)
{
	const char *slash = strrchr(path, '/');

	return (struct span){ path,
		slash == NULL ? 0 : (size_t)(slash - path) + 1 };
}

char *
path_join(struct span folder, const char *name)
{
	struct buffer text = { 0 };

	buffer_put(&text, folder);
	buffer_put(&text, span_of(name));
	buffer_byte(&text, '\0');
	return text.p;
}

char *
path_follow_links(const char *path)
{
	char *at = path_join(SPAN(""), path), *next, target[PATH_MAX];
	ssize_t n;

	for (int i = 0; i < MAX_LINKS; i++) {
		n = readlink(at, target, sizeof target - 1);
		if (n < 0)
			break;
		target[n] = '\0';
		next = path_join(*target == '/' ? SPAN("") : path_folder(at),
		    target);
		free(at);
		at = next;
	}
	return at;
}
