/* SPDX-License-Identifier: GPL-2.0-or-later */
/* layoutcheck diff: what changed in the layouts of one build against another. */
#include "diff/diff.h"
#include "layout/randomized.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "cli/common.h"
#include "cli/groups.h"
#include "cli/observed.h"
#include "cli/rules.h"
#include "cli/types.h"
#include "cli/views.h"
#include "cli/waive.h"
#include "layout/data.h"
#include "rule/check.h"

enum side { OLD, NEW, SIDES };

struct diff {
	struct common common;
	struct diff_options options;
	struct strings recordings; /* --c2c */
	struct recorded recorded;  /* on the old build */
	struct strings types;      /* names asked for, each once; in `arena` */
	bool strict;
	struct packs packs;
	struct waive_options waive;
	struct waivers waivers;
	struct groups groups;
	struct named_variables variables;
	struct strings sections; /* --variables */
	struct arena arena;
	struct source *sources[SIDES];
	struct layout *layouts[SIDES];
	struct findings findings[SIDES];
	struct changes changes;
	struct strings missing; /* of the types asked for, those on no side */
};

/* ---- reading ------------------------------------------------------------------------------- */

static void add_wanted(struct diff *diff, const struct source *source, struct want_list *names)
{
	for (size_t i = 0; i < diff->types.n; i++)
		want_list_add(names, type_ref_parse(&diff->arena, diff->types.items[i]).name);
	want_list_add(names, randomized_telltale);
	check_wanted(&diff->packs, source_target(source), names);
}

static bool read_sides(struct diff *diff, struct err *err)
{
	struct want_list names[SIDES] = {0};
	struct want wants[SIDES];
	const struct want *both[SIDES];
	bool ok;

	for (size_t i = 0; i < SIDES; i++) {
		if (diff->types.n)
			add_wanted(diff, diff->sources[i], &names[i]);
		wants[i] = diff->types.n ? want_list_finish(&names[i]) : want_all;
		wants[i].variables =
			diff->sections.n ||
			check_wants_variables(&diff->packs, source_target(diff->sources[i]));
		both[i] = &wants[i];
	}
	ok = source_read_both(diff->sources, both, err, diff->layouts);
	for (size_t i = 0; i < SIDES; i++)
		want_list_release(&names[i]);
	return ok;
}

static bool open_sides(struct diff *diff, struct err *err)
{
	for (size_t i = 0; i < SIDES; i++)
		if (!source_open(diff->common.images.items[i], &diff->common, err,
				 &diff->sources[i]))
			return false;
	return true;
}

/* A name that neither side knows is a mistake of whoever asks. */
static void find_missing(struct diff *diff)
{
	for (size_t i = 0; i < diff->types.n; i++) {
		struct type_ref ref = type_ref_parse(&diff->arena, diff->types.items[i]);

		if (layout_find(diff->layouts[OLD], ref, &diff->arena).n ||
		    layout_find(diff->layouts[NEW], ref, &diff->arena).n)
			continue;
		types_say_missing(diff->sources[NEW], diff->types.items[i]);
		strings_add(&diff->missing, diff->types.items[i]);
	}
}

static bool has_section(const struct data_table *data, const char *name)
{
	for (size_t i = 0; *name && i < data->nsections; i++)
		if (strcmp(data->sections[i].name, name) == 0)
			return true;
	return false;
}

/* So is a section that NEW has not; and where a side does not say where variables are, there would
 * be no change that could be told. */
static bool can_tell_variables(const struct diff *diff)
{
	for (size_t i = 0; diff->sections.n && i < SIDES; i++) {
		const struct layout *side = diff->layouts[i];

		if (side->data && !side->data->unknown)
			continue;
		say_error("diff: option `--variables`: %s: %s", side->path,
			  side->data ? side->data->unknown : "it does not tell variables");
		return false;
	}
	for (size_t i = 0; i < diff->sections.n; i++) {
		if (has_section(diff->layouts[NEW]->data, diff->sections.items[i]))
			continue;
		say_error("diff: option `--variables`: %s has no section `%s`",
			  diff->layouts[NEW]->path, diff->sections.items[i]);
		return false;
	}
	return true;
}

