/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/file.h"
#include "base/text.h"
#include "elf/private.h"

enum {
	BTF_MAGIC = 0xeb9f, /* Documentation/bpf/btf.rst, struct btf_header */
	HEAD = 1024,        /* enough to tell every kind */
};

/* A pipe cannot be read by window: it is copied to memory first, up to this size. */
static const uint64_t PIPE_MAX = (uint64_t)4 << 30;

/* The fields of the ELF header that bounds checks need before libelf may see the file. */
struct tables {
	uint64_t shoff, shnum;
	unsigned shentsize, shstrndx;
};

static bool refuse_kind(const struct stat *st, const char *path, struct err *err)
{
	if (S_ISREG(st->st_mode) || S_ISFIFO(st->st_mode))
		return true;
	if (S_ISDIR(st->st_mode))
		return err_set(err, path, "is a directory, not an ELF or BTF file");
	if (S_ISCHR(st->st_mode))
		return err_set(err, path, "is a character device, not an ELF or BTF file");
	if (S_ISBLK(st->st_mode))
		return err_set(err, path, "is a block device, not an ELF or BTF file");
	return err_set(err, path, "is a socket, not an ELF or BTF file");
}

static bool write_all(int to, const char *data, size_t len, const char *path, struct err *err)
{
	for (size_t done = 0; done < len;) {
		ssize_t put = write(to, data + done, len - done);

		if (put < 0 && errno == EINTR)
			continue;
		if (put < 0)
			return err_set_errno(err, path, "cannot copy it to memory");
		done += (size_t)put;
	}
	return true;
}

static bool copy_pipe(int from, int to, const char *path, struct err *err)
{
	char chunk[64 * 1024];
	uint64_t total = 0;

	for (;;) {
		ssize_t n = read(from, chunk, sizeof chunk);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return err_set_errno(err, path, "cannot read");
		if (n == 0)
			return true;
		total += (uint64_t)n;
		if (total > PIPE_MAX)
			return err_set(err, path, "is a pipe with more than %llu bytes",
				       (unsigned long long)PIPE_MAX);
		if (!write_all(to, chunk, (size_t)n, path, err))
			return false;
	}
}

/* Puts a file in memory in the place of the pipe @file->fd. */
static bool replace_pipe(struct elf_file *file, struct err *err)
{
	int fd = memfd_create("layoutcheck", MFD_CLOEXEC);

	if (fd < 0)
		return err_set_errno(err, file->path, "cannot copy it to memory");
	if (!copy_pipe(file->fd, fd, file->path, err)) {
		close(fd);
		return false;
	}
	close(file->fd);
	file->fd = fd;
	return true;
}

/* A member of an archive is a file in memory: so its offsets count from its own start. */
static bool copy_part(struct elf_file *file, int fd, uint64_t at, uint64_t size, struct err *err)
{
	char chunk[64 * 1024];

	file->size = size;
	file->fd = memfd_create("layoutcheck", MFD_CLOEXEC);
	if (file->fd < 0)
		return err_set_errno(err, file->path, "cannot copy it to memory");
	for (uint64_t done = 0; done < size;) {
		uint64_t left = size - done;
		size_t len = left < sizeof chunk ? (size_t)left : sizeof chunk;

		if (!file_pread(fd, chunk, len, at + done, file->path, err) ||
		    !write_all(file->fd, chunk, len, file->path, err))
			return false;
		done += len;
	}
	return true;
}

