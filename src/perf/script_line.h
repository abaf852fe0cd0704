/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One line of `perf script -F ...`. Which fields were asked for is seen from the lines themselves:
 * perf prints them in one order, whatever the order they were asked for in,
 *
 *	COMM PID/TID [CPU] TIME: PERIOD EVENT: ADDR DATA_SRC |TEXT
 *		WEIGHT INS_LAT IP SYM+OFF (DSO) PHYS
 *
 * and all but addr and data_src can be missing. Addresses are hexadecimal without 0x. TEXT is what
 * perf reads from DATA_SRC, not used here: it is cut where it is long, and says less. Source: what
 * perf 6.1 to 6.12 print.
 */
#ifndef PERF_SCRIPT_LINE_H
#define PERF_SCRIPT_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes of the line. */
struct piece {
	const char *s; /* NULL: not there */
	size_t len;
};

/* What the numbers behind the text are, which single lines cannot tell. */
struct script_shape {
	unsigned nweights; /* the first are weights: of the access, of the instruction */
	bool has_ip;       /* the next is the address of the code */
};

struct script_line {
	bool has_address;
	uint64_t address, data_src;
	struct piece comm, symbol, dso;
	int32_t pid, tid, cpu; /* -1: not there */
	bool has_time, has_weight, has_ip, has_symbol_offset, has_physical;
	uint64_t time, weight, ip, symbol_offset, physical;
};

/* Is it a line of an access, as far as it can be told from it alone? */
bool script_is_access(const char *line);

/* The shape of the lines at @text. */
struct script_shape script_find_shape(const char *text, size_t len);

/* False: it is not of an access. */
bool script_read_line(const char *line, const struct script_shape *shape, struct script_line *ret);

/* The first line of a call chain, which says where the code is; false: it is none. */
bool script_read_chain(const char *line, struct script_line *ret);

#endif
