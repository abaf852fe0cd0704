/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names of declaring files, out of the file tables of .debug_line. The tables are read by libdwarf,
 * which is included by locate.c alone: it is handed only the headers of the tables in question, and
 * units made up to point to them, so that a vmlinux costs it nothing.
 */
#ifndef DWARF_LOCATE_H
#define DWARF_LOCATE_H

#include "base/mem.h"
#include "dwarf/sections.h"

struct file_query {
	const struct sections *lines; /* whose .debug_line has the table */
	uint64_t line_table;          /* DW_AT_stmt_list: an offset in .debug_line */
	uint64_t file;                /* DW_AT_decl_file */
	uint8_t address_size;
	const char *comp_dir; /* DW_AT_comp_dir, or NULL */
	/*
	 * The answer, in the arena: as the compiler recorded it, "./" and the build directory
	 * removed. NULL when the table does not name it (file 0 before DWARF 5).
	 */
	const char *name;
};

/*
 * Answers all queries. Their order in the array is changed. Sections without .debug_line leave the
 * answers NULL; a table that cannot be read is an error.
 */
MUST_CHECK bool locate_files(struct file_query **queries, size_t n, struct arena *arena,
			     struct err *err);

/* For the tests: @dir and @name put together, cleaned of "./", "//" and @comp_dir. */
const char *locate_join(const char *comp_dir, const char *dir, const char *name,
			struct arena *arena);

#endif
