/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From what a person writes to bits of a type.
 *
 * A path is names joined by dots through named, anonymous and embedded structs, with [i] or [i..j]
 * behind an array: `vfs_inode.i_data.i_mmap_rwsem.count`, `fd_array[0..3]`. A name in an anonymous
 * struct is found from outside, as in C. The name of a struct_group() resolves to the whole group.
 */
#ifndef LAYOUT_PATH_H
#define LAYOUT_PATH_H

#include "base/mem.h"
#include "layout/model.h"

/* Bits of the outermost type that a path names. */
struct span {
	const char *path;    /* as it was found, the outermost type's name left out */
	uint64_t bit_offset; /* from the outermost type */
	uint64_t bit_size;   /* 0: occupies nothing */
	bool is_flexible;    /* from bit_offset to infinity; bit_size is 0 */
	bool is_bitfield;
	const struct member *member; /* the last member of the path */
	const struct type *type;     /* what the path names: with [i] the element, not the array */
};

enum path_result {
	PATH_FOUND,
	PATH_ABSENT,  /* no such member */
	PATH_INVALID, /* cannot be asked: syntax, index on what is no array, index past the end, dot
			 behind a pointer */
	PATH_DYNAMIC, /* there, but placed at run time */
};

/* @why: one clause in the arena for INVALID and ABSENT ("`i_data` has no member `i_nmap`");
 * untouched when found. */
enum path_result path_resolve(const struct type *type, const char *path, struct arena *arena,
			      const char **why, struct span *ret);

/* Syntax only, for packs: false with @why. */
bool path_is_valid(const char *path, struct arena *arena, const char **why);

/* The member name nearest to the one that was not found, among the names at that level; NULL if
 * none is near. */
const char *path_nearest(const struct type *type, const char *path, struct arena *arena);

#endif
