/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Every kind of rule on layouts made by hand: a case that fires, near misses, and what cannot be
 * told. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "lib/judged.h"
#include "lib/kind_cases.h"
#include "rule/kind.h"

static void try_case(const struct kind_case *c)
{
	struct layout *layout =
		model_new(c->arch ? c->arch : "x86_64", c->no_line ? 0 : 64, c->source);
	const struct finding *finding;
	struct judged judged;
	char margin[32];

	layout->target.has_kernel = true;
	layout->target.kernel = (struct kernel_version){6, 12, 0};
	model_define(layout, "pair", 16, "x@0:8 y@8:8");
	model_define(layout, "s", c->size, c->members);
	judge_rule_text(layout, c->block, c->rule, &judged);
	finding = only_finding(&judged);
	assert_string_equal(finding->message, c->message);
	assert_string_equal(outcome_name(finding->outcome), outcome_name(c->outcome));
	if (!finding->cause || !c->cause)
		assert_has(finding->cause, c->cause);
	else
		assert_string_equal(finding->cause, c->cause);
	snprintf(margin, sizeof margin, "%llu", (unsigned long long)finding->margin);
	assert_string_equal(finding->has_margin ? margin : "none", c->margin ? c->margin : "none");
	assert_has(finding->nnotes ? finding->notes[0] : NULL, c->note);
	assert_string_equal(finding->kind, c->kind);
	judged_release(&judged);
	layout_free(layout);
}

#define FILES_704                                                                                  \
	"count@0:4 resize_in_progress@4:1 resize_wait@8:8x3 fdt@32:8 fdtab@40:8x7 "                \
	"file_lock@128:4!64 next_fd@132:4 close_on_exec_init@136:8x1 open_fds_init@144:8x1 "       \
	"full_fds_bits_init@152:8x1 fd_array@160:8x64"

static const struct kind_case size_cases[] = {
	{"size", 72, FDTABLE_72, "size: 64", OUTCOME_BROKEN, .message = "size is 72, wanted 64",
	 .cause = "next (offset 64) opened line 1; free_files (offset 56, 8 bytes) filled line 0 "
		  "before it"},
	{"size", 56, FDTABLE_56, "size: 56", OUTCOME_HOLDS, .message = "size is 56, wanted 56",
	 .margin = "0"},
	{"size", 56, FDTABLE_56, "size: \"<= 64\"", OUTCOME_HOLDS,
	 .message = "size is 56, wanted <= 64", .margin = "8"},
	{"size", 56, FDTABLE_56, "size: \"< 64\"", OUTCOME_HOLDS,
	 .message = "size is 56, wanted < 64", .margin = "0"},
	{"size", 56, FDTABLE_56, "size: \"<= 48\"", OUTCOME_BROKEN,
	 .message = "size is 56, wanted <= 48",
	 .cause = "rcu (offset 40, 16 bytes) is the first to reach past byte 48"},
	{"size", 56, FDTABLE_56, "size: \">= 64\"", OUTCOME_BROKEN,
	 .message = "size is 56, wanted >= 64",
	 .cause = "rcu (offset 40, 16 bytes) is the last member"},
	{"size", 56, FDTABLE_56, "size: \">= 56\"", OUTCOME_HOLDS,
	 .message = "size is 56, wanted >= 56"},
	{"size", 56, FDTABLE_56, "size: \"!= 56\"", OUTCOME_BROKEN,
	 .message = "size is 56, wanted != 56",
	 .cause = "rcu (offset 40, 16 bytes) is the last member"},
	{"size", 56, FDTABLE_56, "size: power-of-two", OUTCOME_BROKEN,
	 .message = "size is 56, not a power of two; it lands in kmalloc-64",
	 .cause = "full_fds_bits (offset 32, 8 bytes) is the first to reach past byte 32"},
	/* The last member leaves 4 bytes that a member more can have. */
	{"size", 32, "a@0:8 b@8:8 c@16:8 d@24:4", "size: power-of-two", OUTCOME_HOLDS,
	 .message = "size is 32, a power of two; it lands in kmalloc-32", .margin = "4"},
	{"size", 100, "a@0:4x25", "size: \"% 64\"", OUTCOME_BROKEN,
	 .message = "size is 100, wanted a multiple of 64",
	 .cause = "a (offset 0, 100 bytes) is the first to reach past byte 64"},
	{"size", 128, "a@0:4x25!64", "size: \"% 64\"", OUTCOME_HOLDS,
	 .message = "size is 128, wanted a multiple of 64"},
	{"size", 128, "a@0:8x16", "size: \"% 64\"", OUTCOME_HOLDS,
	 .message = "size is 128, wanted a multiple of 64", .margin = "0"},
	/* The emptiest line is the one to save. */
	{"size", 256, "usage@0:8 emin@64:8x8!64 low@128:8!64 high@192:8x8!64", "size: \"<= 192\"",
	 OUTCOME_BROKEN, .message = "size is 256, wanted <= 192",
	 .cause = "low (offset 128) opened line 2; emin (offset 64, 64 bytes) filled line 1 before "
		  "it"},
	{"size", 192, "usage@0:8 high@128:8!64", "size: \"<= 64\"", OUTCOME_BROKEN,
	 .message = "size is 192, wanted <= 64",
	 .cause = "high (offset 128) opened line 2; usage (offset 0, 8 bytes) and a hole of 120 "
		  "bytes come "
		  "before it"},
	{"size", 56, FDTABLE_56, "size: {x86_64: 56, default: 28}", OUTCOME_HOLDS,
	 .message = "size is 56, wanted 56", .margin = "0"},
	{"size", 28, "a@0:4x7", "size: {x86_64: 56, default: \"<= 32\"}", OUTCOME_HOLDS,
	 .message = "size is 28, wanted <= 32", .margin = "4", .arch = "i386"},
	{"size", 28, "a@0:4x7", "size: {x86_64: 56}", OUTCOME_NOT_APPLICABLE,
	 .message = "the rule has no value for i386 and no default", .arch = "i386"},
	/* No line, no line to blame. */
	{"size", 72, FDTABLE_72, "size: 64", OUTCOME_BROKEN, .message = "size is 72, wanted 64",
	 .cause = "next (offset 64, 8 bytes) is the first to reach past byte 64", .no_line = true},
};

