/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Relocation of debug sections in memory. Formats: gABI chapter 4, "Relocation"; the order of the
 * fields of r_info in 64-bit MIPS is the ABI's own.
 */
#include "elf/reloc.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"
#include "elf/private.h"
#include "elf/symbols.h"

enum { WINDOW = 1 << 14 }; /* relocations read at a time: a vmlinux.o has tens of millions */

struct reloc {
	uint64_t offset;
	uint64_t addend; /* 0 in a table without addends */
	uint32_t symbol, type;
};

struct job {
	const struct elf_file *file;
	const struct elf_section *section; /* the part that is spoken of */
	struct elf_symbols symbols;
	uint8_t *data; /* of this part */
	bool has_addend;
	const struct reloc_kind *kind; /* of the relocation before: most are of few kinds */
	/* The first of a pair on a ULEB128 number. */
	bool has_pair;
	uint64_t pair_offset, pair_value;
};

static bool is_relocatable(const struct elf_section *section)
{
	const char *name = section->shown.name;

	switch (section->type) {
	case SHT_NULL:
	case SHT_NOBITS:
	case SHT_REL:
	case SHT_RELA:
	case SHT_SYMTAB:
	case SHT_SYMTAB_SHNDX:
	case SHT_STRTAB:
		return false;
	}
	return text_starts_with(name, ".debug_") || strcmp(name, ".BTF") == 0;
}

static int compare_names(const void *a, const void *b)
{
	const struct elf_section *x = *(struct elf_section *const *)a;
	const struct elf_section *y = *(struct elf_section *const *)b;
	int order = strcmp(x->shown.name, y->shown.name);

	return order ? order : (x > y) - (x < y);
}

static bool join(struct elf_section **parts, size_t n, struct err *err)
{
	struct elf_section *head = parts[0];

	for (size_t i = 1; i < n; i++) {
		struct elf_section *part = parts[i];

		parts[i - 1]->next_part = part;
		part->head = head;
		part->base = head->shown.size;
		if (__builtin_add_overflow(head->shown.size, part->part_size, &head->shown.size))
			return elf_section_err(err, head, "its %zu parts are too large", n);
	}
	return true;
}

static bool join_all(struct elf_section **sections, size_t n, struct err *err)
{
	size_t from = 0;

	qsort(sections, n, sizeof(*sections), compare_names);
	for (size_t i = 1; i <= n; i++) {
		if (i < n && strcmp(sections[i]->shown.name, sections[from]->shown.name) == 0)
			continue;
		if (!join(sections + from, i - from, err))
			return false;
		from = i;
	}
	return true;
}

bool elf_file_join(struct elf_file *file, struct err *err)
{
	struct elf_section **sections = xcalloc(file->nsections + 1, sizeof(*sections));
	size_t n = 0;
	bool ok;

	for (size_t i = 0; i < file->nsections; i++)
		if (is_relocatable(&file->sections[i]) && elf_section_has_bytes(&file->sections[i]))
			sections[n++] = &file->sections[i];
	ok = join_all(sections, n, err);
	free(sections);
	for (size_t i = 0; i < file->nsections; i++) {
		const struct elf_section *table = &file->sections[i];

		if ((table->type == SHT_REL || table->type == SHT_RELA) && table->stored != 0 &&
		    table->info < file->nsections && is_relocatable(&file->sections[table->info]))
			file->sections[table->info].head->relocated = true;
	}
	return ok;
}

static struct reloc read_reloc(const struct job *job, struct cursor *c)
{
	bool wide = job->file->bits == 64;
	struct reloc reloc = {.offset = cursor_uint(c, wide ? 8 : 4)};

	if (wide && job->file->machine == EM_MIPS) {
		/* A number of 32 bits and four bytes: r_sym, r_ssym, r_type3, r_type2, r_type. */
		const uint8_t *types;

		reloc.symbol = cursor_u32(c);
		types = cursor_bytes(c, 4);
		if (types)
			reloc.type = types[3] | (unsigned)types[2] << 8 | (unsigned)types[1] << 16 |
				     (unsigned)types[0] << 24;
	} else if (wide) {
		uint64_t info = cursor_u64(c);

		reloc.symbol = (uint32_t)ELF64_R_SYM(info);
		reloc.type = (uint32_t)ELF64_R_TYPE(info);
	} else {
		uint32_t info = cursor_u32(c);

		reloc.symbol = ELF32_R_SYM(info);
		reloc.type = ELF32_R_TYPE(info);
	}
	if (job->has_addend)
		reloc.addend = wide ? cursor_u64(c) : (uint64_t)(int32_t)cursor_u32(c);
	return reloc;
}

/* S: the symbol's offset in its section, or in the whole of which its section is a part. */
static bool symbol_value(const struct job *job, uint32_t index, uint64_t *ret)
{
	struct elf_symbol symbol;

	*ret = 0;
	if (index == 0)
		return true;
	if (!job->symbols.table || !elf_symbol_at(&job->symbols, index, &symbol))
		return false;
	/* The value of a common symbol is its alignment. */
	if (symbol.section == SHN_COMMON)
		return true;
	*ret = symbol.value;
	if (symbol.section < job->file->nsections)
		*ret += job->file->sections[symbol.section].base;
	return true;
}

static uint64_t combine(unsigned action, uint64_t old, uint64_t value)
{
	switch (action) {
	case RELOC_ADD:
		return old + value;
	case RELOC_SUB:
		return old - value;
	case RELOC_DTP:
		return value - 0x8000;
	default:
		return value;
	}
}

static void store(const struct job *job, uint8_t *at, unsigned size, uint64_t value)
{
	for (unsigned i = 0; i < size; i++)
		at[job->file->big_endian ? size - 1 - i : i] = (uint8_t)(value >> 8 * i);
}

