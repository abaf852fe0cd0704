/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Command-line options. A row is the flag, the variable it fills and its help, in one place:
 *
 *	bool all = false;
 *	uint64_t margin = 0;
 *	const struct option_row rows[] = {
 *		OPT_FLAG(0, "all", &all, "list the rules that hold, too"),
 *		OPT_NUMBER('m', "margin", "N", &margin, NULL, "..."),
 *	};
 *
 * Understood are -q, -qv, -f json, -fjson, --format json, --format=json and `--`, options and
 * operands in any order. Long names are never guessed from a prefix: a script that works today must
 * not change its meaning when an option is added.
 */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"

/* Strings in the order given. They belong to argv, unless strings_split() made them. */
struct strings {
	const char **items;
	size_t n, cap;
};

void strings_add(struct strings *strings, const char *s);
void strings_release(struct strings *strings); /* the array, not the strings */

/* A word and what it stands for; an array of them ends with a NULL name. */
struct choice {
	const char *name;
	int value;
};

/* Exactly one of the variables is set: see the macros below. */
struct option_row {
	char letter; /* 0: none */
	const char *name;
	const char *arg;      /* what the help calls its value; NULL for a flag */
	bool is_input;        /* `string` or `list` are files that the command reads */
	bool *flag;           /* becomes true */
	const char **string;  /* the last one given */
	struct strings *list; /* all of them */
	uint64_t *number;     /* decimal or 0x hexadecimal, nothing else */
	bool *has_number;     /* beside `number`: it was given; or NULL */
	int *choice;          /* the value of one of `choices` */
	const struct choice *choices;
	const char *help; /* "\n" breaks the line */
};

#define OPT_FLAG(LETTER, NAME, VAR, HELP)                                                          \
	{                                                                                          \
		.letter = (LETTER), .name = (NAME), .flag = (VAR), .help = (HELP)                  \
	}
#define OPT_STRING(LETTER, NAME, ARG, VAR, HELP)                                                   \
	{                                                                                          \
		.letter = (LETTER), .name = (NAME), .arg = (ARG), .string = (VAR), .help = (HELP)  \
	}
#define OPT_LIST(LETTER, NAME, ARG, VAR, HELP)                                                     \
	{                                                                                          \
		.letter = (LETTER), .name = (NAME), .arg = (ARG), .list = (VAR), .help = (HELP)    \
	}
#define OPT_INPUT(LETTER, NAME, ARG, VAR, HELP)                                                    \
	{                                                                                          \
		.letter = (LETTER), .name = (NAME), .arg = (ARG), .string = (VAR),                 \
		.is_input = true, .help = (HELP)                                                   \
	}
#define OPT_INPUTS(LETTER, NAME, ARG, VAR, HELP)                                                   \
	{                                                                                          \
		.letter = (LETTER), .name = (NAME), .arg = (ARG), .list = (VAR), .is_input = true, \
		.help = (HELP)                                                                     \
	}
#define OPT_NUMBER(LETTER, NAME, ARG, VAR, HAS, HELP)                                              \
	{                                                                                          \
		.letter = (LETTER), .name = (NAME), .arg = (ARG), .number = (VAR),                 \
		.has_number = (HAS), .help = (HELP)                                                \
	}
#define OPT_CHOICE(LETTER, NAME, ARG, VAR, CHOICES, HELP)                                          \
	{                                                                                          \
		.letter = (LETTER), .name = (NAME), .arg = (ARG), .choice = (VAR),                 \
		.choices = (CHOICES), .help = (HELP)                                               \
	}

/* Rows under one heading of the help. */
struct option_group {
	const char *title;
	const struct option_row *rows;
	size_t n;
};

/*
 * Reads argv[1] to the end. What is no option is added to @operands. On a mistake it goes on
 * through the rest, so that all that could be understood is set, and returns false with the first
 * mistake in @err.
 */
MUST_CHECK bool options_parse(int argc, char **argv, const struct option_group *groups,
			      size_t ngroups, struct strings *operands, struct err *err);

/* The first of the @operands and of the files that options read that @is; or NULL. */
const char *options_find_input(const struct option_group *groups, size_t ngroups,
			       const struct strings *operands,
			       bool (*is)(const char *path, const char *other), const char *other);

/* The help text: a line or more an option. */
void options_help(const struct option_group *groups, size_t ngroups, struct buf *out);

/* Appends "; did you mean `X`?" when one of @candidates is near @word. */
void add_suggestion(struct buf *out, const char *word, const char *prefix,
		    const char *const *candidates, size_t n);

#endif
