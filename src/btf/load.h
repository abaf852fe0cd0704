/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Bytes of BTF -> layout: what btf_read() does once it has the bytes of the sections. */
#ifndef BTF_LOAD_H
#define BTF_LOAD_H

#include "base/err.h"
#include "btf/scan.h"
#include "layout/model.h"

struct btf_bytes {
	const void *data;
	size_t len;
	const char *place; /* for errors: the path */
};

/*
 * @base: what split BTF stands on; not looked at when @own is not split; NULL: none. @pointer_bits:
 * of the machine, 0 when nobody knows; the size of `long` tells, too, and must agree. Fills the
 * layout's source, defs, and of its target the byte order and, as far as known, the bits.
 */
MUST_CHECK bool btf_load(const struct btf_bytes *own, const struct btf_bytes *base,
			 const struct want *want, unsigned pointer_bits, struct err *err,
			 struct layout **ret);

#endif
