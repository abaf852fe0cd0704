/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <elf.h>

#include "elf/private.h"

/* The section that gives @table its wide section numbers: the one that says so. */
static struct elf_section *find_wide(struct elf_file *file, const struct elf_section *table)
{
	for (size_t i = 0; i < file->nsections; i++)
		if (file->sections[i].type == SHT_SYMTAB_SHNDX &&
		    file->sections[i].link == (size_t)(table - file->sections))
			return &file->sections[i];
	return NULL;
}

bool elf_symbols_load(struct elf_section *table, struct err *err, struct elf_symbols *ret)
{
	struct elf_file *file = table->file;
	struct elf_symbols symbols = {.table = table};

	if (table->link < file->nsections && file->sections[table->link].type == SHT_STRTAB)
		symbols.strings = &file->sections[table->link];
	symbols.wide = find_wide(file, table);
	if (!elf_section_load(table, err) ||
	    (symbols.strings && !elf_section_load(symbols.strings, err)) ||
	    (symbols.wide && !elf_section_load(symbols.wide, err)))
		return false;
	symbols.n = table->shown.size / (file->bits == 64 ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym));
	*ret = symbols;
	return true;
}

bool elf_symbol_at(const struct elf_symbols *symbols, uint64_t index, struct elf_symbol *ret)
{
	struct cursor c = elf_section_cursor(symbols->table);

	if (index >= symbols->n)
		return false;
	if (symbols->table->file->bits == 64) {
		cursor_seek(&c, index * sizeof(Elf64_Sym));
		ret->name = cursor_u32(&c);
		cursor_skip(&c, 2); /* st_info, st_other */
		ret->section = cursor_u16(&c);
		ret->value = cursor_u64(&c);
		ret->size = cursor_u64(&c);
	} else {
		cursor_seek(&c, index * sizeof(Elf32_Sym));
		ret->name = cursor_u32(&c);
		ret->value = cursor_u32(&c);
		ret->size = cursor_u32(&c);
		cursor_skip(&c, 2);
		ret->section = cursor_u16(&c);
	}
	if (ret->section == SHN_XINDEX && symbols->wide) {
		c = elf_section_cursor(symbols->wide);
		cursor_seek(&c, index * 4);
		ret->section = cursor_u32(&c);
	}
	return !c.bad;
}
