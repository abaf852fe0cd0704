/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lib/judged.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "rule/pack.h"

void judge_pack(const struct layout *layout, const char *yaml, const struct check_options *options,
		struct judged *ret)
{
	struct pack_errors errors;
	struct buf text = BUF_INIT;
	bool ok;

	buf_addf(&text, "layoutcheck: 1\n%s", yaml);
	pack_errors_init(&errors);
	packs_init(&ret->packs);
	ok = packs_parse(&ret->packs, "p.yaml", text.s, text.len, &errors) &&
	     packs_finish(&ret->packs, &errors);
	if (!ok)
		fail_msg("the pack of this test is wrong:\n%s", errors.text.s);
	pack_errors_release(&errors);
	buf_release(&text);
	findings_init(&ret->findings);
	check_run(&ret->packs, layout, options, &ret->findings);
}

static void add_indented(struct buf *buf, const char *first, const char *rest, const char *text)
{
	const char *indent = first;

	while (*text) {
		size_t len = strcspn(text, "\n");

		buf_addf(buf, "%s%.*s\n", indent, (int)len, text);
		text += len + (text[len] == '\n');
		indent = rest;
	}
}

void judge_rule_text(const struct layout *layout, const char *block, const char *rule,
		     struct judged *ret)
{
	const struct check_options options = {.all = true};
	struct buf text = BUF_INIT;

	buf_adds(&text, "structs:\n  s:\n");
	if (block)
		add_indented(&text, "    ", "    ", block);
	buf_adds(&text, "    rules:\n");
	add_indented(&text, "      - ", "        ", rule);
	judge_pack(layout, text.s, &options, ret);
	buf_release(&text);
}

void judged_release(struct judged *judged)
{
	findings_release(&judged->findings);
	packs_release(&judged->packs);
}

const struct finding *only_finding(const struct judged *judged)
{
	if (judged->findings.n != 1) {
		for (size_t i = 0; i < judged->findings.n; i++)
			print_error("%s: %s\n", outcome_name(judged->findings.items[i].outcome),
				    judged->findings.items[i].message);
		fail_msg("%zu findings where one was expected", judged->findings.n);
	}
	return &judged->findings.items[0];
}

void assert_has(const char *text, const char *part)
{
	if (!part && !text)
		return;
	if (!part || !text || !strstr(text, part))
		fail_msg("got      %s\n     expected %s", text ? text : "nothing",
			 part ? part : "nothing");
}

void assert_outcome(const struct layout *layout, const char *yaml, enum outcome outcome,
		    const char *part)
{
	const struct check_options options = {.all = true};
	const struct finding *finding;
	struct judged judged;

	judge_pack(layout, yaml, &options, &judged);
	finding = only_finding(&judged);
	if (finding->outcome != outcome)
		fail_msg("%s, not %s: %s", outcome_name(finding->outcome), outcome_name(outcome),
			 finding->message);
	assert_has(finding->message, part);
	judged_release(&judged);
}
