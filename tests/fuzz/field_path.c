/*
 * field_path - any text as the path of a field.
 *
 * What is no path must be told why.  What is one has steps, each with a name or
 * an index, and goes on behind a comma where field_path_until says it ends.
 *
 * SPDX-License-Identifier: ISC
 */
#include <stdlib.h>
#include <string.h>

#include "tuple/field_path.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
check(const struct field_path *path)
{
	if (path->n == 0)
		abort();
	for (size_t i = 0; i < path->n; i++)
		if (path->steps[i].name.p == NULL && path->steps[i].index < 0)
			abort();
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct field_path path = { 0 };
	char *exact = malloc(size + 1);
	struct span text = { exact, size };
	const char *wrong;

	memcpy(exact, data, size);
	if (field_path_until(text, ',') > size)
		abort();
	wrong = field_path_parse(&path, text);
	if (wrong == NULL)
		check(&path);
	else if (*wrong == '\0')
		abort();
	field_path_fini(&path);
	free(exact);
	return 0;
}
