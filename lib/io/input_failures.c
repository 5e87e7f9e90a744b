/*
 * SPDX-License-Identifier: ISC
 */
#include <errno.h>

#include "base/diagnostics.h"
#include "base/memory.h"
#include "io/input_internal.h"

void
input_fail(struct input *in)
{
	in->error = errno;
	in->failed = input_name(in);
	in->at = in->nnames;
}

void
input_note_damage(struct input *in, const char *reason, int error)
{
	in->damages = memory_grow(in->damages, &in->damages_cap,
	    in->ndamages + 1, sizeof *in->damages);
	in->damages[in->ndamages++] =
	    (struct input_damage){ input_name(in), reason, error };
}

bool
input_report_failure(const struct input *in)
{
	errno = in->error;
	if (in->error != 0)
		warn_errno("%s", in->failed);
	return in->error != 0;
}

bool
input_report_damage(const struct input *in)
{
	for (size_t i = 0; i < in->ndamages; i++) {
		const struct input_damage *d = &in->damages[i];

		errno = d->error;
		if (d->error != 0)
			warn_errno("%s", d->name);
		else
			warn_plain("%s: damaged compressed data: %s; what was "
				   "decompressed before was used",
			    d->name, d->reason);
	}
	return in->ndamages != 0;
}
