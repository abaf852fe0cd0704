/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/hash.h"

#include <sha2.h>
#include <stdio.h>
#include <string.h>

/* Two 64-bit lanes, multiplied and folded: the constants are the fractional parts of sqrt(5) and
 * pi. */
static const uint64_t K0 = 0x9e3779b97f4a7c15u, K1 = 0x243f6a8885a308d3u;

static uint64_t fold(uint64_t a, uint64_t b)
{
	unsigned __int128 product = (unsigned __int128)a * b;

	return (uint64_t)product ^ (uint64_t)(product >> 64);
}

struct hash128 hash128(const void *data, size_t len)
{
	const unsigned char *p = data;
	struct hash128 h = {K0 ^ len, K1 + len};

	while (len) {
		size_t n = len < 8 ? len : 8;
		uint64_t word = 0;

		memcpy(&word, p, n);
		h.lo = fold(h.lo ^ word, K0 ^ h.hi);
		h.hi = (h.hi ^ word) * K1;
		h.hi ^= h.hi >> 29;
		p += n;
		len -= n;
	}
	h.lo = fold(h.lo ^ K1, h.hi | 1);
	h.hi = fold(h.hi ^ K0, h.lo | 1);
	return h;
}

static void finish(SHA2_CTX *ctx, char ret[SHA256_HEX])
{
	uint8_t digest[SHA256_DIGEST_LENGTH];

	SHA256Final(digest, ctx);
	for (size_t i = 0; i < sizeof digest; i++)
		snprintf(ret + 2 * i, 3, "%02x", digest[i]);
}

void hash_sha256(const char *const *strings, size_t n, char ret[SHA256_HEX])
{
	SHA2_CTX ctx;

	SHA256Init(&ctx);
	for (size_t i = 0; i < n; i++)
		SHA256Update(&ctx, (const uint8_t *)strings[i], strlen(strings[i]) + 1);
	finish(&ctx, ret);
}

void hash_sha256_bytes(const void *data, size_t len, char ret[SHA256_HEX])
{
	SHA2_CTX ctx;

	SHA256Init(&ctx);
	SHA256Update(&ctx, data, len);
	finish(&ctx, ret);
}
