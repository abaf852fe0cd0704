/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "record/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/math.h"

#define LINKED_AT UINT64_C(0xffffffff80000000)
#define PRESENT   UINT64_C(1)
#define LARGE     UINT64_C(0x80)
#define FRAME     UINT64_C(0x000ffffffffff000)

enum { PAGE = 4096, TOP_SHIFT = 39, LEVEL_BITS = 9, PAGE_SHIFT = 12, GIGABYTE_SHIFT = 30 };

static bool read_physical(const struct memory *memory, uint64_t at, void *data, size_t len)
{
	ssize_t n;

	if (at > INT64_MAX)
		return false;
	do
		n = pread(memory->fd, data, len, (off_t)at);
	while (n < 0 && errno == EINTR);
	return n == (ssize_t)len;
}

bool memory_open(const char *path, uint64_t top, struct err *err, struct memory *ret)
{
	*ret = (struct memory){.path = path, .table = top - LINKED_AT};
	ret->fd = open(path, O_RDONLY | O_CLOEXEC);
	return ret->fd >= 0 || err_set_errno(err, path, "cannot open");
}

void memory_close(struct memory *memory)
{
	if (memory->fd >= 0)
		close(memory->fd);
	memory->fd = -1;
}

bool memory_physical(const struct memory *memory, uint64_t address, uint64_t *ret)
{
	uint64_t table = memory->table;

	for (int shift = TOP_SHIFT; shift >= PAGE_SHIFT; shift -= LEVEL_BITS) {
		uint64_t index = address >> shift & ((1U << LEVEL_BITS) - 1), entry;
		uint64_t within = (UINT64_C(1) << shift) - 1;

		if (!read_physical(memory, table + index * sizeof entry, &entry, sizeof entry) ||
		    !(entry & PRESENT))
			return false;
		if (shift == PAGE_SHIFT || (shift <= GIGABYTE_SHIFT && (entry & LARGE))) {
			*ret = (entry & FRAME & ~within) | (address & within);
			return true;
		}
		table = entry & FRAME;
	}
	return false;
}

bool memory_read(const struct memory *memory, uint64_t address, void *data, size_t len)
{
	char *to = data;

	while (len) {
		size_t part = (size_t)min_u64(len, PAGE - address % PAGE);
		uint64_t at;

		if (!memory_physical(memory, address, &at) || !read_physical(memory, at, to, part))
			return false;
		address += part;
		to += part;
		len -= part;
	}
	return true;
}
