/*
 * SPDX-License-Identifier: ISC
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
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

int
topology_context_init(struct topology_context *t, struct span setup,
    char *wrong, size_t size)
{
	json_t *conf, *context, *streams;
	json_error_t error;

	*t = (struct topology_context){ 0 };
	/* Of the numbers in conf only small ones matter; all must be read. */
	t->setup = json_loadb(setup.p, setup.n,
	    JSON_ALLOW_NUL | JSON_DECODE_INT_AS_REAL, &error);
	if (t->setup == NULL) {
		snprintf(wrong, size, "%s", error.text);
		return -1;
	}
	conf = json_object_get(t->setup, "conf");
	context = json_object_get(t->setup, "context");
	if (conf == NULL || context == NULL) {
		snprintf(wrong, size, "expected conf and context");
		return -1;
	}
	t->pid_dir = text_of(json_object_get(t->setup, "pidDir"));
	t->component = text_of(json_object_get(context, "componentid"));
	t->task = int_of(context, "taskid");
	t->tick_ms = seconds_of(conf, "topology.tick.tuple.freq.secs");
	t->max_pending = int_of(conf, "topology.max.spout.pending");
	find_siblings(t, json_object_get(context, "task->component"));
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
