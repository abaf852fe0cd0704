/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Notes: gABI chapter 5, "Note Section"; NT_GNU_BUILD_ID as GNU ld's --build-id writes it. */
#include <elf.h>
#include <string.h>

#include "base/buf.h"
#include "elf/facts.h"

/* The padding of the last note may be left out. */
static void align(struct cursor *c, unsigned alignment)
{
	size_t padding = (alignment - cursor_offset(c) % alignment) % alignment;

	cursor_skip(c, padding < cursor_left(c) ? padding : cursor_left(c));
}

const char *elf_hex(const uint8_t *bytes, size_t len, struct arena *arena)
{
	struct buf hex = BUF_INIT;
	const char *text;

	for (size_t i = 0; i < len; i++)
		buf_addf(&hex, "%02x", bytes[i]);
	text = arena_strndup(arena, hex.s, hex.len);
	buf_release(&hex);
	return text;
}

const char *elf_notes_build_id(struct cursor c, unsigned alignment, struct arena *arena)
{
	while (cursor_left(&c)) {
		uint32_t name_len = cursor_u32(&c), len = cursor_u32(&c), type = cursor_u32(&c);
		const uint8_t *name = cursor_bytes(&c, name_len), *id;

		align(&c, alignment);
		id = cursor_bytes(&c, len);
		align(&c, alignment);
		if (c.bad)
			return NULL;
		if (type != NT_GNU_BUILD_ID || name_len != sizeof ELF_NOTE_GNU ||
		    memcmp(name, ELF_NOTE_GNU, sizeof ELF_NOTE_GNU) != 0 || len == 0 ||
		    len > BUILD_ID_MAX)
			continue;
		return elf_hex(id, len, arena);
	}
	return NULL;
}

bool elf_build_id(struct elf_file *file, struct err *err, const char **ret)
{
	for (size_t i = 0; i < file->nsections && !file->build_id; i++) {
		struct elf_section *section = &file->sections[i];

		if (section->type != SHT_NOTE || !elf_section_has_bytes(section))
			continue;
		if (!elf_section_load(section, err))
			return false;
		file->build_id = elf_notes_build_id(elf_section_cursor(section),
						    section->alignment == 8 ? 8 : 4, &file->arena);
	}
	*ret = file->build_id;
	return true;
}
