/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Feeds a target every file of its corpus, and a byte less of each, and says in TAP that each took
 * at most 2 s of the processor, and all of them 256 MB. The bytes are in an allocation of just
 * their size, so that a sanitizer sees a read behind them.
 *
 *	replay-NAME [DIR]	tests/fuzz/corpus/NAME, from the top of the tree
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "base/buf.h"
#include "base/file.h"
#include "base/mem.h"
#include "fuzz.h"

enum { MOST_BYTES = 1 << 20, MOST_SECONDS = 2, MOST_KILOBYTES = 256 << 10 };

static int is_input(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

static void feed(const char *data, size_t len)
{
	uint8_t *copy = xmalloc(len ? len : 1);

	memcpy(copy, data, len);
	LLVMFuzzerTestOneInput(copy, len);
	free(copy);
}

static double seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static bool replay(const char *path)
{
	struct err err = ERR_INIT;
	struct bytes bytes;
	double start = seconds();

	if (!file_read(path, MOST_BYTES, &err, &bytes)) {
		printf("# %s\n", err.text);
		err_release(&err);
		return false;
	}
	feed(bytes.data, bytes.len);
	if (bytes.len)
		feed(bytes.data, bytes.len - 1);
	bytes_release(&bytes);
	return seconds() - start <= MOST_SECONDS;
}

/* The corpus of the target that the program is named after, from the top of the tree. */
static void corpus_of(const char *program, struct buf *ret)
{
	const char *name = strrchr(program, '-');

	buf_addf(ret, "tests/fuzz/corpus/%s", name ? name + 1 : "");
}

/* What a sanitizer needs for itself is not counted. */
static bool is_small(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
#ifdef __SANITIZE_ADDRESS__
	return true;
#else
	return usage.ru_maxrss <= MOST_KILOBYTES;
#endif
}

int main(int argc, char **argv)
{
	struct dirent **entries = NULL;
	struct buf dir = BUF_INIT, path = BUF_INIT;
	int n, failed = 0;

	if (argc > 1)
		buf_adds(&dir, argv[1]);
	else
		corpus_of(argv[0], &dir);
	n = scandir(dir.s, &entries, is_input, alphasort);
	for (int i = 0; i < n; i++) {
		bool ok;

		path.len = 0;
		buf_addf(&path, "%s/%s", dir.s, entries[i]->d_name);
		ok = replay(path.s);
		failed += !ok;
		printf("%sok %d - %s\n", ok ? "" : "not ", i + 1, entries[i]->d_name);
		(void)fflush(stdout);
		free(entries[i]);
	}
	free(entries);
	buf_release(&dir);
	buf_release(&path);
	failed += !is_small();
	printf("%sok %d - in 256 MB\n", is_small() ? "" : "not ", n + 1);
	printf("1..%d\n", n <= 0 ? 0 : n + 1);
	return failed != 0;
}
