/* SPDX-License-Identifier: GPL-2.0-or-later */
/* record --against: two kernels, or two programs, recorded the same way several times, and which
 * members gained or lost HITM by more than the runs of one differ. */
#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "base/mem.h"
#include "cli/progress.h"
#include "cli/record_run.h"
#include "cli/recorded.h"
#include "record/against.h"

/* ---- one run -------------------------------------------------------------------------------- */

/* HITM by the name of what was read, one item a row. */
static void count_rows(const struct record *record, const struct c2c_report *report,
		       struct arena *arena, struct against_run *ret)
{
	struct against_count *counts = NULL;
	size_t n = 0;

	for (size_t i = 0; i < report->nlines; i++)
		for (size_t k = 0; k < report->lines[i].nrows; k++) {
			const struct c2c_row *row = &report->lines[i].rows[k];

			if (!row->counts.hitm)
				continue;
			counts = arena_grow(arena, counts, n, sizeof *counts);
			counts[n++] = (struct against_count){
				arena_strdup(arena, row->name ? row->name : "(no name)"),
				row->counts.hitm * record->hitm_period};
		}
	ret->counts = counts;
	ret->n = n;
}

static bool count(struct record *record, struct arena *arena, struct err *err,
		  struct against_run *ret)
{
	const struct recorded_options options = {.progress = WHEN_NEVER};
	struct strings paths = {0};
	struct recorded recorded = {0};
	bool ok = record->source ||
		  source_open(record->workloads[0].words[0], &record->common, err, &record->source);

	strings_add(&paths, record->output);
	ok = ok && recorded_open(&paths, record->source, &options, err, &recorded);
	if (ok)
		count_rows(record, &recorded.report, arena, ret);
	recorded_close(&recorded);
	strings_release(&paths);
	return ok;
}

/* What a workload does that fails is not the same work. */
static bool has_worked(const struct record *record, struct err *err)
{
	return (!record->status.exit && !record->status.signal) ||
	       err_set(err, record->workloads[record->status.ended - 1].words[0],
		       "it failed, so that there is nothing to compare");
}

/* The other program under the same arguments, or the other kernel with the same workload. */
static void take_other(struct record *record, const char *other)
{
	if (record->program) {
		record_set_program(record, other);
		return;
	}
	record->kernel = other;
	record->vmlinux = NULL;
}

/* @base: as the command line has it; NULL @other: that itself. */
static bool run_once(const struct record *base, const char *other, struct arena *arena,
		     struct err *err, struct against_run *ret)
{
	struct record record = *base;
	char *output;
	bool ok;

	record.arena = (struct arena){0};
	if (!workdir_begin(err, &record.workdir))
		return false;
	output = workdir_path(&record.workdir, "perf.data");
	record.output = output;
	if (other)
		take_other(&record, other);
	ok = record_once(&record, err) && has_worked(&record, err) &&
	     count(&record, arena, err, ret);
	source_close(record.source);
	free(output);
	workdir_end(&record.workdir);
	arena_release(&record.arena);
	return ok;
}

/* ---- all of them ---------------------------------------------------------------------------- */

/* In turn, so that what changes on the host meanwhile changes both. */
static bool run_all(const struct record *record, struct arena *arena, struct err *err,
		    struct against_side sides[2])
{
	for (size_t i = 0; i < 2; i++)
		sides[i] = (struct against_side){
			arena_array(arena, record->runs, sizeof *sides[i].runs), record->runs};
	for (size_t run = 0; run < record->runs; run++)
		for (size_t i = 0; i < 2; i++)
			if (!run_once(record, i ? record->against : NULL, arena, err,
				      (struct against_run *)&sides[i].runs[run]))
				return false;
	return true;
}

static void add_range(struct buf *out, const struct against_range *range)
{
	struct buf text = BUF_INIT;

	buf_addf(&text, "%.0f (%llu-%llu)", range->mean, (unsigned long long)range->least,
		 (unsigned long long)range->most);
	buf_addf(out, " %24s", text.s);
	buf_release(&text);
}

static void add_changes(struct buf *out, const struct record *record,
			const struct against_change *changes, size_t n, size_t *ret_gained)
{
	size_t same = 0;

	buf_addf(out, "%6s %24s %24s  %s\n", "HITM", "before", "after", "member");
	for (size_t i = 0; i < n; i++) {
		const struct against_change *change = &changes[i];

		if (change->fate != AGAINST_GAINED && change->fate != AGAINST_LOST) {
			same++;
			continue;
		}
		*ret_gained += change->fate == AGAINST_GAINED;
		buf_addf(out, "%6s", change->fate == AGAINST_GAINED ? "gained" : "lost");
		add_range(out, &change->before);
		add_range(out, &change->after);
		buf_adds(out, "  ");
		escape_text(out, change->name);
		buf_addc(out, '\n');
	}
	buf_addf(out, "%llu runs of each: %zu more member%s differ%s no more than runs do\n",
		 (unsigned long long)record->runs, same, same == 1 ? "" : "s",
		 same == 1 ? "s" : "");
}

int record_against(const struct record *record, struct err *err)
{
	struct arena arena = {0};
	struct against_side sides[2];
	const struct against_change *changes;
	struct buf out = BUF_INIT;
	size_t n, gained = 0;
	int status = EXIT_CANNOT;

	if (run_all(record, &arena, err, sides)) {
		changes = against_compare(&sides[0], &sides[1], &arena, &n);
		add_changes(&out, record, changes, n, &gained);
		if (write_output(NULL, &out))
			status = gained ? EXIT_FINDINGS : EXIT_CLEAN;
	}
	buf_release(&out);
	arena_release(&arena);
	return status;
}
