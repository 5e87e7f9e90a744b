/*
 * SPDX-License-Identifier: ISC
 */
#include "json/index_versions.h"

const struct json_index_version *const json_index_versions[] = {
#if defined(__x86_64__)
	&json_index_avx512,
	&json_index_avx2,
	&json_index_sse2,
#elif defined(__aarch64__)
	&json_index_neon,
#endif
	NULL,
};

const struct json_index_version *
json_index_best(void)
{
	const struct json_index_version *const *v = json_index_versions;

	while (*v != NULL && !(*v)->runs_here())
		v++;
	return *v;
}