static const struct kind_case bucket_cases[] = {
	{"bucket", 72, FDTABLE_72, "bucket: 64", OUTCOME_BROKEN,
	 .message = "size 72 lands in kmalloc-96, wanted kmalloc-64",
	 .cause = "next (offset 64) opened line 1; free_files (offset 56, 8 bytes) filled line 0 "
		  "before it"},
	{"bucket", 56, FDTABLE_56, "bucket: 64", OUTCOME_HOLDS,
	 .message = "size 56 lands in kmalloc-64, wanted kmalloc-64", .margin = "8"},
	/* Smaller is another bucket, too. */
	{"bucket", 56, FDTABLE_56, "bucket: 128", OUTCOME_BROKEN,
	 .message = "size 56 lands in kmalloc-64, wanted kmalloc-128",
	 .cause = "rcu (offset 40, 16 bytes) is the last member"},
	/* The list of 2005 had no 96. */
	{"bucket", 72, FDTABLE_72, "bucket: 128\nbuckets: [32, 64, 128, 256]", OUTCOME_HOLDS,
	 .message = "size 72 lands in kmalloc-128, wanted kmalloc-128", .margin = "56"},
	{"bucket", 72, FDTABLE_72, "bucket: 64\nbuckets: [32, 64]", OUTCOME_BROKEN,
	 .message = "size 72 does not fit kmalloc-64",
	 .cause = "next (offset 64) opened line 1; free_files (offset 56, 8 bytes) filled line 0 "
		  "before it"},
	{"bucket", 28, "a@0:4x7", "bucket: 32", OUTCOME_UNKNOWN,
	 .message = "the buckets of kmalloc() are not known for arm", .arch = "arm"},
	/* Whatever they are, a smaller one does not take it. */
	{"bucket", 28, "a@0:4x7", "bucket: 16", OUTCOME_BROKEN,
	 .message = "size 28 does not fit kmalloc-16",
	 .cause = "a (offset 0, 28 bytes) is the first to reach past byte 16", .arch = "arm"},
};

static const struct kind_case max_cases[] = {
	{"max_lines", 72, FDTABLE_72, "max_lines: 1", OUTCOME_BROKEN,
	 .message = "covers 2 lines, wanted <= 1",
	 .cause = "next (offset 64) opened line 1; free_files (offset 56, 8 bytes) filled line 0 "
		  "before it"},
	{"max_lines", 56, FDTABLE_56, "max_lines: 1", OUTCOME_HOLDS,
	 .message = "covers 1 line, wanted <= 1", .margin = "8"},
	{"max_lines", 72, FDTABLE_72, "max_lines: 2", OUTCOME_HOLDS,
	 .message = "covers 2 lines, wanted <= 2", .margin = "56"},
	{"max_lines", 56, FDTABLE_56, "max_lines: 1", OUTCOME_UNKNOWN,
	 .message = "the size of a cache line is not known for this image", .no_line = true},
	{"max_hole", 704, FILES_704, "max_hole: 31", OUTCOME_BROKEN,
	 .message = "has a hole of 32 bytes at offset 96, wanted <= 31",
	 .cause = "it lies between fdtab (offset 40, 56 bytes) and file_lock (offset 128), which "
		  "is aligned "
		  "to 64"},
	{"max_hole", 704, FILES_704, "max_hole: 32", OUTCOME_HOLDS,
	 .message = "has a hole of 32 bytes at offset 96, wanted <= 32"},
	{"max_hole", 8, "a@0:4 b@4:4", "max_hole: 0", OUTCOME_HOLDS,
	 .message = "has no hole, wanted <= 0"},
	{"max_padding", 704, FILES_704, "max_padding: 31", OUTCOME_BROKEN,
	 .message = "ends with 32 bytes of padding, wanted <= 31",
	 .cause = "fd_array (offset 160, 512 bytes) is the last member; 32 bytes of padding follow "
		  "it"},
	{"max_padding", 704, FILES_704, "max_padding: 32", OUTCOME_HOLDS,
	 .message = "ends with 32 bytes of padding, wanted <= 32"},
};

