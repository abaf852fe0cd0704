/* SPDX-License-Identifier: GPL-2.0-or-later */
/* layoutcheck rules export: rules for the compiler. */
#include "cli/rules_cmd.h"
#include "cli/source.h"
#include "rule/check.h"
#include "rule/export.h"

static int write_export(const struct common *common, const struct export_options *options,
			const struct packs *packs)
{
	struct export_counts counts;
	struct buf out = BUF_INIT;
	bool ok;

	packs_export(packs, options, &out, &counts);
	ok = write_output(common->output, &out);
	buf_release(&out);
	if (!ok)
		return EXIT_CANNOT;
	if (counts.asserted)
		return EXIT_CLEAN;
	say_error("rules: none of the %zu rules can be asserted", counts.others);
	return EXIT_FINDINGS;
}

/* With what the image says of the types. */
static int export_like(const struct common *common, struct export_options *options,
		       const struct packs *packs, struct source *source)
{
	struct want_list names = {0};
	struct err err = ERR_INIT;
	int status = EXIT_CANNOT;
	struct layout *layout;
	struct want want;

	check_wanted(packs, source_target(source), &names);
	want = want_list_finish(&names);
	if (source_read(source, &want, &err, &layout)) {
		options->like = layout;
		status = write_export(common, options, packs);
		layout_free(layout);
	} else {
		say_err(&err);
	}
	want_list_release(&names);
	return status;
}

int rules_export(const struct common *common, const struct rules_export *options,
		 const struct packs *packs)
{
	struct export_options how = {.from = (enum severity)options->fail_on, .line = common->line};
	struct err err = ERR_INIT;
	struct source *source;
	int status;

	if (!options->image)
		return write_export(common, &how, packs);
	if (!source_open(options->image, common, &err, &source)) {
		say_err(&err);
		return EXIT_CANNOT;
	}
	status = export_like(common, &how, packs, source);
	source_close(source);
	return status;
}