/* ---- comparing ------------------------------------------------------------------------------- */

/* What a waiver says of a change, in words. */
static const struct waiver *waiver_of_change(void *context, const struct change *change,
					     bool *ret_over)
{
	struct diff *diff = context;
	const struct waiver *waiver;
	struct buf what = BUF_INIT;

	buf_addf(&what, "%s of %s", change_rows[change->kind].name, change->subject);
	waiver = waivers_of_change(&diff->waivers, change->fingerprint, what.s);
	buf_release(&what);
	*ret_over = waiver && waiver_is_over(&diff->waivers, waiver);
	return waiver;
}

static void judge_sides(struct diff *diff)
{
	struct check_options options = {.line = diff->common.line, .all = true};

	check_run(&diff->packs, diff->layouts[OLD], &options, &diff->findings[OLD]);
	options.waivers = &diff->waivers;
	check_run(&diff->packs, diff->layouts[NEW], &options, &diff->findings[NEW]);
	groups_of_packs(&diff->packs, source_target(diff->sources[NEW]), &diff->findings[NEW],
			&diff->arena, &diff->groups);
	/* Of some types alone, variables are not the question. */
	if (!diff->types.n)
		variables_of_packs(&diff->packs, source_target(diff->sources[NEW]),
				   &diff->variables);
	diff->options.variables = diff->variables.items;
	diff->options.nvariables = diff->variables.n;
	diff->options.sections = diff->sections.items;
	diff->options.nsections = diff->sections.n;
	diff->options.waiver_of = waiver_of_change;
	diff->options.waiver_context = diff;
	diff->options.groups = diff->groups.items;
	diff->options.ngroups = diff->groups.n;
	diff->options.old_findings = &diff->findings[OLD];
	diff->options.new_findings = &diff->findings[NEW];
}

/* Types drawn of whole images: of two kernels hundreds are remarkable, which nobody looks through
 * and no mail takes. */
enum { MOST_DRAWN = 40 };

/* The changes, type by type. */
static void fill_types(struct diff *diff, struct diff_report *report)
{
	const struct changes *changes = &diff->changes;
	struct diff_type *types = arena_array(&diff->arena, changes->n, sizeof *types),
			 *type = NULL;

	for (size_t i = 0; i < changes->n; i++) {
		const struct change *change = &changes->items[i];

		if (!type || type->old_def != change->old_def || type->new_def != change->new_def ||
		    strcmp(type->subject, change->subject) != 0) {
			type = &types[report->ntypes++];
			*type = (struct diff_type){.subject = change->subject,
						   .old_def = change->old_def,
						   .new_def = change->new_def,
						   .is_remarkable = diff->types.n != 0,
						   .changes = change};
		}
		type->n++;
		if (change->severity > SEVERITY_NOTE)
			type->is_remarkable = true;
	}
	report->types = types;
	if (diff->common.format->draws)
		views_of_changes(report, types, diff->types.n ? 0 : MOST_DRAWN, &diff->packs,
				 diff->common.line, &diff->arena);
}

static bool print(struct diff *diff)
{
	struct report_style style = common_style(&diff->common);
	struct diff_report report = {
		.before = diff->layouts[OLD],
		.after = diff->layouts[NEW],
		.line = diff_line(diff->layouts[OLD], diff->layouts[NEW], &diff->options),
		.cpus = diff->options.cpus,
		.changes = &diff->changes,
		.strict = diff->strict,
		.missing = diff->missing.items,
		.nmissing = diff->missing.n,
	};
	struct buf out = BUF_INIT;
	bool written;

	fill_types(diff, &report);
	report.has_recording = diff->recordings.n != 0;
	if (report.has_recording)
		report.hot = observe_changes(&diff->recorded, diff->layouts[NEW], &diff->arena,
					     &report.nhot);
	diff->common.format->diff(&report, &style, &out);
	written = write_output(diff->common.output, &out);
	buf_release(&out);
	return written;
}

