/*
 * dedup - any bytes as lines of dedup, see command.
 *
 * SPDX-License-Identifier: ISC
 */
static const char *const all_options[] = {
	"-k k",
	"-k k,n -t t -w 10s",
	"-t t -w 3s -l 2s",
	"-k k -t t -w 2s --interleave",
	"-k n --max-keys 3",
};
#include "command.h"

#include "../../cmd/dedup.c"
