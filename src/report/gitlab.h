/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Code quality of GitLab: one list of findings for all images. */
#ifndef REPORT_GITLAB_H
#define REPORT_GITLAB_H

#include "report/report.h"

extern const struct format format_gitlab;

#endif