static const struct kind_case align_cases[] = {
	{"align", 704, FILES_704, "align: 64", OUTCOME_HOLDS,
	 .message = "alignment is 64, wanted 64"},
	{"align", 704, FILES_704, "align: 128", OUTCOME_BROKEN,
	 .message = "alignment is 64, wanted 128", .cause = "its size is 704 bytes"},
	{"align", 56, FDTABLE_56, "align: 8", OUTCOME_HOLDS, .message = "alignment is 8, wanted 8"},
	/* 8-byte scalars are aligned to 4 on i386, to 8 on arm. */
	{"align", 16, "a@0:4 b@8:8", "align: 8", OUTCOME_HOLDS,
	 .message = "alignment is 8, wanted 8", .arch = "arm"},
	{"align", 12, "a@0:4 b@4:8", "align: 4", OUTCOME_HOLDS,
	 .message = "alignment is 4, wanted 4", .arch = "i386"},
	/* Packed: 8 at offset 4 rules the natural alignment out. */
	{"align", 12, "a@0:4 b@4:8", "align: 8", OUTCOME_BROKEN,
	 .message = "alignment is at most 4, wanted 8", .cause = "its size is 12 bytes"},
	{"align", 12, "a@0:4 b@4:8", "align: 4", OUTCOME_UNKNOWN,
	 .message = "alignment cannot be told from DWARF: up to 4 is possible, wanted 4"},
	/* A hole that nothing known asks for: something is stricter, a vector perhaps. */
	{"align", 32, "c@0:1 v@16:4x4", "align: 16", OUTCOME_UNKNOWN,
	 .message = "alignment cannot be told from DWARF: up to 32 is possible, wanted 16"},
	{"align", 8, "a@0.0:b30 b@0.30:b30", "align: 4", OUTCOME_UNKNOWN,
	 .message = "alignment cannot be told from DWARF: up to 4 is possible, wanted 4"},
	{"align", 8, "a@0.0:b30 b@4.0:b30", "align: 4", OUTCOME_HOLDS,
	 .message = "alignment is 4, wanted 4"},
	/* An image may say anything. */
	{"align", 8, "a@0:8!2305843009213693952", "align: 8", OUTCOME_UNKNOWN,
	 .message = "alignment cannot be told from DWARF: up to 8 is possible, wanted 8"},
	{"align", 8, "a@0:8!0", "align: 8", OUTCOME_UNKNOWN,
	 .message = "alignment cannot be told from DWARF: up to 8 is possible, wanted 8"},
	{"align", 704, FILES_704, "align: {file_lock: 64}", OUTCOME_HOLDS,
	 .message = "alignment of file_lock is 64, wanted 64"},
	{"align", 704, FILES_704, "align: {next_fd: 64}", OUTCOME_BROKEN,
	 .message = "alignment of next_fd is 4, wanted 64",
	 .cause = "next_fd is at offset 132; file_lock (offset 128, 4 bytes) ends just before "
		  "next_fd"},
	{"align", 704, FILES_704, "align: 64", OUTCOME_UNKNOWN,
	 .message = "alignment cannot be told from BTF: up to 64 is possible, wanted 64",
	 .source = SOURCE_BTF},
	{"align", 704, FILES_704, "align: 128", OUTCOME_BROKEN,
	 .message = "alignment is at most 64, wanted 128", .cause = "its size is 704 bytes",
	 .source = SOURCE_BTF},
	{"align", 704, FILES_704, "align: \"<= 64\"", OUTCOME_HOLDS,
	 .message = "alignment is at most 64, wanted <= 64", .source = SOURCE_BTF},
	{"align", 704, FILES_704, "align: {next_fd: 8}", OUTCOME_BROKEN,
	 .message = "alignment of next_fd is at most 4, wanted 8",
	 .cause = "next_fd is at offset 132; file_lock (offset 128, 4 bytes) ends just before "
		  "next_fd",
	 .source = SOURCE_BTF},
};

