/* SPDX-License-Identifier: GPL-2.0-or-later */
/* SARIF 2.1.0 (OASIS), for code scanning: a run for each image. */
#ifndef REPORT_SARIF_H
#define REPORT_SARIF_H

#include "report/report.h"

extern const struct format format_sarif;

#endif
