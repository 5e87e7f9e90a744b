/*
 * pkgroup - any bytes as lines of pkgroup, see command.
 *
 * SPDX-License-Identifier: ISC
 */
static const char *const all_options[] = {
	"-n 3 -k k",
	"-n 2 -k k -g heavy --explain",
	"-n 3 -g shuffle --tag s",
	"-n 2 -k k -t t -e 10s -l 2s",
	"-n 2 -k k -t t -e 10s --interleave",
	"-n 3 -k n --hash storm1",
	"-n 3 -k n --hash storm2 --explain",
	"-n 2 -g fields",
};
#include "command.h"

#include "../../cmd/pkgroup.c"
