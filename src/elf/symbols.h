/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Symbols of an open file, by number and by name, and the bytes that a running program has. */
#ifndef ELF_SYMBOLS_H
#define ELF_SYMBOLS_H

#include "elf/private.h"
#include "elf/symtab.h"

struct elf_symbol {
	uint32_t name; /* offset in the string table */
	uint64_t value, size;
	uint32_t section; /* SHN_XINDEX resolved */
	bool local;       /* STB_LOCAL */
	unsigned type;    /* STT_FUNC, ... */
};

struct elf_symbols {
	struct elf_section *table; /* SHT_SYMTAB or SHT_DYNSYM, loaded; NULL: there is none */
	struct elf_section *wide;  /* SHT_SYMTAB_SHNDX, loaded; NULL: none */
	struct cursor names;       /* over the string table; see elf_symbols_load_names() */
};

/* Loads a symbol table for elf_symbol_at(). */
MUST_CHECK bool elf_symbols_load(struct elf_section *table, struct err *err,
				 struct elf_symbols *ret);

/* The same, with the string table for elf_symbol_name(). A table without names is an error. */
MUST_CHECK bool elf_symbols_load_names(struct elf_section *table, struct err *err,
				       struct elf_symbols *ret);

/* Lives as long as the file; NULL: its place is not in the string table. */
const char *elf_symbol_name(const struct elf_symbols *symbols, const struct elf_symbol *symbol);

/* False when @index is not in the table. */
bool elf_symbol_at(const struct elf_symbols *symbols, uint64_t index, struct elf_symbol *ret);

/*
 * The symbol of that name that is defined, a global one before a local one, in .symtab or, where
 * there is none, .dynsym.
 */
MUST_CHECK bool elf_symbol_find(struct elf_file *file, const char *name, struct err *err,
				bool *ret_found, struct elf_symbol *ret);

/*
 * Up to @len bytes from @address, as far as one section of the file holds them; in an object file
 * @section says which, since all begin at 0. Returns how many.
 */
size_t elf_read(struct elf_file *file, uint32_t section, uint64_t address, void *data, size_t len);

/* All of a table, for symtab_read(). */
MUST_CHECK bool elf_symtab_read(struct elf_section *table, struct err *err, struct symtab *ret);

/* The variables of a table, for image_data(). */
MUST_CHECK bool elf_data_read(struct elf_section *table, struct arena *arena, struct err *err,
			      struct data_table *ret);

#endif
