/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One run of `layoutcheck record`, and its parts: the kernel, the guest, what is kept. */
#ifndef CLI_RECORD_RUN_H
#define CLI_RECORD_RUN_H

#include "cli/common.h"
#include "cli/source.h"
#include "record/guest.h"
#include "record/machine.h"
#include "record/objects.h"
#include "record/tree.h"
#include "record/workdir.h"

struct record {
	struct common common;
	struct arena arena;
	const char *const *argv; /* of the whole command */
	const char *output;
	bool program; /* --user */
	const char *kernel, *vmlinux, *initramfs, *append, *from_symbol, *to_symbol;
	struct strings files; /* --add */
	bool marks, boot, report, objects;
	const char *against; /* the other side; NULL: nothing is compared */
	uint64_t runs;       /* of each side */
	uint64_t cpus, memory, line, quantum, cache_lines, time_limit;
	struct workload *workloads;
	size_t nworkloads;
	/* Of the run. */
	struct workdir workdir;
	struct source *source; /* of the vmlinux or the program */
	struct machine machine;
	const char *release;         /* of the kernel */
	struct objects_source slabs; /* with --objects */
	struct guest_status status;
	uint64_t hitm_period; /* HITM that a sample stands for */
};

/* The one workload is of the program at @path, with the same arguments. */
void record_set_program(struct record *record, const char *path);

/* Records once, into record->output, with what record_keep() leaves beside it. */
MUST_CHECK bool record_once(struct record *record, struct err *err);

/* Records both sides, prints what differs. Returns the exit status; with @err filled it is
 * EXIT_CANNOT. */
int record_against(const struct record *record, struct err *err);

/*
 * The path of what was built with the program (layoutcheck-init, layoutcheck-tcg.so): in the
 * directory it runs from, in the `build` below that, or where it was installed. NULL: nowhere.
 */
const char *record_helper(struct arena *arena, const char *name);

/* Finds the emulator in PATH; else an error that names Debian's package. */
MUST_CHECK bool record_find_qemu(const char *name, const char *package, struct arena *arena,
				 struct err *err, const char **ret);

/* Finds or fetches the kernel and its vmlinux, and opens that as record->source. */
MUST_CHECK bool record_find_kernel(struct record *record, struct err *err);

/* What the plugin has to know of the kernel: where the running task is, and the addresses of
 * --from-symbol and --to-symbol. */
MUST_CHECK bool record_kernel_facts(struct record *record, struct err *err);

/* What is asked of the layouts of its structs, in bytes; one that is not there is an error. */
struct record_facts {
	struct record *record;
	const struct layout *layout;
	struct err *err;
};
MUST_CHECK bool record_size(const struct record_facts *facts, const char *type_name, uint64_t *ret);
MUST_CHECK bool record_offset(const struct record_facts *facts, const char *type_name,
			      const char *member, uint64_t *ret);

/* What the walk over its slabs has to know of it. */
MUST_CHECK bool record_slab_facts(struct record *record, struct err *err);

/*
 * Boots it and waits for the workloads to end; record->status says how they did. An error is a
 * guest that did not get so far, for whatever reason, and one that ran another build.
 */
MUST_CHECK bool record_run_guest(struct record *record, struct err *err);

/* Runs the program that is to be recorded, as record_run_guest() does a guest. */
MUST_CHECK bool record_run_program(struct record *record, struct err *err);

/* Makes record->output, and what lies beside it, of the trace. */
MUST_CHECK bool record_keep(struct record *record, struct err *err);

#endif