/* Writes @value over the ULEB128 number at @at, in as many bytes as that has. */
static bool store_uleb(uint8_t *at, size_t len, uint64_t value)
{
	for (size_t i = 0; i < len; i++) {
		at[i] = (uint8_t)((value & 0x7f) | (i + 1 < len ? 0x80 : 0));
		value >>= 7;
	}
	return value == 0;
}

/* @c stands at the number. */
static bool apply_uleb(struct job *job, struct cursor c, const struct reloc *reloc, uint64_t value)
{
	const uint8_t *at = c.pos;
	uint64_t old = cursor_uleb(&c);

	if (c.bad)
		return false;
	if (job->kind->action != RELOC_SUB) {
		job->has_pair = true;
		job->pair_offset = reloc->offset;
		job->pair_value = combine(job->kind->action, old, value);
		return true;
	}
	if (!job->has_pair || job->pair_offset != reloc->offset)
		return false;
	job->has_pair = false;
	return store_uleb(job->data + (at - c.start), (size_t)(c.pos - at),
			  job->pair_value - value);
}

/* False: it does not fit the section, or is not one of a pair. */
static bool apply(struct job *job, const struct reloc *reloc, uint64_t value)
{
	struct cursor c = cursor_over(job->data, job->section->part_size, job->file->swap);
	unsigned width = job->kind->width;
	uint8_t *at;
	uint64_t old;

	cursor_seek(&c, reloc->offset);
	if (width == RELOC_ULEB)
		return apply_uleb(job, c, reloc, value);
	old = cursor_uint(&c, width == RELOC_SIX ? 1 : width);
	if (c.bad)
		return false;
	at = job->data + reloc->offset;
	/* Without an addend in the table, it is what stands there. */
	if (!job->has_addend &&
	    (job->kind->action == RELOC_STORE || job->kind->action == RELOC_DTP))
		value += old;
	if (width == RELOC_SIX)
		*at = (uint8_t)((old & 0xc0) | (combine(job->kind->action, old, value) & 0x3f));
	else
		store(job, at, width, combine(job->kind->action, old, value));
	return true;
}

static bool apply_one(struct job *job, const struct reloc *reloc, struct err *err)
{
	uint64_t value;

	if (!job->kind || job->kind->type != reloc->type)
		job->kind = reloc_kind(job->file->machine, reloc->type);
	if (!job->kind)
		return elf_section_err(err, job->section,
				       "the relocation at offset 0x%llx is of type %u, which is "
				       "unknown for machine %u",
				       (unsigned long long)reloc->offset, reloc->type,
				       job->file->machine);
	if (job->kind->action == RELOC_NOTHING)
		return true;
	if (!symbol_value(job, reloc->symbol, &value))
		return elf_section_err(err, job->section,
				       "the relocation at offset 0x%llx is against symbol %u, "
				       "which is not there",
				       (unsigned long long)reloc->offset, reloc->symbol);
	if (!apply(job, reloc, value + reloc->addend))
		return elf_section_err(err, job->section,
				       "the relocation at offset 0x%llx (type %u) cannot be "
				       "applied to %llu bytes",
				       (unsigned long long)reloc->offset, reloc->type,
				       (unsigned long long)job->section->part_size);
	return true;
}

static bool apply_table(struct job *job, const struct elf_section *table, struct err *err)
{
	size_t entry = (job->file->bits / 8) * (job->has_addend ? 3 : 2);
	uint64_t n = table->stored / entry, done = 0;
	uint8_t *window = xmalloc(entry * (n < WINDOW ? (size_t)n + 1 : WINDOW));
	bool ok = true;

	while (ok && done < n) {
		size_t take = n - done < WINDOW ? (size_t)(n - done) : WINDOW;
		struct cursor c = cursor_over(window, take * entry, job->file->swap);

		ok = file_pread(job->file->fd, window, take * entry,
				table->shown.offset + done * entry, job->file->path, err);
		for (size_t i = 0; ok && i < take; i++) {
			struct reloc reloc = read_reloc(job, &c);

			ok = apply_one(job, &reloc, err);
		}
		done += take;
	}
	free(window);
	return ok;
}

/* An object file can have tens of thousands of tables; they have one symbol table. */
static bool load_symbols(struct job *job, const struct elf_section *table, struct err *err)
{
	struct elf_file *file = table->file;
	struct elf_section *symtab = NULL;

	if (table->link < file->nsections && file->sections[table->link].type == SHT_SYMTAB)
		symtab = &file->sections[table->link];
	if (symtab && symtab == job->symbols.table)
		return true;
	job->symbols = (struct elf_symbols){0};
	return !symtab || elf_symbols_load(symtab, err, &job->symbols);
}

static bool relocate_part(struct job *job, struct elf_section *part, uint8_t *data,
			  const struct elf_section *table, struct err *err)
{
	job->section = part;
	job->data = data;
	job->has_addend = table->type == SHT_RELA;
	job->has_pair = false;
	if (table->flags & SHF_COMPRESSED)
		return elf_section_err(err, table, "is a compressed relocation table");
	return load_symbols(job, table, err) && apply_table(job, table, err);
}

bool elf_relocate(struct elf_section *section, uint8_t *data, struct err *err)
{
	struct elf_file *file = section->file;
	struct job job = {.file = file};

	for (size_t i = 0; i < file->nsections; i++) {
		const struct elf_section *table = &file->sections[i];
		struct elf_section *part;

		if ((table->type != SHT_REL && table->type != SHT_RELA) ||
		    table->info >= file->nsections)
			continue;
		part = &file->sections[table->info];
		if (part->head == section &&
		    !relocate_part(&job, part, data + part->base, table, err))
			return false;
	}
	return true;
}
