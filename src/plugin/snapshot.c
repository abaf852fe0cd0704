/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugin/snapshot.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "plugin/plugin.h"

static bool copy_range(int from, int to, off_t begin, off_t end)
{
	static char buffer[1 << 20];

	while (begin < end) {
		size_t most = (size_t)(end - begin) < sizeof buffer ? (size_t)(end - begin)
								    : sizeof buffer;
		ssize_t n = pread(from, buffer, most, begin);

		if (n <= 0 || pwrite(to, buffer, (size_t)n, begin) != n)
			return false;
		begin += n;
	}
	return true;
}

/* What was never touched stays a hole. */
static bool copy(int from, int to)
{
	struct stat st;
	off_t begin, end = 0;

	if (fstat(from, &st) != 0 || ftruncate(to, st.st_size) != 0)
		return false;
	while ((begin = lseek(from, end, SEEK_DATA)) >= 0) {
		end = lseek(from, begin, SEEK_HOLE);
		if (end < 0 || !copy_range(from, to, begin, end))
			return false;
	}
	return errno == ENXIO; /* no data behind */
}

void snapshot_take(void)
{
	int from, to;
	bool ok;

	if (!settings.snapshot)
		return;
	from = open(settings.ram, O_RDONLY | O_CLOEXEC);
	to = open(settings.snapshot, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	ok = from >= 0 && to >= 0 && copy(from, to);
	if (to >= 0)
		ok = close(to) == 0 && ok;
	if (!ok) {
		fprintf(stderr, "layoutcheck-tcg: %s: %s\n", settings.snapshot, strerror(errno));
		unlink(settings.snapshot);
	}
	if (from >= 0)
		close(from);
}
