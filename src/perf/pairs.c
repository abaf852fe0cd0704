/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "perf/pairs.h"

#include <stdlib.h>

#include "base/math.h"
#include "base/mem.h"

static int compare_pairs(const void *left, const void *right)
{
	const struct access_pair *a = left, *b = right;
	int order = compare_u64(a->writer_ip, b->writer_ip);

	if (!order)
		order = compare_u64(a->writer_address, b->writer_address);
	if (!order)
		order = compare_u64(a->reader_ip, b->reader_ip);
	return order ? order : compare_u64(a->reader_address, b->reader_address);
}

/* Those of the same addresses are one; so many are left. */
static size_t merge(struct access_pair *items, size_t n)
{
	size_t kept = 0;

	if (n)
		qsort(items, n, sizeof *items, compare_pairs);
	for (size_t i = 0; i < n; i++) {
		if (kept && compare_pairs(&items[kept - 1], &items[i]) == 0) {
			struct access_pair *one = &items[kept - 1];

			one->count = add_capped(one->count, items[i].count);
			one->needed = add_capped(one->needed, items[i].needed);
		} else {
			items[kept++] = items[i];
		}
	}
	return kept;
}

void pairs_write(struct access_pair *items, size_t n, const char digest[SHA256_HEX],
		 struct buf *out)
{
	n = merge(items, n);
	side_begin(out, "pairs", digest, n);
	for (size_t i = 0; i < n; i++)
		buf_addf(out,
			 "0x%" PRIx64 " 0x%" PRIx64 " 0x%" PRIx64 " 0x%" PRIx64 " %" PRIu64
			 " %" PRIu64 "\n",
			 items[i].writer_ip, items[i].writer_address, items[i].reader_ip,
			 items[i].reader_address, items[i].count, items[i].needed);
}

static bool read_line(struct text line, struct access_pair *ret)
{
	struct text count, needed, more;

	return side_hex(&line, &ret->writer_ip) && side_hex(&line, &ret->writer_address) &&
	       side_hex(&line, &ret->reader_ip) && side_hex(&line, &ret->reader_address) &&
	       text_word(&line, &count) && text_number(count, &ret->count) && ret->count &&
	       text_word(&line, &needed) && text_number(needed, &ret->needed) &&
	       ret->needed <= ret->count && !text_word(&line, &more);
}

static bool read_all(struct side_lines *lines, struct err *err, struct perf_pairs *pairs)
{
	for (uint64_t i = 0; i < lines->n; i++) {
		struct access_pair *pair = &pairs->items[i];
		struct text line;

		if (!side_next(lines, err, &line))
			return false;
		if (!read_line(line, pair))
			return side_wrong(lines, err, "it is not four addresses and two counts");
		if (i && compare_pairs(pair - 1, pair) >= 0)
			return side_wrong(lines, err, "it does not come behind the one before");
		pairs->n++;
	}
	return side_close(lines, err);
}

bool pairs_read(const struct bytes *bytes, const char *path, const char digest[SHA256_HEX],
		struct err *err, struct perf_pairs *ret)
{
	struct side_lines lines;
	struct perf_pairs pairs = {0};

	if (!side_open(bytes, path, "pairs", digest, err, &lines))
		return false;
	pairs.items = xcalloc(lines.n, sizeof *pairs.items);
	if (!read_all(&lines, err, &pairs)) {
		pairs_release(&pairs);
		return false;
	}
	*ret = pairs;
	return true;
}

void pairs_release(struct perf_pairs *pairs)
{
	free(pairs->items);
	*pairs = (struct perf_pairs){0};
}
