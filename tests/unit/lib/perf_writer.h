/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * perf.data that no machine here would record: either byte order, any size of attr, any fields in
 * samples, a file or a pipe, compressed or not, sound or not.
 *
 *	struct pw pw = {.big = true, .compress = RECORD_COMPRESSED};
 *	size_t loads = pw_event(&pw, SAMPLE_IP | SAMPLE_ADDR | ..., 7, "cpu/mem-loads/P");
 *	pw_mmap(&pw, ...);
 *	pw_sample(&pw, loads, &sample);
 *	pw_feature_string(&pw, 6, "x86_64");
 *	pw_finish(&pw, &bytes);
 */
#ifndef TESTS_PERF_WRITER_H
#define TESTS_PERF_WRITER_H

#include "base/buf.h"
#include "perf/data.h"

enum { PW_EVENTS = 4, PW_FEATURES = 32, PW_ATTR_SIZE = 136 };

struct pw {
	/* Set before anything is written. */
	bool big;
	bool pipe;
	unsigned compress;  /* RECORD_COMPRESSED, RECORD_COMPRESSED2; 0: not */
	size_t chunk;       /* bytes of records in one compressed record; 0: 100 */
	unsigned attr_size; /* 0: PW_ATTR_SIZE */
	bool no_id_all;     /* other records than samples have no time */
	bool cut;           /* an interrupted recording: the header says no size */
	uint64_t read_format, branch_type, regs_user, regs_intr;

	struct pw_event {
		uint64_t type, id; /* id 0: it has none */
		const char *name;
	} events[PW_EVENTS];
	size_t nevents;
	struct buf records, headers;
	struct buf features[PW_FEATURES];
};

void pw_release(struct pw *pw);

void pw_u16(const struct pw *pw, struct buf *buf, uint16_t v);
void pw_u32(const struct pw *pw, struct buf *buf, uint32_t v);
void pw_u64(const struct pw *pw, struct buf *buf, uint64_t v);
void pw_string(const struct pw *pw, struct buf *buf, const char *s); /* as features have them */

/* Its number. @type: of enum sample_field. */
size_t pw_event(struct pw *pw, uint64_t type, uint64_t id, const char *name);

/* A record of that body, which it releases. */
void pw_record(struct pw *pw, uint32_t type, uint16_t misc, struct buf *body);

/* Every field of the event's samples that is not in @sample has something in it. */
void pw_sample(struct pw *pw, size_t event, uint16_t misc, const struct sample *sample);

void pw_mmap(struct pw *pw, int32_t pid, uint64_t start, uint64_t len, uint64_t pgoff,
	     const char *path, uint64_t time);
/* @build_id NULL: device and inode in its place, another inode for each path. */
void pw_mmap2(struct pw *pw, int32_t pid, uint64_t start, uint64_t len, uint64_t pgoff,
	      const char *path, uint64_t time, const uint8_t *build_id, bool shared);
void pw_comm(struct pw *pw, int32_t pid, int32_t tid, const char *comm, bool exec, uint64_t time);
void pw_fork(struct pw *pw, int32_t pid, int32_t parent, int32_t tid, int32_t parent_tid,
	     uint64_t time);
void pw_ksymbol(struct pw *pw, uint64_t start, uint32_t len, bool gone, const char *name,
		uint64_t time);
void pw_round(struct pw *pw);

/* The buffer of a feature, to be written to. */
struct buf *pw_feature(struct pw *pw, unsigned feature);
void pw_feature_string(struct pw *pw, unsigned feature, const char *s);
void pw_build_id(struct pw *pw, uint16_t misc, const uint8_t *id, uint8_t size, const char *path);

/* All of it into @ret, which is empty; releases @pw. */
void pw_finish(struct pw *pw, struct buf *ret);

/*
 * What a reader makes of bytes: the accesses, and the facts as long as it is not released; or the
 * error.
 */
struct pr {
	struct recording *recording;
	const struct recording_facts *facts;
	struct access *items;
	size_t n, cap;
	struct err err;
};

/* Through a file of just these bytes. @image NULL: none. */
bool pr_read(const struct buf *bytes, const struct perf_image *image, struct pr *ret);
/* The same through a pipe. */
bool pr_read_pipe(const struct buf *bytes, struct pr *ret);
void pr_release(struct pr *pr);

#endif
