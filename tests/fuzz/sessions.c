/*
 * sessions - any bytes as lines of sessions, see command.
 *
 * SPDX-License-Identifier: ISC
 */
static const char *const all_options[] = {
	"-k k -t t -g 10s",
	"-t t -g 1s -l 5s -a mean:n,p95:n,distinct:k",
	"-k k? -t t -g 3s -l all -a first:n,last:k,min:k,max:n",
	"-k k -t t -g 3s --interleave --max-keys 2",
};
#include "command.h"

#include "../../cmd/sessions.c"
