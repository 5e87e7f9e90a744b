/*
 * topn - any bytes as lines of topn, see command.
 *
 * SPDX-License-Identifier: ISC
 */
static const char *const all_options[] = {
	"-n 3 -k k -v n",
	"-n 2 -k k -v n -g g",
	"-n 3 -v n -r",
	"-n 1 -k k -v n --max-keys 3",
	"-n 2 -v n -b t",
};
#include "command.h"

#include "../../cmd/topn.c"
