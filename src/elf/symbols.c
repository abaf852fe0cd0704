/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Symbol tables: gABI chapter 4, "Symbol Table". Relocation wants every symbol by number and has
 * the table loaded; a look-up by name reads both tables by window and keeps nothing, because those
 * of a kernel are megabytes and every check asks for one name.
 */
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "elf/private.h"
#include "elf/symbols.h"

static size_t entry_size(const struct elf_file *file)
{
	return file->bits == 64 ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym);
}

static struct elf_symbol read_symbol(const struct elf_file *file, struct cursor *c)
{
	struct elf_symbol symbol = {.name = cursor_u32(c)};
	const uint8_t *info;

	if (file->bits == 32) {
		symbol.value = cursor_u32(c);
		symbol.size = cursor_u32(c);
	}
	info = cursor_bytes(c, 2); /* st_info, st_other */
	symbol.local = info && ELF64_ST_BIND(info[0]) == STB_LOCAL;
	symbol.type = info ? ELF64_ST_TYPE(info[0]) : STT_NOTYPE;
	symbol.section = cursor_u16(c);
	if (file->bits == 64) {
		symbol.value = cursor_u64(c);
		symbol.size = cursor_u64(c);
	}
	return symbol;
}

/* The section that gives @table its wide section numbers: the one that says so. */
static struct elf_section *find_wide(const struct elf_section *table)
{
	struct elf_file *file = table->file;

	for (size_t i = 0; i < file->nsections; i++)
		if (file->sections[i].type == SHT_SYMTAB_SHNDX &&
		    file->sections[i].link == (size_t)(table - file->sections))
			return &file->sections[i];
	return NULL;
}

bool elf_symbols_load(struct elf_section *table, struct err *err, struct elf_symbols *ret)
{
	struct elf_symbols symbols = {.table = table, .wide = find_wide(table)};

	if (!elf_section_load(table, err) || (symbols.wide && !elf_section_load(symbols.wide, err)))
		return false;
	*ret = symbols;
	return true;
}

bool elf_symbols_load_names(struct elf_section *table, struct err *err, struct elf_symbols *ret)
{
	struct elf_file *file = table->file;
	struct elf_section *names;

	if (table->link >= file->nsections || !elf_section_has_bytes(&file->sections[table->link]))
		return elf_section_err(err, table, "it has no names");
	names = &file->sections[table->link];
	if (!elf_symbols_load(table, err, ret) || !elf_section_load(names, err))
		return false;
	ret->names = elf_section_cursor(names);
	return true;
}

const char *elf_symbol_name(const struct elf_symbols *symbols, const struct elf_symbol *symbol)
{
	struct cursor at = symbols->names;
	const char *name;

	cursor_seek(&at, symbol->name);
	name = cursor_string(&at);
	return at.bad ? NULL : name;
}

bool elf_symbol_at(const struct elf_symbols *symbols, uint64_t index, struct elf_symbol *ret)
{
	struct cursor c = elf_section_cursor(symbols->table);
	size_t entry = entry_size(symbols->table->file);

	if (index >= cursor_left(&c) / entry)
		return false;
	cursor_seek(&c, index * entry);
	*ret = read_symbol(symbols->table->file, &c);
	if (ret->section == SHN_XINDEX && symbols->wide) {
		c = elf_section_cursor(symbols->wide);
		cursor_seek(&c, index * 4);
		ret->section = cursor_u32(&c);
	}
	return !c.bad;
}

/* A look-up: first where the name stands in the string table, then which symbol says so. */
struct lookup {
	const struct elf_section *table;
	const char *name;
	size_t len; /* with the NUL */
	/* By itself, or as the tail of a longer name. */
	uint32_t *places;
	size_t nplaces, cap;
	bool found;
	uint64_t index;
	struct elf_symbol symbol;
};

static bool find_places(void *context, const uint8_t *data, size_t len, uint64_t at)
{
	const uint8_t *end = data + len, *hit = data;
	struct lookup *lookup = context;

	while ((hit = memmem(hit, (size_t)(end - hit), lookup->name, lookup->len))) {
		ARRAY_GROW(lookup->places, lookup->nplaces, lookup->cap);
		lookup->places[lookup->nplaces++] = (uint32_t)(at + (uint64_t)(hit - data));
		hit++;
	}
	return true;
}

