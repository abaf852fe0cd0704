/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <elf.h>

#include "elf/private.h"

void elf_target(const struct elf_file *file, struct target *ret)
{
	const struct arch *arch = arch_by_machine(file->machine, file->bits, file->big_endian);

	*ret = (struct target){.bits = file->bits, .big_endian = file->big_endian};
	if (arch) {
		ret->arch = arch->name;
		ret->line = arch->line;
	}
}
