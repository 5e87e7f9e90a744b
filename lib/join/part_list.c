/*
 * SPDX-License-Identifier: ISC
 */
#include "join/part_list.h"
#include "base/hash.h"

uint32_t
part_list_rank(uint64_t order)
{
	struct span bytes = { (const char *)&order, sizeof order };
	uint64_t chance = hash_bytes(bytes);

	return (uint32_t)__builtin_ctzll(chance |
		   UINT64_C(1) << 2 * PART_LIST_MOST_RANK) /
	    2;
}

/* The next part that ranks so or higher, of one that does, or NULL. */
static struct join_part *
next_of_rank(const struct part_list *l, const struct join_part *p,
    uint32_t rank)
{
	return rank == 0 ? part_list_next(l, p) :
			   join_part_shortcuts(p)[rank - 1];
}

/* Of each rank up to the top, the last part that has been come by. */
struct path {
	struct join_part *last[PART_LIST_MOST_RANK + 1];
	uint32_t top;
};

/* Come by a part, and have it found more quickly the next time. */
static void
come_by(struct path *path, struct join_part *p)
{
	for (uint32_t r = 1; r <= p->rank; r++) {
		if (r > path->top)
			path->top = r;
		else if (join_part_shortcuts(path->last[r])[r - 1] == NULL)
			join_part_shortcuts(path->last[r])[r - 1] = p;
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
		uint32_t r = next->rank;

		last = next;
		come_by(path, last);
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
	struct join_part **own = join_part_shortcuts(p), **last;
	struct path path;
	struct join_part *before = find_before(l, p->time, p->order, &path);

	if (before == NULL) /* it comes first */
		before = l->last;
	p->next = before->next;
	before->next = p;
	for (uint32_t r = 1; r <= p->rank && r <= path.top; r++) {
		last = join_part_shortcuts(path.last[r]);
		own[r - 1] = last[r - 1];
		last[r - 1] = p;
	}
}

void
part_list_add(struct part_list *l, struct join_part *p)
{
	for (uint32_t r = 1; r <= p->rank; r++)
		join_part_shortcuts(p)[r - 1] = NULL;
	if (l->last != NULL && part_is_before(p, l->last)) {
		insert(l, p);
		return;
	}
	if (l->last == NULL) {
		p->next = p;
	} else {
		p->next = l->last->next;
		l->last->next = p;
	}
	l->last = p;
}

struct join_part *
part_list_take_first(struct part_list *l)
{
	struct join_part *first = l->last->next;

	/* No shortcut leads to it. */
	l->last->next = first->next;
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
