/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The reader of report texts: rows -> accesses. Of the loads that are no HITM only the table says
 * what served them, by the line; of rows that perf left out only the line is known at all.
 */
#include <stdlib.h>

#include "base/math.h"
#include "perf/report_slide.h"

enum { MOST_TEXT = 1 << 29 };

#define BIT(counter) ((uint64_t)1 << (counter))

/* What becomes of the samples of a counter. */
struct kind {
	enum access_op op;
	enum access_hit hit;
	uint64_t perf_counts;
};

static const struct kind hitm_kinds[METRICS] = {
	[METRIC_REMOTE] = {ACCESS_LOAD, HIT_REMOTE_HITM, BIT(PERF_LOAD) | BIT(PERF_RMT_HITM)},
	[METRIC_LOCAL] = {ACCESS_LOAD, HIT_LOCAL_HITM, BIT(PERF_LOAD) | BIT(PERF_LCL_HITM)},
	[METRIC_L1_HIT] = {ACCESS_STORE, HIT_L1, BIT(PERF_STORE) | BIT(PERF_ST_L1HIT)},
	[METRIC_L1_MISS] = {ACCESS_STORE, HIT_L1_MISS, BIT(PERF_STORE) | BIT(PERF_ST_L1MISS)},
	[METRIC_NO_LEVEL] = {ACCESS_STORE, HIT_UNKNOWN, BIT(PERF_STORE) | BIT(PERF_ST_NA)},
};
static const struct kind peer_kinds[] = {
	[METRIC_REMOTE] = {ACCESS_LOAD, HIT_REMOTE_PEER,
			   BIT(PERF_LOAD) | BIT(PERF_RMT_PEER) | BIT(PERF_RMT_HIT)},
	[METRIC_LOCAL] = {ACCESS_LOAD, HIT_LOCAL_PEER, BIT(PERF_LOAD) | BIT(PERF_LCL_PEER)},
};
static const struct kind other_load = {ACCESS_LOAD, HIT_UNKNOWN, BIT(PERF_LOAD)};

/* What served the other loads of a line, as the table has it. */
static const struct {
	enum report_total total;
	struct kind kind;
} level_kinds[] = {
	{TOTAL_LFB, {ACCESS_LOAD, HIT_LFB, BIT(PERF_LOAD) | BIT(PERF_LD_FBHIT)}},
	{TOTAL_L1, {ACCESS_LOAD, HIT_L1, BIT(PERF_LOAD) | BIT(PERF_LD_L1HIT)}},
	{TOTAL_L2, {ACCESS_LOAD, HIT_L2, BIT(PERF_LOAD) | BIT(PERF_LD_L2HIT)}},
	{TOTAL_LLC, {ACCESS_LOAD, HIT_LLC, BIT(PERF_LOAD) | BIT(PERF_LD_LLCHIT)}},
	{TOTAL_REMOTE_CACHE, {ACCESS_LOAD, HIT_REMOTE_CACHE, BIT(PERF_LOAD) | BIT(PERF_RMT_HIT)}},
	{TOTAL_LOCAL_DRAM, {ACCESS_LOAD, HIT_LOCAL_DRAM, BIT(PERF_LOAD) | BIT(PERF_LCL_DRAM)}},
	{TOTAL_REMOTE_DRAM, {ACCESS_LOAD, HIT_REMOTE_DRAM, BIT(PERF_LOAD) | BIT(PERF_RMT_DRAM)}},
};

/* While the accesses are handed on. */
struct pass {
	struct recording *recording;
	const struct recording_run *run;
	const struct report *report;
	bool has_slide;
	uint64_t slide;
	uint64_t start, end; /* where variables of the image can be, in its own addresses */
	uint64_t served[ARRAY_SIZE(level_kinds)]; /* loads of this line not handed on yet */
};

static bool hand_on(struct pass *pass, struct access *access, const struct kind *kind, uint64_t n,
		    uint64_t mean)
{
	if (n == 0)
		return true;
	access->n = n;
	access->op = kind->op;
	access->hit = kind->hit;
	access->perf_counts = kind->perf_counts;
	if (kind->hit == HIT_REMOTE_HITM && pass->report->counts_remote_twice)
		access->perf_counts |= BIT(PERF_RMT_DRAM);
	access->has_weight = mean > 0;
	access->weight = mean;
	pass->recording->facts.accesses = add_capped(pass->recording->facts.accesses, n);
	return pass->run->fn(pass->run->arg, access);
}

static const struct kind *kind_of(const struct report *report, enum report_metric metric)
{
	return report->is_peer && metric < ARRAY_SIZE(peer_kinds) ? &peer_kinds[metric]
								  : &hitm_kinds[metric];
}

static struct access access_at(const struct pass *pass, uint64_t address)
{
	struct access access = {.has_address = true,
				.address = address,
				.pid = -1,
				.tid = -1,
				.cpu = -1,
				.node = -1};

