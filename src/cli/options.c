/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/options.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"

void strings_add(struct strings *strings, const char *s)
{
	ARRAY_GROW(strings->items, strings->n, strings->cap);
	strings->items[strings->n++] = s;
}

void strings_release(struct strings *strings)
{
	free(strings->items);
	*strings = (struct strings){0};
}

void add_suggestion(struct buf *out, const char *word, const char *prefix,
		    const char *const *candidates, size_t n)
{
	const char *nearest = text_nearest(word, candidates, n);

	if (nearest)
		buf_addf(out, "; did you mean `%s%s`?", prefix, nearest);
}

/* What is being read: the arguments, and where in them. */
struct reader {
	char **argv;
	int argc, next;
	const struct option_group *groups;
	size_t ngroups;
	struct err *err;
};

static const struct option_row *find_row(const struct reader *reader, char letter, const char *name,
					 size_t len)
{
	for (size_t g = 0; g < reader->ngroups; g++)
		for (size_t i = 0; i < reader->groups[g].n; i++) {
			const struct option_row *row = &reader->groups[g].rows[i];

			if (name ? strlen(row->name) == len && !memcmp(row->name, name, len)
				 : row->letter == letter)
				return row;
		}
	return NULL;
}

/* "option `--format`: `yaml` is not text or json" */
static bool set_choice(const struct option_row *row, const char *value, struct err *err)
{
	struct strings names = {0};
	struct buf message = BUF_INIT;

	for (const struct choice *choice = row->choices; choice->name; choice++) {
		if (strcmp(choice->name, value) == 0) {
			*row->choice = choice->value;
			strings_release(&names);
			return true;
		}
		strings_add(&names, choice->name);
	}
	buf_addf(&message, "`%s` is not ", value);
	for (size_t i = 0; i < names.n; i++)
		buf_addf(&message, "%s%s",
			 i == 0             ? ""
			 : i + 1 == names.n ? " or "
					    : ", ",
			 names.items[i]);
	add_suggestion(&message, value, "", names.items, names.n);
	err_set(err, NULL, "option `--%s`: %s", row->name, message.s);
	buf_release(&message);
	strings_release(&names);
	return false;
}

static bool is_decimal(const char *s)
{
	return *s && s[strspn(s, "0123456789")] == '\0';
}

static bool set_value(const struct option_row *row, const char *value, struct err *err)
{
	if (row->choice)
		return set_choice(row, value, err);
	if (row->list)
		strings_add(row->list, value);
	if (row->string)
		*row->string = value;
	if (row->number && !text_to_u64(value, row->number))
		return err_set(err, NULL, "option `--%s`: `%s` is %s", row->name, value,
			       is_decimal(value) ? "too large" : "not a number");
	if (row->has_number)
		*row->has_number = true;
	return true;
}

static bool unknown_option(const struct reader *reader, const char *name)
{
	struct strings names = {0};
	struct buf message = BUF_INIT;

	for (size_t g = 0; g < reader->ngroups; g++)
		for (size_t i = 0; i < reader->groups[g].n; i++)
			strings_add(&names, reader->groups[g].rows[i].name);
	buf_addf(&message, "unknown option `--%s`", name);
	add_suggestion(&message, name, "--", names.items, names.n);
	err_set(reader->err, NULL, "%s", message.s);
	buf_release(&message);
	strings_release(&names);
	return false;
}

static bool read_long(struct reader *reader, const char *word)
{
	size_t len = strcspn(word, "=");
	const char *value = word[len] ? word + len + 1 : NULL;
	const struct option_row *row = find_row(reader, 0, word, len);

	if (!row) {
		struct buf name = BUF_INIT;

		buf_add(&name, word, len);
		unknown_option(reader, name.s);
		buf_release(&name);
		return false;
	}
	if (row->flag && value)
		return err_set(reader->err, NULL, "option `--%s` takes no value", row->name);
	if (row->flag) {
		*row->flag = true;
		return true;
	}
	if (!value && reader->next < reader->argc)
		value = reader->argv[reader->next++];
	if (!value)
		return err_set(reader->err, NULL, "option `--%s` wants a value (%s)", row->name,
			       row->arg);
	return set_value(row, value, reader->err);
}

/* "-qv", "-fjson": flags, and at most one option with a value, which is the rest of the word or the
 * next one. */
static bool read_letters(struct reader *reader, const char *letters)
{
	for (; *letters; letters++) {
		const struct option_row *row = find_row(reader, *letters, NULL, 0);
		const char *value = letters + 1;

		if (!row)
			return err_set(reader->err, NULL, "unknown option `-%c`", *letters);
		if (row->flag) {
			*row->flag = true;
			continue;
		}
		if (!*value && reader->next == reader->argc)
			return err_set(reader->err, NULL, "option `-%c` wants a value (%s)",
				       *letters, row->arg);
		if (!*value)
			value = reader->argv[reader->next++];
		return set_value(row, value, reader->err);
	}
	return true;
}

bool options_parse(int argc, char **argv, const struct option_group *groups, size_t ngroups,
		   struct strings *operands, struct err *err)
{
	struct reader reader = {argv, argc, 1, groups, ngroups, err};
	bool ok = true, only_operands = false;

	while (reader.next < argc) {
		const char *word = argv[reader.next++];

		if (only_operands || word[0] != '-' || !word[1])
			strings_add(operands, word);
		else if (strcmp(word, "--") == 0)
			only_operands = true;
		else if (word[1] == '-')
			ok = read_long(&reader, word + 2) && ok;
		else
			ok = read_letters(&reader, word + 1) && ok;
	}
	return ok;
}

const char *options_find_input(const struct option_group *groups, size_t ngroups,
			       const struct strings *operands,
			       bool (*is)(const char *path, const char *other), const char *other)
{
	for (size_t i = 0; i < operands->n; i++)
		if (is(operands->items[i], other))
			return operands->items[i];
	for (size_t g = 0; g < ngroups; g++)
		for (size_t i = 0; i < groups[g].n; i++) {
			const struct option_row *row = &groups[g].rows[i];

			if (!row->is_input)
				continue;
			if (row->string && *row->string && is(*row->string, other))
				return *row->string;
			for (size_t k = 0; row->list && k < row->list->n; k++)
				if (is(row->list->items[k], other))
					return row->list->items[k];
		}
	return NULL;
}

enum { HELP_COLUMN = 29 }; /* where the explanations begin */

static void help_row(const struct option_row *row, struct buf *out)
{
	size_t start = out->len;
	const char *line = row->help;

	buf_adds(out, "  ");
	if (row->letter)
		buf_addf(out, "-%c, ", row->letter);
	else
		buf_adds(out, "    ");
	buf_addf(out, "--%s", row->name);
	if (row->arg)
		buf_addf(out, " %s", row->arg);
	if (out->len - start + 2 > HELP_COLUMN) {
		buf_addc(out, '\n');
		start = out->len;
	}
	for (;;) {
		size_t len = strcspn(line, "\n");

		buf_pad(out, ' ', HELP_COLUMN - (out->len - start));
		buf_add(out, line, len);
		buf_addc(out, '\n');
		if (!line[len])
			return;
		line += len + 1;
		start = out->len;
	}
}

void options_help(const struct option_group *groups, size_t ngroups, struct buf *out)
{
	for (size_t g = 0; g < ngroups; g++) {
		buf_addf(out, "\n%s:\n", groups[g].title);
		for (size_t i = 0; i < groups[g].n; i++)
			help_row(&groups[g].rows[i], out);
	}
}