static bool some_fail(const struct diff *diff)
{
	for (size_t i = 0; i < diff->changes.n; i++)
		if (change_fails(&diff->changes.items[i], diff->strict))
			return true;
	return false;
}

/* Waivers that silence nothing, behind what there is to warn of. */
static void warn_of_unmatched(struct diff *diff)
{
	struct changes *changes = &diff->changes;
	const struct waivers *waivers = &diff->waivers;
	const char **all =
		arena_array(&changes->arena, changes->nwarnings + waivers->n, sizeof *all);
	size_t n = 0;

	for (; n < changes->nwarnings; n++)
		all[n] = changes->warnings[n];
	for (size_t i = 0; i < waivers->n; i++) {
		enum waivers_scope scope = diff->types.n ? WAIVERS_DIFF_SOME : WAIVERS_DIFF;

		all[n] = waivers_describe_unmatched(waivers, i, scope, &changes->arena);
		n += all[n] != NULL;
	}
	changes->warnings = all;
	changes->nwarnings = n;
}

static bool read_recordings(struct diff *diff)
{
	const struct recorded_options options = {.progress = (enum when)diff->common.progress,
						 .line = diff->common.line};
	struct err err = ERR_INIT;

	if (!diff->recordings.n ||
	    recorded_open(&diff->recordings, diff->sources[OLD], &options, &err, &diff->recorded))
		return true;
	say_err(&err);
	return false;
}

static int compare(struct diff *diff)
{
	const char *refusal =
		diff_refusal(diff->layouts[OLD], diff->layouts[NEW], &diff->options, &diff->arena);

	if (refusal) {
		say_error("%s", refusal);
		return EXIT_CANNOT;
	}
	if (!can_tell_variables(diff) || !read_recordings(diff))
		return EXIT_CANNOT;
	find_missing(diff);
	judge_sides(diff);
	diff_run(diff->layouts[OLD], diff->layouts[NEW], &diff->options, &diff->changes);
	if (!waive_finish(&diff->waivers))
		return EXIT_CANNOT;
	warn_of_unmatched(diff);
	if (!print(diff) || diff->missing.n)
		return EXIT_CANNOT;
	return some_fail(diff) ? EXIT_FINDINGS : EXIT_CLEAN;
}

static int diff_images(struct diff *diff)
{
	struct err err = ERR_INIT;

	if (diff->common.images.n != SIDES) {
		say_error("diff: two images are compared, OLD and NEW");
		return EXIT_CANNOT;
	}
	if (!rules_load(&diff->common, false, &diff->packs) ||
	    !waive_open("diff", &diff->waive, &diff->packs, &diff->waivers))
		return EXIT_CANNOT;
	if (!open_sides(diff, &err) || !read_sides(diff, &err)) {
		say_err(&err);
		return EXIT_CANNOT;
	}
	return compare(diff);
}

/* ---- options ------------------------------------------------------------------------------- */

/* KIND,... each of which becomes an error. */
static bool set_fail_kinds(const struct strings *words, struct diff *diff)
{
	struct strings kinds = {0};
	bool ok = true;

	for (size_t i = 0; i < words->n; i++)
		types_add(&kinds, words->items[i], &diff->arena);
	if (words->n && !kinds.n) {
		say_error("diff: option `--fail-kind` names no kind");
		ok = false;
	}
	for (size_t i = 0; i < kinds.n && ok; i++) {
		const char *names[CHANGE_KINDS];
		struct buf text = BUF_INIT;
		enum change_kind kind;

		ok = change_kind_find(kinds.items[i], &kind);
		if (ok) {
			diff->options.fails[kind] = true;
			continue;
		}
		for (size_t k = 0; k < CHANGE_KINDS; k++)
			names[k] = change_rows[k].name;
		buf_addf(&text, "diff: option `--fail-kind`: there is no kind `%s`",
			 kinds.items[i]);
		add_suggestion(&text, kinds.items[i], "", names, CHANGE_KINDS);
		say_error("%s", text.s);
		buf_release(&text);
	}
	strings_release(&kinds);
	return ok;
}