static bool open_readable(struct elf_file *file, struct err *err)
{
	struct stat st;

	/* Before open(2), which can block on a device or wake it. */
	if (stat(file->path, &st) != 0)
		return err_set_errno(err, file->path, "cannot open");
	if (!refuse_kind(&st, file->path, err))
		return false;
	file->fd = open(file->path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	if (file->fd < 0)
		return err_set_errno(err, file->path, "cannot open");
	if (S_ISFIFO(st.st_mode) && !replace_pipe(file, err))
		return false;
	if (fstat(file->fd, &st) != 0)
		return err_set_errno(err, file->path, "cannot read");
	if (st.st_size == 0)
		return err_set(err, file->path, "is empty");
	file->size = (uint64_t)st.st_size;
	return true;
}

static bool refuse_content(const uint8_t *head, size_t len, const char *path, struct err *err)
{
	struct buf shown = BUF_INIT;

	elf_say_content(head, len, &shown);
	err_set(err, path, "%s", shown.s);
	buf_release(&shown);
	return false;
}

/* e_shnum and e_shstrndx that do not fit 16 bits stand in section header 0. */
static bool read_extended(struct elf_file *file, struct tables *tables, struct err *err)
{
	bool wide = file->bits == 64;
	uint8_t bytes[sizeof(Elf64_Shdr)];
	struct cursor c = cursor_over(bytes, tables->shentsize, file->swap);
	uint64_t size;
	uint32_t link;

	if (tables->shnum != 0 && tables->shstrndx != SHN_XINDEX)
		return true;
	if (!file_pread(file->fd, bytes, tables->shentsize, tables->shoff, file->path, err))
		return false;
	cursor_seek(&c, wide ? offsetof(Elf64_Shdr, sh_size) : offsetof(Elf32_Shdr, sh_size));
	size = wide ? cursor_u64(&c) : cursor_u32(&c);
	link = cursor_u32(&c);
	if (tables->shnum == 0)
		tables->shnum = size;
	if (tables->shstrndx == SHN_XINDEX)
		tables->shstrndx = link;
	return true;
}

static bool check_tables(struct elf_file *file, struct tables *tables, struct err *err)
{
	unsigned want = file->bits == 64 ? sizeof(Elf64_Shdr) : sizeof(Elf32_Shdr);

	if (tables->shoff == 0) {
		tables->shnum = 0;
		tables->shstrndx = SHN_UNDEF;
		return true;
	}
	if (tables->shentsize != want)
		return err_set(err, file->path, "its section headers are %u bytes, not %u",
			       tables->shentsize, want);
	if (tables->shoff > file->size || want > file->size - tables->shoff)
		return err_set(err, file->path,
			       "is truncated: the section header table at offset %llu is beyond "
			       "the end of the file at %llu",
			       (unsigned long long)tables->shoff, (unsigned long long)file->size);
	if (!read_extended(file, tables, err))
		return false;
	if (tables->shnum > (file->size - tables->shoff) / want)
		return err_set(err, file->path,
			       "is truncated: the section header table at offset %llu has %llu "
			       "entries, the file ends at %llu",
			       (unsigned long long)tables->shoff, (unsigned long long)tables->shnum,
			       (unsigned long long)file->size);
	if (tables->shstrndx != SHN_UNDEF && tables->shstrndx >= tables->shnum)
		return err_set(err, file->path,
			       "its section names are in section %u, it has %llu sections",
			       tables->shstrndx, (unsigned long long)tables->shnum);
	return true;
}

static bool read_header(struct elf_file *file, const uint8_t *head, size_t len, struct tables *ret,
			struct err *err)
{
	struct cursor c;

	if (len < EI_NIDENT)
		return err_set(err, file->path, "is truncated: it ends inside its ELF header");
	if (head[EI_CLASS] != ELFCLASS32 && head[EI_CLASS] != ELFCLASS64)
		return err_set(err, file->path, "its ELF class is %u, not 32 or 64 bits",
			       head[EI_CLASS]);
	if (head[EI_DATA] != ELFDATA2LSB && head[EI_DATA] != ELFDATA2MSB)
		return err_set(err, file->path, "its ELF byte order is %u, which is unknown",
			       head[EI_DATA]);
	if (head[EI_VERSION] != EV_CURRENT)
		return err_set(err, file->path, "its ELF version is %u, not %u", head[EI_VERSION],
			       EV_CURRENT);
	file->bits = head[EI_CLASS] == ELFCLASS64 ? 64 : 32;
	file->big_endian = head[EI_DATA] == ELFDATA2MSB;
	file->swap = file->big_endian != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);

	c = cursor_over(head, len, file->swap);
	cursor_skip(&c, EI_NIDENT);
	file->type = cursor_u16(&c);
	file->machine = cursor_u16(&c);
	cursor_skip(&c, 4);                    /* e_version */
	cursor_skip(&c, 2 * (file->bits / 8)); /* e_entry, e_phoff */
	ret->shoff = cursor_uint(&c, file->bits / 8);
	cursor_skip(&c, 4 + 2 + 2 + 2); /* e_flags, e_ehsize, e_phentsize, e_phnum */
	ret->shentsize = cursor_u16(&c);
	ret->shnum = cursor_u16(&c);
	ret->shstrndx = cursor_u16(&c);
	if (c.bad)
		return err_set(err, file->path, "is truncated: it ends inside its ELF header");
	if (file->type == ET_CORE)
		return err_set(err, file->path,
			       "is a core dump; give the program or vmlinux that it is of");
	return check_tables(file, ret, err);
}

