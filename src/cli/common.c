/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/common.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/escape.h"
#include "base/file.h"
#include "base/mem.h"
#include "elf/kernel.h"

/* ---- complaints and output ----------------------------------------------------------------- */

void say_lines(const struct buf *text)
{
	ssize_t n = write(STDERR_FILENO, text->s, text->len);

	(void)n; /* nowhere left to complain */
}

static void say(const char *text)
{
	struct buf line = BUF_INIT;

	buf_adds(&line, "layoutcheck: ");
	escape_text(&line, text);
	buf_addc(&line, '\n');
	say_lines(&line);
	buf_release(&line);
}

void say_error(const char *fmt, ...)
{
	struct buf text = BUF_INIT;
	va_list ap;

	va_start(ap, fmt);
	buf_vaddf(&text, fmt, ap);
	va_end(ap);
	say(text.s);
	buf_release(&text);
}

void say_err(struct err *err)
{
	say(err->text);
	err_release(err);
}

static bool reader_went_away(void)
{
	struct pollfd fd = {.fd = STDOUT_FILENO, .events = POLLOUT};

	return poll(&fd, 1, 0) == 1 && (fd.revents & POLLERR);
}

bool write_output(const char *path, const struct buf *text)
{
	struct err err = ERR_INIT;

	if (file_write(path, text->s, text->len, &err))
		return true;
	if (!path && reader_went_away())
		err_release(&err);
	else
		say_err(&err);
	return false;
}

/* ---- options -------------------------------------------------------------------------------- */

static const struct choice from_choices[] = {{"dwarf", FROM_DWARF}, {"btf", FROM_BTF}, {NULL, 0}};
static const struct choice when_choices[] = {
	{"auto", WHEN_AUTO}, {"always", WHEN_ALWAYS}, {"never", WHEN_NEVER}, {NULL, 0}};

/* What the rows fill and what is still to be looked at. */
struct raw {
	const char *arch;
	bool has_line, help, version;
	int format; /* index into formats[] */
};

static bool find_arch(const char *name, struct common *common, struct err *err)
{
	struct buf message = BUF_INIT;
	const char *const *names;
	unsigned n;

	common->arch = arch_by_name(name);
	if (common->arch)
		return true;
	names = arch_names(&n);
	buf_addf(&message, "unknown machine `%s`; known are", name);
	for (unsigned i = 0; i < n; i++)
		buf_addf(&message, "%s %s", i ? "," : "", names[i]);
	err_set(err, NULL, "option `--arch`: %s", message.s);
	buf_release(&message);
	return false;
}

/* No machine has lines outside these bounds, and the arithmetic relies on a power of two. */
enum { LEAST_LINE = 8, LARGEST_LINE = 4096 };

static bool check_line(uint64_t line, struct err *err)
{
	if (line >= LEAST_LINE && line <= LARGEST_LINE && (line & (line - 1)) == 0)
		return true;
	return err_set(err, NULL, "option `--cacheline`: %llu is not a power of two from %d to %d",
		       (unsigned long long)line, LEAST_LINE, LARGEST_LINE);
}

static bool is_empty(const char *path, const char *unused)
{
	(void)unused;
	return !*path;
}

/* What a variable of a script that was not set makes of an operand; and an input that the report
 * would replace. */
static bool check_paths(const struct option_group *groups, size_t ngroups,
			const struct common *common, struct err *err)
{
	const char *input;

	if (options_find_input(groups, ngroups, &common->images, is_empty, NULL) ||
	    (common->output && !*common->output))
		return err_set(err, NULL, "the name of a file is empty");
	if (!common->output)
		return true;
	input = options_find_input(groups, ngroups, &common->images, file_is_same, common->output);
	if (input)
		return err_set(err, NULL,
			       "option `--output`: the report would replace %s, which is read",
			       input);
	return true;
}

