/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What libdwarf says of the layouts in a file: read by its own walk, put together by rules written
 * for this alone.
 */
#ifndef TESTS_ORACLE_H
#define TESTS_ORACLE_H

#include "base/buf.h"
#include "layout/model.h"

/*
 * Every struct, union and class with a name that the top level and namespaces define, and every
 * typedef of an anonymous one, as text, sorted, each once:
 *
 *	struct scope::name SIZE
 *	 member @OFFSET+SIZE
 *
 * in bits, "-" for no name, members of anonymous ones a blank deeper.
 */
void oracle_dump(const char *path, struct buf *ret);

/* The same of what we read. */
void oracle_dump_layout(const struct layout *layout, struct buf *ret);

#endif
