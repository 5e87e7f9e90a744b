/*
 * rollcount - any bytes as lines of rollcount, see command.
 *
 * SPDX-License-Identifier: ISC
 */
static const char *const all_options[] = {
	"-k k -t t -w 10s",
	"-k k,n -t t -w 9s -e 3s -l 2s -T -a count,sum:n,mean:n,stddev:n",
	"-k k? -t t -w 3s -l all -a min:n,max:k,first:n,last:k,p50:n,distinct:n",
	"-t t -w 1m -e 1s --align 2023-11-14T22:13:21Z --max-keys 3 -q",
	"-k k -t t -w 10s --interleave -l 1s",
	"-k k -t t -w 2s --max-line 40",
};
#include "command.h"

#include "../../cmd/rollcount.c"
