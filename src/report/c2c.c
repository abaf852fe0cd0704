/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/c2c.h"

#include <inttypes.h>

struct figures figures_of(const struct c2c_counts *counts)
{
	return (struct figures){
		.hitm = counts->hitm,
		.local = counts->hits[HIT_LOCAL_HITM] + counts->hits[HIT_LOCAL_PEER],
		.remote = counts->hits[HIT_REMOTE_HITM] + counts->hits[HIT_REMOTE_PEER],
		.records = counts->samples,
		.loads = counts->loads,
		.stores = counts->stores,
		.l1_hit = counts->store_l1,
		.l1_miss = counts->store_l1_miss,
		.unknown = counts->store_unknown,
		.lfb = counts->hits[HIT_LFB],
		.l1 = counts->hits[HIT_L1],
		.l2 = counts->hits[HIT_L2],
		.llc = counts->hits[HIT_LLC],
		.remote_hit = counts->hits[HIT_REMOTE_CACHE],
		.local_dram = counts->hits[HIT_LOCAL_DRAM],
		.remote_dram = counts->hits[HIT_REMOTE_DRAM],
	};
}

/* perf's loads are what it put into classes, one load in two of them twice. */
static struct figures as_perf_counts(const uint64_t perf[PERF_COUNTERS])
{
	struct figures figures = {
		.hitm = perf[PERF_LCL_HITM] + perf[PERF_RMT_HITM],
		.local = perf[PERF_LCL_HITM],
		.remote = perf[PERF_RMT_HITM],
		.stores = perf[PERF_STORE],
		.l1_hit = perf[PERF_ST_L1HIT],
		.l1_miss = perf[PERF_ST_L1MISS],
		.unknown = perf[PERF_ST_NA],
		.lfb = perf[PERF_LD_FBHIT],
		.l1 = perf[PERF_LD_L1HIT],
		.l2 = perf[PERF_LD_L2HIT],
		.llc = perf[PERF_LD_LLCHIT],
		.remote_hit = perf[PERF_RMT_HIT],
		.local_dram = perf[PERF_LCL_DRAM],
		.remote_dram = perf[PERF_RMT_DRAM],
	};

	figures.loads = figures.local_dram + figures.remote_dram + figures.remote +
			figures.remote_hit + figures.lfb + figures.l1 + figures.l2 + figures.llc +
			figures.local;
	figures.records = figures.loads + figures.l1_hit + figures.l1_miss + figures.unknown;
	return figures;
}

struct figures figures_of_line(const struct c2c_print *print, const struct c2c_line *line)
{
	return print->perf_counts ? as_perf_counts(line->perf) : figures_of(&line->counts);
}

uint64_t figures_hitm(const struct c2c_print *print)
{
	const struct c2c_report *report = print->report;

	return print->perf_counts ? as_perf_counts(report->perf).hitm : report->total.hitm;
}

void add_percent(struct buf *out, int width, uint64_t some, uint64_t all)
{
	buf_addf(out, "%*.2f%%", width, all ? 100.0 * (double)some / (double)all : 0.0);
}

void add_object_place(struct buf *out, const struct c2c_object *object)
{
	if (object->offset)
		buf_addf(out, " %+" PRId64, object->offset);
	if (object->is_percpu && object->cpu >= 0)
		buf_addf(out, " (cpu %" PRId32 ")", object->cpu);
}

void add_functions(struct buf *out, const char *word, const char *const *names, size_t n,
		   escaper *escape)
{
	enum { MOST = 3 };

	if (n)
		buf_addf(out, " %s ", word);
	for (size_t i = 0; i < n && i < MOST; i++) {
		if (i)
			buf_adds(out, ", ");
		escape(out, names[i]);
	}
	if (n > MOST)
		buf_addf(out, " and %zu more", n - MOST);
}

bool has_starts(const struct c2c_object *object)
{
	return object->nstarts && (object->floats || object->starts[0]);
}

void add_starts(struct buf *out, const struct c2c_object *object)
{
	enum { MOST = 8 };

	buf_adds(out, "this type ");
	add_count(out, object->seen, "object begins", "objects begin");
	for (size_t i = 0; i < object->nstarts && i < MOST; i++)
		buf_addf(out, "%s%" PRIu64, i ? ", " : " ", object->starts[i]);
	buf_addf(out, "%s bytes into a line: aligned to %" PRIu64 " at most",
		 object->nstarts > MOST ? ", ..." : "", object->alignment);
}

void add_needed(struct buf *out, const struct c2c_line *line, const struct c2c_pair *pair)
{
	if (!line->pairs_recorded)
		return;
	buf_adds(out, " (");
	add_percent(out, 0, pair->needed, pair->recorded);
	buf_adds(out, " needed it)");
}

size_t told_pairs(const struct c2c_line *line)
{
	enum { MOST = 8, LEAST_PERCENT = 1 };
	size_t n = 0;

	while (n < line->npairs && n < MOST &&
	       line->pairs[n].hitm * 100 >= line->counts.hitm * LEAST_PERCENT)
		n++;
	return n;
}

void add_named(struct buf *out, const struct c2c_report *report)
{
	const struct {
		uint64_t n;
		const char *word;
	} parts[] = {{report->outermost, " outermost, "},
		     {report->inner, " inner struct, "},
		     {report->scalar, " scalar, "},
		     {report->unnamed, " unnamed"}};
	uint64_t all = report->outermost + report->inner + report->scalar + report->unnamed;

	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
		add_percent(out, 0, parts[i].n, all);
		buf_adds(out, parts[i].word);
	}
	for (size_t i = 0, n = 0; i < CLAIM_REASONS; i++) {
		if (!report->unnamed_by_reason[i])
			continue;
		buf_addf(out, "%s%s %" PRIu64, n++ ? ", " : " (",
			 claim_none_text((enum claim_none)i), report->unnamed_by_reason[i]);
	}
	if (report->unnamed)
		buf_addc(out, ')');
}

void add_slabs(struct buf *out, const struct c2c_line *line, uint64_t line_size,
	       void (*escape)(struct buf *, const char *))
{
	for (size_t i = 0; i < line->nslabs; i++) {
		const struct line_object *slab = &line->slabs[i];
		uint64_t first = line->address > slab->start ? line->address - slab->start : 0;
		uint64_t last = slab->size - 1;

		if (slab->start + last - line->address >= line_size)
			last = line->address + (line_size - 1) - slab->start;
		buf_addf(out, "%sbytes %" PRIu64 " to %" PRIu64 " of an object of ", i ? ", " : "",
			 first, last);
		escape(out, slab->cache);
		buf_addf(out, " (%" PRIu64 " bytes)", slab->size);
	}
	if (line->fit == FIT_EXACT)
		buf_adds(out, ": the object named");
	if (line->fit == FIT_NOT)
		buf_adds(out, ": not the object named, which was freed or is a mistake");
}
