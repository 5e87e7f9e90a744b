/*
 * SPDX-License-Identifier: ISC
 */
#include <sys/stat.h>

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/diagnostics.h"
#include "base/memory.h"
#include "base/signals.h"
#include "storm/topology_context.h"

static struct span
text_of(const json_t *string)
{
	return (struct span){ json_string_value(string),
		json_string_length(string) };
}

/* A number, which jansson was told to read as a double; 0 for none. */
static int64_t
int_of(const json_t *object, const char *name)
{
	double v = json_number_value(json_object_get(object, name));

	return v >= 1 && v <= 0x1p52 ? (int64_t)v : 0;
}

/* The same in milliseconds. */
static int64_t
seconds_of(const json_t *object, const char *name)
{
	double v = json_number_value(json_object_get(object, name));

	return v > 0 && v <= 0x1p32 ? llrint(v * 1000) : 0;
}

static void
add_stream(struct declared_streams *s, const char *component, const char *name,
    const json_t *fields)
{
	struct declared_stream *d;

	s->list = memory_grow(s->list, &s->cap, s->n + 1, sizeof *s->list);
	d = &s->list[s->n++];
	*d = (struct declared_stream){ span_of(component), span_of(name),
		memory_new(json_array_size(fields), sizeof *d->fields),
		json_array_size(fields) };
	for (size_t i = 0; i < d->n; i++)
		d->fields[i] = text_of(json_array_get(fields, i));
}

/* The fields of each stream: those of an object by stream. */
static void
add_streams(struct declared_streams *s, const char *component, json_t *streams)
{
	for (void *it = json_object_iter(streams); it != NULL;
	     it = json_object_iter_next(streams, it))
		add_stream(s, component, json_object_iter_key(it),
		    json_object_iter_value(it));
}

/* Find the place of the task among those of its component. */
static void
find_siblings(struct topology_context *t, json_t *components)
{
	const char *own;
	char number[32];

	snprintf(number, sizeof number, "%lld", (long long)t->task);
	own = json_string_value(json_object_get(components, number));
	t->ntasks = own == NULL;
	for (void *it = json_object_iter(components); it != NULL;
	     it = json_object_iter_next(components, it)) {
		const char *name =
		    json_string_value(json_object_iter_value(it));

		if (own == NULL || name == NULL || strcmp(name, own) != 0)
			continue;
		t->ntasks++;
		t->index +=
		    strtoll(json_object_iter_key(it), NULL, 10) < t->task;
	}
}

/* Without memory jansson would leave out parts of names. */
static void *
allocate(size_t n)
{
	return memory_new(n, 1);
}

/* Take the setup message apart.  -1: it is none, f tells. */
static int
parse(struct topology_context *t, struct span setup, struct fault *f)
{
	json_t *conf, *context, *streams;
	json_error_t error;

	*t = (struct topology_context){ 0 };
	json_set_alloc_funcs(allocate, free);
	/* Of the numbers in conf only small ones matter; all must be read. */
	t->setup = json_loadb(setup.p, setup.n,
	    JSON_ALLOW_NUL | JSON_DECODE_INT_AS_REAL, &error);
	if (t->setup == NULL)
		return fault_set(f, FAULT_SYNTAX, 1, "%s", error.text);
	conf = json_object_get(t->setup, "conf");
	context = json_object_get(t->setup, "context");
	if (conf == NULL || context == NULL)
		return fault_set(f, FAULT_MISSING, 1,
		    "expected conf and context");
	t->pid_dir = text_of(json_object_get(t->setup, "pidDir"));
	t->component = text_of(json_object_get(context, "componentid"));
	t->task = int_of(context, "taskid");
	t->tick_ms = seconds_of(conf, "topology.tick.tuple.freq.secs");
	t->max_pending = int_of(conf, "topology.max.spout.pending");
	t->components = json_object_get(context, "task->component");
	t->targets = json_object_get(context, "stream->target->grouping");
	find_siblings(t, t->components);
	streams = json_object_get(context, "stream->outputfields");
	t->outputs.known = streams != NULL;
	add_streams(&t->outputs, "", streams);
	streams = json_object_get(context, "source->stream->fields");
	t->sources.known = streams != NULL;
	for (void *it = json_object_iter(streams); it != NULL;
	     it = json_object_iter_next(streams, it))
		add_streams(&t->sources, json_object_iter_key(it),
		    json_object_iter_value(it));
	return 0;
}

/* What is said to stderr while nobody reads it is lost. */
static void
never_wait_for_stderr(void)
{
	struct stat st;
	int flags = fcntl(STDERR_FILENO, F_GETFL);

	if (flags >= 0 && fstat(STDERR_FILENO, &st) == 0 &&
	    S_ISFIFO(st.st_mode))
		fcntl(STDERR_FILENO, F_SETFL, flags | O_NONBLOCK);
}

static void
log_warning(void *arg, struct span text)
{
	struct output *out = arg;

	multilang_put_log(&out->rows, MULTILANG_WARN, text);
}

