/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Kernels whose layouts are randomised (CONFIG_RANDSTRUCT, before 5.19
 * CONFIG_GCC_PLUGIN_RANDSTRUCT): structs that the source marks, and tables of functions, have their
 * members in an order that the seed of the build decides. Nothing in DWARF or BTF says of a struct
 * that it is one of them.
 */
#ifndef LAYOUT_RANDOMIZED_H
#define LAYOUT_RANDOMIZED_H

#include "layout/model.h"

/* The struct whose shape tells, to be read where `target.randomized` does not. */
extern const char randomized_telltale[];

/* The target says so, or the telltale is in the layout and does. */
bool layout_is_randomized(const struct layout *layout, struct arena *arena);

/* What that means, for a report on one image. */
extern const char randomized_warning[];

#endif