static const struct kind_case offset_cases[] = {
	{"offset", 704, FILES_704, "offset: {fdt: 32}", OUTCOME_HOLDS,
	 .message = "offset of fdt is 32, wanted 32", .margin = "0"},
	{"offset", 704, FILES_704, "offset: {fdt: \"< 32\"}", OUTCOME_BROKEN,
	 .message = "offset of fdt is 32, wanted < 32",
	 .cause = "resize_wait (offset 8, 24 bytes) ends just before fdt"},
	{"offset", 704, FILES_704, "offset: {file_lock: \"% 64\"}", OUTCOME_HOLDS,
	 .message = "offset of file_lock is 128, wanted a multiple of 64"},
	{"offset", 704, FILES_704, "offset: {file_lock: \"% 64\"}", OUTCOME_HOLDS,
	 .message = "offset of file_lock is 128, wanted a multiple of 64", .margin = "32",
	 .source = SOURCE_BTF},
	{"offset", 704, FILES_704, "offset: {file_lock: \"% 256\"}", OUTCOME_BROKEN,
	 .message = "offset of file_lock is 128, wanted a multiple of 256",
	 .cause = "fdtab (offset 40, 56 bytes) and a hole of 32 bytes come before file_lock"},
	/* Two steps of 8 up to 48. */
	{"offset", 704, FILES_704, "offset: {fdt: \"<= 50\"}", OUTCOME_HOLDS,
	 .message = "offset of fdt is 32, wanted <= 50", .margin = "16"},
	{"offset", 16, "a@0:=pair", "offset: {a.y: 8}", OUTCOME_HOLDS,
	 .message = "offset of a.y is 8, wanted 8", .margin = "0"},
	{"offset", 16, "a@0:=pair", "offset: {a.y: 0}", OUTCOME_BROKEN,
	 .message = "offset of a.y is 8, wanted 0",
	 .cause = "a.x (offset 0, 8 bytes) ends just before a.y"},
	{"offset", 8, "a@0:4 b@4:4", "offset: {a: 4}", OUTCOME_BROKEN,
	 .message = "offset of a is 0, wanted 4", .cause = "nothing stands before a"},
};

static const struct kind_case order_cases[] = {
	{"order", 56, FDTABLE_56, "order: [max_fds, open_fds, rcu]", OUTCOME_HOLDS,
	 .message = "the 3 members are in order"},
	{"order", 56, FDTABLE_56, "order: [max_fds, rcu, open_fds]", OUTCOME_BROKEN,
	 .message = "open_fds (offset 24) does not come behind rcu (offset 40)"},
	/* Strictly: two that begin at one place are in no order. */
	{"order", 8, "a@0:4 b@0:8", "order: [a, b]", OUTCOME_BROKEN,
	 .message = "b (offset 0) does not come behind a (offset 0)",
	 .cause = "both begin at the same bit"},
	{"order", 4, "a@0.0:b3 b@0.3:b3", "order: [a, b]", OUTCOME_HOLDS,
	 .message = "the 2 members are in order"},
	{"order", 8, "a@0:4 b@4:4", "order: [a, c?]", OUTCOME_NOT_APPLICABLE,
	 .message = "too few of its members are there to judge",
	 .note = "c is left out: it is not there"},
};

static const struct kind_case presence_cases[] = {
	{"present", 56, FDTABLE_56, "present: max_fds", OUTCOME_HOLDS,
	 .message = "max_fds is there"},
	{"present", 56, FDTABLE_56, "present: max_fdset", OUTCOME_BROKEN,
	 .message = "`s` has no member `max_fdset`; the nearest is `max_fds`"},
	{"present", 56, FDTABLE_56, "present: max_fdset|max_fds", OUTCOME_HOLDS,
	 .message = "max_fdset|max_fds is there"},
	{"present", 56, FDTABLE_56, "present: rcu.y", OUTCOME_HOLDS, .message = "rcu.y is there"},
	{"present", 56, FDTABLE_56, "present: next?", OUTCOME_NOT_APPLICABLE,
	 .message = "`s` has no member `next`"},
	{"absent", 56, FDTABLE_56, "absent: next_fd", OUTCOME_HOLDS,
	 .message = "next_fd is not there"},
	{"absent", 72, FDTABLE_72, "absent: next_fd", OUTCOME_BROKEN,
	 .message = "next_fd (offset 8, 4 bytes) is there"},
	{"absent", 72, FDTABLE_72, "absent: later|next_fd", OUTCOME_BROKEN,
	 .message = "next_fd (offset 8, 4 bytes) is there"},
	/* Behind a pointer: this type cannot say. */
	{"absent", 72, FDTABLE_72, "absent: fd.x", OUTCOME_UNKNOWN,
	 .message = "`fd` is no struct or union: it has no members"},
};

