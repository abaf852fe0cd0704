/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * BTF -> model, through libbpf (only btf/ includes it).
 *
 *	scan      every record and reference bounded, before libbpf sees the bytes
 *	load      libbpf, a module's BTF on its base, which types are wanted
 *	convert   one type -> struct type
 *
 * BTF knows no alignment, no file and no line: knows_align and knows_decl are false. It has a
 * definition of a name once, and only different ones twice. T d[] and T d[0] are one: the last
 * member of a struct is taken for the former. Bit-fields that could lie beyond 2 MiB have no
 * certain place (is_dynamic). Format: Documentation/bpf/btf.rst of Linux.
 */
#ifndef BTF_BTF_H
#define BTF_BTF_H

#include "elf/image.h"
#include "layout/model.h"

/* The image is raw BTF, or has a .BTF section. */
bool btf_present(struct image *image);

struct btf_options {
	unsigned pointer_bits; /* of a machine that the file does not name; 0: not known */
};

/*
 * @base: the image of the vmlinux that a module's split BTF stands on, or NULL; not looked at when
 * the image is no module's. Split BTF without its base is an error that says so. want->all is all
 * the module adds; a name that it does not define is looked for in the base.
 *
 * layout->target is image_target()'s. Raw BTF leaves arch unset (the caller may set it) and has the
 * byte order; a pointer is as large as a `long` there, if it has one, else as the options say.
 */
MUST_CHECK bool btf_read(struct image *image, struct image *base, const struct want *want,
			 const struct btf_options *options, struct err *err, struct layout **ret);

/* The image's BTF needs a base that it has not itself: it has no string at offset 0. */
bool btf_is_split(struct image *image);

#endif
