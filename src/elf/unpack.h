/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Decompression of foreign bytes whose size is promised, and maybe not truly. */
#ifndef ELF_UNPACK_H
#define ELF_UNPACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

enum unpack_method { UNPACK_ZLIB = 1, UNPACK_ZSTD = 2 }; /* ch_type of the gABI */

/* Can @len bytes of this method make @size at all? False for an unknown method. */
bool unpack_is_plausible(unsigned method, uint64_t len, uint64_t size);

/*
 * It can, but would take more memory than a file of @len bytes may ask for: debug info, however
 * repetitive, shrinks to a tenth or a twentieth, not to less than a hundredth.
 */
bool unpack_is_bomb(uint64_t len, uint64_t size);

/*
 * The @size bytes that the @len bytes at @from decompress to, malloc'd. False when they are
 * damaged or make fewer or more. Memory grows with what really comes out, not with @size.
 */
MUST_CHECK bool unpack(unsigned method, const uint8_t *from, size_t len, size_t size,
		       uint8_t **ret);

#endif
