/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The first look at foreign BTF: every record, string and reference is bounded here, byte by byte,
 * before libbpf (which trusts more than it should) is given the bytes.
 *
 * Format: Documentation/bpf/btf.rst of Linux. A header, type records numbered from 1 on in the
 * order they stand, and NUL-terminated strings whose first one is empty. Split BTF, a module's,
 * goes on where its base ends: its first type has the number after the base's last, its strings
 * begin at the offset where the base's end, and so its own string section has no empty string at
 * its start.
 */
#ifndef BTF_SCAN_H
#define BTF_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

/* Of the header, what every version 1 of it has. Later kernels have more behind that, and so does
 * struct btf_header of their headers, which therefore is no measure. */
enum { BTF_HEADER_SIZE = 24 };

struct btf_scan {
	const uint8_t *type_bytes, *string_bytes; /* the two sections, in the bytes scanned */
	uint32_t type_len, string_len;
	uint32_t types;        /* records, type 0 (void) not counted */
	bool is_split;         /* stands on a base */
	bool big_endian, swap; /* swap: not as this machine */
	/* The highest type number and string offset that a record refers to, and the number of a
	 * record that does. */
	uint32_t max_type, max_type_in;
	uint32_t max_name, max_name_in;
};

/*
 * The shape of the bytes: the header, and each record within its section. @first: the number of the
 * first type, 1 without a base. What records refer to is checked by btf_scan_refers_well().
 */
MUST_CHECK bool btf_scan(const void *data, size_t len, uint32_t first, const char *place,
			 struct err *err, struct btf_scan *ret);

/* Every reference leads to a type or string of this BTF or of its base (NULL: none). */
MUST_CHECK bool btf_scan_refers_well(const struct btf_scan *scan, const struct btf_scan *base,
				     const char *place, struct err *err);

#endif