	if (pass->has_slide && address - pass->slide >= pass->start &&
	    address - pass->slide < pass->end) {
		access.has_image_address = true;
		access.image_address = address - pass->slide;
	}
	return access;
}

static const char *keep(struct pass *pass, struct text text)
{
	return text.len ? arena_strndup(&pass->recording->arena, text.s, text.len) : NULL;
}

static bool is_in_image(const struct pass *pass, const struct report_row *row)
{
	return pass->has_slide && row->has_code && row->code >= pass->slide &&
	       report_row_in_image(row, pass->run->image);
}

static uint64_t less(uint64_t a, uint64_t b)
{
	return a > b ? a - b : 0;
}

/* Those of the table without what is counted elsewhere: each load once. */
static uint64_t level_loads(const struct report *report, const uint64_t *total,
			    enum report_total level)
{
	uint64_t in_l2 = less(total[TOTAL_LOCAL_PEER], total[TOTAL_LLC]);

	switch (level) {
	case TOTAL_LLC:
		return less(total[TOTAL_LLC], total[TOTAL_LOCAL_PEER]);
	case TOTAL_L2:
		return less(total[TOTAL_L2], in_l2);
	case TOTAL_REMOTE_CACHE:
		return less(total[TOTAL_REMOTE_CACHE], total[TOTAL_REMOTE_PEER]);
	case TOTAL_REMOTE_DRAM:
		return report->counts_remote_twice
			       ? less(total[TOTAL_REMOTE_DRAM], total[TOTAL_REMOTE_HITM])
			       : total[TOTAL_REMOTE_DRAM];
	default:
		return total[level];
	}
}

/*
 * Loads that are no HITM. The table says what served those of a line, and nobody which row they are
 * of: the rows draw on what the line has, so that its sums are right.
 */
static bool hand_on_others(struct pass *pass, struct access *access, uint64_t n, uint64_t mean)
{
	for (size_t i = 0; i < ARRAY_SIZE(level_kinds); i++) {
		uint64_t some = min_u64(n, pass->served[i]);

		pass->served[i] -= some;
		n -= some;
		if (!hand_on(pass, access, &level_kinds[i].kind, some, mean))
			return false;
	}
	return hand_on(pass, access, &other_load, n, mean);
}

static void begin_line(struct pass *pass, const struct report_entry *entry)
{
	for (size_t i = 0; i < ARRAY_SIZE(level_kinds); i++)
		pass->served[i] =
			entry ? level_loads(pass->report, entry->total, level_kinds[i].total) : 0;
}

static bool hand_on_row(struct pass *pass, const struct report_group *group,
			const struct report_row *row)
{
	struct access access = access_at(pass, group->address + row->offset);

	access.mode = row->mode;
	access.has_ip = row->has_code;
	access.ip = row->code;
	if (is_in_image(pass, row)) {
		access.has_image_ip = true;
		access.image_ip = row->code - pass->slide;
	}
	access.pid = row->pid;
	access.tid = row->tid;
	access.cpus = row->cpus;
	access.nodes = row->nodes;
	access.symbol = keep(pass, row->symbol);
	access.object = keep(pass, row->object);
	access.comm = keep(pass, row->comm);
	for (int i = 0; i < METRICS; i++)
		if (!hand_on(pass, &access, kind_of(pass->report, (enum report_metric)i),
			     row->count[i], i <= METRIC_LOCAL ? row->mean[i] : 0))
			return false;
	return hand_on_others(pass, &access, row->others, row->mean[MEAN_LOAD]);
}

/* What the rows of a line leave of its counters, and of the loads that the table gives it. */
static bool hand_on_rest(struct pass *pass, const struct report_group *group)
{
	const struct report *report = pass->report;
	struct access access = access_at(pass, group->address);
	uint64_t sum[METRICS] = {0}, loads = 0;

	for (size_t i = 0; i < group->nrows; i++) {
		const struct report_row *row = &report->rows[group->first + i];

		for (int m = 0; m < METRICS; m++)
			sum[m] = add_capped(sum[m], row->count[m]);
		loads = add_capped(loads, row->others);
	}
	access.is_of_line = true;
	for (int m = 0; m < METRICS; m++)
		if (!hand_on(pass, &access, kind_of(report, (enum report_metric)m),
			     less(group->count[m], sum[m]), 0))
			return false;
	if (group->entry == SIZE_MAX)
		return true;
	loads = add_capped(loads, group->count[METRIC_REMOTE]);
	loads = add_capped(loads, group->count[METRIC_LOCAL]);
	if (report->counts_remote_twice)
		loads = add_capped(loads, group->count[METRIC_REMOTE]);
	return hand_on_others(pass, &access,
			      less(report->entries[group->entry].total[TOTAL_LOADS], loads), 0);
}

