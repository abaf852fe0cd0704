/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The indexes of a package of split DWARF, .debug_cu_index and .debug_tu_index: DWARF 5, 7.3.5.3,
 * and version 2 of GNU's DebugFissionDWP. */
#ifndef DWARF_PACKAGE_H
#define DWARF_PACKAGE_H

#include "dwarf/split.h"

/*
 * Fills in the contributions that the indexes of @image list, each of which begins inside its
 * section. Without indexes there are none. The caller frees them.
 */
MUST_CHECK bool package_read(struct image *image, struct err *err, struct split *split);

#endif
