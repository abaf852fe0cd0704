/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The bytes of a section. Compression: gABI chapter 4, "Section Compression", and, for the older
 * .zdebug_* sections, "ZLIB" and the size as a big-endian 64-bit number (GDB and binutils).
 */
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "elf/private.h"
#include "elf/unpack.h"

struct packing {
	unsigned method; /* ch_type */
	uint64_t size;   /* when unpacked */
	unsigned header; /* bytes before the stream */
};

static bool is_compressed(const struct elf_section *section)
{
	return section->zdebug || (section->flags & SHF_COMPRESSED);
}

/* @c is over the first bytes of the section. */
static bool read_packing(const struct elf_section *section, struct cursor c, struct packing *ret)
{
	if (!(section->flags & SHF_COMPRESSED)) {
		const uint8_t *magic = cursor_bytes(&c, 4);

		if (!magic || memcmp(magic, "ZLIB", 4) != 0)
			return false;
		c.swap = __BYTE_ORDER__ != __ORDER_BIG_ENDIAN__;
		*ret = (struct packing){UNPACK_ZLIB, cursor_u64(&c), 12};
		return !c.bad;
	}
	ret->method = cursor_u32(&c);
	if (section->file->bits == 64) {
		cursor_skip(&c, 4); /* ch_reserved */
		ret->size = cursor_u64(&c);
		ret->header = sizeof(Elf64_Chdr);
	} else {
		ret->size = cursor_u32(&c);
		ret->header = sizeof(Elf32_Chdr);
	}
	cursor_seek(&c, ret->header);
	return !c.bad;
}

void elf_section_measure(struct elf_section *section)
{
	uint8_t head[sizeof(Elf64_Chdr)];
	size_t len = section->stored < sizeof head ? (size_t)section->stored : sizeof head;
	struct err err = ERR_INIT;
	struct packing packing;

	if (!is_compressed(section) || !elf_section_has_bytes(section))
		return;
	if (file_pread(section->file->fd, head, len, section->shown.offset, NULL, &err) &&
	    read_packing(section, cursor_over(head, len, section->file->swap), &packing) &&
	    unpack_is_plausible(packing.method, section->stored, packing.size)) {
		section->shown.size = packing.size;
		section->part_size = packing.size;
	}
	err_release(&err);
}

/* Makes the contents of a compressed section out of the @len bytes at @raw. */
static bool unpack_part(const struct elf_section *section, const uint8_t *raw, size_t len,
			struct err *err, uint8_t **ret)
{
	struct packing packing;

	if (!read_packing(section, cursor_over(raw, len, section->file->swap), &packing))
		return elf_section_err(err, section, "its compression header is not valid");
	if (packing.method != UNPACK_ZLIB && packing.method != UNPACK_ZSTD)
		return elf_section_err(err, section, "is compressed by method %u, which is unknown",
				       packing.method);
	if (!unpack_is_plausible(packing.method, len, packing.size))
		return elf_section_err(err, section,
				       "%zu compressed bytes cannot make the %llu that its header "
				       "promises",
				       len, (unsigned long long)packing.size);
	if (unpack_is_bomb(len, packing.size))
		return elf_section_err(
			err, section,
			"its %zu bytes are to make %llu, more than a hundred times as "
			"many: debug info does not shrink like that",
			len, (unsigned long long)packing.size);
	if (packing.size != section->part_size)
		return elf_section_err(err, section, "the file changed while it was read");
	if (!unpack(packing.method, raw + packing.header, len - packing.header,
		    (size_t)packing.size, ret))
		return elf_section_err(err, section,
				       "its %s data is damaged, or not the %llu bytes that its "
				       "header promises",
				       packing.method == UNPACK_ZLIB ? "zlib" : "zstd",
				       (unsigned long long)packing.size);
	return true;
}

/* The bytes of one part, part_size of them, malloc'd. */
static bool read_part(const struct elf_section *section, struct err *err, uint8_t **ret)
{
	size_t len = (size_t)section->stored;
	uint8_t *raw = xmalloc(len ? len : 1);
	bool ok;

	if (!file_pread(section->file->fd, raw, len, section->shown.offset, section->file->path,
			err)) {
		free(raw);
		return false;
	}
	if (!is_compressed(section)) {
		*ret = raw;
		return true;
	}
	ok = unpack_part(section, raw, len, err, ret);
	free(raw);
	return ok;
}

/* The parts one behind the other; of a section that is a part of another it alone. */
static bool read_joined(const struct elf_section *head, struct err *err, uint8_t **ret)
{
	uint8_t *joined, *bytes;

	if (!head->next_part || head->head != head)
		return read_part(head, err, ret);
	joined = xmalloc(head->shown.size);
	for (const struct elf_section *part = head; part; part = part->next_part) {
		if (!read_part(part, err, &bytes)) {
			free(joined);
			return false;
		}
		memcpy(joined + part->base, bytes, part->part_size);
		free(bytes);
	}
	*ret = joined;
	return true;
}

bool elf_section_is_made(const struct elf_section *section)
{
	return is_compressed(section) || section->next_part || section->relocated;
}

bool elf_section_load(struct elf_section *section, struct err *err)
{
	uint8_t *data;

	if (section->shown.data)
		return true;
	if (!read_joined(section, err, &data))
		return false;
	if (section->relocated && !elf_relocate(section, data, err)) {
		free(data);
		return false;
	}
	section->owned = data;
	section->shown.data = data;
	return true;
}

bool elf_section_scan(const struct elf_section *section, size_t overlap, elf_scan_fn *fn,
		      void *context, struct err *err)
{
	enum { STEP = 48 * 4096, OVERLAP_MAX = 4096 };
	uint8_t *window;
	bool ok = true;

	if (overlap > OVERLAP_MAX)
		BUG("windows overlap too far");
	window = xmalloc(STEP + OVERLAP_MAX);
	for (uint64_t at = 0; ok && at < section->stored; at += STEP) {
		uint64_t left = section->stored - at;
		size_t len = left < STEP + overlap ? (size_t)left : STEP + overlap;

		ok = file_pread(section->file->fd, window, len, section->shown.offset + at,
				section->file->path, err);
		if (ok && !fn(context, window, len, at))
			break;
	}
	free(window);
	return ok;
}

struct cursor elf_section_cursor(const struct elf_section *section)
{
	return cursor_over(section->shown.data, (size_t)section->shown.size, section->file->swap);
}
