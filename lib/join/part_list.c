/*
 * SPDX-License-Identifier: ISC
 */
#include "join/part_list.h"
#include "base/hash.h"

uint8_t
part_list_nlinks(uint64_t order)
{
	struct span bytes = { (const char *)&order, sizeof order };
	uint64_t chance =
	    hash_bytes(bytes) | UINT64_C(1) << 2 * PART_LIST_MOST_RANK;

	return (uint8_t)(1 + __builtin_ctzll(chance) / 2);
}

/* The next part that ranks so or higher, of one that does, or NULL. */
static struct join_part *
next_of_rank(const struct part_list *l, const struct join_part *p,
    uint32_t rank)
{
	return rank == 0 ? part_list_next(l, p) : join_part_links(p)[rank];
}

/* Of each rank up to the top, the last part that was passed. */
struct path {
	struct join_part *last[PART_LIST_MOST_RANK + 1];
	uint32_t top;
};

/* Pass a part; the last ones of its ranks get the links to it that they lack. */
static void
pass(struct path *path, struct join_part *p)
{
	for (uint32_t r = 1; r < p->nlinks; r++) {
		if (r > path->top)
			path->top = r;
		else if (join_part_links(path->last[r])[r] == NULL)
			join_part_links(path->last[r])[r] = p;
		path->last[r] = p;
	}
}

/* The last part before a place, or NULL, and the path to it. */
static struct join_part *
find_before(const struct part_list *l, int64_t time, uint64_t order,
    struct path *path)
{
	const struct join_part place = { .time = time, .order = order };
	struct join_part *last = NULL, *next = part_list_first(l);

	path->top = 0;
	while (next != NULL && part_is_before(next, &place)) {
		uint32_t r = next->nlinks - 1U;

		last = next;
		pass(path, last);
		/* The longest step that does not go too far. */
		while ((next = next_of_rank(l, last, r)) == NULL ||
		    !part_is_before(next, &place))
			if (r-- == 0)
				break;
	}
	return last;
}

/* Put a part that does not come last into its place. */
static void
insert(struct part_list *l, struct join_part *p)
{
	struct join_part **own = join_part_links(p), **last;
	struct path path;
	struct join_part *before = find_before(l, p->time, p->order, &path);

	if (before == NULL) /* it comes first */
		before = l->last;
	last = join_part_links(before);
	own[0] = last[0];
	last[0] = p;
	for (uint32_t r = 1; r < p->nlinks && r <= path.top; r++) {
		last = join_part_links(path.last[r]);
		own[r] = last[r];
		last[r] = p;
	}
}

void
part_list_add(struct part_list *l, struct join_part *p)
{
	struct join_part **own = join_part_links(p), **last;

	for (uint32_t r = 1; r < p->nlinks; r++)
		own[r] = NULL;
	if (l->last != NULL && part_is_before(p, l->last)) {
		insert(l, p);
		return;
	}
	if (l->last == NULL) {
		own[0] = p;
	} else {
		last = join_part_links(l->last);
		own[0] = last[0];
		last[0] = p;
	}
	l->last = p;
}

struct join_part *
part_list_take_first(struct part_list *l)
{
	struct join_part *first = part_list_first(l);

	/* No shortcut leads to it. */
	join_part_links(l->last)[0] = join_part_links(first)[0];
	if (l->last == first)
		l->last = NULL;
	return first;
}

struct join_part *
part_list_first_from(const struct part_list *l, int64_t time)
{
	struct path path;
	struct join_part *before = find_before(l, time, 0, &path);

	return before == NULL ? part_list_first(l) : part_list_next(l, before);
}

struct join_part *
part_list_last_to(const struct part_list *l, int64_t time)
{
	struct path path;

	return find_before(l, time, UINT64_MAX, &path);
}
