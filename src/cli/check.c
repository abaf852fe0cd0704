/* SPDX-License-Identifier: GPL-2.0-or-later */
/* layoutcheck check: judges the rules of packs on binaries. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "cli/baseline.h"
#include "cli/common.h"
#include "cli/observed.h"
#include "cli/rules.h"
#include "cli/source.h"
#include "cli/views.h"
#include "cli/waive.h"
#include "layout/randomized.h"
#include "rule/check.h"
#include "rule/write.h"

/* What one image gave. */
struct result {
	struct source *source;
	struct layout *layout;
	struct findings findings;
	struct changes changes; /* since the baseline */
	struct recorded recorded;
	struct strings warnings;
};

struct check {
	struct common common;
	struct check_options options;
	int fail_on; /* enum severity */
	bool allow_unknown, bisect;
	bool kernel_groups;        /* judge the groups that the source marks */
	const char *baseline_path; /* --baseline, or NULL */
	struct baseline *baseline;
	struct strings recordings; /* --c2c */
	struct packs packs;
	struct waive_options waive;
	struct waivers waivers;
	struct result *results;
	struct check_report *reports; /* of the result at the same index */
	size_t n;
	struct strings unread; /* images that could not be read */
	struct arena arena;    /* for what is drawn */
};

/* ---- one image ----------------------------------------------------------------------------- */

static bool read_image(struct check *check, const char *path, struct err *err,
		       struct result *result)
{
	struct want_list names = {0};
	struct want want;
	bool ok;

	if (!source_open(path, &check->common, err, &result->source))
		return false;
	check_wanted(&check->packs, source_target(result->source), &names);
	if (source_target(result->source)->module &&
	    source_target(result->source)->randomized == RANDOMIZED_UNTOLD)
		want_list_add(&names, randomized_telltale);
	want = want_list_finish(&names);
	want.all = check->kernel_groups;
	want.variables = check_wants_variables(&check->packs, source_target(result->source));
	ok = source_read(result->source, &want, err, &result->layout);
	want_list_release(&names);
	if (!ok)
		source_close(result->source);
	return ok;
}

/* --cacheline, else what all packs say with one voice, else the machine's; 0: not known. */
static uint64_t line_in_force(const struct check *check, const struct layout *layout)
{
	uint64_t line = check->packs.n ? check->packs.items[0].cacheline : 0;

	for (size_t i = 1; i < check->packs.n; i++)
		if (check->packs.items[i].cacheline != line)
			line = 0;
	return check->common.line || !line ? layout->target.line : line;
}

static void warn(const struct check *check, uint64_t line, struct result *result)
{
	const struct findings *findings = &result->findings;

	if (!line)
		strings_add(&result->warnings,
			    "the size of a cache line is not known: give --arch or --cacheline");
	/* With a baseline, that tells it of both. */
	if (!check->baseline && layout_is_randomized(result->layout, &result->findings.arena))
		strings_add(&result->warnings, randomized_warning);
	/* Of a single image this is an error, and said as one. */
	if (check->common.images.n > 1 && !findings_judged(findings))
		strings_add(&result->warnings, "no rule could be judged on this image");
	for (size_t i = 0; i < findings->nremarks; i++)
		strings_add(&result->warnings, findings->remarks[i]);
	/* Lines have been spoken of. */
	for (size_t i = 0; i < result->changes.nwarnings && line; i++)
		strings_add(&result->warnings, result->changes.warnings[i]);
}

static void result_release(struct result *result)
{
	recorded_close(&result->recorded);
	findings_release(&result->findings);
	changes_release(&result->changes);
	strings_release(&result->warnings);
	layout_free(result->layout);
	source_close(result->source);
}

/*
 * The groups that the source marks, as a pack of rules on them: the one that `rules from-markers`
 * writes, which is where the findings say that their rules stand.
 */
static bool check_markers(const struct check *check, uint64_t line, struct err *err,
			  struct result *result)
{
	struct buf text = BUF_INIT;
	struct pack_errors errors;
	struct packs packs;
	bool ok = true;