#define FILES_864 "count@0:4 fdt@8:8 fdtab@16:8x9 fd_sets@88:8x32 fd_array@344:8x64 file_lock@856:4"
#define LOOKUP    "[fdt, fdtab]"
#define WRITTEN   "[file_lock, next_fd, close_on_exec_init, open_fds_init, full_fds_bits_init]"
/* Objects that begin at any multiple of 8: 776 is 97 times that. */
#define CACHE_776 "alloc: {cache: shmem_inode_cache}"
#define FROM_8    "when the object begins at byte 8, 16, 24, 32, 40, 48 or 56 of a line"

static const struct kind_case starts_line_cases[] = {
	{"starts_line", 864, FILES_864, "starts_line: file_lock", OUTCOME_BROKEN,
	 .message = "file_lock (offset 856) is at byte 24 of line 13, not at its start",
	 .cause = "fd_array (offset 344, 512 bytes) ends just before file_lock"},
	/* Its alignment keeps it there; BTF does not know, and counts the hole. */
	{"starts_line", 704, FILES_704, "starts_line: file_lock", OUTCOME_HOLDS,
	 .message = "file_lock (offset 128) starts a line"},
	{"starts_line", 704, FILES_704, "starts_line: file_lock", OUTCOME_HOLDS,
	 .message = "file_lock (offset 128) starts a line", .margin = "32", .source = SOURCE_BTF},
	{"starts_line", 704, FILES_704, "starts_line: " WRITTEN, OUTCOME_HOLDS,
	 .message = "file_lock (offset 128) starts a line"},
	{"starts_line", 128, "a@0:8x7 b@64:8x8", "starts_line: b", OUTCOME_HOLDS,
	 .message = "b (offset 64) starts a line", .margin = "8"},
	/* Of no size, it has a place all the same. */
	{"starts_line", 64, "a@0:4 lock@4:0", "starts_line: lock", OUTCOME_BROKEN,
	 .message = "lock (offset 4) is at byte 4 of line 0, not at its start",
	 .cause = "a (offset 0, 4 bytes) ends just before lock"},
	{"starts_line", 776, "a@0:8x8 b@64:8x89", "starts_line: b", OUTCOME_BROKEN,
	 .message = "b (offset 64) does not start a line " FROM_8,
	 .cause = "objects of shmem_inode_cache begin at any multiple of 8 bytes",
	 .block = CACHE_776},
	/* Where it does not even when the object does, the other bases are no news. */
	{"starts_line", 776, "a@0:8x7 b@56:8x90", "starts_line: b", OUTCOME_BROKEN,
	 .message = "b (offset 56) is at byte 56 of line 0, not at its start",
	 .cause = "a (offset 0, 56 bytes) ends just before b", .block = CACHE_776},
	{"starts_line", 256, "a@0:8x16 b@128:8x16", "starts_line: b\ngranule: 128", OUTCOME_BROKEN,
	 .message = "b (offset 128) does not start a 128-byte block when the object begins at byte "
		    "64 of a 128-byte block",
	 .cause = "objects begin at any multiple of 64 bytes"},
	{"starts_line", 256, "a@0:8x16 b@128:8x16!128", "starts_line: b\ngranule: 128",
	 OUTCOME_HOLDS, .message = "b (offset 128) starts a 128-byte block"},
	{"starts_line", 64, "a@0:4x8 b@32:4x8", "starts_line: b\ngranule: 32", OUTCOME_HOLDS,
	 .message = "b (offset 32) starts a 32-byte block", .margin = "0"},
	{"starts_line", 4, "a@0.0:b3 b@0.3:b3", "starts_line: b", OUTCOME_BROKEN,
	 .message = "b (offset 0) is at byte 0 of line 0, not at its start",
	 .cause = "a (offset 0, 3 bits) ends just before b"},
	/* kmalloc-96: every other object begins in the middle of a line. */
	{"starts_line", 72, FDTABLE_72, "starts_line: next", OUTCOME_BROKEN,
	 .message = "next (offset 64) does not start a line when the object begins at byte 32 of a "
		    "line",
	 .cause = "objects begin at any multiple of 32 bytes", .block = "alloc: kmalloc"},
	{"starts_line", 72, FDTABLE_72, "starts_line: next", OUTCOME_UNKNOWN,
	 .message = "where in a line the object begins cannot be told for this kernel",
	 .block = "alloc: kmalloc", .arch = "arm"},
	{"starts_line", 72, FDTABLE_72, "starts_line: fd", OUTCOME_BROKEN,
	 .message = "fd (offset 16) is at byte 16 of line 0, not at its start",
	 .cause = "next_fd (offset 8, 4 bytes) and a hole of 4 bytes come before fd",
	 .block = "alloc: kmalloc", .arch = "arm"},
};

