/*
 * json_suite - JSONTestSuite: y_ documents are accepted, n_ refused, and
 * with i_ ones either will do as long as nothing is read out of bounds.  All
 * versions of the line scanner take them the same way, as members of a line.
 *
 * SPDX-License-Identifier: ISC
 */
#include <dirent.h>

#include "check.h"
#include "json/line_scanner.h"
#include "json/text.h"
#include "padded.h"

enum { YES_DOCUMENTS = 95, NO_DOCUMENTS = 188 };

static void
read_file(const char *folder, const char *name, struct buffer *b)
{
	char path[4096];
	FILE *f;
	size_t n;

	snprintf(path, sizeof path, "%s/%s", folder, name);
	b->n = 0;
	if (!CHECK((f = fopen(path, "rb")) != NULL))
		return;
	while ((n = fread(buffer_room(b, 65536), 1, 65536, f)) > 0)
		b->n += n;
	fclose(f);
}

/*
 * Tell how many of the lines that a document makes as a member are accepted:
 * one, or if it is bad none.
 */
static size_t
as_lines(struct span document, bool good,
    const struct json_index_version *version)
{
	struct scanned s;
	struct line_scanner *scanner;
	struct scanned_lines lines = { 0 };
	struct buffer b = { 0 };
	size_t n = 0;
	char *p;

	buffer_put(&b, SPAN("{\"k\":"));
	buffer_put(&b, json_trim(document));
	for (size_t i = 0; i < b.n; i++)
		if (good && b.p[i] == '\n')
			b.p[i] = ' ';
	buffer_put(&b, SPAN("}\n"));
	p = padded(buffer_span(&b));
	scanned_init(&s, "k");
	scanner = line_scanner_new(&s.projection.root, version);
	line_scanner_scan(scanner, (struct span){ p, b.n }, &lines);
	for (size_t i = 0; i < lines.n; i++)
		n += lines.lines[i].kind == LINE_OBJECT;
	line_scanner_free(scanner);
	scanned_lines_fini(&lines);
	scanned_fini(&s);
	buffer_fini(&b);
	free(p);
	return n;
}

int
main(void)
{
	const struct json_index_version *const *v;
	const char *data = getenv("TUPLETOOLS_DATA");
	unsigned yes = 0, no = 0, either = 0, accepted = 0;
	struct buffer b = { 0 };
	char folder[2048];
	struct dirent *e;
	DIR *dir;

	snprintf(folder, sizeof folder, "%s/JSONTestSuite/test_parsing",
	    data == NULL ? "." : data);
	if ((dir = opendir(folder)) == NULL) {
		printf("json_suite: skipped, no %s\n", folder);
		return 0;
	}
	while ((e = readdir(dir)) != NULL) {
		struct fault f = { 0 };
		bool good;

		if (strstr(e->d_name, ".json") == NULL)
			continue;
		read_file(folder, e->d_name, &b);
		good = padded_validate(buffer_span(&b), &f) == 0;
		if (e->d_name[0] == 'i') {
			either++;
			accepted += good;
		} else if (!CHECK(good == (e->d_name[0] == 'y'))) {
			fprintf(stderr, "\t%s: %s\n", e->d_name, f.message);
		}
		for (v = json_index_versions; *v != NULL; v++)
			if ((*v)->runs_here() &&
			    !CHECK(as_lines(buffer_span(&b), good, *v) == good))
				fprintf(stderr, "\t%s: %s\n", (*v)->name,
				    e->d_name);
		yes += e->d_name[0] == 'y';
		no += e->d_name[0] == 'n';
		/* A refusal says why, at a place in the text or after it. */
		CHECK(good || (f.column >= 1 && f.column <= b.n + 1));
	}
	closedir(dir);
	buffer_fini(&b);
	CHECK_EQ(yes, YES_DOCUMENTS);
	CHECK_EQ(no, NO_DOCUMENTS);
	printf("json_suite: %u of %u implementation-defined ones accepted\n",
	    accepted, either);
	return check_done("json_suite");
}
