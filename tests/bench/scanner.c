/*
 * scanner FIELD FILE... - what the commands do before their bolt has its say,
 * and no more: read files, scan their lines for a field, and tell how many have
 * it.
 *
 * SPDX-License-Identifier: ISC
 */
#include <inttypes.h>
#include <stdio.h>

#include "base/diagnostics.h"
#include "io/tuple_source.h"
#include "tuple/projection.h"

int
main(int argc, char *argv[])
{
	struct tuple_source s;
	struct projection projection;
	enum input_status status;
	size_t field, n;
	uint64_t found = 0;

	diagnostics_init(argv[0]);
	projection_init(&projection);
	if (argc < 3 ||
	    projection_add(&projection, argv[1], &field, &n) != NULL)
		die("usage: scanner FIELD FILE...");
	projection_compile(&projection);
	tuple_source_init(&s, 0, argv + 2, (size_t)argc - 2, 1 << 30,
	    &projection, NULL, NULL);
	while ((status = tuple_source_take(&s)) != INPUT_END)
		if (status == INPUT_EMPTY)
			tuple_source_read(&s);
		else
			while (tuple_source_next(&s))
				found += tuple_source_line(&s)->kind ==
					LINE_OBJECT &&
				    tuple_field(s.tuple, field) != NULL;
	if (input_report_failure(&s.in))
		return EXIT_TROUBLE;
	printf("%" PRIu64 "\n", found);
	tuple_source_fini(&s);
	projection_fini(&projection);
	return 0;
}
