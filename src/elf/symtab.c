/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "elf/symtab.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "base/math.h"
#include "base/mem.h"
#include "base/search.h"
#include "base/text.h"
#include "elf/symbols.h"

void symtab_release(struct symtab *symtab)
{
	free(symtab->items);
	free(symtab->by_name);
	*symtab = (struct symtab){0};
}

static int compare_symbols(const void *left, const void *right)
{
	const struct symbol *a = left, *b = right;
	int order = compare_u64(a->address, b->address);

	if (!order)
		order = (int)b->is_global - (int)a->is_global;
	if (!order)
		order = (int)b->is_function - (int)a->is_function;
	return order ? order : strcmp(a->name, b->name);
}

/* What the symbol is: false for what is neither code nor data, and for bare labels among data. */
static bool classify(const struct elf_file *file, const struct elf_symbol *symbol,
		     struct symbol *ret)
{
	const struct elf_section *section;

	if (symbol->section == SHN_UNDEF || symbol->section >= file->nsections)
		return false;
	section = &file->sections[symbol->section];
	if (!(section->flags & SHF_ALLOC))
		return false;
	if (symbol->type == STT_FUNC || symbol->type == STT_GNU_IFUNC)
		ret->is_function = true;
	else if (symbol->type == STT_NOTYPE && (section->flags & SHF_EXECINSTR))
		ret->is_function = true;
	else if (symbol->type != STT_OBJECT && (symbol->type != STT_NOTYPE || !symbol->size))
		return false;
	ret->is_percpu = !ret->is_function && strcmp(section->shown.name, ".data..percpu") == 0;
	return true;
}

/* Where the file has no size, a symbol reaches to the next one of its kind. */
static void close_gaps(struct symtab *symtab)
{
	enum { KINDS = 3, MOST = 1 << 20 };
	const struct symbol *next[KINDS] = {0};

	for (size_t i = symtab->n; i-- > 0;) {
		struct symbol *symbol = &symtab->items[i];
		size_t kind = symbol->is_function ? 0 : symbol->is_percpu ? 2 : 1;

		if (!symbol->size && next[kind])
			symbol->size = min_u64(next[kind]->address - symbol->address, MOST);
		if (!next[kind] || next[kind]->address != symbol->address)
			next[kind] = symbol;
	}
}

static int compare_names(const void *left, const void *right, void *items)
{
	size_t a = *(const size_t *)left, b = *(const size_t *)right;
	const struct symbol *symbols = items;
	int order = strcmp(symbols[a].name, symbols[b].name);

	return order ? order : compare_u64(a, b);
}

static void index_names(struct symtab *symtab)
{
	symtab->by_name = xcalloc(symtab->n, sizeof *symtab->by_name);
	for (size_t i = 0; i < symtab->n; i++)
		symtab->by_name[i] = i;
	qsort_r(symtab->by_name, symtab->n, sizeof *symtab->by_name, compare_names, symtab->items);
}

static void find_percpu(const struct elf_file *file, struct symtab *symtab)
{
	for (size_t i = 0; i < file->nsections; i++) {
		const struct elf_section *section = &file->sections[i];

		if (strcmp(section->shown.name, ".data..percpu") != 0)
			continue;
		symtab->percpu_start = section->shown.address;
		symtab->percpu_end = add_capped(section->shown.address, section->stored);
	}
}

/* A debug file has no bytes of the area, and says nothing of its size: the symbols do. */
static void widen_percpu(struct symtab *symtab)
{
	for (size_t i = 0; i < symtab->n; i++) {
		const struct symbol *symbol = &symtab->items[i];
		uint64_t end = add_capped(symbol->address, symbol->size);

		if (symbol->is_percpu && end > symtab->percpu_end)
			symtab->percpu_end = end;
	}
}

bool elf_symtab_read(struct elf_section *table, struct err *err, struct symtab *ret)
{
	struct elf_file *file = table->file;
	struct symtab symtab = {0};
	struct elf_symbols symbols;
	struct elf_symbol symbol;
	size_t cap = 0;

	if (!elf_symbols_load_names(table, err, &symbols))
		return false;
	for (uint64_t i = 0; elf_symbol_at(&symbols, i, &symbol); i++) {
		struct symbol item = {.name = elf_symbol_name(&symbols, &symbol),
				      .address = symbol.value,
				      .size = symbol.size,
				      .is_global = !symbol.local};

		if (!item.name || !*item.name || !classify(file, &symbol, &item))
			continue;
		ARRAY_GROW(symtab.items, symtab.n, cap);
		symtab.items[symtab.n++] = item;
	}
	if (symtab.n)
		qsort(symtab.items, symtab.n, sizeof *symtab.items, compare_symbols);
	close_gaps(&symtab);
	index_names(&symtab);
	find_percpu(file, &symtab);
	widen_percpu(&symtab);
	*ret = symtab;
	return true;
}

static bool is_kind(const struct symbol *symbol, enum symbol_kind kind)
{
	return symbol->is_function == (kind == SYMBOL_FUNCTION) &&
	       symbol->is_percpu == (kind == SYMBOL_PERCPU);
}

const struct symbol *symtab_at(const struct symtab *symtab, uint64_t address, enum symbol_kind kind)
{
	enum { MOST_BACK = 64 }; /* aliases, labels inside, other kinds */
	const struct symbol *found = NULL;
	size_t behind = FIRST_ABOVE(symtab->items, symtab->n, address, address);

	for (size_t back = 0; back < MOST_BACK && back < behind; back++) {
		const struct symbol *symbol = &symtab->items[behind - 1 - back];

		if (found && symbol->address != found->address)
			break;
		if (is_kind(symbol, kind) && address - symbol->address < symbol->size)
			found = symbol;
	}
	return found;
}

static int compare_start(const char *name, const char *wanted, bool prefix)
{
	return prefix ? strncmp(name, wanted, strlen(wanted)) : strcmp(name, wanted);
}

struct symbol_run symtab_named(const struct symtab *symtab, const char *name, bool prefix)
{
	struct symbol_run run = {NULL, 0};
	size_t low = 0, high = symtab->n;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (compare_start(symtab->items[symtab->by_name[mid]].name, name, prefix) < 0)
			low = mid + 1;
		else
			high = mid;
	}
	run.first = symtab->by_name + low;
	while (low + run.n < symtab->n &&
	       compare_start(symtab->items[symtab->by_name[low + run.n]].name, name, prefix) == 0)
		run.n++;
	return run;
}
