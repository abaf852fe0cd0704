/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * All symbols of an image, to be looked up by address: which function is there, which variable.
 * gABI chapter 4, "Symbol Table". Addresses and sizes are in bytes; names live as long as the
 * image.
 */
#ifndef ELF_SYMTAB_H
#define ELF_SYMTAB_H

#include "base/err.h"
#include "elf/image.h"
#include "layout/data.h"

struct symbol {
	const char *name;
	uint64_t address;
	uint64_t size; /* up to the next one of its kind, where the file says 0 */
	bool is_function;
	bool is_percpu; /* a kernel's per-cpu variable: the address is in the per-cpu area */
	bool is_global;
};

struct symtab {
	/* Functions and variables, by address; of several at one address the global ones first,
	 * then by name. Section symbols, files and absolute constants are left out. */
	struct symbol *items;
	size_t n;
	size_t *by_name; /* indices of items */
	/* Of the per-cpu area that the image was linked with; equal when there is none. */
	uint64_t percpu_start, percpu_end;
};

/* Reads .symtab, of the separate debug file where the image has none, else .dynsym. Without any the
 * table is empty. */
MUST_CHECK bool symtab_read(struct image *image, struct err *err, struct symtab *ret);
void symtab_release(struct symtab *symtab);

enum symbol_kind { SYMBOL_FUNCTION, SYMBOL_VARIABLE, SYMBOL_PERCPU };

/* The symbol of that kind that holds the byte at @address; NULL: none. */
const struct symbol *symtab_at(const struct symtab *symtab, uint64_t address,
			       enum symbol_kind kind);

/* The symbols of that name (@prefix: that begins so), a run of symtab->by_name. */
struct symbol_run {
	const size_t *first;
	size_t n;
};
struct symbol_run symtab_named(const struct symtab *symtab, const char *name, bool prefix);

/* The variables, in @arena, from the same table. Without any, and of raw BTF, they are unknown. */
MUST_CHECK bool image_data(struct image *image, struct arena *arena, struct err *err,
			   struct data_table *ret);

/* The address that the byte at @offset of the file has in a running program, as linked. False: it
 * is not loaded. */
bool image_address_of_offset(const struct image *image, uint64_t offset, uint64_t *ret);

/* Where it begins and ends in memory, as linked, what is not in the file included; 0 and 0 when
 * nothing of it is loaded. Thread-local storage is a template, and not counted. */
void image_extent(const struct image *image, uint64_t *ret_start, uint64_t *ret_end);

#endif