	packs_init(&packs);
	pack_errors_init(&errors);
	if (!pack_write_markers(result->layout, line, &text)) {
		strings_add(&result->warnings, "no type has groups that its source marks");
	} else if (packs_parse(&packs, "from-markers", text.s, text.len, &errors)) {
		packs.items[0].tells = true;
		check_run(&packs, result->layout, &check->options, &result->findings);
	} else {
		ok = err_set(err, NULL, "%s: what its source marks makes no pack: %s",
			     result->layout->path, errors.text.s);
	}
	pack_errors_release(&errors);
	packs_release(&packs);
	buf_release(&text);
	return ok;
}

static bool check_image(struct check *check, const char *path, struct err *err)
{
	struct result *result = &check->results[check->n];
	uint64_t line;

	if (!read_image(check, path, err, result))
		return false;
	findings_init(&result->findings);
	changes_init(&result->changes);
	check->waivers.image = check->n;
	check_run(&check->packs, result->layout, &check->options, &result->findings);
	line = line_in_force(check, result->layout);
	if ((check->kernel_groups && !check_markers(check, line, err, result)) ||
	    (check->baseline && !baseline_explain(check->baseline, result->layout, line,
						  &result->findings, err, &result->changes))) {
		result_release(result);
		return false;
	}
	warn(check, line, result);
	if (check->recordings.n &&
	    !observe_findings(&check->recordings, result->source, &check->common, &check->packs,
			      &result->findings, &result->warnings, err, &result->recorded)) {
		result_release(result);
		return false;
	}
	check->reports[check->n++] = (struct check_report){
		.layout = result->layout,
		.line = line,
		.findings = &result->findings,
		.warnings = result->warnings.items,
		.nwarnings = result->warnings.n,
		.fail_on = (enum severity)check->fail_on,
		.allow_unknown = check->allow_unknown,
		.has_margin = check->options.has_margin,
		.margin = check->options.margin,
	};
	return true;
}

/* ---- the verdict --------------------------------------------------------------------------- */

/* Of two revisions whose structs cannot be judged none is the one that broke something. */
static int verdict(const struct check *check)
{
	int status = EXIT_CLEAN;

	for (size_t i = 0; i < check->n; i++)
		for (size_t k = 0; k < check->results[i].findings.n; k++) {
			const struct finding *finding = &check->results[i].findings.items[k];

			if (!finding_fails(finding, (enum severity)check->fail_on,
					   check->allow_unknown))
				continue;
			if (finding->outcome == OUTCOME_BROKEN || !check->bisect)
				return EXIT_FINDINGS;
			status = EXIT_CANNOT;
		}
	return status;
}

/* A run that judged nothing must not look like one that passed. */
static bool judged_something(const struct check *check)
{
	struct summary sum = {0};

	for (size_t i = 0; i < check->n; i++) {
		const struct summary *summary = &check->results[i].findings.summary;

		if (findings_judged(&check->results[i].findings))
			return true;
		sum.unknown += summary->unknown;
		sum.not_applicable += summary->not_applicable;
	}
	if (sum.unknown || sum.not_applicable)
		say_error("nothing was checked: %zu not applicable, %zu unknown (--all lists them)",
			  sum.not_applicable, sum.unknown);
	else
		say_error("nothing was checked: there are no rules");
	return false;
}

static bool open_baseline(struct check *check)
{
	struct err err = ERR_INIT;

	if (!check->baseline_path || baseline_open(check->baseline_path, &check->common,
						   &check->packs, &err, &check->baseline))
		return true;
	say_err(&err);
	return false;
}

static int check_images(struct check *check)
{
	struct report_style style = common_style(&check->common);
	size_t n = check->common.images.n;
	struct buf out = BUF_INIT;
	bool written = true;

	check->results = xcalloc(n, sizeof *check->results);
	check->reports = xcalloc(n, sizeof *check->reports);
	for (size_t i = 0; i < n; i++) {
		struct err err = ERR_INIT;

		if (!check_image(check, check->common.images.items[i], &err)) {
			say_err(&err);
			strings_add(&check->unread, check->common.images.items[i]);
		}
	}
	if ((!check->n && !check->common.format->tells_unread) || !waive_finish(&check->waivers))
		return EXIT_CANNOT;
	/* What could not be read may have what a waiver names. */
	for (size_t i = 0; i < check->n && !check->unread.n; i++)
		waivers_tell_unmatched(&check->waivers, i, &check->results[i].findings);
	for (size_t i = 0; i < check->n && check->common.format->draws; i++)
		views_of_findings(&check->reports[i], &check->packs, check->common.line,
				  &check->arena);
	style.several = n > 1;
	style.unread = check->unread.items;
	style.nunread = check->unread.n;
	check->common.format->check(check->reports, check->n, &style, &out);
	written = write_output(check->common.output, &out);
	buf_release(&out);
	if (!written || !check->n || !judged_something(check) || check->unread.n)
		return EXIT_CANNOT;
	return verdict(check);
}

