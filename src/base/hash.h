/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Hashes. hash128 is fast and not for adversaries: whoever needs certainty compares the bytes as
 * well. hash_sha256 (libmd) is for fingerprints and config digests, which leave the program.
 */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hash128 {
	uint64_t lo, hi;
};

/* The same bytes give the same value on every machine of one byte order. */
struct hash128 hash128(const void *data, size_t len);

static inline bool hash128_equal(struct hash128 a, struct hash128 b)
{
	return a.lo == b.lo && a.hi == b.hi;
}

enum { SHA256_HEX = 65 }; /* 64 digits and the NUL */

/* SHA-256 of the @n strings, each with its NUL as separator, in lower-case hexadecimal. */
void hash_sha256(const char *const *strings, size_t n, char ret[SHA256_HEX]);

/* Of @len bytes as they are. */
void hash_sha256_bytes(const void *data, size_t len, char ret[SHA256_HEX]);

#endif
