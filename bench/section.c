/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <fcntl.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "section.h"

void find_section(const char *path, const char *name, struct place *ret)
{
	size_t names;
	Elf *elf;
	Elf_Scn *section = NULL;
	GElf_Shdr header;

	elf_version(EV_CURRENT);
	ret->fd = open(path, O_RDONLY | O_CLOEXEC);
	elf = ret->fd < 0 ? NULL : elf_begin(ret->fd, ELF_C_READ, NULL);
	if (!elf || elf_getshdrstrndx(elf, &names) != 0) {
		fprintf(stderr, "%s: cannot be read as ELF\n", path);
		exit(2);
	}
	while ((section = elf_nextscn(elf, section))) {
		const char *found;

		if (!gelf_getshdr(section, &header))
			continue;
		found = elf_strptr(elf, names, header.sh_name);
		if (found && strcmp(found, name) == 0 && !(header.sh_flags & SHF_COMPRESSED)) {
			ret->offset = header.sh_offset;
			ret->size = header.sh_size;
			elf_end(elf);
			return;
		}
	}
	fprintf(stderr, "%s: has no plain %s\n", path, name);
	exit(2);
}
