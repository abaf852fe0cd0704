/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A rule pack, up to a NUL, judged on a snapshot, the rest; what it finds in every format. */
#include <string.h>

#include "cli/views.h"
#include "fuzz.h"
#include "layout/snapshot.h"
#include "report/report.h"
#include "rule/check.h"

static void print(const struct packs *packs, const struct layout *layout,
		  const struct findings *findings)
{
	struct arena arena;
	struct check_report report = {
		.layout = layout,
		.line = 64,
		.findings = findings,
		.fail_on = SEVERITY_WARNING,
		.has_margin = true,
		.margin = 8,
	};

	arena_init(&arena);
	views_of_findings(&report, packs, 0, &arena);
	for (size_t i = 0; formats[i]; i++) {
		struct report_style style = {0};
		struct buf out = BUF_INIT;

		if (formats[i]->check)
			formats[i]->check(&report, 1, &style, &out);
		buf_release(&out);
	}
	arena_release(&arena);
}

static void judge(const struct packs *packs, const struct layout *layout)
{
	const struct check_options options = {.all = true, .has_margin = true, .margin = 8};
	struct findings findings;

	findings_init(&findings);
	check_run(packs, layout, &options, &findings);
	for (size_t i = 0; i < findings.n; i++)
		fuzz_want(findings.items[i].rule && findings.items[i].subject,
			  "a finding says which rule it is of, and of what");
	print(packs, layout, &findings);
	findings_release(&findings);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data;
	size_t words = strnlen(text, size), rest = words < size ? size - words - 1 : 0;
	struct layout *layout = NULL;
	struct pack_errors errors;
	struct packs packs;
	struct err err = ERR_INIT;

	packs_init(&packs);
	pack_errors_init(&errors);
	if (rest && packs_parse(&packs, "pack.yaml", text, words, &errors) &&
	    packs_finish(&packs, &errors)) {
		bool ok = snapshot_read(text + words + 1, rest, "snapshot", &err, &layout);

		fuzz_answer(ok, &err);
		if (ok)
			judge(&packs, layout);
	}
	layout_free(layout);
	pack_errors_release(&errors);
	packs_release(&packs);
	return 0;
}