static void
leave_pid(struct span dir, int64_t pid)
{
	struct buffer path = { 0 };
	int fd;

	buffer_put(&path, dir);
	buffer_byte(&path, '/');
	buffer_int(&path, pid);
	buffer_byte(&path, '\0');
	fd = open(path.p, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
	if (fd < 0 || close(fd) < 0)
		die_errno("%s", path.p);
	buffer_fini(&path);
}

/* A signal ends the program: there is nothing to be written yet. */
static void
wait_for_input(int fd)
{
	struct pollfd fds[] = { { fd, POLLIN, 0 },
		{ signals_fd(), POLLIN, 0 } };

	do {
		signals_drain();
		if (signals_ending() != 0)
			signals_die(signals_ending());
		if (poll(fds, 2, -1) < 0 && errno != EINTR)
			die_errno("stdin");
	} while (fds[0].revents == 0);
}

void
topology_context_receive(struct topology_context *t, struct multilang_input *in,
    struct output *out)
{
	enum multilang_status status;
	enum multilang_kind kind;
	struct multilang_message m;
	struct fault f = { 0 };
	struct span text;
	size_t max = in->max;

	never_wait_for_stderr();
	/* What Storm says of the topology is as long as the topology is large. */
	in->max = SIZE_MAX / 2;
	while ((status = multilang_next(in, &text)) == MULTILANG_EMPTY) {
		wait_for_input(in->fd);
		multilang_fill(in);
	}
	in->max = max;
	if (status != MULTILANG_MESSAGE)
		die("stdin: expected Storm's setup message, got end of input");
	/* The scanner knows the dialect, and what it has mended is JSON. */
	kind = multilang_parse(in, text, &m, &f);
	if (kind == MULTILANG_TASK_IDS)
		die("stdin: expected Storm's setup message, got an array");
	if (kind == MULTILANG_INVALID || parse(t, m.text, &f) < 0)
		die("stdin: expected Storm's setup message: %s", f.message);
	multilang_put_pid(&out->rows, getpid());
	output_flush(out);
	if (t->pid_dir.p != NULL)
		leave_pid(t->pid_dir, getpid());
	diagnostics_divert(log_warning, out);
}

/* Tell whether a component takes our default stream with direct grouping. */
static bool
is_direct(const struct topology_context *t, const char *component)
{
	json_t *grouping =
	    json_object_get(json_object_get(t->targets, "default"), component);
	const char *type = json_string_value(json_object_get(grouping, "type"));

	return type != NULL && strcmp(type, "DIRECT") == 0;
}

/* The one component that does. */
static const char *
direct_target(const struct topology_context *t)
{
	json_t *targets = json_object_get(t->targets, "default");
	const char *found = NULL;

	for (void *it = json_object_iter(targets); it != NULL;
	     it = json_object_iter_next(targets, it)) {
		const char *component = json_object_iter_key(it);

		if (!is_direct(t, component))
			continue;
		if (found != NULL)
			die("%s and %s both take the stream default with "
			    "grouping DIRECT: --to says whose tasks are meant",
			    found, component);
		found = component;
	}
	if (found == NULL)
		die("no component takes the stream default with grouping "
		    "DIRECT");
	return found;
}

static int
by_number(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

int64_t *
topology_context_targets(const struct topology_context *t,
    const char *component, size_t *n)
{
	int64_t *tasks = NULL;
	size_t cap = 0;

	*n = 0;
	if (component == NULL)
		component = direct_target(t);
	else if (t->targets != NULL && !is_direct(t, component))
		die("--to: %s does not take the stream default with grouping "
		    "DIRECT",
		    component);
	for (void *it = json_object_iter(t->components); it != NULL;
	     it = json_object_iter_next(t->components, it)) {
		const char *name =
		    json_string_value(json_object_iter_value(it));

		if (name == NULL || strcmp(name, component) != 0)
			continue;
		tasks = memory_grow(tasks, &cap, *n + 1, sizeof *tasks);
		tasks[(*n)++] = strtoll(json_object_iter_key(it), NULL, 10);
	}
	if (*n == 0)
		die("--to: there is no component %s", component);
	qsort(tasks, *n, sizeof *tasks, by_number);
	return tasks;
}

static void
free_streams(struct declared_streams *s)
{
	for (size_t i = 0; i < s->n; i++)
		free(s->list[i].fields);
	free(s->list);
}

void
topology_context_fini(struct topology_context *t)
{
	free_streams(&t->sources);
	free_streams(&t->outputs);
	json_decref(t->setup);
	*t = (struct topology_context){ 0 };
}

const struct declared_stream *
declared_streams_find(const struct declared_streams *s, struct span component,
    struct span name)
{
	for (size_t i = 0; i < s->n; i++)
		if (span_eq(s->list[i].name, name) &&
		    span_eq(s->list[i].component, component))
			return &s->list[i];
	return NULL;
}
