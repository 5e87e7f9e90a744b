/*
 * SPDX-License-Identifier: ISC
 */
#include "io/merger.h"
#include "json/text.h"

enum {
	/* Rows of batches to come that a task may be ahead by. */
	AHEAD = 4 << 20,
};

/* A tick, and where it stands among all rows that its task has sent. */
struct mark {
	int64_t ms;
	uint64_t at;
};

struct merger_task {
	struct buffer line; /* bytes without a newline so far */
	struct buffer rows; /* by tick: rows[done..) are to be passed on */
	size_t done;
	uint64_t cut;	    /* bytes before rows, which are there no more */
	struct mark *marks; /* marks[passed..nmarks) likewise */
	size_t nmarks, passed, cap;
	int64_t last_ms; /* of its last mark, if has_mark */
	bool has_mark, ended, broken;
};

void
merger_init(struct merger *m, enum merger_order order, size_t ntasks,
    const char *tag, struct output *out)
{
	*m = (struct merger){ .order = order,
		.ntasks = ntasks,
		.tasks = memory_new(ntasks, sizeof *m->tasks),
		.tags = tag != NULL,
		.out = out };
	projection_init(&m->projection);
	if (m->tags)
		tag_init(&m->tag, tag, &m->projection);
	projection_compile(&m->projection);
	m->slots = memory_new((size_t)m->projection.nslots, sizeof *m->slots);
}

void
merger_fini(struct merger *m)
{
	for (size_t i = 0; i < m->ntasks; i++) {
		buffer_fini(&m->tasks[i].line);
		buffer_fini(&m->tasks[i].rows);
		free(m->tasks[i].marks);
	}
	free(m->tasks);
	free(m->slots);
	projection_fini(&m->projection);
	tag_fini(&m->tag);
}

/*
 * Tell whether a line may be a tick, which is read again if so: its first
 * member's name begins as that of a tick.
 */
static bool
may_be_tick(struct span s)
{
	struct span name = s;

	if (s.n < 2 || *s.p != '{')
		return false;
	name = json_trim((struct span){ s.p + 1, s.n - 1 });
	return name.n > 2 && name.p[0] == '"' &&
	    (name.p[1] == '_' || name.p[1] == '\\');
}

/* The tuple of a line that is scanned. */
static struct tuple
tuple_of(const struct merger *m, struct span line)
{
	return (struct tuple){
		.line = line, .projection = &m->projection, .slots = m->slots
	};
}

static bool
is_tick(struct merger *m, struct span line, int64_t *ms)
{
	struct tuple t = tuple_of(m, line);

	return may_be_tick(line) &&
	    json_scan(&m->projection.root, line, m->slots, NULL) == 0 &&
	    tuple_is_tick(&t, ms, NULL) > 0;
}

/* Append a row, with its tag. */
static void
put_row(struct merger *m, size_t task, struct span raw, struct buffer *to)
{
	struct tuple t = tuple_of(m, json_trim(raw));

	if (!m->tags ||
	    json_scan(&m->projection.root, t.line, m->slots, NULL) < 0) {
		buffer_put(to, raw);
	} else {
		buffer_int(tag_begin(&m->tag), (int64_t)task);
		tag_put(&m->tag, to, &t);
	}
	buffer_byte(to, '\n');
}

static void
take_line(struct merger *m, size_t task, struct span raw)
{
	struct merger_task *k = &m->tasks[task];
	bool by_tick = m->order == MERGER_BY_TICK;
	struct buffer *to = by_tick ? &k->rows : &m->out->rows;
	int64_t ms;

	if (!is_tick(m, json_trim(raw), &ms)) {
		put_row(m, task, raw, to);
	} else if (by_tick && k->has_mark && ms <= k->last_ms) {
		/* Whether its batch has been passed on is a matter of time. */
	} else if (by_tick) {
		k->has_mark = true;
		k->last_ms = ms;
		k->marks = memory_grow(k->marks, &k->cap, k->nmarks + 1,
		    sizeof *k->marks);
		k->marks[k->nmarks++] = (struct mark){ ms, k->cut + to->n };
	} else {
		buffer_put(to, raw);
		buffer_byte(to, '\n');
	}
}

/* Pass on the rows of a task up to a place. */
static void
pass_rows(struct merger *m, struct merger_task *k, size_t to)
{
	if (to == k->done) /* also where there never were any */
		return;
	buffer_put(&m->out->rows,
	    (struct span){ k->rows.p + k->done, to - k->done });
	k->done = to;
	output_rows_added(m->out);
}

