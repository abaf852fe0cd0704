/* SPDX-License-Identifier: GPL-2.0-or-later */
/* libdwarf FILE: the same walk as libdw.c, with libdwarf. */
#include <dwarf.h>
#include <fcntl.h>
#include <libdwarf.h>
#include <stdio.h>

static Dwarf_Debug debug;
static Dwarf_Error error;

static int begin(int fd)
{
#if LIBDWARF_API == 1
	return dwarf_init_b(fd, DW_DLC_READ, DW_GROUPNUMBER_ANY, NULL, NULL, &debug, &error);
#else
	return dwarf_init_b(fd, DW_GROUPNUMBER_ANY, NULL, NULL, &debug, &error);
#endif
}

static int next_unit(void)
{
	Dwarf_Unsigned length, abbrev, type, next;
	Dwarf_Half version, address, offset, extension, kind;
	Dwarf_Sig8 signature;

	return dwarf_next_cu_header_d(debug, 1, &length, &version, &abbrev, &address, &offset,
				      &extension, &signature, &type, &next, &kind, &error);
}

/* The children of the unit's top entry. */
static void walk(unsigned long *entries, unsigned long *structs)
{
	Dwarf_Die top, die, next;
	Dwarf_Half tag;
	int more;

	if (dwarf_siblingof_b(debug, NULL, 1, &top, &error) != DW_DLV_OK)
		return;
	more = dwarf_child(top, &die, &error);
	while (more == DW_DLV_OK) {
		(*entries)++;
		*structs +=
			dwarf_tag(die, &tag, &error) == DW_DLV_OK && tag == DW_TAG_structure_type;
		more = dwarf_siblingof_b(debug, die, 1, &next, &error);
		dwarf_dealloc(debug, die, DW_DLA_DIE);
		die = next;
	}
	dwarf_dealloc(debug, top, DW_DLA_DIE);
}

int main(int argc, char **argv)
{
	int fd = argc == 2 ? open(argv[1], O_RDONLY | O_CLOEXEC) : -1;
	unsigned long entries = 0, structs = 0;

	if (fd < 0 || begin(fd) != DW_DLV_OK)
		return 2;
	while (next_unit() == DW_DLV_OK)
		walk(&entries, &structs);
	printf("%lu entries, %lu structs\n", entries, structs);
	return 0;
}
