/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/buf.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"

char buf_empty[1];

void buf_init(struct buf *buf)
{
	*buf = (struct buf)BUF_INIT;
}

void buf_release(struct buf *buf)
{
	if (buf->cap)
		free(buf->s);
	buf_init(buf);
}

char *buf_detach(struct buf *buf)
{
	char *s = buf->cap ? buf->s : xstrdup("");

	buf_init(buf);
	return s;
}

static void reserve(struct buf *buf, size_t extra)
{
	size_t need;

	if (extra >= SIZE_MAX / 2 - buf->len)
		die_oom();
	need = buf->len + extra + 1;
	if (need <= buf->cap)
		return;
	if (need < buf->cap * 2)
		need = buf->cap * 2;
	if (need < 64)
		need = 64;
	buf->s = xrealloc_array(buf->cap ? buf->s : NULL, need, 1);
	buf->cap = need;
}

void buf_add(struct buf *buf, const void *data, size_t len)
{
	if (!len)
		return;
	reserve(buf, len);
	memcpy(buf->s + buf->len, data, len);
	buf->len += len;
	buf->s[buf->len] = '\0';
}

void buf_adds(struct buf *buf, const char *s)
{
	buf_add(buf, s, strlen(s));
}

void buf_addc(struct buf *buf, char c)
{
	buf_add(buf, &c, 1);
}

void buf_pad(struct buf *buf, char c, size_t n)
{
	if (!n)
		return;
	reserve(buf, n);
	memset(buf->s + buf->len, c, n);
	buf->len += n;
	buf->s[buf->len] = '\0';
}

void buf_vaddf(struct buf *buf, const char *fmt, va_list ap)
{
	va_list again;
	int len;

	va_copy(again, ap);
	len = vsnprintf(NULL, 0, fmt, ap);
	if (len < 0)
		BUG("vsnprintf failed");
	reserve(buf, (size_t)len);
	vsnprintf(buf->s + buf->len, (size_t)len + 1, fmt, again);
	va_end(again);
	buf->len += (size_t)len;
}

void buf_addf(struct buf *buf, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	buf_vaddf(buf, fmt, ap);
	va_end(ap);
}
