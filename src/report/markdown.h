/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Markdown as GitHub and GitLab read it, for a comment: the verdict first. */
#ifndef REPORT_MARKDOWN_H
#define REPORT_MARKDOWN_H

#include "report/report.h"

extern const struct format format_markdown;

#endif
