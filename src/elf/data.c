/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The variables of a symbol table: gABI chapter 4, "Symbol Table". A local symbol is of the file
 * that the STT_FILE symbol before it names. Per-cpu variables are in .data..percpu
 * (include/asm-generic/vmlinux.lds.h), which some kernels link at address 0.
 */
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "base/math.h"
#include "elf/symbols.h"

enum { SPACE_MEMORY, SPACE_PERCPU, SPACE_THREAD };

/* An object file has a space a section. */
static uint32_t space_of(const struct elf_file *file, size_t index,
			 const struct data_section *section)
{
	if (file->type == ET_REL)
		return (uint32_t)index;
	if (section->is_thread)
		return SPACE_THREAD;
	return section->is_percpu ? SPACE_PERCPU : SPACE_MEMORY;
}

static void list_sections(const struct elf_file *file, struct arena *arena, struct data_table *ret)
{
	struct data_section *sections = arena_array(arena, file->nsections, sizeof *sections);

	for (size_t i = 0; i < file->nsections; i++) {
		const struct elf_section *from = &file->sections[i];
		struct data_section *section = &sections[i];

		section->name = from->shown.name;
		section->address = file->type == ET_REL ? 0 : from->shown.address;
		section->size = from->shown.size;
		section->align = max_u64(from->alignment, 1);
		section->is_percpu = strcmp(from->shown.name, ".data..percpu") == 0;
		section->is_thread = (from->flags & SHF_TLS) != 0;
		section->space = space_of(file, i, section);
	}
	ret->sections = sections;
	ret->nsections = file->nsections;
}

/* A variable, or a label among data; false: neither. */
static bool is_data(const struct elf_file *file, const struct elf_symbol *symbol)
{
	const struct elf_section *section;

	if (symbol->section == SHN_COMMON)
		return symbol->type == STT_OBJECT || symbol->type == STT_COMMON;
	if (symbol->section == SHN_UNDEF || symbol->section >= file->nsections)
		return false;
	section = &file->sections[symbol->section];
	if (!(section->flags & SHF_ALLOC))
		return false;
	if (symbol->type == STT_OBJECT || symbol->type == STT_TLS)
		return true;
	/* Without a type it is code where there is code; but .data of Linux 7 has that, too. */
	return symbol->type == STT_NOTYPE &&
	       (!(section->flags & SHF_EXECINSTR) || (section->flags & SHF_WRITE));
}

/* The assembler's own, which mark where data begins within a section (AAELF, "Mapping symbols"). */
static bool is_mapping(const char *name)
{
	return name[0] == '$';
}

static void add_variable(struct data_table *list, size_t *cap, const struct elf_symbol *symbol,
			 const char *name, const char *file)
{
	struct data_symbol *item;

	ARRAY_GROW(list->items, list->n, *cap);
	item = &list->items[list->n++];
	*item = (struct data_symbol){.name = name,
				     .file = symbol->local ? file : NULL,
				     .size = symbol->size,
				     .is_local = symbol->local,
				     .is_label = symbol->type == STT_NOTYPE};
	if (symbol->section == SHN_COMMON)
		return;
	item->section = &list->sections[symbol->section];
	item->address = symbol->value;
}

bool elf_data_read(struct elf_section *table, struct arena *arena, struct err *err,
		   struct data_table *ret)
{
	struct elf_file *file = table->file;
	struct data_table list = {.is_partial = table->type == SHT_DYNSYM,
				  .is_object = file->type == ET_REL};
	struct elf_symbols symbols;
	struct elf_symbol symbol;
	struct data_symbol *collected;
	const char *source = NULL;
	size_t cap = 0;

	if (!elf_symbols_load_names(table, err, &symbols))
		return false;
	list_sections(file, arena, &list);
	for (uint64_t i = 0; elf_symbol_at(&symbols, i, &symbol); i++) {
		bool is_file = symbol.type == STT_FILE;
		const char *name;

		if (!is_file && !is_data(file, &symbol))
			continue;
		name = elf_symbol_name(&symbols, &symbol);
		if (!name)
			continue;
		if (is_file)
			source = *name ? name : NULL;
		else if (*name && !is_mapping(name))
			add_variable(&list, &cap, &symbol, name, source);
	}
	collected = list.items;
	list.items = arena_copy(arena, collected, list.n * sizeof *collected);
	free(collected);
	data_sort(&list, arena);
	*ret = list;
	return true;
}
