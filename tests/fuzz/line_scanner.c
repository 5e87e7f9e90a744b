/*
 * line_scanner - any lines at all, in an allocation of exactly their length
 * and the pad, as the line scanner takes them with each version of the index,
 * json_scan, and jansson: what is accepted and every field must be the same.
 * They are scanned twice, the second time with what the first has left.
 *
 * Three bytes in front tell which fields are looked for; how long a line
 * stands before the others, so that what is scanned at once ends in them; and
 * where in a block of 64 bytes all begins.
 *
 * SPDX-License-Identifier: ISC
 */
#include "../unit/scanners.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const wanted[] = { "a", "a,a.b,.a[1],.b[\"\"],/a/0",
	"id,.user.id,user.id,ts,abcdefgh,abcdefghijklmnopq", "__tick" };

/* A line of so many bytes with its newline, or none. */
static void
put_line(struct buffer *b, size_t n)
{
	if (n < 16)
		return;
	buffer_put(b, SPAN("{\"a\":\""));
	memset(buffer_room(b, n), 'a', n);
	b->n += n - 6 - 3;
	buffer_put(b, SPAN("\"}\n"));
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const size_t lines[] = { 64, LINE_SCANNER_CHUNK, JSON_INDEX_MAX,
		LINE_SCANNER_CHUNK / 2 };
	struct buffer b = { 0 };
	struct scanners x;

	if (size < 3)
		return 0;
	scanners_init(&x, wanted[data[0] % 4]);
	put_line(&b, lines[data[1] % 4] - data[1] / 4);
	buffer_put(&b, (struct span){ (const char *)data + 3, size - 3 });
	buffer_byte(&b, '\n');
	for (int i = 0; i < 2; i++)
		if (!scanners_agree(&x, buffer_span(&b), data[2] % 64))
			abort();
	buffer_fini(&b);
	scanners_fini(&x);
	return 0;
}
