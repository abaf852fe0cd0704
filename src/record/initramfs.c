/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "record/initramfs.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/mem.h"

struct initramfs_name {
	char *text;
};

void initramfs_init(struct initramfs *fs)
{
	*fs = (struct initramfs){0};
	buf_init(&fs->out);
}

void initramfs_release(struct initramfs *fs)
{
	for (size_t i = 0; i < fs->n; i++)
		free(fs->names[i].text);
	free(fs->names);
	buf_release(&fs->out);
	*fs = (struct initramfs){0};
	buf_init(&fs->out);
}

bool initramfs_has(const struct initramfs *fs, const char *name)
{
	for (size_t i = 0; i < fs->n; i++)
		if (strcmp(fs->names[i].text, name) == 0)
			return true;
	return false;
}

static void remember(struct initramfs *fs, const char *name)
{
	ARRAY_GROW(fs->names, fs->n, fs->cap);
	fs->names[fs->n++].text = xstrdup(name);
}

enum { ALIGN = 4 };

static void align(struct buf *out)
{
	buf_pad(out, '\0', -out->len % ALIGN);
}

struct entry {
	const char *name; /* without the slash before it */
	uint32_t mode, major, minor;
	const void *data;
	size_t len;
};

/* Thirteen numbers of eight digits behind the magic. */
static void add_entry(struct initramfs *fs, const struct entry *entry)
{
	size_t name = strlen(entry->name) + 1;

	buf_addf(&fs->out, "070701%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X",
		 ++fs->inode, (unsigned)entry->mode, 0U, 0U, 1U, 0U, (unsigned)entry->len, 0U, 0U,
		 (unsigned)entry->major, (unsigned)entry->minor, (unsigned)name, 0U);
	buf_add(&fs->out, entry->name, name);
	align(&fs->out);
	if (entry->len)
		buf_add(&fs->out, entry->data, entry->len);
	align(&fs->out);
}

/* The directories above it that are not there yet. */
static void add_parents(struct initramfs *fs, const char *name)
{
	char *path = xstrdup(name);

	for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		if (!initramfs_has(fs, path))
			initramfs_add_dir(fs, path, 0755);
		*slash = '/';
	}
	free(path);
}

static void add(struct initramfs *fs, const char *name, struct entry entry)
{
	add_parents(fs, name);
	entry.name = name + 1;
	add_entry(fs, &entry);
	remember(fs, name);
}

void initramfs_add_dir(struct initramfs *fs, const char *name, uint32_t mode)
{
	add(fs, name, (struct entry){.mode = S_IFDIR | mode});
}

void initramfs_add_bytes(struct initramfs *fs, const char *name, uint32_t mode, const void *data,
			 size_t len)
{
	add(fs, name, (struct entry){.mode = S_IFREG | mode, .data = data, .len = len});
}

void initramfs_add_link(struct initramfs *fs, const char *name, const char *target)
{
	add(fs, name,
	    (struct entry){.mode = S_IFLNK | 0777, .data = target, .len = strlen(target)});
}

void initramfs_add_device(struct initramfs *fs, const char *name, uint32_t mode, uint32_t major,
			  uint32_t minor)
{
	add(fs, name, (struct entry){.mode = S_IFCHR | mode, .major = major, .minor = minor});
}

/* What a guest of this size can hold at all; the sizes in the archive have 32 bits. */
enum { MAX_FILE = 1 << 30 };

bool initramfs_add_file(struct initramfs *fs, const char *name, const char *path, struct err *err)
{
	struct bytes bytes;
	struct stat st;

	if (stat(path, &st) != 0)
		return err_set_errno(err, path, "cannot open");
	if (!S_ISREG(st.st_mode))
		return err_set(err, path, "not a regular file, and cannot be put into the guest");
	if (!file_read(path, MAX_FILE, err, &bytes))
		return false;
	initramfs_add_bytes(fs, name, st.st_mode & 0777, bytes.data, bytes.len);
	bytes_release(&bytes);
	return true;
}

void initramfs_plan_begin(struct buf *plan, bool marks)
{
	buf_addc(plan, marks ? '1' : '0');
	buf_addc(plan, '\0');
}

void initramfs_plan_add(struct buf *plan, const char *const *words, size_t n)
{
	buf_addf(plan, "%zu", n);
	buf_addc(plan, '\0');
	for (size_t i = 0; i < n; i++)
		buf_add(plan, words[i], strlen(words[i]) + 1);
}

void initramfs_finish(struct initramfs *fs)
{
	add_entry(fs, &(struct entry){.name = "TRAILER!!!"});
}
