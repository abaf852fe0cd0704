/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The smallest compile units that define types, as `cu` names them. */
#ifndef REPORT_UNITS_H
#define REPORT_UNITS_H

#include "report/report.h"

/* Of one definition. */
struct unit_row {
	const struct def *def;
	const char *object;   /* what make builds; NULL: no unit is known, nor what follows */
	const char *unit;     /* as DW_AT_name has it */
	const char *comp_dir; /* or NULL */
	uint64_t bytes;       /* of the unit in .debug_info */
};

/*
 * "fs/file.o: files_struct (include/linux/fdtable.h:38, 704 bytes): ...", a line each that has a
 * unit; when quiet the objects alone.
 */
void text_units(const struct unit_row *rows, size_t n, const struct report_style *style,
		struct buf *out);

/* {"version","image",
 *  "types":[{"name","size","decl","cus","unit":{"object","name","comp_dir","bytes"}|null}]} */
void json_units(const struct layout *layout, const struct unit_row *rows, size_t n,
		struct buf *out);

#endif
