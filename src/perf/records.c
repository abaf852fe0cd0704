/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "perf/records.h"

#include <stdlib.h>
#include <zstd.h>

#include "base/mem.h"

enum { HEADER = 8, RECORD_MAX = UINT16_MAX };

/* What is decompressed at a time: at least one record, and not many times the input's window. */
enum { MADE = 1 << 18 };

/* A frame that wants a larger window is refused: perf's highest level asks for this. */
enum { WINDOW_LOG_MAX = 27 };

void record_stream_init(struct record_stream *records, struct input *input, uint64_t end, bool swap)
{
	*records = (struct record_stream){.input = input, .end = end, .swap = swap};
}

void record_stream_release(struct record_stream *records)
{
	ZSTD_freeDCtx(records->zstd);
	free(records->made);
}

static bool fail(const struct record_stream *records, struct err *err, const char *what)
{
	return err_set(err, records->input->place, "record at offset 0x%llx: %s",
		       (unsigned long long)records->offset, what);
}

/* Reads the header at @data; false: its size cannot be. */
static bool read_header(const struct record_stream *records, const uint8_t *data,
			struct record *ret, size_t *ret_size)
{
	struct cursor c = cursor_over(data, HEADER, records->swap);

	ret->type = cursor_u32(&c);
	ret->misc = cursor_u16(&c);
	*ret_size = cursor_u16(&c);
	ret->offset = records->offset;
	return *ret_size >= HEADER;
}

/* ---- compressed */

static bool start_chunk(struct record_stream *records, const struct record *record, struct err *err)
{
	struct cursor c = record->body;
	uint64_t len = cursor_left(&c);

	if (record->type == RECORD_COMPRESSED2) {
		len = cursor_u64(&c);
		if (len > cursor_left(&c))
			return fail(records, err, "its compressed bytes run past it");
	}
	if (!records->zstd) {
		records->zstd = ZSTD_createDCtx();
		if (!records->zstd)
			die_oom();
		(void)ZSTD_DCtx_setParameter(records->zstd, ZSTD_d_windowLogMax, WINDOW_LOG_MAX);
		records->made = xmalloc(MADE);
	}
	records->chunk = c.pos;
	records->chunk_len = (size_t)len;
	return true;
}

/* Decompresses until the buffer is full or the chunk used up; *ret: something new is there. */
static bool decompress(struct record_stream *records, struct err *err, bool *ret)
{
	ZSTD_inBuffer in = {records->chunk, records->chunk_len, 0};
	ZSTD_outBuffer out = {records->made, MADE, records->to - records->from};
	size_t had = out.pos;

	memmove(records->made, records->made + records->from, had);
	/* The last call has flushed all when it left room. */
	do {
		size_t status = ZSTD_decompressStream(records->zstd, &out, &in);

		if (ZSTD_isError(status))
			return fail(records, err, "what is compressed in it is damaged");
	} while (in.pos < in.size && out.pos < out.size);
	records->chunk += in.pos;
	records->chunk_len -= in.pos;
	records->from = 0;
	records->to = out.pos;
	*ret = out.pos > had;
	return true;
}

/* The next whole record of what is decompressed; *ret: there is one. */
static bool next_made(struct record_stream *records, struct err *err, struct record *record,
		      bool *ret)
{
	for (;;) {
		size_t have = records->to - records->from, size = 0;
		bool more = false;

		if (have >= HEADER) {
			const uint8_t *data = records->made + records->from;

			if (!read_header(records, data, record, &size))
				return fail(records, err,
					    "a record in it is smaller than its own header");
			if (size <= have) {
				record->body =
					cursor_over(data + HEADER, size - HEADER, records->swap);
				records->from += size;
				*ret = true;
				return true;
			}
		}
		/* Output may wait inside of the decoder though the input is used up. */
		*ret = false;
		if (!records->zstd || (records->chunk_len == 0 && records->to < MADE))
			return true;
		if (!decompress(records, err, &more))
			return false;
		if (!more && records->chunk_len == 0)
			return true;
	}
}

/* ---- as they stand in the file */

static bool next_plain(struct record_stream *records, struct err *err, struct record *ret,
		       bool *ret_end)
{
	struct input *input = records->input;
	uint64_t left;
	const uint8_t *data;
	size_t len, size;

	if (records->skip > 0) {
		if (!input_skip(input, records->skip, err))
			return false;
		records->skip = 0;
	}
	records->offset = input_offset(input);
	left = records->offset < records->end ? records->end - records->offset : 0;
	*ret_end = left == 0;
	if (*ret_end)
		return true;
	if (!input_peek(input, HEADER, err, &data, &len))
		return false;
	*ret_end = len == 0 && (records->end == UINT64_MAX || records->may_be_cut);
	if (*ret_end)
		return true;
	if (len >= HEADER && left >= HEADER) {
		if (!read_header(records, data, ret, &size))
			return fail(records, err, "it is smaller than its own header");
		if (!input_peek(input, size, err, &data, &len))
			return false;
		if (len >= size && left >= size) {
			ret->body = cursor_over(data + HEADER, size - HEADER, records->swap);
			input_take(input, size);
			return true;
		}
	}
	*ret_end = records->may_be_cut;
	return *ret_end || fail(records, err, "it is cut short");
}

/* Two kinds of record are followed by bytes of which their size does not tell. */
static uint64_t bytes_behind(const struct record *record)
{
	struct cursor c = record->body;

	if (record->type == RECORD_AUXTRACE)
		return cursor_u64(&c);
	if (record->type == RECORD_TRACING_DATA)
		return ((uint64_t)cursor_u32(&c) + 7) & ~(uint64_t)7;
	return 0;
}

bool record_stream_next(struct record_stream *records, struct err *err, struct record *ret,
			bool *ret_end)
{
	for (;;) {
		bool made = false;

		if (records->zstd && !next_made(records, err, ret, &made))
			return false;
		*ret_end = false;
		if (made)
			return true;
		if (!next_plain(records, err, ret, ret_end))
			return false;
		if (*ret_end) {
			if (records->from < records->to && !records->may_be_cut)
				return fail(records, err, "the compressed records end in one");
			return true;
		}
		if (ret->type != RECORD_COMPRESSED && ret->type != RECORD_COMPRESSED2) {
			records->skip = bytes_behind(ret);
			return true;
		}
		if (!start_chunk(records, ret, err))
			return false;
	}
}
