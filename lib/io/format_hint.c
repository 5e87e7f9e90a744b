/*
 * SPDX-License-Identifier: ISC
 */
#include <ctype.h>

#include "io/format_hint.h"
#include "json/text.h"

static const char array[] =
    "expected one object a line, got what looks like a JSON array; "
    "jq -c '.[]' takes it apart";
static const char pretty[] =
    "expected one object a line, got what looks like pretty-printed JSON; "
    "jq -c . puts each object on a line";
static const char several[] = "expected one object a line, got several; "
			      "jq -c . puts each object on a line";
static const char wrapped[] =
    "expected one object a line, got an array within one; "
    "jq -c '.[][]' takes it apart";
static const char commas[] =
    "expected one object a line, got lines that end in commas; "
    "sed 's/,[[:space:]]*$//' takes them off";

/* As iconv names it: 16LE, 16BE, 32LE or 32BE. */
#define HINT_UTF(bits, order)                           \
	"expected UTF-8, got what looks like UTF-" bits \
	"; iconv -f UTF-" bits order " -t UTF-8 converts it"

static const char zeek[] = "expected an object, got what looks like a Zeek log "
			   "in TSV; LogAscii::use_json=T has Zeek write JSON";
static const char xml[] = "expected an object, got what looks like XML or HTML";
static const char tar[] = "expected an object, got what looks like tar; "
			  "tar -xOf writes what is in it";

/* What other formats begin with. */
static const struct {
	struct span first;
	const char *hint;
} magics[] = {
	{ { "\3757zXZ\0", 6 },
	    "expected text, gzip or zstd, got what looks like xz; "
	    "xz -dc decompresses it" },
	{ { "BZh", 3 },
	    "expected text, gzip or zstd, got what looks like bzip2; "
	    "bzip2 -dc decompresses it" },
	{ { "PK\3\4", 4 },
	    "expected text, gzip or zstd, got what looks like zip; "
	    "unzip -p decompresses it" },
	{ { "\36{", 2 },
	    "expected one object a line, got what looks like a JSON text "
	    "sequence; tr -d '\\036' takes the separators off" },
	{ { "{'", 2 },
	    "expected an object, got what looks like a dict of Python; "
	    "json.dumps writes JSON" },
	{ { "<?xml", 5 }, xml },
	{ { "<!", 2 }, xml },
	{ { "<html", 5 }, xml },
	{ { "<HTML", 5 }, xml },
	{ { "#separator ", 11 }, zeek },
	{ { "#fields\t", 8 }, zeek },
};
/* What is between the columns of a table. */
static const struct {
	char separator;
	const char *hint;
} tables[] = {
	{ ',',
	    "expected an object, got what looks like CSV; "
	    "mlr --icsv --ojsonl cat converts it" },
	{ ';',
	    "expected an object, got what looks like CSV; "
	    "mlr --icsv --ifs ';' --ojsonl cat converts it" },
	{ '\t',
	    "expected an object, got what looks like TSV; "
	    "mlr --itsv --ojsonl cat converts it" },
};
static const char behind_text[] =
    "expected an object, got one behind text; sed -u 's/^[^{]*//' takes that off";
static const char text[] =
    "expected an object, got what looks like a log of text; "
    "tupletools-cookbook(7) shows how to make tuples of it";

static const char tail_header[] =
    "expected an object, got a header of tail; tail -q leaves them out";

/* Where the first header of a tar file says that it is one. */
enum { TAR_MAGIC = 257 };

static const char *
magic(struct span s)
{
	for (size_t i = 0; i < sizeof magics / sizeof *magics; i++)
		if (s.n >= magics[i].first.n &&
		    memcmp(s.p, magics[i].first.p, magics[i].first.n) == 0)
			return magics[i].hint;
	return s.n > TAR_MAGIC + 5 && memcmp(s.p + TAR_MAGIC, "ustar", 5) == 0 ?
	    tar :
	    NULL;
}

/* Tell whether it is the names of columns: three or more, or two words. */
static bool
is_header(struct span s, char separator)
{
	size_t n = 1, nblanks = 0;

	for (size_t i = 0; i < s.n; i++) {
		if (s.p[i] == '\0' ||
		    (strchr("_-. \"", s.p[i]) == NULL && s.p[i] != separator &&
			!isalnum((unsigned char)s.p[i])))
			return false;
		n += s.p[i] == separator;
		nblanks += s.p[i] == ' ';
	}
	return n >= 3 || (n == 2 && nblanks == 0);
}

static bool
opens(char c)
{
	return c == '{' || c == '[';
}

