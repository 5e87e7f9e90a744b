/*
 * path - the names of files.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef BASE_PATH_H
#define BASE_PATH_H

#include "base/span.h"

/* The folder that path begins with, with its slash; empty where it has none. */
struct span path_folder(const char *path);

/*
 * Put a folder and a name in it together.
 *
 * Owns:   the caller frees the result with free(3).
 */
char *path_join(struct span folder, const char *name);

/*
 * The path that a chain of symbolic links leads to, whether there is a file or
 * not; path itself where it is no link.
 *
 * Owns:   the caller frees the result with free(3).
 * Errors: none; of a chain that is too long, a link in it.
 */
char *path_follow_links(const char *path);

#endif
