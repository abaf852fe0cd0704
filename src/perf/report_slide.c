/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where the image was. A row names a function and an address in it: the address less the slide must
 * lie in that function of the image, and slides are multiples of a granule much larger than most
 * functions. So a row leaves one slide, or, when several functions have its name, a few, and votes
 * for each. "function+18" as its source leaves one exactly.
 */
#include <stdlib.h>
#include <string.h>

#include "base/math.h"
#include "perf/report_slide.h"

enum {
	CLIPPED = 30,       /* bytes that perf leaves of "[k] symbol", and of a source */
	MODE = 4,           /* of these, of "[k] " */
	MOST_OF_A_ROW = 64, /* slides that one row can vote for */
	MOST_NAME = 4096,
};

#define X86_KERNEL UINT64_C(0xffffffff80000000)

struct vote {
	uint64_t slide;
	size_t row;
};

struct votes {
	struct vote *list;
	size_t n, cap;
	uint64_t granule;
	size_t row, of_row;
	uint64_t ip;
	bool has_offset;
	uint64_t offset; /* in the function */
	bool is_known;   /* the image has a function of that name */
};

bool report_row_in_image(const struct report_row *row, const struct perf_image *image)
{
	const char *slash = strrchr(image->path, '/');

	if (!image->is_kernel)
		return row->object.len && text_is(row->object, slash ? slash + 1 : image->path);
	if (row->mode != MODE_KERNEL && row->mode != MODE_UNKNOWN)
		return false;
	return text_begins(row->object, "[kernel") || text_begins(row->object, "vmlinux") ||
	       (row->object.len == 0 && row->mode == MODE_KERNEL);
}

static void vote(struct votes *votes, uint64_t slide)
{
	if (votes->of_row == MOST_OF_A_ROW)
		return;
	votes->of_row++;
	ARRAY_GROW(votes->list, votes->n, votes->cap);
	votes->list[votes->n++] = (struct vote){slide, votes->row};
}

/* Votes for the slides that put the row's address into [start, start + size). */
static void vote_for(void *arg, uint64_t start, uint64_t size)
{
	struct votes *votes = arg;
	uint64_t low = votes->ip - start, over;

	votes->is_known = true;
	if (votes->ip < start)
		return;
	if (votes->has_offset) {
		if (votes->offset < max_u64(size, 1) && (low - votes->offset) % votes->granule == 0)
			vote(votes, low - votes->offset);
		return;
	}
	/* slide = low - offset, with an offset below the size */
	over = low % votes->granule;
	for (uint64_t offset = over; offset < size; offset += votes->granule)
		vote(votes, low - offset);
}

/* "update_load_avg+940" as the source of a row. */
static bool source_offset(const struct report_row *row, uint64_t *ret)
{
	const char *plus = row->source.len ? memrchr(row->source.s, '+', row->source.len) : NULL;

	return plus && row->source.len != CLIPPED &&
	       text_number((struct text){plus + 1,
					 (size_t)(row->source.s + row->source.len - plus - 1)},
			   ret);
}

static void ask_row(struct votes *votes, const struct report_row *row,
		    const struct perf_image *image)
{
	struct text name = row->symbol;
	char copy[MOST_NAME];

	votes->ip = row->code;
	votes->has_offset = source_offset(row, &votes->offset);
	if (votes->has_offset) /* the source is the whole name, the symbol may be clipped */
		name = (struct text){
			row->source.s,
			(size_t)((const char *)memrchr(row->source.s, '+', row->source.len) -
				 row->source.s)};
	if (name.len == 0 || name.len >= sizeof copy)
		return;
	memcpy(copy, name.s, name.len);
	copy[name.len] = 0;
	image->functions(image->arg, copy, false, vote_for, votes);
	if (!votes->is_known && !votes->has_offset && name.len == CLIPPED - MODE)
		image->functions(image->arg, copy, true, vote_for, votes);
}

static int by_slide(const void *a, const void *b)
{
	const struct vote *x = a, *y = b;
	int order = compare_u64(x->slide, y->slide);

	return order ? order : compare_u64(x->row, y->row);
}

/* The slide that most rows vote for; none when there is another with as many as half of them. */
static struct report_slide elect(struct votes *votes, uint64_t voters)
{
	struct report_slide best = {.voters = voters};
	uint64_t second = 0;

	if (votes->n)
		qsort(votes->list, votes->n, sizeof *votes->list, by_slide);
	for (size_t i = 0; i < votes->n;) {
		uint64_t slide = votes->list[i].slide, n = 0;

		for (size_t row = SIZE_MAX; i < votes->n && votes->list[i].slide == slide; i++) {
			n += votes->list[i].row != row;
			row = votes->list[i].row;
		}
		if (n > best.votes) {
			second = best.votes;
			best.votes = n;
			best.slide = slide;
		} else if (n > second) {
			second = n;
		}
	}
	best.known = best.votes > voters / 2 && best.votes > second * 2;
	return best;
}

/* The kernel of x86-64 slides by 2 MiB, others by less; a program by pages. */
static uint64_t granule_of(const struct report *report, const struct perf_image *image)
{
	if (!image->is_kernel)
		return 4096;
	for (size_t i = 0; i < report->nrows; i++)
		if (report->rows[i].has_code && report->rows[i].mode == MODE_KERNEL)
			return report->rows[i].code >= X86_KERNEL ? 2 << 20 : 64 << 10;
	return 2 << 20;
}

struct report_slide report_slide(const struct report *report, const struct perf_image *image)
{
	struct votes votes = {.granule = granule_of(report, image)};
	struct report_slide slide;
	uint64_t voters = 0;

	if (!image->functions)
		return (struct report_slide){0};
	for (size_t i = 0; i < report->nrows; i++) {
		const struct report_row *row = &report->rows[i];

		if (!row->has_code || !report_row_in_image(row, image))
			continue;
		votes.row = i;
		votes.of_row = 0;
		votes.is_known = false;
		ask_row(&votes, row, image);
		voters += votes.is_known;
	}
	slide = elect(&votes, voters);
	free(votes.list);
	return slide;
}
