/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The formats there are. To add one: its row beside its functions, its name here. */
#include "report/report.h"

#include <string.h>

#include "report/github.h"
#include "report/gitlab.h"
#include "report/html.h"
#include "report/json.h"
#include "report/junit.h"
#include "report/markdown.h"
#include "report/sarif.h"
#include "report/tap.h"
#include "report/text.h"

const struct format *const formats[] = {
	&format_text,   &format_json,   &format_html,     &format_sarif, &format_junit,
	&format_github, &format_gitlab, &format_markdown, &format_tap,   NULL,
};

const struct format *format_find(const char *name)
{
	for (const struct format *const *format = formats; *format; format++)
		if (strcmp((*format)->name, name) == 0)
			return *format;
	return NULL;
}
