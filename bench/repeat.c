/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * repeat SAMPLES RECORDING OUTPUT: a perf.data of so many samples, those of RECORDING again and
 * again, each time later than the last. For what a long recording takes: RECORDING is a file of
 * this machine's byte order, not compressed, and its samples begin with what perf c2c records:
 * [IDENTIFIER] IP TID TIME.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	/* Of the header: where the attrs, the records and the bits of the features are told. */
	AT_ATTRS = 24,
	AT_DATA = 40,
	AT_FEATURES = 72,
	HEADER_SIZE = 104,
	/* Of an attr. */
	AT_SAMPLE_TYPE = 24,
	RECORD_HEADER = 8,
	RECORD_SAMPLE = 9,
	IP = 1,
	TID = 2,
	TIME = 4,
	IDENTIFIER = 1 << 16
};

struct recording {
	uint8_t *bytes;
	size_t size;
	uint64_t begin, end; /* of the records */
	size_t at_time;      /* in a sample */
	uint64_t samples, first, last;
};

static void fail(const char *place, const char *what)
{
	fprintf(stderr, "repeat: %s: %s\n", place, what);
	exit(2);
}

static uint64_t word(const struct recording *recording, uint64_t at)
{
	uint64_t value = 0;

	if (at <= recording->size && recording->size - at >= sizeof value)
		memcpy(&value, recording->bytes + at, sizeof value);
	return value;
}

static void load(const char *path, struct recording *ret)
{
	FILE *file = fopen(path, "rb");

	if (!file || fseek(file, 0, SEEK_END) || ftell(file) < HEADER_SIZE)
		fail(path, "it cannot be read");
	ret->size = (size_t)ftell(file);
	ret->bytes = malloc(ret->size);
	rewind(file);
	if (!ret->bytes || fread(ret->bytes, 1, ret->size, file) != ret->size)
		fail(path, "it cannot be read");
	fclose(file);
	if (memcmp(ret->bytes, "PERFILE2", 8) != 0 || word(ret, 8) != HEADER_SIZE)
		fail(path, "it is no perf.data of this byte order");
	ret->begin = word(ret, AT_DATA);
	ret->end = ret->begin + word(ret, AT_DATA + 8);
	if (ret->begin > ret->end || ret->end > ret->size)
		fail(path, "it is cut short");
}

/* The record at an offset: its type and size; the size is 0 when it runs past the end. */
static uint32_t record_at(const struct recording *recording, uint64_t at, uint16_t *ret_size)
{
	uint64_t head = word(recording, at);

	*ret_size = (uint16_t)(head >> 48);
	if (*ret_size < RECORD_HEADER || *ret_size > recording->end - at)
		*ret_size = 0;
	return (uint32_t)head;
}

static void survey(const char *path, struct recording *recording)
{
	uint64_t type = word(recording, word(recording, AT_ATTRS) + AT_SAMPLE_TYPE);
	uint16_t size;

	if ((type & (IP | TID | TIME)) != (IP | TID | TIME))
		fail(path, "its samples have no time");
	recording->at_time = RECORD_HEADER + 16 + (type & IDENTIFIER ? 8 : 0);
	for (uint64_t at = recording->begin; at < recording->end; at += size) {
		if (record_at(recording, at, &size) == RECORD_SAMPLE) {
			recording->last = word(recording, at + recording->at_time);
			if (!recording->samples++)
				recording->first = recording->last;
		}
		if (!size)
			fail(path, "it is cut short");
	}
	if (!recording->samples)
		fail(path, "it has no samples");
}

/* The records: all of them at first, samples alone after that. Returns the bytes written. */
static uint64_t write_records(const struct recording *recording, uint64_t wanted, FILE *out)
{
	uint64_t done = 0, written = 0, later = 0;
	uint16_t size;

	for (uint64_t round = 0; done < wanted; round++) {
		for (uint64_t at = recording->begin; at < recording->end && done < wanted;
		     at += size) {
			uint8_t *record = recording->bytes + at;
			uint64_t time = word(recording, at + recording->at_time) + later;
			uint8_t copy[UINT16_MAX];
			uint32_t type = record_at(recording, at, &size);

			if (type != RECORD_SAMPLE && round)
				continue;
			memcpy(copy, record, size);
			if (type == RECORD_SAMPLE) {
				memcpy(copy + recording->at_time, &time, sizeof time);
				done++;
			}
			written += fwrite(copy, 1, size, out);
		}
		later += recording->last - recording->first + 1;
	}
	return written;
}

/* The sections behind the records, as much further on as those have grown. */
static void write_features(struct recording *recording, uint64_t grown, FILE *out)
{
	size_t n = 0;

	for (int i = 0; i < 4; i++)
		n += (size_t)__builtin_popcountll(word(recording, AT_FEATURES + 8 * (uint64_t)i));
	for (size_t i = 0; i < n; i++) {
		uint64_t at = recording->end + 16 * i, offset = word(recording, at) + grown;

		if (at + 16 <= recording->size)
			memcpy(recording->bytes + at, &offset, sizeof offset);
	}
	fwrite(recording->bytes + recording->end, 1, recording->size - recording->end, out);
}

int main(int argc, char **argv)
{
	struct recording recording = {0};
	uint64_t size;
	FILE *out;

	if (argc != 4) {
		fprintf(stderr, "usage: repeat SAMPLES RECORDING OUTPUT\n");
		return 2;
	}
	load(argv[2], &recording);
	survey(argv[2], &recording);
	out = fopen(argv[3], "wb");
	if (!out)
		fail(argv[3], "it cannot be written");
	fwrite(recording.bytes, 1, recording.begin, out);
	size = write_records(&recording, strtoull(argv[1], NULL, 10), out);
	write_features(&recording, size - (recording.end - recording.begin), out);
	fseek(out, AT_DATA + 8, SEEK_SET);
	fwrite(&size, sizeof size, 1, out);
	if (fclose(out) != 0)
		fail(argv[3], "it cannot be written");
	free(recording.bytes);
	return 0;
}
