/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A subcommand: a row in the table of src/layoutcheck.c, one small file here. It reads its options,
 * calls the pipeline, prints, and returns the exit status. Only cli/ prints errors and exits.
 */
#ifndef CLI_COMMAND_H
#define CLI_COMMAND_H

#include <stdbool.h>

#define LAYOUTCHECK_VERSION "0.1"

struct format; /* report/report.h */

struct command {
	const char *name;
	int (*run)(int argc, char **argv); /* argv[0] is the command's name */
	const char *synopsis;              /* behind "layoutcheck NAME", as the manual has it */
	const char *summary;               /* one line of the usage text */
	const char *about;                 /* the first paragraph of the command's own help */
	/* Whether its report can be printed so; NULL: it prints none, and all are taken. */
	bool (*has_format)(const struct format *format);
	/* Long names of the common options that it has no use for, up to a NULL; NULL: none. It
	 * neither takes nor lists them. */
	const char *const *unused;
	const char *operand; /* what stands in when none is given; NULL: the running kernel */
};

extern const struct command command_c2c, command_check, command_cu, command_show, command_diff,
	command_record, command_rules, command_snapshot;

#endif