/* "a.o and 2 more" */
static void join_operands(struct common *common)
{
	struct buf name = BUF_INIT;

	common->joined = common->images;
	common->images = (struct strings){0};
	buf_adds(&name, common->joined.items[0]);
	if (common->joined.n > 1)
		buf_addf(&name, " and %zu more", common->joined.n - 1);
	common->joined_name = xstrdup(name.s);
	strings_add(&common->images, common->joined_name);
	buf_release(&name);
}

static bool settle(const struct raw *raw, const struct option_group *groups, size_t ngroups,
		   struct common *common, struct err *err)
{
	if (raw->arch && !find_arch(raw->arch, common, err))
		return false;
	if (raw->has_line && !check_line(common->line, err))
		return false;
	common->format = formats[raw->format];
	if (common->output && strcmp(common->output, "-") == 0)
		common->output = NULL;
	if (common->images.n == 0)
		strings_add(&common->images,
			    common->command->operand ? common->command->operand : RUNNING_BTF);
	if (!check_paths(groups, ngroups, common, err))
		return false;
	if (common->join)
		join_operands(common);
	return true;
}

void add_version(struct buf *out)
{
	buf_adds(out, "layoutcheck " LAYOUTCHECK_VERSION "\n");
}

static bool answer(const struct raw *raw, const struct command *command,
		   const struct option_group *groups, size_t ngroups)
{
	struct buf text = BUF_INIT;
	bool ok;

	if (raw->help) {
		buf_addf(&text, "usage: layoutcheck %s %s\n\n%s\n", command->name,
			 command->synopsis, command->about);
		options_help(groups, ngroups, &text);
	} else {
		add_version(&text);
	}
	ok = write_output(NULL, &text);
	buf_release(&text);
	return ok;
}

static enum common_result parse(int argc, char **argv, const struct option_group *groups,
				size_t ngroups, const struct raw *raw, struct common *common,
				int *ret_status)
{
	struct err err = ERR_INIT;
	bool ok = options_parse(argc, argv, groups, ngroups, &common->images, &err);

	if (ok && (raw->help || raw->version)) {
		*ret_status =
			answer(raw, common->command, groups, ngroups) ? EXIT_CLEAN : EXIT_CANNOT;
		return COMMON_DONE;
	}
	if (ok && settle(raw, groups, ngroups, common, &err))
		return COMMON_GO;
	say_error("%s: %s", common->command->name, err.text);
	err_release(&err);
	*ret_status = EXIT_CANNOT;
	return COMMON_DONE;
}

enum { MAX_FORMATS = 31 };

/* Those the command has, and a line of help on each. */
static void choose_formats(const struct command *command, struct choice choices[MAX_FORMATS + 1],
			   struct buf *help)
{
	int n = 0;

	for (int i = 0; formats[i] && n < MAX_FORMATS; i++) {
		if (command->has_format && !command->has_format(formats[i]))
			continue;
		choices[n++] = (struct choice){formats[i]->name, i};
		buf_addf(help, "%s%-9s%s%s", n > 1 ? "\n" : "", formats[i]->name, formats[i]->help,
			 n > 1 ? "" : " (default)");
	}
}

static bool is_used(const struct command *command, const struct option_row *row)
{
	for (const char *const *name = command->unused; name && *name; name++)
		if (strcmp(*name, row->name) == 0)
			return false;
	return true;
}

/* Leaves those at the start of @rows that the command has a use for; returns how many. */
static size_t keep_used(const struct command *command, struct option_row *rows, size_t n)
{
	size_t kept = 0;

	for (size_t i = 0; i < n; i++)
		if (is_used(command, &rows[i]))
			rows[kept++] = rows[i];
	return kept;
}

