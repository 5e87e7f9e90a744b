/*
 * timeline - any bytes as lines of timeline, see command.
 *
 * SPDX-License-Identifier: ISC
 */
static const char *const all_options[] = {
	"-k k --from t --to n",
	"-k k --from t --to n --step 10s",
	"-k k --from t --to n --slice 1m --step 10s -c",
};
#include "command.h"

#include "../../cmd/timeline.c"
