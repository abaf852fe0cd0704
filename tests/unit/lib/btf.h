/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the tests of src/btf share: BTF that compilers write, BTF made with libbpf's writer, and
 * what is said about it. */
#ifndef TESTS_BTF_H
#define TESTS_BTF_H

#include <bpf/btf.h>

#include "btf/load.h"

extern const struct want everything;

/* Group setup: a scratch directory with one source as gcc.btf and gcc32.btf (by pahole), bpfel.btf
 * and bpfeb.btf (by clang, in both byte orders). */
int make_fixtures(void **state);

/* The types 1 to 3: int, long, struct base { int x; }. */
struct btf *small_btf(void);

/* The bytes as libbpf would write them; from the first call on, changes to @btf go unseen. */
struct btf_bytes of_btf(const struct btf *btf, const char *place);

/* Loads everything that is wanted, or fails the test. */
struct layout *load(struct btf_bytes own, const struct btf_bytes *base, const struct want *want,
		    unsigned bits);

/* Loading fails, with a sentence that has @part in it. The second one frees @btf. */
void refuses(struct btf_bytes own, const struct btf_bytes *base, const char *part);
void refuses_btf(struct btf *btf, const char *part);

/* The one definition of that name. */
const struct def *find(const struct layout *layout, const char *text);

/*
 * The members are these, a line each: name ("-": none), offset and size in bits, flags, and with
 * @types the spelling; those of an anonymous struct follow it, a blank deeper.
 */
void expect_members(const struct def *def, bool types, const char *expected);

#endif
