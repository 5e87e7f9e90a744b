/*
 * index_versions - which of lib/json_index_*.c there are, and which is to
 * be used.
 *
 * SPDX-License-Identifier: ISC
 */
#ifndef JSON_INDEX_VERSIONS_H
#define JSON_INDEX_VERSIONS_H

#include "json/index.h"

/* Those that were compiled in, the fastest first, ended by NULL. */
extern const struct json_index_version *const json_index_versions[];

/* The fastest that runs on this processor, or NULL. */
const struct json_index_version *json_index_best(void);

#endif