/* Copies the section headers out of libelf, which turns both classes and byte orders into one. */
static bool take_headers(struct elf_file *file, const struct tables *tables, struct err *err)
{
	Elf *elf = elf_begin(file->fd, ELF_C_READ, NULL);
	GElf_Shdr shdr;

	file->nsections = (size_t)tables->shnum;
	file->sections = arena_array(&file->arena, file->nsections, sizeof *file->sections);
	for (size_t i = 0; i < file->nsections; i++) {
		struct elf_section *section = &file->sections[i];

		if (!elf || !gelf_getshdr(elf_getscn(elf, i), &shdr)) {
			err_set(err, file->path, "libelf cannot read section header %zu: %s", i,
				elf_errmsg(-1));
			elf_end(elf);
			return false;
		}
		section->file = file;
		section->head = section;
		section->name = shdr.sh_name;
		section->type = shdr.sh_type;
		section->link = shdr.sh_link;
		section->info = shdr.sh_info;
		section->flags = shdr.sh_flags;
		section->alignment = shdr.sh_addralign;
		section->stored = shdr.sh_size;
		section->part_size = shdr.sh_size;
		section->shown = (struct section){
			.name = "",
			.address = shdr.sh_addr,
			.size = shdr.sh_size,
			.fd = file->fd,
			.offset = shdr.sh_offset,
		};
	}
	elf_end(elf);
	return true;
}

static bool check_bounds(const struct elf_section *section, size_t index, struct err *err)
{
	const struct elf_file *file = section->file;
	uint64_t offset = section->shown.offset;

	if (section->type == SHT_NULL || section->type == SHT_NOBITS ||
	    (offset <= file->size && section->stored <= file->size - offset))
		return true;
	return err_set(err, file->path,
		       "is truncated: section %zu%s%s takes %llu bytes at offset %llu, the file "
		       "ends at %llu",
		       index, *section->shown.name ? " " : "", section->shown.name,
		       (unsigned long long)section->stored, (unsigned long long)offset,
		       (unsigned long long)file->size);
}

static bool name_sections(struct elf_file *file, unsigned shstrndx, struct err *err)
{
	struct elf_section *names;

	if (shstrndx == SHN_UNDEF)
		return true;
	names = &file->sections[shstrndx];
	if (names->type != SHT_STRTAB)
		return err_set(err, file->path, "its section %u has no section names", shstrndx);
	if (!check_bounds(names, shstrndx, err) || !elf_section_load(names, err))
		return false;
	for (size_t i = 0; i < file->nsections; i++) {
		struct elf_section *section = &file->sections[i];
		struct cursor c = elf_section_cursor(names);
		const char *name;

		cursor_seek(&c, section->name);
		name = cursor_string(&c);
		if (c.bad)
			return err_set(err, file->path,
				       "section %zu has no name: its offset %u is beyond the "
				       "section names",
				       i, section->name);
		/* What .debug_* was called when compressed, before SHF_COMPRESSED. */
		section->zdebug = text_starts_with(name, ".zdebug_");
		section->shown.name =
			section->zdebug ? arena_printf(&file->arena, ".%s", name + 2) : name;
	}
	return true;
}

