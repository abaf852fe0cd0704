/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What every command has in common: options, how it complains, how it writes its report.
 */
#ifndef CLI_COMMON_H
#define CLI_COMMON_H

#include "cli/command.h"
#include "cli/options.h"
#include "layout/target.h"
#include "report/report.h"

enum from { FROM_ANY, FROM_DWARF, FROM_BTF };
enum when { WHEN_AUTO, WHEN_ALWAYS, WHEN_NEVER };

struct common {
	const struct command *command;
	const struct format *format;
	const char *output; /* NULL: standard output */
	struct strings rules;
	int from;                /* enum from */
	const struct arch *arch; /* NULL: not given */
	uint64_t line;           /* bytes, from --cacheline; 0: not given */
	const char *base;        /* image that split BTF stands on; NULL: not given */
	const char *debug_dir;   /* NULL: the usual place */
	bool debuginfod;         /* ask servers for debug files */
	const char *source_root; /* what paths of declarations begin with; NULL: not given */
	int color, progress;     /* enum when */
	bool quiet, verbose;
	const char *config;    /* --config; NULL: not given */
	bool only_variables;   /* no rule asks for a type: an image need not have any */
	bool wants_config;     /* what images and the running kernel say of theirs: the command
				  compares or keeps its digest, or a rule asks */
	bool join;             /* the operands make one image */
	struct strings joined; /* with `join` the operands */
	char *joined_name;     /* of what they make; or NULL */
	struct strings images; /* the operands, with `join` one that stands for all; never empty
				  after common_parse() */
};

enum common_result {
	COMMON_GO,   /* everything is set */
	COMMON_DONE, /* --help or --version has been answered, or a mistake complained about;
		      *ret_status is the exit status */
};

/*
 * Reads the command line of @command: its own @rows and the common ones. Without operands the image
 * is the running kernel's BTF. common_release() afterwards, whatever the result.
 */
MUST_CHECK enum common_result common_parse(int argc, char **argv, const struct command *command,
					   const struct option_row *rows, size_t nrows,
					   struct common *common, int *ret_status);
void common_release(struct common *common);

/* The row of commands that can take several operands as one image. */
#define JOIN_ROW(common)                                                                           \
	OPT_FLAG(0, "join", &(common).join,                                                        \
		 "the IMAGEs are parts of one program that is not linked:\n"                       \
		 "judge them as one image, as what ld -r makes of them")

/* How this run's report is drawn. */
struct report_style common_style(const struct common *common);

/* "layoutcheck: ..." on standard error; foreign bytes are escaped, newlines too. */
void say_error(const char *fmt, ...) PRINTF_LIKE(1, 2);
void say_err(struct err *err); /* its text; releases it */

/* "layoutcheck 0.1" */
void add_version(struct buf *out);

/* Text that is ready for the terminal, on standard error. */
void say_lines(const struct buf *text);

/* Writes @text to @path (NULL: standard output). False: could not, and that has been said,
 * except that a reader of standard output who went away (`| head`) is no surprise to anybody. */
MUST_CHECK bool write_output(const char *path, const struct buf *text);

#endif