enum common_result common_parse(int argc, char **argv, const struct command *command,
				const struct option_row *rows, size_t nrows, struct common *common,
				int *ret_status)
{
	struct choice format_choices[MAX_FORMATS + 1] = {{0}};
	struct buf format_help = BUF_INIT;
	enum common_result result;
	struct raw raw = {0};

	*common = (struct common){.command = command};
	choose_formats(command, format_choices, &format_help);

	struct option_row common_rows[] = {
		OPT_CHOICE('f', "format", "FORMAT", &raw.format, format_choices, format_help.s),
		OPT_STRING('o', "output", "FILE", &common->output,
			   "write the report to FILE instead of standard output"),
		OPT_INPUTS('r', "rules", "PATH", &common->rules,
			   "a rule pack or a directory of packs; repeatable\n"
			   "(default: $LAYOUTCHECK_RULES, else the packs that came\n"
			   "with the program)"),
		OPT_CHOICE(0, "from", "SOURCE", &common->from, from_choices,
			   "dwarf or btf (default: DWARF where there is any, else BTF)"),
		OPT_STRING(0, "arch", "NAME", &raw.arch,
			   "the machine of raw BTF, which does not name one"),
		OPT_NUMBER(0, "cacheline", "N", &common->line, &raw.has_line,
			   "bytes in a cache line (default: as the machine has it)"),
		OPT_INPUT(0, "base", "IMAGE", &common->base,
			  "the vmlinux that a module's BTF builds on"),
		OPT_STRING(0, "debug-dir", "DIR", &common->debug_dir,
			   "where separate debug files are (default: /usr/lib/debug)"),
		OPT_FLAG(0, "debuginfod", &common->debuginfod,
			 "fetch debug files that are not there from the servers\n"
			 "that DEBUGINFOD_URLS names"),
		OPT_STRING(0, "config", "FILE", &common->config,
			   "the .config that the kernel was built with (default:\n"
			   "the one inside of it, or the running kernel's)"),
		OPT_STRING(0, "source-root", "DIR", &common->source_root,
			   "take DIR off the paths of declarations: the place of\n"
			   "the source tree where it was built"),
		OPT_CHOICE(0, "color", "WHEN", &common->color, when_choices,
			   "auto (default), always or never"),
		OPT_CHOICE(0, "progress", "WHEN", &common->progress, when_choices,
			   "say on standard error what is being read: auto\n"
			   "(default: on a terminal, after half a second),\n"
			   "always or never"),
		OPT_FLAG('q', "quiet", &common->quiet,
			 "leave out headings, warnings and the summary"),
		OPT_FLAG('v', "verbose", &common->verbose,
			 "add each rule's reason and origin, and fingerprints"),
		OPT_FLAG('h', "help", &raw.help, "print this help"),
		OPT_FLAG(0, "version", &raw.version, "print the version"),
	};
	const struct option_group groups[] = {
		{"Options", rows, nrows},
		{"Common options", common_rows,
		 keep_used(command, common_rows, ARRAY_SIZE(common_rows))},
	};

	result = parse(argc, argv, groups, ARRAY_SIZE(groups), &raw, common, ret_status);
	buf_release(&format_help);
	return result;
}

void common_release(struct common *common)
{
	strings_release(&common->rules);
	strings_release(&common->images);
	strings_release(&common->joined);
	free(common->joined_name);
}

static bool wants_color(const struct common *common)
{
	const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");

	if (common->color != WHEN_AUTO)
		return common->color == WHEN_ALWAYS;
	if ((no_color && *no_color) || (term && strcmp(term, "dumb") == 0))
		return false;
	return !common->output && isatty(STDOUT_FILENO);
}

/* Columns of the terminal that is written to; 0: it is none, or does not say. */
static size_t terminal_width(const struct common *common)
{
	enum { LEAST = 40 };
	struct winsize size;

	if (common->output || !isatty(STDOUT_FILENO) ||
	    ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || !size.ws_col)
		return 0;
	return size.ws_col < LEAST ? LEAST : size.ws_col;
}

struct report_style common_style(const struct common *common)
{
	return (struct report_style){.color = wants_color(common),
				     .quiet = common->quiet,
				     .verbose = common->verbose,
				     .width = terminal_width(common)};
}
