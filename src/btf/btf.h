/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * BTF -> model, through libbpf (only btf/ includes it). BTF knows no alignment, no file and no
 * line, and one definition a name (a module's on top of its base's): knows_align and knows_decl are
 * false. Format: Documentation/bpf/btf.rst of Linux.
 */
#ifndef BTF_BTF_H
#define BTF_BTF_H

#include "elf/image.h"
#include "layout/model.h"

/* The image is raw BTF, or has a .BTF section. */
bool btf_present(struct image *image);

/*
 * @base: the image of the vmlinux that a module's split BTF stands on, or NULL. Split BTF without
 * its base is an error that says so. The model holds what the module adds and what of the base it
 * embeds.
 */
MUST_CHECK bool btf_read(struct image *image, struct image *base, const struct want *want,
			 struct err *err, struct layout **ret);

/* The image's BTF needs a base: its first string offset or type id lies behind what it holds
 * itself. */
bool btf_is_split(struct image *image);

#endif
