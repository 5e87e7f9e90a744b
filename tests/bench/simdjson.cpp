/*
 * simdjson FIELD FILE... - what scanner does, by simdjson: read files, a
 * megabyte at a time, parse their lines to documents (DOM, which validates all
 * of them), and tell how many have the field.
 *
 * SPDX-License-Identifier: ISC
 */
#include <fcntl.h>
#include <simdjson.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

enum { CHUNK = 1 << 20, LONGEST = 16 << 20 };

static size_t found;

/* Parse lines, and tell whether all are valid. */
static bool
parse(const char *text, size_t n, std::string_view field)
{
	static simdjson::dom::parser parser;
	simdjson::dom::document_stream stream;

	if (parser.parse_many(text, n, CHUNK + LONGEST).get(stream) !=
	    simdjson::SUCCESS)
		return false;
	for (auto document : stream) {
		simdjson::dom::element value;

		if (document.error() != simdjson::SUCCESS)
			return false;
		found += document.at_key(field).get(value) == simdjson::SUCCESS;
	}
	return true;
}

static bool
parse_file(const char *name, char *text, std::string_view field)
{
	int fd = open(name, O_RDONLY);
	size_t kept = 0;
	ssize_t n = -1;

	while (fd >= 0 && kept < LONGEST &&
	    (n = read(fd, text + kept, CHUNK)) > 0) {
		size_t end = kept + (size_t)n, lines = end;

		while (lines > 0 && text[lines - 1] != '\n')
			lines--;
		if (lines > 0 && !parse(text, lines, field))
			return false;
		kept = end - lines;
		memmove(text, text + lines, kept);
	}
	close(fd);
	return n == 0 && kept == 0;
}

int
main(int argc, char *argv[])
{
	char *text =
	    (char *)malloc(CHUNK + LONGEST + simdjson::SIMDJSON_PADDING);

	for (int i = 2; i < argc; i++)
		if (!parse_file(argv[i], text, argv[1])) {
			fprintf(stderr, "simdjson: %s: not lines of JSON\n",
			    argv[i]);
			return 1;
		}
	printf("%zu\n", found);
	free(text);
	return 0;
}
