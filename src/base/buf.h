/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A growing byte string. Invariants: `s` is never NULL and always has a NUL behind `len` bytes, so
 * it can be passed as a C string; the bytes before may themselves hold NULs.
 */
#ifndef BASE_BUF_H
#define BASE_BUF_H

#include <stdarg.h>
#include <stddef.h>

struct buf {
	char *s;
	size_t len, cap; /* cap 0: `s` is the shared empty string */
};

extern char buf_empty[];
#define BUF_INIT                                                                                   \
	{                                                                                          \
		buf_empty, 0, 0                                                                    \
	}

void buf_init(struct buf *buf);
void buf_release(struct buf *buf); /* leaves it empty and usable */

/* Hands over the malloc'd string and leaves @buf empty. */
char *buf_detach(struct buf *buf);

void buf_add(struct buf *buf, const void *data, size_t len);
void buf_adds(struct buf *buf, const char *s);
void buf_addc(struct buf *buf, char c);
void buf_pad(struct buf *buf, char c, size_t n); /* n times c */
void buf_addf(struct buf *buf, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void buf_vaddf(struct buf *buf, const char *fmt, va_list ap) __attribute__((format(printf, 2, 0)));

#endif