static void check_release(struct check *check)
{
	for (size_t i = 0; i < check->n; i++)
		result_release(&check->results[i]);
	baseline_close(check->baseline);
	free(check->results);
	free(check->reports);
	strings_release(&check->unread);
	waivers_release(&check->waivers);
	waive_options_release(&check->waive);
	packs_release(&check->packs);
	strings_release(&check->recordings);
	common_release(&check->common);
	arena_release(&check->arena);
}

static const struct choice severities[] = {{"error", SEVERITY_ERROR},
					   {"warning", SEVERITY_WARNING},
					   {"note", SEVERITY_NOTE},
					   {NULL, 0}};

/* What `git bisect run` takes for a build that cannot be tested. */
enum { BISECT_SKIP = 125 };

static int run_check(int argc, char **argv)
{
	struct check check = {.fail_on = SEVERITY_ERROR};
	const struct option_row rows[] = {
		OPT_CHOICE(0, "fail-on", "SEVERITY", &check.fail_on, severities,
			   "exit 1 for findings from this severity up: error\n"
			   "(default), warning or note"),
		OPT_FLAG(0, "allow-unknown", &check.allow_unknown,
			 "what the image cannot tell fails nothing"),
		OPT_FLAG(0, "all", &check.options.all,
			 "list the rules that hold or do not apply, too"),
		OPT_FLAG(0, "kernel-groups", &check.kernel_groups,
			 "judge the groups that the source marks with\n"
			 "__cacheline_group_begin(); packs only where -r gives some"),
		OPT_NUMBER(0, "margin", "N", &check.options.margin, &check.options.has_margin,
			   "note rules that hold with less than N bytes to spare"),
		OPT_INPUT(0, "baseline", "IMAGE", &check.baseline_path,
			  "an older build: causes are what changed since"),
		OPT_INPUTS(0, "c2c", "RECORDING", &check.recordings,
			   "what perf c2c recorded on the image: each finding's share\n"
			   "of it; repeatable"),
		WAIVE_ROWS(check.waive),
		OPT_FLAG(0, "bisect", &check.bisect,
			 "exit 125 instead of 2, and when all that fails is\n"
			 "missing or unknown, for git bisect run"),
		JOIN_ROW(check.common),
	};
	enum common_result result;
	int status;

	packs_init(&check.packs);
	result = common_parse(argc, argv, &command_check, rows, ARRAY_SIZE(rows), &check.common,
			      &status);
	if (check.bisect)
		die_with(BISECT_SKIP);
	if (result == COMMON_GO) {
		check.options.line = check.common.line;
		check.options.all = check.options.all || check.common.format->wants_all;
		check.options.waivers = &check.waivers;
		check.common.wants_config = check.baseline_path != NULL;
		status = EXIT_CANNOT;
		if (((check.kernel_groups && !check.common.rules.n) ||
		     rules_load(&check.common, true, &check.packs)) &&
		    waive_open("check", &check.waive, &check.packs, &check.waivers) &&
		    open_baseline(&check))
			status = check_images(&check);
	}
	if (check.bisect && status == EXIT_CANNOT)
		status = BISECT_SKIP;
	check_release(&check);
	return status;
}

static bool has_format(const struct format *format)
{
	return format->check;
}

const struct command command_check = {
	.name = "check",
	.run = run_check,
	.synopsis = "[options] [IMAGE...]",
	.summary = "judge the layout rules of packs on binaries",
	.about = "Judges the layout rules of packs on binaries, from DWARF or BTF. Without IMAGE, "
		 "on\n"
		 "the running kernel. Exits 0 when no finding fails, 1 when one does, 2 when the\n"
		 "job could not be done.",
	.has_format = has_format,
};