static const struct kind_case together_cases[] = {
	{"together", 704, FILES_704, "together: " WRITTEN, OUTCOME_HOLDS,
	 .message = "the members touch 1 line", .margin = "32"},
	{"together", 704, FILES_704, "together: [fdt, file_lock]", OUTCOME_BROKEN,
	 .message = "the members touch 2 lines, wanted <= 1",
	 .cause = "file_lock (offset 128) opened line 2; fdtab (offset 40, 56 bytes) and a hole of "
		  "32 bytes come before it"},
	{"together", 704, FILES_704, "together: [fdt, next_fd]", OUTCOME_BROKEN,
	 .message = "the members touch 2 lines, wanted <= 1",
	 .cause = "next_fd (offset 132, 4 bytes) is on line 2; file_lock (offset 128) opened line "
		  "2; fdtab (offset 40, 56 bytes) and a hole of 32 bytes come before it"},
	/* Distinct lines, not the distance: 0 and 2. */
	{"together", 704, FILES_704, "together: [fdt, file_lock]\nlines: 2", OUTCOME_HOLDS,
	 .message = "the members touch 2 lines"},
	/* b can move by 48 before it leaves line 0, and by more where it needs no more lines. */
	{"together", 80, "a@0:8 b@8:8x9", "together: [a, b]\nlines: 2", OUTCOME_HOLDS,
	 .message = "the members touch 2 lines", .margin = "48"},
	{"together", 128, "a@0:8 b@48:8 c@64:8x8", "together: [a, b]\nlines: 2", OUTCOME_HOLDS,
	 .message = "the members touch 1 line"},
	{"together", 16, "a@0:8 b@8:8x", "together: [a, b]", OUTCOME_BROKEN,
	 .message = "the members touch lines without end, wanted <= 1",
	 .cause = "b (offset 8) is a flexible array, which has no end"},
	{"together", 184, "a@0:8 b@32:8 c@40:8x18", "together: [a, b]", OUTCOME_BROKEN,
	 .message = "the members touch 2 lines, wanted <= 1 when the object begins at byte 32, 40, "
		    "48 or 56 of a line",
	 .cause = "objects of vm_area_struct begin at any multiple of 8 bytes",
	 .block = "alloc: {cache: vm_area_struct}"},
	{"together", 192, "a@0:8 b@32:8 c@40:8x19", "together: [a, b]", OUTCOME_HOLDS,
	 .message = "the members touch 1 line", .margin = "48",
	 .block = "alloc: {cache: vm_area_struct, hwcache_align: true}"},
	{"together", 704, FILES_704, "together: [file_lock, next_fd, gone?]", OUTCOME_HOLDS,
	 .message = "the members touch 1 line", .margin = "56",
	 .note = "gone is left out: it is not there"},
	{"together", 16, "lock@0:0 b@0:8 c@8:8", "together: [lock, b, c]", OUTCOME_HOLDS,
	 .message = "the members touch 1 line", .margin = "48",
	 .note = "lock is left out: it occupies nothing here"},
	{"together", 8, "lock@0:0 b@0:8", "together: [lock, b]", OUTCOME_NOT_APPLICABLE,
	 .message = "too few of its members are there to judge",
	 .note = "lock is left out: it occupies nothing here"},
	{"together", 128, "a@0:8x4 b@32:8 c@40:8x3 d@64:8x8", "together: [a..c]", OUTCOME_HOLDS,
	 .message = "the members touch 1 line", .margin = "0"},
	{"together", 128, "a@0:8x4 b@32:8 c@40:8x3 d@64:8x8", "together: [a..d]", OUTCOME_BROKEN,
	 .message = "the members touch 2 lines, wanted <= 1",
	 .cause = "d (offset 64) opened line 1; c (offset 40, 24 bytes) filled line 0 before it"},
};

