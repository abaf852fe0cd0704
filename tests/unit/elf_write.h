/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes ELF files of any class, byte order and machine, sound or not, for the tests of elf/. */
#ifndef TESTS_ELF_WRITE_H
#define TESTS_ELF_WRITE_H

#include <elf.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"

struct out_section {
	const char *name;
	unsigned type;
	uint64_t flags, address;
	const void *data;
	size_t len;
	unsigned link, info;
	uint64_t alignment;
};

/* Sections are numbered from 1 in the order given; the last, behind them, holds the names. */
struct out {
	unsigned bits, type, machine;
	bool big;
	const struct out_section *sections;
	size_t n;
};

static inline void put(struct buf *buf, const struct out *out, unsigned size, uint64_t value)
{
	for (unsigned i = 0; i < size; i++)
		buf_addc(buf, (char)(value >> 8 * (out->big ? size - 1 - i : i)));
}

/* A number as wide as addresses are. */
static inline void put_word(struct buf *buf, const struct out *out, uint64_t value)
{
	put(buf, out, out->bits / 8, value);
}

/* @info: ELF64_ST_INFO(). */
static inline void put_symbol_of(struct buf *buf, const struct out *out, uint32_t name,
				 unsigned char info, uint64_t value, uint64_t size,
				 uint16_t section)
{
	put(buf, out, 4, name);
	if (out->bits == 32) {
		put(buf, out, 4, value);
		put(buf, out, 4, size);
	}
	put(buf, out, 1, info);
	put(buf, out, 1, 0);
	put(buf, out, 2, section);
	if (out->bits == 64) {
		put(buf, out, 8, value);
		put(buf, out, 8, size);
	}
}

static inline void put_symbol(struct buf *buf, const struct out *out, uint32_t name, uint64_t value,
			      uint64_t size, uint16_t section)
{
	put_symbol_of(buf, out, name, ELF64_ST_INFO(STB_GLOBAL, STT_OBJECT), value, size, section);
}

/* With an addend where @rela. */
static inline void put_reloc(struct buf *buf, const struct out *out, uint64_t offset,
			     uint32_t symbol, uint32_t type, bool rela, int64_t addend)
{
	put_word(buf, out, offset);
	put_word(buf, out,
		 out->bits == 64 ? ELF64_R_INFO((uint64_t)symbol, type)
				 : ELF32_R_INFO(symbol, type));
	if (rela)
		put_word(buf, out, (uint64_t)addend);
}

static inline void put_section(struct buf *buf, const struct out *out, uint32_t name,
			       const struct out_section *section, uint64_t offset, uint64_t size)
{
	put(buf, out, 4, name);
	put(buf, out, 4, section->type);
	put_word(buf, out, section->flags);
	put_word(buf, out, section->address);
	put_word(buf, out, offset);
	put_word(buf, out, size);
	put(buf, out, 4, section->link);
	put(buf, out, 4, section->info);
	put_word(buf, out, section->alignment);
	put_word(buf, out, 0);
}

static inline void put_header(struct buf *buf, const struct out *out, uint64_t shoff)
{
	size_t all = out->n + 2;
	bool wide = all >= SHN_LORESERVE;
	char ident[EI_NIDENT] = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3};

	ident[EI_CLASS] = out->bits == 64 ? ELFCLASS64 : ELFCLASS32;
	ident[EI_DATA] = out->big ? ELFDATA2MSB : ELFDATA2LSB;
	ident[EI_VERSION] = EV_CURRENT;
	buf_add(buf, ident, sizeof ident);
	put(buf, out, 2, out->type);
	put(buf, out, 2, out->machine);
	put(buf, out, 4, EV_CURRENT);
	put_word(buf, out, 0); /* e_entry */
	put_word(buf, out, 0); /* e_phoff */
	put_word(buf, out, shoff);
	put(buf, out, 4, 0);
	put(buf, out, 2, out->bits == 64 ? sizeof(Elf64_Ehdr) : sizeof(Elf32_Ehdr));
	put(buf, out, 2, 0);
	put(buf, out, 2, 0);
	put(buf, out, 2, out->bits == 64 ? sizeof(Elf64_Shdr) : sizeof(Elf32_Shdr));
	put(buf, out, 2, wide ? 0 : all);
	put(buf, out, 2, wide ? SHN_XINDEX : all - 1);
}

/* The file: header, contents, names, section headers. */
static inline struct buf write_elf(const struct out *out)
{
	struct buf buf = BUF_INIT, body = BUF_INIT, names = BUF_INIT, table = BUF_INIT;
	size_t header = out->bits == 64 ? sizeof(Elf64_Ehdr) : sizeof(Elf32_Ehdr), all = out->n + 2;
	struct out_section null = {0}, last = {.type = SHT_STRTAB};

	null.link = all >= SHN_LORESERVE ? (unsigned)all - 1 : 0;
	put_section(&table, out, 0, &null, 0, all >= SHN_LORESERVE ? all : 0);
	buf_addc(&names, '\0');
	for (size_t i = 0; i < out->n; i++) {
		const struct out_section *one = &out->sections[i];

		put_section(&table, out, (uint32_t)names.len, one, header + body.len, one->len);
		buf_add(&names, one->name, strlen(one->name) + 1);
		if (one->data)
			buf_add(&body, one->data, one->len);
	}
	put_section(&table, out, 0, &last, header + body.len, names.len);
	buf_add(&body, names.s, names.len);
	put_header(&buf, out, header + body.len);
	buf_add(&buf, body.s, body.len);
	buf_add(&buf, table.s, table.len);
	buf_release(&body);
	buf_release(&names);
	buf_release(&table);
	return buf;
}

#endif
