/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of commands and the exit status, nothing else. */
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "cli/common.h"

static const struct command *const commands[] = {&command_c2c,  &command_check,   &command_cu,
						 &command_diff, &command_record,  &command_rules,
						 &command_show, &command_snapshot};

/*
 * A standard stream that came closed would be given to the next file opened, an image perhaps, and
 * a report or an error message be written there. What stands in for it cannot be used, so that a
 * report that goes nowhere is still a write failure.
 */
static void hold_standard_streams(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0)
			(void)!open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

static void add_usage(struct buf *out)
{
	const char *word = "usage:";

	for (size_t i = 0; i < ARRAY_SIZE(commands); i++) {
		buf_addf(out, "%-6s layoutcheck %s %s\n", word, commands[i]->name,
			 commands[i]->synopsis);
		word = "";
	}
	buf_addf(out, "%-6s layoutcheck --help\n%-6s layoutcheck --version\n", "", "");
}

static void add_help(struct buf *out)
{
	add_usage(out);
	buf_adds(out, "\nChecks written rules about the layout of structs on finished binaries.\n\n"
		      "Commands:\n");
	for (size_t i = 0; i < ARRAY_SIZE(commands); i++)
		buf_addf(out, "  %-9s %s\n", commands[i]->name, commands[i]->summary);
	buf_adds(out, "\n`layoutcheck COMMAND --help` lists the options of one.\n");
}

static int answer(void (*add)(struct buf *out))
{
	struct buf text = BUF_INIT;
	bool ok;

	add(&text);
	ok = write_output(NULL, &text);
	buf_release(&text);
	return ok ? EXIT_CLEAN : EXIT_CANNOT;
}

static int misuse(const char *word)
{
	const char *names[ARRAY_SIZE(commands)];
	struct buf text = BUF_INIT;

	for (size_t i = 0; i < ARRAY_SIZE(commands); i++)
		names[i] = commands[i]->name;
	buf_addf(&text, "unknown %s `%s`", word[0] == '-' ? "option" : "command", word);
	if (word[0] != '-' && access(word, F_OK) == 0)
		buf_addf(&text, "; did you mean `layoutcheck check %s`?", word);
	else
		add_suggestion(&text, word, "", names, ARRAY_SIZE(names));
	say_error("%s", text.s);
	buf_release(&text);
	return EXIT_CANNOT;
}

int main(int argc, char **argv)
{
	struct buf usage = BUF_INIT;

	hold_standard_streams();
	signal(SIGPIPE, SIG_IGN); /* a write fails instead, and the exit status says so */
	signal(SIGXFSZ, SIG_IGN);
	if (argc < 2) {
		add_usage(&usage);
		say_lines(&usage);
		buf_release(&usage);
		return EXIT_CANNOT;
	}
	for (size_t i = 0; i < ARRAY_SIZE(commands); i++)
		if (strcmp(argv[1], commands[i]->name) == 0)
			return commands[i]->run(argc - 1, argv + 1);
	if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)
		return answer(add_help);
	if (strcmp(argv[1], "--version") == 0)
		return answer(add_version);
	return misuse(argv[1]);
}