static const struct kind_case apart_cases[] = {
	{"apart", 704, FILES_704, "apart: [" LOOKUP ", " WRITTEN "]", OUTCOME_HOLDS,
	 .message = "no line holds something of two of the 2 items"},
	{"apart", 704, FILES_704, "apart: [" LOOKUP ", " WRITTEN "]", OUTCOME_HOLDS,
	 .message = "no line holds something of two of the 2 items", .margin = "32",
	 .source = SOURCE_BTF},
	{"apart", 704, FILES_704, "apart: [count, fdt]", OUTCOME_BROKEN,
	 .message = "count (offset 0) shares line 0 with fdt (offset 32)",
	 .cause = "resize_wait (offset 8, 24 bytes) ends just before fdt"},
	/* The end of one and the start of the other. */
	{"apart", 864, FILES_864, "apart: [fd_array, file_lock]", OUTCOME_BROKEN,
	 .message = "fd_array (offset 344) shares line 13 with file_lock (offset 856)",
	 .cause = "fd_array (offset 344, 512 bytes) ends just before file_lock"},
	{"apart", 704, FILES_704, "apart: [fdtab, fd_array, next_fd]", OUTCOME_BROKEN,
	 .message = "next_fd (offset 132) shares line 2 with fd_array (offset 160)",
	 .cause = "full_fds_bits_init (offset 152, 8 bytes) ends just before fd_array"},
	{"apart", 776, "a@0:8x7 x@56:8 y@64:8 b@72:8x88", "apart: [x, y]", OUTCOME_BROKEN,
	 .message = "x (offset 56) shares a line with y (offset 64) " FROM_8,
	 .cause = "objects of shmem_inode_cache begin at any multiple of 8 bytes",
	 .block = CACHE_776},
	/* A line's length between them is enough wherever the object begins. */
	{"apart", 776, "a@0:8x7 x@56:8 f@64:8x7 y@120:8 b@128:8x81", "apart: [x, y]", OUTCOME_HOLDS,
	 .message = "no line holds something of two of the 2 items", .block = CACHE_776},
	{"apart", 776, "a@0:8x7 x@56:8 f@64:8x6 y@112:8 b@120:8x82", "apart: [x, y]",
	 OUTCOME_BROKEN,
	 .message =
		 "x (offset 56) shares a line with y (offset 112) when the object begins at byte "
		 "8 of a line",
	 .cause = "objects of shmem_inode_cache begin at any multiple of 8 bytes",
	 .block = CACHE_776},
	{"apart", 128, "a@0:8 b@64:8", "apart: [a, b]\ngranule: 128", OUTCOME_BROKEN,
	 .message =
		 "a (offset 0) shares 128-byte block 0 with b (offset 64) when the object begins "
		 "at byte 0 of a 128-byte block",
	 .cause = "a (offset 0, 8 bytes) and a hole of 56 bytes come before b"},
	{"apart", 192, "a@8:8 b@128:8", "apart: [a, b]\ngranule: 128", OUTCOME_HOLDS,
	 .message = "no 128-byte block holds something of two of the 2 items", .margin = "56"},
	{"apart", 64, "a@0:8 tail@8:8x", "apart: [a, tail]", OUTCOME_BROKEN,
	 .message = "a (offset 0) shares line 0 with tail (offset 8)",
	 .cause = "a (offset 0, 8 bytes) ends just before tail"},
	{"apart", 64, "a@8:8 tail@64:8x", "apart: [a, tail]", OUTCOME_HOLDS,
	 .message = "no line holds something of two of the 2 items", .margin = "56"},
	{"apart", 4, "lock@0:0 a@0:4", "apart: [lock, a]", OUTCOME_NOT_APPLICABLE,
	 .message = "too few of its members are there to judge",
	 .note = "lock is left out: it occupies nothing here"},
	/* Bits of one byte. */
	{"apart", 4, "a@0.0:b3 b@0.3:b3", "apart: [a, b]", OUTCOME_BROKEN,
	 .message = "a (offset 0) shares line 0 with b (offset 0)",
	 .cause = "a (offset 0, 3 bits) ends just before b"},
};

static const struct kind_case alone_cases[] = {
	{"alone", 192, "usage@0:8 emin@64:8x16!64", "alone: usage", OUTCOME_HOLDS,
	 .message = "nothing else is on the lines of usage"},
	{"alone", 64, "usage@0:8 emin@8:8x7", "alone: usage", OUTCOME_BROKEN,
	 .message = "usage (offset 0) shares line 0 with emin (offset 8)",
	 .cause = "usage (offset 0, 8 bytes) ends just before emin"},
	{"alone", 64, "in@0:=pair f@16:8x6", "alone: in.x", OUTCOME_BROKEN,
	 .message = "in.x (offset 0) shares line 0 with in.y (offset 8)",
	 .cause = "in.x (offset 0, 8 bytes) ends just before in.y"},
	{"alone", 128, "a@0:8x16", "alone: \"a[7]\"", OUTCOME_BROKEN,
	 .message = "a (offset 0) shares line 0 with a[7] (offset 56)",
	 .cause = "a (offset 0, 56 bytes) ends just before a[7]"},
	{"alone", 128, "a@0:8x16", "alone: \"a[0..7]\"", OUTCOME_HOLDS,
	 .message = "nothing else is on the lines of a[0..7]", .margin = "0"},
	/* What follows the object shares its last line. */
	{"alone", 72, "a@0:8x8 b@64:8", "alone: b", OUTCOME_BROKEN,
	 .message = "the next object comes onto a line of b: one begins every 72 bytes",
	 .cause = "b (offset 64, 8 bytes) is the last member"},
	{"alone", 72, "a@0:8x8 b@64:8", "alone: b", OUTCOME_HOLDS,
	 .message = "nothing else is on the lines of b", .margin = "0",
	 .block = "alloc: {cache: c, hwcache_align: true}"},
	{"alone", 72, "a@0:8x8 b@64:8", "alone: b", OUTCOME_BROKEN,
	 .message = "a (offset 0) shares a line with b (offset 64) when the object begins at byte "
		    "32 of a line",
	 .cause = "objects begin at any multiple of 32 bytes", .block = "alloc: kmalloc"},
	{"alone", 64, "a@0:8x8 tail@64:8x", "alone: tail", OUTCOME_UNKNOWN,
	 .message = "a flexible array ends where its allocation does"},
	{"alone", 128, "a@0:8x8 b@64:8x8", "alone: b", OUTCOME_UNKNOWN,
	 .message = "how far apart two objects are cannot be told for this kernel",
	 .block = "alloc: kmalloc", .arch = "ppc"},
	{"alone", 128, "a@0:8x8 lock@64:0 b@64:8x8", "alone: lock", OUTCOME_NOT_APPLICABLE,
	 .message = "too few of its members are there to judge",
	 .note = "lock is left out: it occupies nothing here"},
};

