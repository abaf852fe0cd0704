/* SPDX-License-Identifier: GPL-2.0-or-later */
/* libdw FILE: steps over the top-level entries of every compile unit with elfutils' libdw, and
 * counts the structs among them. */
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <stdio.h>

int main(int argc, char **argv)
{
	int fd = argc == 2 ? open(argv[1], O_RDONLY | O_CLOEXEC) : -1;
	Dwarf *dwarf = fd < 0 ? NULL : dwarf_begin(fd, DWARF_C_READ);
	Dwarf_CU *unit = NULL;
	Dwarf_Die top, die;
	unsigned long entries = 0, structs = 0;

	if (!dwarf)
		return 2;
	while (dwarf_get_units(dwarf, unit, &unit, NULL, NULL, &top, NULL) == 0) {
		int more = dwarf_child(&top, &die);

		for (; more == 0; more = dwarf_siblingof(&die, &die)) {
			entries++;
			structs += dwarf_tag(&die) == DW_TAG_structure_type;
		}
	}
	printf("%lu entries, %lu structs\n", entries, structs);
	dwarf_end(dwarf);
	return 0;
}
