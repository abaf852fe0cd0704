/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/mem.h"

static bool read_all(int fd, const char *path, size_t max, struct err *err, struct buf *buf)
{
	char chunk[64 * 1024];

	for (;;) {
		ssize_t n = read(fd, chunk, sizeof chunk);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return err_set_errno(err, path, "cannot read");
		if (n == 0)
			return true;
		if ((size_t)n > max - buf->len)
			return err_set(err, path, "larger than %zu bytes", max);
		buf_add(buf, chunk, (size_t)n);
	}
}

bool file_read(const char *path, size_t max, struct err *err, struct bytes *ret)
{
	struct buf buf = BUF_INIT;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	bool ok;

	if (fd < 0)
		return err_set_errno(err, path, "cannot open");
	ok = read_all(fd, path, max, err, &buf);
	close(fd);
	if (!ok) {
		buf_release(&buf);
		return false;
	}
	ret->len = buf.len;
	ret->data = buf_detach(&buf);
	return true;
}

void bytes_release(struct bytes *bytes)
{
	free(bytes->data);
	*bytes = (struct bytes){0};
}

bool file_pread(int fd, void *data, size_t len, uint64_t offset, const char *place, struct err *err)
{
	char *p = data;

	while (len) {
		ssize_t n = pread(fd, p, len, (off_t)offset);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return err_set_errno(err, place, "cannot read at offset %llu",
					     (unsigned long long)offset);
		if (n == 0)
			return err_set(
				err, place,
				"the file ends at offset %llu, where %zu more byte%s should be",
				(unsigned long long)offset, len, len == 1 ? "" : "s");
		p += n;
		len -= (size_t)n;
		offset += (uint64_t)n;
	}
	return true;
}

static bool write_all(int fd, const char *data, size_t len, const char *place, struct err *err)
{
	while (len) {
		ssize_t n = write(fd, data, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return err_set_errno(err, place, "cannot write");
		data += n;
		len -= (size_t)n;
	}
	return true;
}

static bool write_in_place(const char *path, const char *data, size_t len, struct err *err)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
	bool ok;

	if (fd < 0)
		return err_set_errno(err, path, "cannot open for writing");
	ok = write_all(fd, data, len, path, err);
	if (close(fd) != 0 && ok)
		ok = err_set_errno(err, path, "cannot write");
	return ok;
}

/* Gives the new file the mode that the old one had, or that a plain creat() would have given it. */
static bool set_mode(int fd, const struct stat *old)
{
	mode_t mask = umask(0);

	umask(mask);
	return fchmod(fd, old ? old->st_mode & 0777 : 0666 & ~mask) == 0;
}

/* @old: what stands under @path now, NULL for nothing. @place: what the user called it. */
static bool replace(const char *path, const struct stat *old, const char *data, size_t len,
		    const char *place, struct err *err)
{
	struct buf temp = BUF_INIT;
	bool ok = false;
	int fd;

	buf_addf(&temp, "%s.XXXXXX", path);
	fd = mkstemp(temp.s);
	if (fd < 0) {
		err_set_errno(err, place, "cannot create a file beside it");
		buf_release(&temp);
		return false;
	}
	if (!set_mode(fd, old))
		err_set_errno(err, place, "cannot set its mode");
	else
		ok = write_all(fd, data, len, place, err);
	if (close(fd) != 0 && ok)
		ok = err_set_errno(err, place, "cannot write");
	if (ok && rename(temp.s, path) != 0)
		ok = err_set_errno(err, place, "cannot rename into place");
	if (!ok)
		unlink(temp.s);
	buf_release(&temp);
	return ok;
}

/* A signal that would end the run waits until the file is whole, or gone: it has two names else. */
static bool write_beside(const char *path, const struct stat *old, const char *data, size_t len,
			 const char *place, struct err *err)
{
	sigset_t all, before;
	bool ok;

	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &before);
	ok = replace(path, old, data, len, place, err);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return ok;
}

/* Where the symbolic links from @path end, whether something is there or not; NULL with errno. */
static char *follow_links(const char *path)
{
	enum { MOST_LINKS = 40 }; /* the kernel's own limit */
	char *now = xstrdup(path);

	for (int i = 0; i < MOST_LINKS; i++) {
		char target[PATH_MAX];
		ssize_t len = readlink(now, target, sizeof target - 1);
		const char *slash = strrchr(now, '/');
		struct buf next = BUF_INIT;

		if (len < 0)
			return now; /* no link, or nothing: whoever opens it will know */
		target[len] = '\0';
		if (*target != '/' && slash)
			buf_add(&next, now, (size_t)(slash + 1 - now));
		buf_adds(&next, target);
		free(now);
		now = buf_detach(&next);
	}
	free(now);
	errno = ELOOP;
	return NULL;
}

/* Standard output stays open; closing a duplicate asks a network file system what became of it. */
static bool write_stdout(const char *data, size_t len, struct err *err)
{
	static const char place[] = "standard output";
	int fd;

	if (!write_all(STDOUT_FILENO, data, len, place, err))
		return false;
	fd = dup(STDOUT_FILENO);
	if (fd < 0 || close(fd) != 0)
		return err_set_errno(err, place, "cannot write");
	return true;
}

bool file_write(const char *path, const void *data, size_t len, struct err *err)
{
	struct stat st;
	bool is_new = false, ok;
	char *real;

	if (!path || strcmp(path, "-") == 0)
		return write_stdout(data, len, err);
	if (stat(path, &st) != 0) {
		if (errno != ENOENT)
			return err_set_errno(err, path, "cannot open for writing");
		is_new = true;
	} else if (!S_ISREG(st.st_mode)) {
		return write_in_place(path, data, len, err);
	}
	real = follow_links(path);
	if (!real)
		return err_set_errno(err, path, "cannot open for writing");
	ok = write_beside(real, is_new ? NULL : &st, data, len, path, err);
	free(real);
	return ok;
}

bool file_is_same(const char *a, const char *b)
{
	struct stat first, second;

	return stat(a, &first) == 0 && S_ISREG(first.st_mode) && stat(b, &second) == 0 &&
	       first.st_dev == second.st_dev && first.st_ino == second.st_ino;
}