static bool is_place(const struct lookup *lookup, uint32_t offset)
{
	for (size_t i = 0; i < lookup->nplaces; i++)
		if (lookup->places[i] == offset)
			return true;
	return false;
}

/* Goes on until there is a global one. */
static bool find_symbol(void *context, const uint8_t *data, size_t len, uint64_t at)
{
	struct lookup *lookup = context;
	const struct elf_file *file = lookup->table->file;
	struct cursor c = cursor_over(data, len, file->swap);
	size_t entry = entry_size(file);

	for (size_t i = 0; i < len / entry; i++) {
		struct elf_symbol symbol = read_symbol(file, &c);

		if (!is_place(lookup, symbol.name) || symbol.section == SHN_UNDEF ||
		    (lookup->found && symbol.local))
			continue;
		lookup->symbol = symbol;
		lookup->index = at / entry + i;
		lookup->found = true;
		if (!symbol.local)
			return false;
	}
	return true;
}

/* The one that was found may have a section number that does not fit the table. */
static bool widen(struct lookup *lookup, struct err *err)
{
	const struct elf_section *wide;
	uint8_t bytes[4];
	struct cursor c = cursor_over(bytes, sizeof bytes, lookup->table->file->swap);

	if (!lookup->found || lookup->symbol.section != SHN_XINDEX)
		return true;
	wide = find_wide(lookup->table);
	if (!wide || lookup->index >= wide->stored / sizeof bytes)
		return elf_section_err(err, lookup->table,
				       "symbol %llu has its section number in a table that is not "
				       "there",
				       (unsigned long long)lookup->index);
	if (!file_pread(wide->file->fd, bytes, sizeof bytes,
			wide->shown.offset + lookup->index * sizeof bytes, wide->file->path, err))
		return false;
	lookup->symbol.section = cursor_u32(&c);
	return true;
}

bool elf_symbol_find(struct elf_file *file, const char *name, struct err *err, bool *ret_found,
		     struct elf_symbol *ret)
{
	struct lookup lookup = {.name = name, .len = strlen(name) + 1};
	struct elf_section *strings;
	bool ok;

	*ret_found = false;
	lookup.table = elf_file_find(file, ".symtab");
	if (!lookup.table)
		lookup.table = elf_file_find(file, ".dynsym");
	if (!lookup.table || lookup.table->link >= file->nsections)
		return true;
	strings = &file->sections[lookup.table->link];
	if (!elf_section_has_bytes(strings))
		return true;
	ok = elf_section_scan(strings, lookup.len, find_places, &lookup, err);
	if (ok && lookup.nplaces)
		ok = elf_section_scan(lookup.table, 0, find_symbol, &lookup, err) &&
		     widen(&lookup, err);
	free(lookup.places);
	if (!ok)
		return false;
	*ret_found = lookup.found;
	*ret = lookup.symbol;
	return true;
}

/* Does the section hold the byte at that address of the running program? */
static bool covers(const struct elf_section *section, uint64_t address)
{
	return (section->flags & SHF_ALLOC) && elf_section_has_bytes(section) &&
	       !elf_section_is_made(section) && address >= section->shown.address &&
	       address - section->shown.address < section->stored;
}

size_t elf_read(struct elf_file *file, uint32_t section, uint64_t address, void *data, size_t len)
{
	struct elf_section *from = NULL;
	struct err err = ERR_INIT;
	bool ok;

	for (size_t i = 0; i < file->nsections && !from; i++)
		if ((file->type != ET_REL || i == section) && covers(&file->sections[i], address))
			from = &file->sections[i];
	if (!from)
		return 0;
	address -= from->shown.address;
	if (len > from->stored - address)
		len = (size_t)(from->stored - address);
	ok = file_pread(file->fd, data, len, from->shown.offset + address, file->path, &err);
	err_release(&err);
	return ok ? len : 0;
}
