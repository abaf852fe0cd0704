/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Workflow commands of GitHub Actions: an annotation for each finding. */
#ifndef REPORT_GITHUB_H
#define REPORT_GITHUB_H

#include "report/report.h"

extern const struct format format_github;

#endif
