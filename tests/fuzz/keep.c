/*
 * keep - any bytes as lines of keep, see command.
 *
 * SPDX-License-Identifier: ISC
 */
static const char *const all_options[] = {
	"n>3",
	"-v k==\"a\"",
	"n",
	"!n&&k=~\"^a\"",
	"(a.b<2||n!=1)&&k",
};
#include "command.h"

#include "../../cmd/keep.c"
