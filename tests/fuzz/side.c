/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What stands beside a recording: who had stored, and objects of slab caches. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "fuzz.h"
#include "perf/objects.h"
#include "perf/pairs.h"

#define DIGEST "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

static void read_pairs(const struct bytes *bytes)
{
	struct err err = ERR_INIT;
	struct buf text = BUF_INIT;
	struct perf_pairs pairs;
	bool ok = pairs_read(bytes, "pairs", DIGEST, &err, &pairs);

	fuzz_answer(ok, &err);
	if (!ok)
		return;
	for (size_t i = 0; i < pairs.n; i++)
		fuzz_want(pairs.items[i].needed <= pairs.items[i].count, "no more need than met");
	pairs_write(pairs.items, pairs.n, DIGEST, &text);
	pairs_release(&pairs);
	if (!pairs_read(&(struct bytes){text.s, text.len}, "pairs", DIGEST, &err, &pairs))
		fuzz_want(false, err.text);
	pairs_release(&pairs);
	buf_release(&text);
}

static void read_objects(const struct bytes *bytes)
{
	struct err err = ERR_INIT;
	struct buf text = BUF_INIT;
	struct perf_objects objects;
	bool ok = objects_read(bytes, "objects", DIGEST, &err, &objects);

	fuzz_answer(ok, &err);
	if (!ok)
		return;
	objects_write(objects.items, objects.n, DIGEST, &text);
	objects_release(&objects);
	if (!objects_read(&(struct bytes){text.s, text.len}, "objects", DIGEST, &err, &objects))
		fuzz_want(false, err.text);
	objects_release(&objects);
	buf_release(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *copy = xmalloc(size ? size : 1);
	struct bytes bytes = {copy, size};

	memcpy(copy, data, size);
	read_pairs(&bytes);
	read_objects(&bytes);
	free(copy);
	return 0;
}
