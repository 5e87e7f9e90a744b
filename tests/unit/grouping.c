/* SPDX-License-Identifier: ISC */
#include "grouping/grouping.h"
#include "check.h"

/* mean I(t) in tuples, of a skewed stream. */
static double
imbalance(struct grouping_config config, double exponent)
{
	enum { STEPS = 200000 };
	struct grouping g;
	struct random r = { 7 };
	struct zipf z;
	uint64_t loads[64] = { 0 }, most = 0;
	double sum = 0;

	zipf_init(&z, 10000, exponent);
	grouping_init(&g, &config);
	for (int i = 1; i <= STEPS; i++) {
		uint64_t id = zipf_next(&z, &r);
		struct task_key key = grouping_key_native(&config,
		    (struct span){ (const char *)&id, sizeof id });
		uint32_t task = grouping_choose(&g, &key);

		if (!CHECK(task < config.ntasks))
			break;
		loads[task]++;
		most = loads[task] > most ? loads[task] : most;
		sum += (double)most - (double)i / config.ntasks;
	}
	grouping_fini(&g);
	return sum / STEPS;
}

static void
balance(void)
{
	struct grouping_config c = { .ntasks = 50 };

	c.kind = GROUPING_SHUFFLE;
	CHECK(imbalance(c, 1) < 1);
	c.kind = GROUPING_PARTIAL;
	CHECK(imbalance(c, 1.4) > 1000);
	for (double z = 0; z < 3; z += 0.5) {
		c.kind = GROUPING_HEAVY;
		CHECK(imbalance(c, z) < 3);
	}
	c.ntasks = 1;
	CHECK(imbalance(c, 1) == 0);
	c.ntasks = 20;
	c.choices = HEAVY_HITTERS_D;
	CHECK(imbalance(c, 1.4) < 200);
}

/* One key goes to one task, or two, or as the kind has it. */
static void
kinds(void)
{
	struct grouping_config c = { .ntasks = 5, .kind = GROUPING_FIELDS };
	struct grouping g;
	struct task_key key = grouping_key_native(&c, SPAN("\"a\""));
	struct buffer tasks = { 0 };
	char want[16];

	grouping_init(&g, &c);
	CHECK(key.pair[0] != key.pair[1]);
	CHECK_EQ(grouping_choose(&g, &key), key.pair[0]);
	CHECK_EQ(grouping_choose(&g, &key), key.pair[0]);
	grouping_fini(&g);

	c.kind = GROUPING_PARTIAL;
	grouping_init(&g, &c);
	CHECK_EQ(grouping_choose(&g, &key), key.pair[0]);
	CHECK_EQ(grouping_choose(&g, &key), key.pair[1]);
	CHECK_EQ(grouping_choose(&g, &key), key.pair[0]);
	grouping_put_candidates(&g, &key, key.pair[0], &tasks);
	buffer_byte(&tasks, '\0');
	snprintf(want, sizeof want, "[%u,%u]", key.pair[0], key.pair[1]);
	CHECK_STR(tasks.p, want);
	buffer_fini(&tasks);
	grouping_fini(&g);

	c.kind = GROUPING_SHUFFLE;
	grouping_init(&g, &c);
	for (uint32_t i = 0; i < 12; i++)
		CHECK_EQ(grouping_choose(&g, NULL), i % 5);
	grouping_fini(&g);

	CHECK_EQ(grouping_key_fields(&c, -1).pair[0], 4);
	CHECK_EQ(grouping_key_fields(&c, INT32_MIN).pair[0], 2);
}

int
main(void)
{
	balance();
	kinds();
	return check_done("grouping");
}
