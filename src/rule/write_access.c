/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "base/escape.h"
#include "rule/write.h"
#include "rule/yaml_write.h"

/* A group: members of one class that are accessed on the same paths. A hyphen, so that no member
 * has its name; see name_of(). */
static const struct access_group {
	const char *name;
	enum access_class most;
	bool tx, rx;
} groups[] = {
	{"read-tx", ACCESS_READ, true, false},      {"read-txrx", ACCESS_READ, true, true},
	{"read-rx", ACCESS_READ, false, true},      {"written-tx", ACCESS_WRITE, true, false},
	{"written-txrx", ACCESS_WRITE, true, true}, {"written-rx", ACCESS_WRITE, false, true},
	{"cold", ACCESS_NONE, false, false},
};

static enum access_class most_of(const struct access_row *row)
{
	return row->tx > row->rx ? row->tx : row->rx;
}

static bool is_in(const struct access_group *group, const struct access_row *row)
{
	return most_of(row) == group->most && (row->tx != ACCESS_NONE) == group->tx &&
	       (row->rx != ACCESS_NONE) == group->rx;
}

/* One of the names of a member, "a.b|c", is @name. */
static bool is_called(const char *member, const char *name)
{
	size_t len = strlen(name);

	for (;;) {
		size_t n = strcspn(member, "|");

		if (n == len && memcmp(member, name, n) == 0)
			return true;
		if (!member[n])
			return false;
		member += n + 1;
	}
}

static const char *name_of(const struct access_table *table, const struct access_group *group)
{
	for (size_t i = 0; i < table->n; i++)
		if (is_called(table->rows[i].member, group->name))
			return "not-accessed";
	return group->name;
}

static bool has_any(const struct access_table *table, const struct access_group *group)
{
	for (size_t i = 0; i < table->n; i++)
		if (is_in(group, &table->rows[i]))
			return true;
	return false;
}

static bool has_class(const struct access_table *table, enum access_class most)
{
	for (size_t i = 0; i < table->n; i++)
		if (most_of(&table->rows[i]) == most)
			return true;
	return false;
}

static void write_groups(const struct access_table *table, struct buf *out)
{
	buf_adds(out, "    groups:\n");
	for (size_t g = 0; g < ARRAY_SIZE(groups); g++) {
		struct yaml_list list;

		if (!has_any(table, &groups[g]))
			continue;
		yaml_list_begin(&list, out, 6, name_of(table, &groups[g]));
		for (size_t i = 0; i < table->n; i++)
			if (is_in(&groups[g], &table->rows[i]))
				yaml_list_add(&list, table->rows[i].member);
		yaml_list_end(&list);
	}
}

/* The groups of one class, or with ACCESS_NONE and @all those of every class. */
static void list_groups(const struct access_table *table, enum access_class most, bool all,
			size_t indent, const char *key, struct buf *out)
{
	struct yaml_list list;

	yaml_list_begin(&list, out, indent, key);
	for (size_t g = 0; g < ARRAY_SIZE(groups); g++)
		if ((all || groups[g].most == most) && has_any(table, &groups[g]))
			yaml_list_add(&list, name_of(table, &groups[g]));
	yaml_list_end(&list);
}

static void write_rules(const struct access_table *table, struct buf *out)
{
	buf_adds(out, "    rules:\n");
	if (has_class(table, ACCESS_READ) && has_class(table, ACCESS_WRITE)) {
		buf_adds(out, "      - classes:\n");
		list_groups(table, ACCESS_READ, false, 10, "read_mostly", out);
		list_groups(table, ACCESS_WRITE, false, 10, "written", out);
		if (has_class(table, ACCESS_NONE))
			buf_addf(out, "          cold: %s\n",
				 name_of(table, &groups[ARRAY_SIZE(groups) - 1]));
		buf_adds(out, "        optional: true\n        severity: warning\n");
	}
	list_groups(table, ACCESS_NONE, true, 6, "- complete", out);
	buf_adds(out, "        severity: warning\n");
}

void pack_write_access(const struct access_table *tables, size_t n, struct buf *out)
{
	buf_adds(out, "layoutcheck: 1\n"
		      "title: Members by how they are accessed\n"
		      "structs:\n");
	for (size_t i = 0; i < n; i++) {
		const char *slash = strrchr(tables[i].file, '/');

		buf_adds(out, "  # Of the table in ");
		escape_text(out, slash ? slash + 1 : tables[i].file);
		buf_addf(out,
			 ", line %u.\n"
			 "  %s:\n"
			 "    # Where do its objects come from? Without it they are taken to start "
			 "on a line.\n"
			 "    # alloc: kmalloc\n",
			 tables[i].line, tables[i].type);
		write_groups(&tables[i], out);
		write_rules(&tables[i], out);
	}
}
