/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Facts about the running kernel, for raw BTF from /sys/kernel/btf, which says nothing about its
 * machine. */
#ifndef ELF_KERNEL_H
#define ELF_KERNEL_H

#include "base/err.h"
#include "base/mem.h"
#include "layout/target.h"

#define RUNNING_BTF_DIR "/sys/kernel/btf/"
#define RUNNING_BTF     RUNNING_BTF_DIR "vmlinux"

/* The path is below /sys/kernel/btf of this machine. */
bool is_running_btf(const char *path);

/* Machine and release from uname(2), build id from /sys/kernel/notes. Strings in @arena. */
void running_target(struct arena *arena, struct target *ret);

#endif