static const struct kind_case no_straddle_cases[] = {
	{"no_straddle", 68, "a@0:4x15 b@60:8", "no_straddle: b", OUTCOME_BROKEN,
	 .message = "b (offset 60, 8 bytes) touches 2 lines, and fits 1",
	 .cause = "a (offset 0, 60 bytes) ends just before b"},
	{"no_straddle", 64, "a@0:4x14 b@56:8", "no_straddle: b", OUTCOME_HOLDS,
	 .message = "b (offset 56, 8 bytes) touches no more lines than it needs"},
	{"no_straddle", 64, "a@0:8x4 in@32:=pair b@48:8x2", "no_straddle: in", OUTCOME_HOLDS,
	 .message = "in (offset 32, 16 bytes) touches no more lines than it needs", .margin = "16"},
	{"no_straddle", 72, "a@0:8 b@8:8x8", "no_straddle: b", OUTCOME_BROKEN,
	 .message = "b (offset 8, 64 bytes) touches 2 lines, and fits 1",
	 .cause = "a (offset 0, 8 bytes) ends just before b"},
	{"no_straddle", 80, "a@0:8 b@8:8x9", "no_straddle: b", OUTCOME_HOLDS,
	 .message = "b (offset 8, 72 bytes) touches no more lines than it needs"},
	{"no_straddle", 776, "in@0:=pair b@16:8x95", "no_straddle: in", OUTCOME_BROKEN,
	 .message = "in (offset 0, 16 bytes) touches 2 lines, and fits 1 when the object begins at "
		    "byte 56 of a line",
	 .cause = "objects of shmem_inode_cache begin at any multiple of 8 bytes",
	 .block = CACHE_776},
	{"no_straddle", 8, "a@0:8 tail@8:8x", "no_straddle: tail", OUTCOME_NOT_APPLICABLE,
	 .message = "tail is a flexible array, which has no size"},
	{"no_straddle", 8, "lock@0:0 a@0:8", "no_straddle: lock", OUTCOME_NOT_APPLICABLE,
	 .message = "lock occupies nothing here"},
};

#define CASES(ARRAY)                                                                               \
	{                                                                                          \
		ARRAY, ARRAY_SIZE(ARRAY)                                                           \
	}
static const struct kind_cases here[] = {
	CASES(size_cases),     CASES(bucket_cases), CASES(max_cases),      CASES(align_cases),
	CASES(offset_cases),   CASES(order_cases),  CASES(presence_cases), CASES(starts_line_cases),
	CASES(together_cases), CASES(apart_cases),  CASES(alone_cases),    CASES(no_straddle_cases),
};

/* The tables here, then those of lib/kind_cases.c; n is 0 behind the last. */
static struct kind_cases table(size_t index)
{
	return index < ARRAY_SIZE(here) ? here[index] : more_cases[index - ARRAY_SIZE(here)];
}

/* One test a row, so that a failed one does not hide the next. */
static void test_case(void **state)
{
	try_case(*state);
}

static bool has_case(const char *kind, enum outcome outcome)
{
	for (size_t t = 0; table(t).n; t++)
		for (size_t i = 0; i < table(t).n; i++)
			if (strcmp(table(t).items[i].kind, kind) == 0 &&
			    table(t).items[i].outcome == outcome)
				return true;
	return false;
}

static void test_every_kind_has_cases(void **state)
{
	(void)state;
	for (const struct kind *const *kind = kinds; *kind; kind++) {
		if (!has_case((*kind)->name, OUTCOME_BROKEN))
			fail_msg("no case in which %s fires", (*kind)->name);
		if (!has_case((*kind)->name, OUTCOME_HOLDS))
			fail_msg("no case in which %s holds", (*kind)->name);
	}
}

int main(void)
{
	struct CMUnitTest tests[512] = {cmocka_unit_test(test_every_kind_has_cases)};
	size_t n = 1;

	for (size_t t = 0; table(t).n; t++)
		for (size_t i = 0; i < table(t).n; i++) {
			const struct kind_case *c = &table(t).items[i];

			assert_true(n < ARRAY_SIZE(tests));
			tests[n++] =
				(struct CMUnitTest){c->message, test_case, NULL, NULL, (void *)c};
		}
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
