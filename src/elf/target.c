/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What an ELF file says of its target. The kernel's release: init/version.c of Linux ("Linux
 * version %s ...") and the "vermagic=" and "name=" of a module's .modinfo (scripts/mod/modpost.c).
 */
#include <elf.h>
#include <string.h>

#include "base/text.h"
#include "elf/facts.h"
#include "elf/symbols.h"

#define BANNER "Linux version "

enum {
	BANNER_MAX = 512,   /* of the banner we look at: the release is in its first words */
	VERMAGIC_MAX = 512, /* a release, some words, and a digest of 64 digits */
};

/* The word at @s, in the arena. */
static char *first_word(struct arena *arena, const char *s)
{
	return arena_strndup(arena, s, strcspn(s, " \n"));
}

static bool set_release(struct arena *arena, const char *text, struct target *ret)
{
	struct kernel_version version;

	if (!kernel_version_parse(text, &version))
		return false;
	ret->release = first_word(arena, text);
	ret->kernel = version;
	ret->has_kernel = true;
	return true;
}

/* @text is @len bytes that may begin with the banner, and must hold all of the release. */
static bool take_banner(struct arena *arena, const char *text, size_t len, struct target *ret)
{
	char copy[BANNER_MAX + 1];

	if (len > BANNER_MAX)
		len = BANNER_MAX;
	memcpy(copy, text, len);
	copy[len] = '\0';
	if (!text_starts_with(copy, BANNER) || !strchr(copy + strlen(BANNER), ' ') ||
	    !set_release(arena, copy + strlen(BANNER), ret))
		return false;
	ret->module = "vmlinux";
	return true;
}

/*
 * What modules must fit, include/linux/vermagic.h of Linux, has a digest of the seed where layouts
 * are randomised.
 */
static void take_vermagic(const char *text, struct target *ret)
{
	ret->randomized = strstr(text, "RANDSTRUCT_") ? RANDOMIZED_YES : RANDOMIZED_NO;
}

/* The kernel's own, kernel/module/main.c; there is none without modules. */
static bool vermagic_of_symbol(struct elf_file *file, struct elf_file *symbols, struct err *err,
			       struct target *ret)
{
	char text[VERMAGIC_MAX + 1];
	struct elf_symbol symbol;
	size_t len;
	bool found;

	if (!elf_symbol_find(symbols, "vermagic", err, &found, &symbol))
		return false;
	len = found ? elf_read(file, symbol.section, symbol.value, text, VERMAGIC_MAX) : 0;
	text[len] = '\0';
	if (text[0])
		take_vermagic(text, ret);
	return true;
}

static bool banner_of_symbol(struct elf_file *file, struct elf_file *symbols, struct arena *arena,
			     struct err *err, struct target *ret)
{
	struct elf_symbol symbol;
	char text[BANNER_MAX];
	bool found;

	if (!elf_symbol_find(symbols, "linux_banner", err, &found, &symbol))
		return false;
	if (found)
		take_banner(arena, text,
			    elf_read(file, symbol.section, symbol.value, text, sizeof text), ret);
	return !ret->module || vermagic_of_symbol(file, symbols, err, ret);
}

struct banner_search {
	struct arena *arena;
	struct target *target;
};

static bool find_banner(void *context, const uint8_t *data, size_t len, uint64_t at)
{
	struct banner_search *search = context;
	const char *hit = (const char *)data, *end = hit + len;

	(void)at;
	for (; (hit = memmem(hit, (size_t)(end - hit), BANNER, strlen(BANNER))); hit++)
		if (take_banner(search->arena, hit, (size_t)(end - hit), search->target))
			return false;
	return true;
}

/*
 * A stripped vmlinux (what extract-vmlinux makes of a bzImage) has no symbols, but it is a kernel:
 * it has .init.text, and the banner somewhere in .rodata.
 */
static bool banner_of_stripped(struct elf_file *file, struct arena *arena, struct err *err,
			       struct target *ret)
{
	struct elf_section *section = elf_file_find(file, ".rodata");
	struct banner_search search = {arena, ret};

	return !section || !elf_file_find(file, ".init.text") ||
	       elf_section_scan(section, BANNER_MAX, find_banner, &search, err);
}

/* "dir/foo-bar.ko.debug" is the module foo_bar; NULL when the name is not that of a module. */
static const char *module_by_path(struct arena *arena, const char *path)
{
	const char *base = strrchr(path, '/');
	const char *end;
	char *name;

	base = base ? base + 1 : path;
	end = strstr(base, ".ko");
	if (!end || end == base || (end[3] != '\0' && end[3] != '.'))
		return NULL;
	name = arena_strndup(arena, base, (size_t)(end - base));
	for (char *p = name; *p; p++)
		if (*p == '-')
			*p = '_';
	return name;
}

static bool take_modinfo(struct elf_file *file, struct arena *arena, struct err *err,
			 struct target *ret)
{
	struct elf_section *section = elf_file_find(file, ".modinfo");
	struct cursor c;

	if (!section)
		return true;
	if (!elf_section_load(section, err))
		return false;
	c = elf_section_cursor(section);
	while (cursor_left(&c)) {
		const char *entry = cursor_string(&c);

		if (text_starts_with(entry, "vermagic=")) {
			set_release(arena, entry + strlen("vermagic="), ret);
			take_vermagic(entry, ret);
		} else if (text_starts_with(entry, "name="))
			ret->module = first_word(arena, entry + strlen("name="));
	}
	return true;
}

/* A module has this section whether or not its contents are in this file. */
static bool is_module(const struct elf_file *file)
{
	for (size_t i = 0; i < file->nsections; i++)
		if (strcmp(file->sections[i].shown.name, ".gnu.linkonce.this_module") == 0)
			return true;
	return false;
}

static bool take_kernel(struct elf_file *file, struct elf_file *debug, struct arena *arena,
			struct err *err, struct target *ret)
{
	struct elf_file *symbols = !debug || elf_file_find(file, ".symtab") ? file : debug;

	if (is_module(file)) {
		if (!take_modinfo(file, arena, err, ret))
			return false;
		if (!ret->module)
			ret->module = module_by_path(arena, file->path);
		return true;
	}
	if (!elf_file_find(symbols, ".symtab"))
		return banner_of_stripped(file, arena, err, ret);
	return banner_of_symbol(file, symbols, arena, err, ret);
}

bool elf_target(struct elf_file *file, struct elf_file *debug, struct arena *arena, struct err *err,
		struct target *ret)
{
	const struct arch *arch = arch_by_machine(file->machine, file->bits, file->big_endian);

	*ret = (struct target){.bits = file->bits, .big_endian = file->big_endian};
	if (file->kind == IMAGE_RAW_BTF)
		return true;
	if (arch) {
		ret->arch = arch->name;
		ret->line = arch->line;
	}
	return elf_build_id(file, err, &ret->build_id) && take_kernel(file, debug, arena, err, ret);
}
