/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The bytes of a section. Compression: gABI chapter 4, "Section Compression", and, for the older
 * .zdebug_* sections, "ZLIB" and the size as a big-endian 64-bit number (GDB and binutils).
 */
#include <elf.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

#include "base/file.h"
#include "elf/private.h"

enum { CH_ZLIB = 1, CH_ZSTD = 2 }; /* ch_type; the elf.h of Debian 12 does not know the second */

/*
 * No compressor can do better, so a header that promises more is wrong, and is not worth an
 * allocation: a deflate stream makes at most 258 bytes of 2 bits, a zstd block 128 KiB of 4 bytes.
 */
enum { ZLIB_RATIO = 1032, ZSTD_RATIO = 32768 };

struct packing {
	unsigned type;   /* CH_* */
	uint64_t size;   /* when unpacked */
	unsigned header; /* bytes before the stream */
};

static bool is_gnu_compressed(const struct elf_section *section)
{
	/* The name shown is the plain one; only the old form is named so without the flag. */
	return section->zdebug && !(section->flags & SHF_COMPRESSED);
}

static bool is_compressed(const struct elf_section *section)
{
	return section->zdebug || (section->flags & SHF_COMPRESSED);
}

static bool read_packing(const struct elf_section *section, struct cursor c, struct packing *ret)
{
	if (is_gnu_compressed(section)) {
		const uint8_t *magic = cursor_bytes(&c, 4);

		if (!magic || memcmp(magic, "ZLIB", 4) != 0)
			return false;
		c.swap = __BYTE_ORDER__ != __ORDER_BIG_ENDIAN__;
		*ret = (struct packing){CH_ZLIB, cursor_u64(&c), 12};
		return !c.bad;
	}
	ret->type = cursor_u32(&c);
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
	    read_packing(section, cursor_over(head, len, section->file->swap), &packing))
		section->shown.size = packing.size;
	err_release(&err);
}

/* Inflates in steps, since zlib counts in 32 bits. True when exactly @size bytes came out. */
static bool unzlib(const uint8_t *from, uint64_t from_len, uint8_t *to, uint64_t size)
{
	const uint64_t step = 1u << 30;
	z_stream stream = {0};
	int status = Z_OK;

	if (inflateInit(&stream) != Z_OK)
		die_oom();
	stream.next_in = (Bytef *)(uintptr_t)from;
	stream.next_out = to;
	while (status == Z_OK) {
		uint64_t out = size - (uint64_t)(stream.next_out - to);
		uint64_t in = from_len - (uint64_t)(stream.next_in - from);

		stream.avail_in = (uInt)(in < step ? in : step);
		stream.avail_out = (uInt)(out < step ? out : step);
		status = inflate(&stream, Z_NO_FLUSH);
	}
	size -= (uint64_t)(stream.next_out - to);
	inflateEnd(&stream);
	return status == Z_STREAM_END && size == 0;
}

static bool unzstd(const uint8_t *from, uint64_t from_len, uint8_t *to, uint64_t size)
{
	size_t made = ZSTD_decompress(to, (size_t)size, from, (size_t)from_len);

	return !ZSTD_isError(made) && made == size;
}

/* From @raw, which stays the caller's. */
static bool unpack(struct elf_section *section, const uint8_t *raw, struct err *err)
{
	size_t len = (size_t)section->stored;
	struct packing packing;
	uint64_t ratio;
	uint8_t *made;
	bool ok;

	if (!read_packing(section, cursor_over(raw, len, section->file->swap), &packing))
		return elf_section_err(err, section, "its compression header is not valid");
	if (packing.type != CH_ZLIB && packing.type != CH_ZSTD)
		return elf_section_err(err, section, "compressed by method %u, which is unknown",
				       packing.type);
	ratio = packing.type == CH_ZLIB ? ZLIB_RATIO : ZSTD_RATIO;
	raw += packing.header;
	len -= packing.header;
	if (packing.size / ratio > len)
		return elf_section_err(err, section,
				       "%zu compressed bytes cannot make the %llu that its header "
				       "promises",
				       len, (unsigned long long)packing.size);
	made = xmalloc(packing.size ? packing.size : 1);
	ok = packing.type == CH_ZLIB ? unzlib(raw, len, made, packing.size)
				     : unzstd(raw, len, made, packing.size);
	if (!ok) {
		free(made);
		return elf_section_err(err, section, "its %s data is damaged",
				       packing.type == CH_ZLIB ? "zlib" : "zstd");
	}
	section->owned = made;
	section->shown.size = packing.size;
	return true;
}

bool elf_section_is_made(const struct elf_section *section)
{
	return is_compressed(section);
}

bool elf_section_load(struct elf_section *section, struct err *err)
{
	uint8_t *raw;
	bool ok = true;

	if (section->shown.data)
		return true;
	raw = xmalloc(section->stored ? section->stored : 1);
	if (!file_pread(section->file->fd, raw, (size_t)section->stored, section->shown.offset,
			section->file->path, err)) {
		free(raw);
		return false;
	}
	if (is_compressed(section)) {
		ok = unpack(section, raw, err);
		free(raw);
	} else {
		section->owned = raw;
	}
	section->shown.data = section->owned;
	return ok;
}

struct cursor elf_section_cursor(const struct elf_section *section)
{
	return cursor_over(section->shown.data, (size_t)section->shown.size, section->file->swap);
}
