/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "elf/unpack.h"

#include <stdlib.h>
#include <zlib.h>
#include <zstd.h>

#include "base/mem.h"

/*
 * No compressor does better: deflate makes at most 258 bytes of 2 bits, zstd a block of 128 KiB of
 * 4 bytes.
 */
enum { ZLIB_RATIO = 1032, ZSTD_RATIO = 32768 };

enum { ROOM_FIRST = 1 << 20 };

struct stream {
	const uint8_t *from;
	size_t from_left;
	uint8_t *made;
	size_t n, room; /* bytes made, bytes allocated */
};

/* Moves the stream on. False when it is damaged; *ret_end when it is complete. */
typedef bool step_fn(void *decoder, struct stream *stream, bool *ret_end);

static bool zlib_step(void *decoder, struct stream *stream, bool *ret_end)
{
	const size_t most = 1u << 30; /* zlib counts in 32 bits */
	size_t room = stream->room - stream->n;
	z_stream *z = decoder;
	int status;

	z->next_in = (Bytef *)(uintptr_t)stream->from;
	z->avail_in = (uInt)(stream->from_left < most ? stream->from_left : most);
	z->next_out = stream->made + stream->n;
	z->avail_out = (uInt)(room < most ? room : most);
	status = inflate(z, Z_NO_FLUSH);
	stream->from_left -= (size_t)(z->next_in - stream->from);
	stream->from = z->next_in;
	stream->n = (size_t)(z->next_out - stream->made);
	*ret_end = status == Z_STREAM_END;
	return status == Z_OK || status == Z_STREAM_END;
}

static bool zstd_step(void *decoder, struct stream *stream, bool *ret_end)
{
	ZSTD_inBuffer in = {stream->from, stream->from_left, 0};
	ZSTD_outBuffer out = {stream->made, stream->room, stream->n};
	size_t left = ZSTD_decompressStream(decoder, &out, &in);
	bool moved = in.pos != 0 || out.pos != stream->n;

	stream->from += in.pos;
	stream->from_left -= in.pos;
	stream->n = out.pos;
	*ret_end = left == 0 && stream->from_left == 0;
	return !ZSTD_isError(left) && (moved || *ret_end);
}

/* Runs the steps, making room until @size. */
static bool run(step_fn *step, void *decoder, struct stream *stream, size_t size)
{
	bool end = false;

	stream->room = size < ROOM_FIRST ? size : ROOM_FIRST;
	stream->made = xmalloc(stream->room ? stream->room : 1);
	while (!end) {
		if (stream->n == stream->room && stream->room < size) {
			stream->room = stream->room > size / 2 ? size : stream->room * 2;
			stream->made = xrealloc_array(stream->made, stream->room, 1);
		}
		if (!step(decoder, stream, &end))
			return false;
	}
	return stream->n == size;
}

bool unpack_is_plausible(unsigned method, uint64_t len, uint64_t size)
{
	if (method == UNPACK_ZLIB)
		return size / ZLIB_RATIO <= len;
	return method == UNPACK_ZSTD && size / ZSTD_RATIO <= len;
}

bool unpack_is_bomb(uint64_t len, uint64_t size)
{
	enum { HARMLESS = 32 << 20, RATIO = 100 };

	return size > HARMLESS && size / RATIO > len;
}

bool unpack(unsigned method, const uint8_t *from, size_t len, size_t size, uint8_t **ret)
{
	struct stream stream = {.from = from, .from_left = len};
	bool ok;

	if (method == UNPACK_ZLIB) {
		z_stream z = {0};

		if (inflateInit(&z) != Z_OK)
			die_oom();
		ok = run(zlib_step, &z, &stream, size);
		inflateEnd(&z);
	} else {
		ZSTD_DCtx *zstd = ZSTD_createDCtx();

		if (!zstd)
			die_oom();
		ok = run(zstd_step, zstd, &stream, size);
		ZSTD_freeDCtx(zstd);
	}
	if (!ok) {
		free(stream.made);
		return false;
	}
	*ret = stream.made;
	return true;
}
