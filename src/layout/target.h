/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the image was built for: the facts that turn an offset into a cache line and a size into a
 * kmalloc bucket. Filled by elf/ (or by cli/ for raw BTF, which has no machine), read by everybody.
 */
#ifndef LAYOUT_TARGET_H
#define LAYOUT_TARGET_H

#include <stdbool.h>
#include <stdint.h>

struct kconfig; /* layout/kconfig.h */

/* A kernel release as rules compare it: 6.12 is {6, 12, 0}. */
struct kernel_version {
	unsigned major, minor, patch;
};

/* CONFIG_RANDSTRUCT: see layout/randomized.h. */
enum randomized { RANDOMIZED_UNTOLD, RANDOMIZED_NO, RANDOMIZED_YES };

struct target {
	const char *arch; /* "x86_64", as `uname -m` spells it; NULL: not known */
	unsigned bits;    /* 32 or 64; 0: not known */
	bool big_endian;
	uint64_t line; /* bytes in a cache line; 0: not known */
	bool has_kernel;
	struct kernel_version kernel;
	const char *release;  /* "6.12.57+deb13-amd64", or NULL */
	const char *build_id; /* lower-case hexadecimal, or NULL */
	const char *config; /* digest of its configuration, or NULL: not asked for, or not known */
	const struct kconfig *kconfig; /* the configuration itself, or NULL: neither, or a snapshot,
					  which keeps the digest alone */
	enum randomized randomized;
	const char *module; /* the module's name for a .ko, "vmlinux" for a kernel, NULL for
			       anything else */
};

/*
 * One row a machine that has a name here. `line` is the default size of its cache lines in bytes:
 * arch/<arch>/include/asm/cache.h of Linux (SMP_CACHE_BYTES, which is 1 << L1_CACHE_SHIFT but for
 * sparc); 0 where it differs between machines.
 */
struct arch {
	const char *name; /* as `uname -m` spells it */
	uint16_t machine; /* e_machine: EM_X86_64, ... */
	unsigned bits;    /* of a pointer in its kernel */
	bool big_endian; /* tells ppc64 from ppc64le; elsewhere the usual order, not the only one */
	uint64_t line;
};

/*
 * By e_machine, class (32 or 64 bits) and byte order, or by name (aliases amd64, arm64, i686, ...
 * included); NULL when unknown. An ABI with narrow pointers (x32) gives the row of its machine.
 */
const struct arch *arch_by_machine(unsigned machine, unsigned bits, bool big_endian);
const struct arch *arch_by_name(const char *name);

/* All names without aliases, for messages: "known are x86_64, i386, ...". */
const char *const *arch_names(unsigned *ret_n);

/* The i-th of all that arch_by_name() knows, aliases behind names; NULL behind the last. */
const char *arch_spelling(unsigned i);

/* Reads "6.12.57+deb13-amd64" or "6.5": major.minor[.patch], anything may follow. False: @ret is
 * untouched. */
bool kernel_version_parse(const char *release, struct kernel_version *ret);
/* Below, at or above 0 as @a is older than, the same as, or newer than @b. */
int kernel_version_compare(struct kernel_version a, struct kernel_version b);

#endif
