/*
 * SPDX-License-Identifier: ISC
 */
#include "base/linux.h"

#ifdef HAS_LINUX
#include <sys/prctl.h>
#endif
#include <unistd.h>

#include "base/diagnostics.h"
#include "base/rights.h"

void
rights_drop(void)
{
#if defined(HAS_LINUX)
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
		die_errno("prctl");
#elif defined(__OpenBSD__)
	if (pledge("stdio rpath wpath cpath fattr flock", NULL) < 0)
		die_errno("pledge");
#endif
}
