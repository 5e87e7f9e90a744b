/*
 * SPDX-License-Identifier: ISC
 */
#include "io/format_hint.h"
#include "json/text.h"

static const char array[] =
    "expected one object a line, got what looks like a JSON array; "
    "jq -c '.[]' takes it apart";
static const char pretty[] =
    "expected one object a line, got what looks like pretty-printed JSON; "
    "jq -c . puts each object on a line";
static const char commas[] =
    "expected one object a line, got lines that end in commas; "
    "sed 's/,$//' takes them off";
static const char little_endian[] =
    "expected UTF-8, got what looks like UTF-16; "
    "iconv -f UTF-16LE -t UTF-8 converts it";
static const char big_endian[] = "expected UTF-8, got what looks like UTF-16; "
				 "iconv -f UTF-16BE -t UTF-8 converts it";

static bool
opens(char c)
{
	return c == '{' || c == '[';
}

/* Of the first two bytes: a byte order mark, or what JSON begins with. */
static const char *
utf16(const char *p)
{
	if (memcmp(p, "\xff\xfe", 2) == 0 || (opens(p[0]) && p[1] == '\0'))
		return little_endian;
	if (memcmp(p, "\xfe\xff", 2) == 0 || (p[0] == '\0' && opens(p[1])))
		return big_endian;
	return NULL;
}

/* Log lines may begin with a bracket, too. */
static bool
is_array(struct span s)
{
	struct span rest = json_trim((struct span){ s.p + 1, s.n - 1 });

	return *s.p == '[' && (rest.n == 0 || *rest.p == '{' || *rest.p == ']');
}

static bool
ends_in_string(struct span s)
{
	bool in = false;

	for (size_t i = 0; i < s.n; i++)
		if (in && s.p[i] == '\\')
			i++;
		else if (s.p[i] == '"')
			in = !in;
	return in;
}

const char *
format_hint(struct span line, const struct fault *f)
{
	struct span s = json_trim(line);
	size_t end = (size_t)(s.p + s.n - line.p);
	char last;

	if (line.n >= 2 && utf16(line.p) != NULL)
		return utf16(line.p);
	if (s.n == 0)
		return NULL;
	if (is_array(s))
		return array;
	last = s.p[s.n - 1];
	if (*s.p != '{' || f == NULL || (last != ',' && !opens(last)))
		return NULL;
	/* The object goes on, or was complete before the comma. */
	if (f->column > end)
		return ends_in_string(s) ? NULL : pretty;
	return f->column == end && last == ',' && s.p[s.n - 2] == '}' ? commas :
									NULL;
}