/* A line of the table that the Pareto lacks. */
static bool hand_on_entry(struct pass *pass, const struct report_entry *entry)
{
	static const struct {
		enum report_total total;
		const struct kind *kind;
	} kinds[] = {
		{TOTAL_REMOTE_HITM, &hitm_kinds[METRIC_REMOTE]},
		{TOTAL_LOCAL_HITM, &hitm_kinds[METRIC_LOCAL]},
		{TOTAL_REMOTE_PEER, &peer_kinds[METRIC_REMOTE]},
		{TOTAL_LOCAL_PEER, &peer_kinds[METRIC_LOCAL]},
		{TOTAL_L1_HIT, &hitm_kinds[METRIC_L1_HIT]},
		{TOTAL_L1_MISS, &hitm_kinds[METRIC_L1_MISS]},
		{TOTAL_NO_LEVEL, &hitm_kinds[METRIC_NO_LEVEL]},
	};
	struct access access = access_at(pass, entry->address);
	uint64_t loads = 0;

	access.is_of_line = true;
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		if (!hand_on(pass, &access, kinds[i].kind, entry->total[kinds[i].total], 0))
			return false;
	begin_line(pass, entry);
	for (size_t i = 0; i < ARRAY_SIZE(level_kinds); i++)
		loads = add_capped(loads, pass->served[i]);
	return hand_on_others(pass, &access, loads, 0);
}

static bool hand_on_all(struct pass *pass)
{
	const struct report *report = pass->report;

	for (size_t i = 0; i < report->ngroups; i++) {
		const struct report_group *group = &report->groups[i];

		begin_line(pass, group->entry == SIZE_MAX ? NULL : &report->entries[group->entry]);
		for (size_t row = 0; row < group->nrows; row++)
			if (!hand_on_row(pass, group, &report->rows[group->first + row]))
				return false;
		if (!hand_on_rest(pass, group))
			return false;
	}
	for (size_t i = 0; i < report->nentries; i++)
		if (!report->entries[i].in_pareto && !hand_on_entry(pass, &report->entries[i]))
			return false;
	return true;
}

/* Says when code addresses cannot be told, or not all of them can be true. */
static void note_slide(struct report *report, const struct report_slide *slide,
		       const struct perf_image *image)
{
	unsigned long long votes = slide->votes, voters = slide->voters;

	if (slide->known && votes == voters)
		return;
	if (slide->known)
		report_note(report,
			    "%s: %llu of %llu rows name a function that %s has elsewhere: is it of "
			    "another build?",
			    report->place, voters - votes, voters, image->path);
	else if (voters)
		report_note(report,
			    "%s: where %s was loaded is not known: at most %llu of the %llu rows "
			    "that name a function of it agree",
			    report->place, image->path, votes, voters);
	else
		report_note(report,
			    "%s: where %s was loaded is not known: no row names a function of it",
			    report->place, image->path);
}

static void find_slide(struct pass *pass, struct report *report)
{
	struct recording_facts *facts = &pass->recording->facts;
	const struct perf_image *image = pass->run->image;
	struct report_slide slide = report_slide(report, image);

	pass->has_slide = slide.known;
	pass->slide = slide.slide;
	pass->end = UINT64_MAX;
	if (image->is_kernel) {
		if (!image->symbol || !image->symbol(image->arg, "_text", &pass->start) ||
		    !image->symbol(image->arg, "_end", &pass->end))
			pass->start = pass->end = 0;
		facts->has_slide = slide.known;
		facts->slide = slide.slide;
	}
	if (report->nrows)
		note_slide(report, &slide, image);
}

static bool open_report(struct recording *recording, struct err *err)
{
	struct recording_facts *facts = &recording->facts;
	struct report *report = xcalloc(1, sizeof *report);
	struct bytes text;

	recording->state = report;
	if (!input_rest(&recording->input, MOST_TEXT, err, &text) ||
	    !report_parse(recording->input.place, &text, err, report))
		return false;
	report_counts(report);
	facts->events = report->events;
	facts->nevents = report->nevents;
	facts->report_line = report->line_size;
	facts->samples = report->records;
	facts->notes = report->notes;
	facts->nnotes = report->nnotes;
	return true;
}

static bool read_report(struct recording *recording, const struct recording_run *run,
			struct err *err)
{
	struct report *report = recording->state;
	struct pass pass = {.recording = recording, .run = run, .report = report};
	bool ok;

	(void)err; /* only the one who takes the accesses can fail */
	if (run->image)
		find_slide(&pass, report);
	ok = hand_on_all(&pass);
	recording->facts.notes = report->notes;
	recording->facts.nnotes = report->nnotes;
	return ok;
}

static void close_report(struct recording *recording)
{
	if (recording->state)
		report_release(recording->state);
	free(recording->state);
}

const struct recording_reader reader_report = {
	.kind = RECORDING_REPORT,
	.probe = report_probe,
	.open = open_report,
	.read = read_report,
	.close = close_report,
};
