/*
 * tally - any bytes as lines of tally, see command.
 *
 * SPDX-License-Identifier: ISC
 */
static const char *const all_options[] = {
	"-k k",
	"-k k,n -a count,sum:n,mean:n,min:k,max:k",
	"-k k? -a stddev:n,first:k,last:n,p10:n,p99.9:n,distinct:k",
	"-a count,distinct:n",
	"-k k -c",
	"-k /a/0,.b.c --max-keys 3",
};
#include "command.h"

#include "../../cmd/tally.c"