static bool read_elf(struct elf_file *file, const uint8_t *head, size_t len, struct err *err)
{
	struct tables tables = {0};

	if (!read_header(file, head, len, &tables, err) || !take_headers(file, &tables, err) ||
	    !name_sections(file, tables.shstrndx, err))
		return false;
	for (size_t i = 0; i < file->nsections; i++) {
		if (!check_bounds(&file->sections[i], i, err))
			return false;
		elf_section_measure(&file->sections[i]);
	}
	return file->type != ET_REL || elf_file_join(file, err);
}

static void take_raw_btf(struct elf_file *file, bool big_endian)
{
	file->kind = IMAGE_RAW_BTF;
	file->big_endian = big_endian;
	file->swap = big_endian != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
	file->nsections = 1;
	file->sections = arena_array(&file->arena, 1, sizeof *file->sections);
	file->sections[0] = (struct elf_section){
		.shown = {.name = ".BTF", .size = file->size, .fd = file->fd},
		.file = file,
		.head = file->sections,
		.type = SHT_PROGBITS,
		.stored = file->size,
		.part_size = file->size,
	};
}

static bool read_file(struct elf_file *file, struct err *err)
{
	uint8_t head[HEAD];
	uint16_t magic;
	size_t len;

	len = file->size < HEAD ? (size_t)file->size : HEAD;
	if (!file_pread(file->fd, head, len, 0, file->path, err))
		return false;
	if (len >= SELFMAG && memcmp(head, ELFMAG, SELFMAG) == 0)
		return read_elf(file, head, len, err);
	magic = len >= 2 ? (uint16_t)(head[0] | head[1] << 8) : 0;
	if (magic == BTF_MAGIC || magic == __builtin_bswap16(BTF_MAGIC)) {
		take_raw_btf(file, magic != BTF_MAGIC);
		return true;
	}
	return refuse_content(head, len, file->path, err);
}

static struct elf_file *file_new(const char *path)
{
	struct elf_file *file = xcalloc(1, sizeof *file);

	if (elf_version(EV_CURRENT) == EV_NONE)
		BUG("this libelf does not know the current ELF version");
	arena_init(&file->arena);
	file->path = arena_strdup(&file->arena, path);
	file->fd = -1;
	return file;
}

static bool settle(struct elf_file *file, bool opened, struct err *err, struct elf_file **ret)
{
	if (!opened || !read_file(file, err)) {
		elf_file_close(file);
		return false;
	}
	*ret = file;
	return true;
}

bool elf_file_open(const char *path, struct err *err, struct elf_file **ret)
{
	struct elf_file *file = file_new(path);

	return settle(file, open_readable(file, err), err, ret);
}

bool elf_file_open_part(const char *path, int fd, uint64_t at, uint64_t size, struct err *err,
			struct elf_file **ret)
{
	struct elf_file *file = file_new(path);

	return settle(file, copy_part(file, fd, at, size, err), err, ret);
}

void elf_file_close(struct elf_file *file)
{
	if (!file)
		return;
	for (size_t i = 0; i < file->nsections; i++)
		free(file->sections[i].owned);
	if (file->fd >= 0)
		close(file->fd);
	arena_release(&file->arena);
	free(file);
}

bool elf_section_has_bytes(const struct elf_section *section)
{
	return section->type != SHT_NULL && section->type != SHT_NOBITS && section->stored != 0;
}

struct elf_section *elf_file_find(struct elf_file *file, const char *name)
{
	for (size_t i = 0; i < file->nsections; i++)
		if (file->sections[i].head == &file->sections[i] &&
		    strcmp(file->sections[i].shown.name, name) == 0 &&
		    elf_section_has_bytes(&file->sections[i]))
			return &file->sections[i];
	return NULL;
}

void elf_section_say(struct err *err, const struct elf_section *section, const char *fmt, ...)
{
	struct buf place = BUF_INIT, text = BUF_INIT;
	va_list ap;

	buf_addf(&place, "%s: %s", section->file->path, section->shown.name);
	va_start(ap, fmt);
	buf_vaddf(&text, fmt, ap);
	va_end(ap);
	err_set(err, place.s, "%s", text.s);
	buf_release(&place);
	buf_release(&text);
}