/* Of the first bytes: a byte order mark, or what JSON begins with. */
static const char *
utf(struct span s)
{
	const char *p = s.p;

	if (s.n >= 4 &&
	    (memcmp(p, "\xff\xfe\0\0", 4) == 0 ||
		(opens(p[0]) && memcmp(p + 1, "\0\0\0", 3) == 0)))
		return HINT_UTF("32", "LE");
	if (s.n >= 4 &&
	    (memcmp(p, "\0\0\xfe\xff", 4) == 0 ||
		(memcmp(p, "\0\0\0", 3) == 0 && opens(p[3]))))
		return HINT_UTF("32", "BE");
	if (s.n >= 2 &&
	    (memcmp(p, "\xff\xfe", 2) == 0 || (opens(p[0]) && p[1] == '\0')))
		return HINT_UTF("16", "LE");
	if (s.n >= 2 &&
	    (memcmp(p, "\xfe\xff", 2) == 0 || (p[0] == '\0' && opens(p[1]))))
		return HINT_UTF("16", "BE");
	return NULL;
}

/* Log lines may begin with a bracket, too. */
static bool
is_array(struct span s)
{
	struct span rest = json_trim((struct span){ s.p + 1, s.n - 1 });

	return *s.p == '[' && (rest.n == 0 || *rest.p == '{' || *rest.p == ']');
}

/* Tell whether an object stands behind something else, as a time or a name. */
static bool
has_object(struct span s)
{
	const char *brace = memchr(s.p, '{', s.n);

	return brace != NULL && brace != s.p && brace[-1] == ' ' &&
	    (brace[1] == '"' || brace[1] == '}') && s.p[s.n - 1] == '}' &&
	    *s.p != '"';
}

/* Tell whether it is the line that tail writes before each of several files. */
static bool
is_tail_header(struct span s)
{
	return s.n > 8 && memcmp(s.p, "==> ", 4) == 0 &&
	    memcmp(s.p + s.n - 4, " <==", 4) == 0;
}

/*
 * Tell whether it is three words or more, the first perhaps in brackets, or two,
 * the first with a `=`.
 */
static bool
is_text(struct span s)
{
	const char *end = memchr(s.p, ']', s.n);
	size_t nblanks = 0, nwords = 3;

	if (strchr("{\"", *s.p) != NULL ||
	    (*s.p == '[' &&
		(end == NULL || end + 1 == s.p + s.n || end[1] != ' ')))
		return false;
	for (size_t i = 0; i < s.n; i++) {
		if ((unsigned char)s.p[i] < ' ' && s.p[i] != '\t')
			return false;
		nblanks += s.p[i] == ' ';
		if (nblanks == 0 && s.p[i] == '=')
			nwords = 2;
	}
	return nblanks >= nwords - 1;
}

/* How many brackets are open at the end of s; -1: it is within a string. */
static int64_t
depth(struct span s)
{
	bool in = false;
	int64_t n = 0;

	for (size_t i = 0; i < s.n; i++)
		if (in && s.p[i] == '\\')
			i++;
		else if (s.p[i] == '"')
			in = !in;
		else if (!in)
			n += opens(s.p[i]) - (s.p[i] == '}' || s.p[i] == ']');
	return in ? -1 : n;
}

/* Tell whether an object is nothing but an array of objects with a name. */
static bool
is_wrapped(struct span s)
{
	struct json_members it = json_members(s);
	struct json_member first, second;

	return json_members_next(&it, &first) && *first.value.p == '[' &&
	    *json_trim((struct span){ first.value.p + 1, first.value.n - 1 })
		 .p == '{' &&
	    !json_members_next(&it, &second);
}

/* Recognize an object, whose last byte is at end, by what is wrong with it. */
static const char *
object(struct span line, struct span s, const struct fault *f)
{
	size_t end = (size_t)(s.p + s.n - line.p);
	char last = s.p[s.n - 1];

	if (last != ',' && !opens(last))
		return NULL;
	/* The object goes on, or was complete before the comma. */
	if (f->column > end)
		return depth(s) < 0 ? NULL : pretty;
	return f->column == end && last == ',' && s.p[s.n - 2] == '}' ? commas :
									NULL;
}

/* Recognize a line that has other than one tuple. */
static const char *
tuples(struct span line, struct span s, const struct fault *f)
{
	const char *at = line.p + f->column - 1;

	if (f->kind == FAULT_MISSING)
		return is_wrapped(s) ? wrapped : NULL;
	return f->kind == FAULT_SYNTAX && at < s.p + s.n && opens(*at) &&
		depth((struct span){ s.p, (size_t)(at - s.p) }) == 0 ?
	    several :
	    NULL;
}

const char *
format_hint(struct span line, const struct fault *f, bool *of_line)
{
	struct span s = json_trim(line);
	const char *other;

	*of_line = false;
	other = utf(line);
	if (other != NULL)
		return other;
	if (s.n == 0)
		return NULL;
	other = magic(line);
	if (other != NULL)
		return other;
	for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
		if (is_header(s, tables[i].separator))
			return tables[i].hint;
	*of_line = is_tail_header(s);
	if (*of_line)
		return tail_header;
	if (is_array(s))
		return array;
	if (has_object(s))
		return behind_text;
	if (is_text(s))
		return text;
	if (*s.p != '{' || f == NULL)
		return NULL;
	other = tuples(line, s, f);
	*of_line = other != NULL;
	return other != NULL ? other : object(line, s, f);
}
