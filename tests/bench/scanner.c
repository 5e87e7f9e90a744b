/*
 * scanner FIELD FILE [VERSION] - what the commands do before their bolt has
 * its say, and no more: read a file, scan its lines for a field, and tell how
 * many have it.  VERSION is that of the index, for other processors.
 *
 * SPDX-License-Identifier: ISC
 */
#include <inttypes.h>
#include <stdio.h>

#include "base/diagnostics.h"
#include "io/input.h"
#include "tuple/projection.h"
#include "json/line_scanner.h"

enum { AT_ONCE = 32 * 1024 };

static const struct json_index_version *
version_of(const char *name)
{
	for (const struct json_index_version *const *v = json_index_versions;
	     *v != NULL; v++)
		if (strcmp((*v)->name, name) == 0 && (*v)->runs_here())
			return *v;
	return NULL;
}

int
main(int argc, char *argv[])
{
	const struct json_index_version *version = json_index_best();
	struct scanned_lines lines = { 0 };
	struct line_scanner *scanner;
	struct projection projection;
	struct input in;
	struct span text, line;
	size_t field, n;
	uint64_t found = 0;
	int slot;

	diagnostics_init(argv[0]);
	projection_init(&projection);
	if (argc == 4)
		version = version_of(argv[3]);
	if (argc < 3 || argc > 4 || version == NULL ||
	    projection_add(&projection, argv[1], &field, &n) != NULL)
		die("usage: scanner FIELD FILE [VERSION]");
	projection_compile(&projection);
	slot = projection.fields[field].slot;
	scanner = line_scanner_new(&projection.root, version);
	input_init(&in, argv + 2, 1, 1 << 30);
	for (;;) {
		text = input_ahead(&in, AT_ONCE);
		if (text.n == 0) {
			if (input_line(&in, &line) == INPUT_END)
				break;
			input_fill(&in);
			continue;
		}
		lines.n = 0;
		line_scanner_scan(scanner, text.p, text, 1 << 30, &lines);
		for (size_t i = 0; i < lines.n; i++) {
			found += lines.lines[i].object_n != 0 &&
			    lines.slots[i * (size_t)projection.root.end +
				     (size_t)slot]
				    .p != NULL;
			input_take(&in, 1, lines.lines[i].n + 1);
		}
	}
	if (input_failed(&in))
		return EXIT_USAGE;
	printf("%" PRIu64 "\n", found);
	input_fini(&in);
	scanned_lines_fini(&lines);
	line_scanner_free(scanner);
	projection_fini(&projection);
	return 0;
}
