/*
 * SPDX-License-Identifier: ISC
 */
#include "tuple/table.h"
#include "json/text.h"

void
table_init(struct table *t)
{
	*t = (struct table){ 0 };
	hash_map_init(&t->names, sizeof(size_t));
}

void
table_fini(struct table *t)
{
	hash_map_fini(&t->names);
	free(t->rows);
	free(t->cells);
	buffer_fini(&t->scratch);
}

void
table_clear(struct table *t)
{
	hash_map_clear(&t->names);
	t->nrows = t->ncells = 0;
}

/*
 * The column of a member, which may be new.  Tuples of a stream mostly have the
 * same members in the same order: `like` is the cell at this place of the row
 * before, whose column is tried first.
 */
static uint32_t
column_of(struct table *t, struct span name, size_t like)
{
	bool added;

	if (like < t->rows[t->nrows - 1].first) {
		size_t column = t->cells[like].column;

		if (span_eq(name, table_name(t, column)) &&
		    memchr(name.p, '\\', name.n) == NULL)
			return (uint32_t)column;
	}
	t->scratch.n = 0;
	json_decode(&t->scratch, name);
	name = buffer_span(&t->scratch);
	return hash_map_put(&t->names, name, name, hash_bytes(name), &added);
}

/* Put the value into the row's cell of the column, which may be there. */
static void
put_cell(struct table *t, size_t first, uint32_t column, struct span value)
{
	size_t *at = hash_map_value(&t->names, column);

	if (*at >= first && *at < t->ncells && t->cells[*at].column == column) {
		t->cells[*at].value = value;
		return;
	}
	*at = t->ncells;
	t->cells = memory_grow(t->cells, &t->cells_cap, t->ncells + 1,
	    sizeof *t->cells);
	t->cells[t->ncells++] = (struct table_cell){ column, value };
}

void
table_add(struct table *t, struct span line, double number)
{
	struct json_members members = json_members(line);
	size_t first = t->ncells;
	size_t like = t->nrows == 0 ? first : t->rows[t->nrows - 1].first;
	struct json_member m;

	t->rows =
	    memory_grow(t->rows, &t->rows_cap, t->nrows + 1, sizeof *t->rows);
	t->rows[t->nrows++] = (struct table_row){ first, number };
	while (json_members_next(&members, &m))
		put_cell(t, first, column_of(t, m.name, like++), m.value);
}

size_t
table_column(const struct table *t, struct span name)
{
	return hash_map_get(&t->names, name, hash_bytes(name));
}
