/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The one bounded reader for foreign bytes.
 *
 * A read past the end returns 0, moves the position to the end and sets `bad`, which stays set: a
 * parser may read a whole record and test `bad` once, as long as it does not loop on values it has
 * read without testing. Nothing outside [start, end) is ever touched. LEB128 numbers longer than 64
 * bits are bad too.
 *
 * Everything is inline: this is the inner loop of the DWARF index.
 */
#ifndef BASE_CURSOR_H
#define BASE_CURSOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct cursor {
	const uint8_t *start, *pos, *end;
	bool swap; /* the bytes are of the other byte order than this machine's */
	bool bad;
};

static inline struct cursor cursor_over(const void *data, size_t len, bool swap)
{
	static const uint8_t nothing; /* nothing may be added to NULL, not even 0 */
	const uint8_t *p = data ? data : &nothing;

	return (struct cursor){p, p, p + len, swap, false};
}

static inline size_t cursor_left(const struct cursor *c)
{
	return (size_t)(c->end - c->pos);
}

/* Bytes from the start: what an error message names. */
static inline size_t cursor_offset(const struct cursor *c)
{
	return (size_t)(c->pos - c->start);
}

static inline void cursor_fail(struct cursor *c)
{
	c->pos = c->end;
	c->bad = true;
}

/* The next @len bytes, passed over; NULL and bad when they are not there. */
static inline const uint8_t *cursor_bytes(struct cursor *c, uint64_t len)
{
	const uint8_t *p = c->pos;

	if (len > cursor_left(c)) {
		cursor_fail(c);
		return NULL;
	}
	c->pos += len;
	return p;
}

static inline void cursor_skip(struct cursor *c, uint64_t len)
{
	(void)cursor_bytes(c, len);
}

/* Moves to @offset bytes from the start. */
static inline void cursor_seek(struct cursor *c, uint64_t offset)
{
	if (offset > (uint64_t)(c->end - c->start))
		cursor_fail(c);
	else
		c->pos = c->start + offset;
}

static inline uint8_t cursor_u8(struct cursor *c)
{
	if (c->pos == c->end) {
		c->bad = true;
		return 0;
	}
	return *c->pos++;
}

static inline uint16_t cursor_u16(struct cursor *c)
{
	const uint8_t *p = cursor_bytes(c, 2);
	uint16_t v;

	if (!p)
		return 0;
	memcpy(&v, p, 2);
	return c->swap ? __builtin_bswap16(v) : v;
}

static inline uint32_t cursor_u32(struct cursor *c)
{
	const uint8_t *p = cursor_bytes(c, 4);
	uint32_t v;

	if (!p)
		return 0;
	memcpy(&v, p, 4);
	return c->swap ? __builtin_bswap32(v) : v;
}

static inline uint64_t cursor_u64(struct cursor *c)
{
	const uint8_t *p = cursor_bytes(c, 8);
	uint64_t v;

	if (!p)
		return 0;
	memcpy(&v, p, 8);
	return c->swap ? __builtin_bswap64(v) : v;
}

/* Unsigned of 1 to 8 bytes, odd sizes (DW_FORM_strx3) included. */
static inline uint64_t cursor_uint(struct cursor *c, unsigned size)
{
	const uint8_t *p = cursor_bytes(c, size);
	bool little = (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__) != c->swap;
	uint64_t v = 0;

	if (!p)
		return 0;
	for (unsigned i = 0; i < size; i++)
		v = v << 8 | p[little ? size - 1 - i : i];
	return v;
}

static inline uint64_t cursor_uleb(struct cursor *c)
{
	uint64_t v = 0;

	/* Nearly all of them are one byte. */
	if (c->pos < c->end && *c->pos < 0x80)
		return *c->pos++;
	for (unsigned shift = 0; c->pos < c->end; shift += 7) {
		uint8_t byte = *c->pos++;

		if (shift >= 63 && (shift > 63 ? byte & 0x7f : byte & 0x7e)) {
			cursor_fail(c);
			return 0;
		}
		if (shift < 64)
			v |= (uint64_t)(byte & 0x7f) << shift;
		if (!(byte & 0x80))
			return v;
	}
	c->bad = true;
	return 0;
}

static inline int64_t cursor_sleb(struct cursor *c)
{
	uint64_t v = 0;

	for (unsigned shift = 0; c->pos < c->end; shift += 7) {
		uint8_t byte = *c->pos++;
		uint64_t bits = byte & 0x7f;

		if (shift < 63) {
			v |= bits << shift;
		} else {
			/* Bit 63, and copies of it. */
			uint64_t sign = shift == 63 ? bits & 1 : v >> 63;

			if (bits != (sign ? 0x7f : 0)) {
				cursor_fail(c);
				return 0;
			}
			v |= sign << 63;
		}
		if (!(byte & 0x80)) {
			if (shift <= 56 && (byte & 0x40))
				v |= ~(uint64_t)0 << (shift + 7);
			return (int64_t)v;
		}
	}
	c->bad = true;
	return 0;
}

/* A NUL-terminated string inside the bytes; "" and bad when no NUL follows. */
static inline const char *cursor_string(struct cursor *c)
{
	const uint8_t *p = c->pos;
	const uint8_t *nul = p < c->end ? memchr(p, 0, cursor_left(c)) : NULL;

	if (!nul) {
		cursor_fail(c);
		return "";
	}
	c->pos = nul + 1;
	return (const char *)p;
}

#endif
