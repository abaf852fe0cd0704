/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The records of a perf.data one after the other, those inside of compressed ones too. Only a
 * window of the input and of what is decompressed is in memory. Source of the formats:
 * Documentation/perf.data-file-format.txt of perf.
 */
#ifndef PERF_RECORDS_H
#define PERF_RECORDS_H

#include "base/cursor.h"
#include "perf/input.h"

enum record_type {
	RECORD_MMAP = 1,
	RECORD_LOST = 2,
	RECORD_COMM = 3,
	RECORD_FORK = 7,
	RECORD_SAMPLE = 9,
	RECORD_MMAP2 = 10,
	RECORD_LOST_SAMPLES = 13,
	RECORD_KSYMBOL = 17,
	RECORD_HEADER_ATTR = 64, /* from here on perf's own */
	RECORD_TRACING_DATA = 66,
	RECORD_BUILD_ID = 67,
	RECORD_AUXTRACE = 71,
	RECORD_EVENT_UPDATE = 78,
	RECORD_FEATURE = 80,
	RECORD_COMPRESSED = 81,
	RECORD_COMPRESSED2 = 83
};

struct record {
	uint32_t type;
	uint16_t misc;
	struct cursor body; /* behind the header; good until the next record */
	uint64_t offset;    /* in the file; of one that was compressed, of what it was in */
};

struct record_stream {
	struct input *input;
	bool swap;
	bool may_be_cut; /* the recording was interrupted: its end may be part of a record */
	uint64_t end;    /* offset behind the last one; UINT64_MAX: the end of the input */
	uint64_t offset; /* of the record read last */
	uint64_t skip;   /* bytes behind that record that are no record */
	struct ZSTD_DCtx_s *zstd; /* NULL until something compressed came */
	const uint8_t *chunk;     /* compressed bytes not used yet */
	size_t chunk_len;
	uint8_t *made; /* decompressed: [from, to) are not used yet */
	size_t from, to;
};

/* From where @input stands. */
void record_stream_init(struct record_stream *records, struct input *input, uint64_t end,
			bool swap);
void record_stream_release(struct record_stream *records);

/* *ret_end: there are no more. */
MUST_CHECK bool record_stream_next(struct record_stream *records, struct err *err,
				   struct record *ret, bool *ret_end);

#endif