/* Give back the room of what has been passed on, when it is half of all. */
static void
compact(struct merger_task *k)
{
	size_t n = k->rows.n - k->done, nmarks = k->nmarks - k->passed;

	if (k->done != 0 && k->done >= n) {
		memmove(k->rows.p, k->rows.p + k->done, n);
		k->cut += k->done;
		k->rows.n = n;
		k->done = 0;
	}
	if (k->passed != 0 && k->passed >= nmarks) {
		memmove(k->marks, k->marks + k->passed,
		    nmarks * sizeof *k->marks);
		k->nmarks = nmarks;
		k->passed = 0;
	}
}

/* The least tick that comes next; false where a task has yet to speak. */
static bool
next_tick(const struct merger *m, int64_t *ms)
{
	bool any = false;

	for (size_t i = 0; i < m->ntasks; i++) {
		const struct merger_task *k = &m->tasks[i];

		if (k->passed == k->nmarks && (!k->ended || k->broken))
			return false;
		if (k->passed < k->nmarks &&
		    (!any || k->marks[k->passed].ms < *ms)) {
			*ms = k->marks[k->passed].ms;
			any = true;
		}
	}
	return any;
}

/* Pass on the batches that are complete. */
static void
pass_batches(struct merger *m)
{
	int64_t ms = 0;
	bool any = false;

	if (m->order != MERGER_BY_TICK)
		return;
	while (next_tick(m, &ms)) {
		for (size_t i = 0; i < m->ntasks; i++) {
			struct merger_task *k = &m->tasks[i];

			while (k->passed < k->nmarks &&
			    k->marks[k->passed].ms <= ms)
				pass_rows(m, k,
				    k->marks[k->passed++].at - k->cut);
			compact(k);
		}
		tuple_put_tick(&m->out->rows, ms);
		any = true;
	}
	if (any)
		output_flush(m->out);
}

char *
merger_room(struct merger *m, size_t task, size_t size)
{
	return buffer_room(&m->tasks[task].line, size + JSON_PAD);
}

/* Pass on what ends before the last newline as it is.  Returns its length. */
static size_t
take_block(struct merger *m, struct merger_task *k, size_t from)
{
	size_t n = k->line.n;

	while (n > from && k->line.p[n - 1] != '\n')
		n--;
	if (n == from)
		return 0;
	buffer_put(&m->out->rows, (struct span){ k->line.p, n });
	return n;
}

/* Take the whole lines, the first of which ends after from. */
static size_t
take_lines(struct merger *m, size_t task, size_t from)
{
	struct buffer *b = &m->tasks[task].line;
	size_t start = 0;
	char *newline;

	while ((newline = memchr(b->p + from, '\n', b->n - from)) != NULL) {
		from = (size_t)(newline - b->p);
		take_line(m, task, (struct span){ b->p + start, from - start });
		start = ++from;
	}
	return start;
}

/* Where the rows begin that no tick has followed yet. */
static size_t
last_mark(const struct merger_task *k)
{
	return k->passed < k->nmarks ? k->marks[k->nmarks - 1].at - k->cut :
				       k->done;
}

const char *
merger_take(struct merger *m, size_t task, size_t n)
{
	struct merger_task *k = &m->tasks[task];
	size_t from = k->line.n, old_marks = k->nmarks, start;

	k->line.n += n;
	memset(k->line.p + k->line.n, '\n', JSON_PAD);
	if (m->order == MERGER_BY_LINE && !m->tags)
		start = take_block(m, k, from);
	else
		start = take_lines(m, task, from);
	if (start != 0)
		memmove(k->line.p, k->line.p + start, k->line.n - start);
	k->line.n -= start;
	if (k->nmarks != old_marks)
		pass_batches(m);
	output_rows_added(m->out);
	if (k->line.n > MERGER_LIMIT)
		return "sent a line of more than 64 MiB";
	if (k->rows.n - last_mark(k) > MERGER_LIMIT)
		return "sent 64 MiB without a tick";
	return NULL;
}

bool
merger_is_ahead(const struct merger *m, size_t task)
{
	const struct merger_task *k = &m->tasks[task];

	return k->passed < k->nmarks && k->rows.n - k->done > AHEAD;
}

void
merger_end(struct merger *m, size_t task)
{
	struct merger_task *k = &m->tasks[task];

	if (k->ended)
		return;
	if (k->line.n != 0 && !k->broken) {
		merger_room(m, task, 1);
		k->line.p[k->line.n] = '\n';
		merger_take(m, task, 1);
	}
	k->ended = true;
	pass_batches(m);
}

void
merger_fail(struct merger *m, size_t task)
{
	m->tasks[task].broken = true;
}

void
merger_finish(struct merger *m)
{
	pass_batches(m);
	for (size_t i = 0; i < m->ntasks; i++)
		pass_rows(m, &m->tasks[i], m->tasks[i].rows.n);
}
