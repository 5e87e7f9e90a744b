/*
 * sjoin - any bytes as lines of sjoin, see command.
 *
 * SPDX-License-Identifier: ISC
 */
static const char *const all_options[] = {
	"-k k -t t -w 10s",
	"-k k -t t -w 10s -l 2s -m",
	"-k k -t t -w 2s..5s -m -a a",
	"-k k -t t -w 9s -o k,a.n,b.t -v b",
	"-k k -t t --table b",
};
#define STREAMS
#include "command.h"

#include "../../cmd/sjoin.c"