/* More processors than any kernel can be built for. */
enum { MOST_CPUS = 1 << 20 };

static bool set_options(struct diff *diff, const struct strings *types, const struct strings *kinds,
			bool has_cpus, uint64_t cpus)
{
	for (size_t i = 0; i < types->n; i++)
		types_add(&diff->types, types->items[i], &diff->arena);
	if (types->n && !diff->types.n) {
		say_error("diff: option `--type` names no type");
		return false;
	}
	if (has_cpus && (!cpus || cpus > MOST_CPUS)) {
		say_error("diff: option `--cpus`: %llu is no number of processors",
			  (unsigned long long)cpus);
		return false;
	}
	diff->options.types = diff->types.items;
	diff->options.ntypes = diff->types.n;
	diff->options.cpus = (unsigned)cpus;
	diff->options.line = diff->common.line;
	return set_fail_kinds(kinds, diff);
}

static void diff_release(struct diff *diff)
{
	recorded_close(&diff->recorded);
	strings_release(&diff->recordings);
	changes_release(&diff->changes);
	groups_release(&diff->groups);
	named_variables_release(&diff->variables);
	strings_release(&diff->sections);
	for (size_t i = 0; i < SIDES; i++) {
		findings_release(&diff->findings[i]);
		layout_free(diff->layouts[i]);
		source_close(diff->sources[i]);
	}
	waivers_release(&diff->waivers);
	waive_options_release(&diff->waive);
	packs_release(&diff->packs);
	strings_release(&diff->types);
	strings_release(&diff->missing);
	common_release(&diff->common);
	arena_release(&diff->arena);
}

static int run_diff(int argc, char **argv)
{
	struct diff diff = {0};
	struct strings types = {0}, kinds = {0};
	bool has_cpus = false;
	uint64_t cpus = 0;
	const struct option_row rows[] = {
		OPT_LIST('C', "type", "NAME[,NAME...]", &types,
			 "compare these types; repeatable (default: all)"),
		OPT_LIST(0, "fail-kind", "KIND[,KIND...]", &kinds,
			 "changes of these kinds are errors; repeatable"),
		OPT_LIST(0, "variables", "SECTION", &diff.sections,
			 "tell who came onto the lines of any variable of the\n"
			 "section; repeatable (default: of those that rules name)"),
		OPT_FLAG(0, "strict", &diff.strict, "exit 1 for any change that is not waived"),
		OPT_INPUTS(0, "c2c", "RECORDING", &diff.recordings,
			   "what perf c2c recorded on OLD: which of its fights NEW\n"
			   "ends or begins; repeatable"),
		WAIVE_ROWS(diff.waive),
		OPT_NUMBER(0, "cpus", "N", &cpus, &has_cpus,
			   "tell objects a slab, on a machine with N processors"),
	};
	int status;

	packs_init(&diff.packs);
	changes_init(&diff.changes);
	for (size_t i = 0; i < SIDES; i++)
		findings_init(&diff.findings[i]);
	if (common_parse(argc, argv, &command_diff, rows, ARRAY_SIZE(rows), &diff.common,
			 &status) == COMMON_GO) {
		diff.common.wants_config = true;
		status = EXIT_CANNOT;
		if (set_options(&diff, &types, &kinds, has_cpus, cpus))
			status = diff_images(&diff);
	}
	strings_release(&types);
	strings_release(&kinds);
	diff_release(&diff);
	return status;
}

static bool has_format(const struct format *format)
{
	return format->diff;
}

const struct command command_diff = {
	.name = "diff",
	.run = run_diff,
	.synopsis = "[options] OLD NEW",
	.summary = "compare the layouts of two builds",
	.about = "Compares the layouts of two binaries: which members moved, which cache lines "
		 "they\n"
		 "crossed, who their new neighbours are, and which rules that held are broken. "
		 "Exits 0\n"
		 "when nothing of that is an error, 1 when something is, 2 when the job could not "
		 "be\n"
		 "done.",
	.has_format = has_format,
};
