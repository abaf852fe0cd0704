/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where a section's bytes stand in an ELF file: what the two passes over .debug_info begin with. */
#ifndef BENCH_SECTION_H
#define BENCH_SECTION_H

#include <stddef.h>
#include <stdint.h>

struct place {
	int fd;
	uint64_t offset, size;
};

/* Opens @path and finds @name; ends the program with a sentence when it is not there or compressed.
 */
void find_section(const char *path, const char *name, struct place *ret);

#endif
