/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lib/perf_writer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zstd.h>

#include <cmocka.h>

#include "base/hash.h"

void pw_release(struct pw *pw)
{
	buf_release(&pw->records);
	buf_release(&pw->headers);
	for (size_t i = 0; i < PW_FEATURES; i++)
		buf_release(&pw->features[i]);
}

static void add_number(const struct pw *pw, struct buf *buf, uint64_t v, unsigned size)
{
	for (unsigned i = 0; i < size; i++)
		buf_addc(buf, (char)(v >> 8 * (pw->big ? size - 1 - i : i)));
}

void pw_u16(const struct pw *pw, struct buf *buf, uint16_t v)
{
	add_number(pw, buf, v, 2);
}

void pw_u32(const struct pw *pw, struct buf *buf, uint32_t v)
{
	add_number(pw, buf, v, 4);
}

void pw_u64(const struct pw *pw, struct buf *buf, uint64_t v)
{
	add_number(pw, buf, v, 8);
}

static void pad(struct buf *buf, size_t to)
{
	while (buf->len % to != 0)
		buf_addc(buf, 0);
}

void pw_string(const struct pw *pw, struct buf *buf, const char *s)
{
	size_t len = (strlen(s) / 64 + 1) * 64;

	pw_u32(pw, buf, (uint32_t)len);
	buf_adds(buf, s);
	buf_pad(buf, 0, len - strlen(s));
}

size_t pw_event(struct pw *pw, uint64_t type, uint64_t id, const char *name)
{
	pw->events[pw->nevents] = (struct pw_event){type, id, name};
	return pw->nevents++;
}

static void add_record(const struct pw *pw, struct buf *to, uint32_t type, uint16_t misc,
		       const struct buf *body)
{
	pw_u32(pw, to, type);
	pw_u16(pw, to, misc);
	pw_u16(pw, to, (uint16_t)(8 + body->len));
	buf_add(to, body->s, body->len);
}

void pw_record(struct pw *pw, uint32_t type, uint16_t misc, struct buf *body)
{
	add_record(pw, &pw->records, type, misc, body);
	buf_release(body);
}

/* ---- samples, in the order of the fields */

static void add_middle(const struct pw *pw, struct buf *b, uint64_t type)
{
	if (type & SAMPLE_READ) {
		bool group = pw->read_format & 8;
		size_t each = 1 + (pw->read_format & 4 ? 1 : 0) + (pw->read_format & 16 ? 1 : 0);
		size_t times = (pw->read_format & 1 ? 1 : 0) + (pw->read_format & 2 ? 1 : 0);

		if (group)
			pw_u64(pw, b, 2);
		for (size_t i = 0; i < times + each * (group ? 2 : 1); i++)
			pw_u64(pw, b, 0x1111);
	}
	if (type & SAMPLE_CALLCHAIN) {
		pw_u64(pw, b, 2);
		pw_u64(pw, b, (uint64_t)-128);
		pw_u64(pw, b, 0x2222);
	}
	if (type & SAMPLE_RAW) {
		pw_u32(pw, b, 12);
		buf_pad(b, 3, 12);
	}
	if (type & SAMPLE_BRANCH_STACK) {
		pw_u64(pw, b, 1);
		if (pw->branch_type & 1 << 17)
			pw_u64(pw, b, 0);
		for (int i = 0; i < (pw->branch_type & 1 << 19 ? 4 : 3); i++)
			pw_u64(pw, b, 0x4444);
	}
	if (type & SAMPLE_REGS_USER) {
		pw_u64(pw, b, 2);
		for (int i = 0; i < __builtin_popcountll(pw->regs_user); i++)
			pw_u64(pw, b, 0x5555);
	}
	if (type & SAMPLE_STACK_USER) {
		pw_u64(pw, b, 16);
		buf_pad(b, 6, 16);
		pw_u64(pw, b, 8);
	}
}

static void add_sample(const struct pw *pw, struct buf *b, const struct pw_event *event,
		       const struct sample *s)
{
	uint64_t type = event->type;

	if (type & SAMPLE_IDENTIFIER)
		pw_u64(pw, b, event->id);
	if (type & SAMPLE_IP)
		pw_u64(pw, b, s->ip);
	if (type & SAMPLE_TID) {
		pw_u32(pw, b, (uint32_t)s->pid);
		pw_u32(pw, b, (uint32_t)s->tid);
	}
	if (type & SAMPLE_TIME)
		pw_u64(pw, b, s->time);
	if (type & SAMPLE_ADDR)
		pw_u64(pw, b, s->address);
	if (type & SAMPLE_ID)
		pw_u64(pw, b, event->id);
	if (type & SAMPLE_STREAM_ID)
		pw_u64(pw, b, 0x7777);
	if (type & SAMPLE_CPU) {
		pw_u32(pw, b, (uint32_t)s->cpu);
		pw_u32(pw, b, 0x8888);
	}
	if (type & SAMPLE_PERIOD)
		pw_u64(pw, b, 1000);
	add_middle(pw, b, type);
	if (type & SAMPLE_WEIGHT)
		pw_u64(pw, b, s->weight);
	if (type & SAMPLE_WEIGHT_STRUCT)
		pw_u64(pw, b, 0x0009000a00000000 | s->weight);
	if (type & SAMPLE_DATA_SRC)
		pw_u64(pw, b, s->data_src);
	if (type & SAMPLE_TRANSACTION)
		pw_u64(pw, b, 0x9999);
	if (type & SAMPLE_REGS_INTR) {
		pw_u64(pw, b, 2);
		for (int i = 0; i < __builtin_popcountll(pw->regs_intr); i++)
			pw_u64(pw, b, 0xaaaa);
	}
	if (type & SAMPLE_PHYS_ADDR)
		pw_u64(pw, b, s->physical);
	if (type & SAMPLE_CGROUP)
		pw_u64(pw, b, 0xbbbb);
}

void pw_sample(struct pw *pw, size_t event, uint16_t misc, const struct sample *sample)
{
	struct buf body = BUF_INIT;

	add_sample(pw, &body, &pw->events[event], sample);
	pw_record(pw, RECORD_SAMPLE, misc, &body);
}

/* ---- other records; the end says when, and has no id as what perf itself makes up */

static void add_end(const struct pw *pw, struct buf *b, uint64_t time)
{
	uint64_t type = pw->nevents > 0 ? pw->events[0].type : 0;

	pad(b, 8);
	if (pw->no_id_all)
		return;
	if (type & SAMPLE_TID)
		pw_u64(pw, b, 0);
	if (type & SAMPLE_TIME)
		pw_u64(pw, b, time);
	if (type & SAMPLE_ID)
		pw_u64(pw, b, 0);
	if (type & SAMPLE_STREAM_ID)
		pw_u64(pw, b, 0);
	if (type & SAMPLE_CPU)
		pw_u64(pw, b, 0);
	if (type & SAMPLE_IDENTIFIER)
		pw_u64(pw, b, 0);
}

static void add_name(struct buf *b, const char *s)
{
	buf_add(b, s, strlen(s) + 1);
}

static void add_where(const struct pw *pw, struct buf *b, int32_t pid, uint64_t start, uint64_t len,
		      uint64_t pgoff)
{
	pw_u32(pw, b, (uint32_t)pid);
	pw_u32(pw, b, (uint32_t)pid);
	pw_u64(pw, b, start);
	pw_u64(pw, b, len);
	pw_u64(pw, b, pgoff);
}

static uint16_t mode_of_pid(int32_t pid)
{
	return pid == MAPS_KERNEL ? MISC_KERNEL : MISC_USER;
}

void pw_mmap(struct pw *pw, int32_t pid, uint64_t start, uint64_t len, uint64_t pgoff,
	     const char *path, uint64_t time)
{
	struct buf b = BUF_INIT;

	add_where(pw, &b, pid, start, len, pgoff);
	add_name(&b, path);
	add_end(pw, &b, time);
	pw_record(pw, RECORD_MMAP, mode_of_pid(pid), &b);
}

void pw_mmap2(struct pw *pw, int32_t pid, uint64_t start, uint64_t len, uint64_t pgoff,
	      const char *path, uint64_t time, const uint8_t *build_id, bool shared)
{
	struct buf b = BUF_INIT;

	add_where(pw, &b, pid, start, len, pgoff);
	if (build_id) {
		buf_addc(&b, 20);
		buf_pad(&b, 0, 3);
		buf_add(&b, build_id, 20);
	} else {
		pw_u64(pw, &b, 0xfd);
		pw_u64(pw, &b, hash128(path, strlen(path)).lo | 1);
		pw_u64(pw, &b, 1);
	}
	pw_u32(pw, &b, 5);
	pw_u32(pw, &b, shared ? 1 : 2);
	add_name(&b, path);
	add_end(pw, &b, time);
	pw_record(pw, RECORD_MMAP2,
		  (uint16_t)(mode_of_pid(pid) | (build_id ? MISC_MMAP_BUILD_ID : 0)), &b);
}

void pw_comm(struct pw *pw, int32_t pid, int32_t tid, const char *comm, bool exec, uint64_t time)
{
	struct buf b = BUF_INIT;

	pw_u32(pw, &b, (uint32_t)pid);
	pw_u32(pw, &b, (uint32_t)tid);
	add_name(&b, comm);
	add_end(pw, &b, time);
	pw_record(pw, RECORD_COMM, exec ? MISC_COMM_EXEC : 0, &b);
}

void pw_fork(struct pw *pw, int32_t pid, int32_t parent, int32_t tid, int32_t parent_tid,
	     uint64_t time)
{
	struct buf b = BUF_INIT;

	pw_u32(pw, &b, (uint32_t)pid);
	pw_u32(pw, &b, (uint32_t)parent);
	pw_u32(pw, &b, (uint32_t)tid);
	pw_u32(pw, &b, (uint32_t)parent_tid);
	pw_u64(pw, &b, time);
	add_end(pw, &b, time);
	pw_record(pw, RECORD_FORK, 0, &b);
}

void pw_ksymbol(struct pw *pw, uint64_t start, uint32_t len, bool gone, const char *name,
		uint64_t time)
{
	struct buf b = BUF_INIT;

	pw_u64(pw, &b, start);
	pw_u32(pw, &b, len);
	pw_u16(pw, &b, 1);
	pw_u16(pw, &b, gone);
	add_name(&b, name);
	add_end(pw, &b, time);
	pw_record(pw, RECORD_KSYMBOL, MISC_KERNEL, &b);
}

void pw_round(struct pw *pw)
{
	struct buf b = BUF_INIT;

	pw_record(pw, 68, 0, &b);
}

/* ---- features */

struct buf *pw_feature(struct pw *pw, unsigned feature)
{
	return &pw->features[feature];
}

void pw_feature_string(struct pw *pw, unsigned feature, const char *s)
{
	pw_string(pw, &pw->features[feature], s);
}

void pw_build_id(struct pw *pw, uint16_t misc, const uint8_t *id, uint8_t size, const char *path)
{
	struct buf b = BUF_INIT;

	pw_u32(pw, &b, (uint32_t)-1);
	buf_add(&b, id, size);
	buf_pad(&b, 0, (size_t)20 - size);
	buf_addc(&b, (char)size);
	buf_pad(&b, 0, 3);
	add_name(&b, path);
	pad(&b, 8);
	add_record(pw, &pw->features[2], RECORD_BUILD_ID, misc, &b);
	buf_release(&b);
}

/* ---- the whole */

static void add_attr(const struct pw *pw, struct buf *b, const struct pw_event *event)
{
	size_t size = pw->attr_size ? pw->attr_size : PW_ATTR_SIZE;
	struct buf attr = BUF_INIT;
	uint64_t flags = pw->no_id_all ? 0 : 1u << 18;

	pw_u32(pw, &attr, 4);
	pw_u32(pw, &attr, (uint32_t)size);
	pw_u64(pw, &attr, 0x1cd);
	pw_u64(pw, &attr, 1000);
	pw_u64(pw, &attr, event->type);
	pw_u64(pw, &attr, pw->read_format);
	if (pw->big) /* a bit field begins at the other end of the word */
		flags = flags ? UINT64_C(1) << (63 - 18) : 0;
	pw_u64(pw, &attr, flags);
	buf_pad(&attr, 0, 72 - attr.len);
	pw_u64(pw, &attr, pw->branch_type);
	pw_u64(pw, &attr, pw->regs_user);
	pw_u64(pw, &attr, 0);
	pw_u64(pw, &attr, pw->regs_intr);
	buf_pad(&attr, 0, 256 - attr.len);
	buf_add(b, attr.s, size);
	buf_release(&attr);
}

static void compress(const struct pw *pw, struct buf *to)
{
	ZSTD_CStream *zstd = ZSTD_createCStream();
	size_t chunk = pw->chunk ? pw->chunk : 100;

	for (size_t from = 0; from < pw->records.len; from += chunk) {
		size_t n = pw->records.len - from < chunk ? pw->records.len - from : chunk;
		ZSTD_inBuffer in = {pw->records.s + from, n, 0};
		char bytes[60000];
		ZSTD_outBuffer out = {bytes, sizeof bytes, 0};
		struct buf body = BUF_INIT;

		assert_false(ZSTD_isError(ZSTD_compressStream2(zstd, &out, &in, ZSTD_e_flush)));
		assert_int_equal(in.pos, n);
		if (pw->compress == RECORD_COMPRESSED2)
			pw_u64(pw, &body, out.pos);
		buf_add(&body, bytes, out.pos);
		if (pw->compress == RECORD_COMPRESSED2)
			pad(&body, 8);
		add_record(pw, to, pw->compress, 0, &body);
		buf_release(&body);
	}
	ZSTD_freeCStream(zstd);
}

static void finish_pipe(struct pw *pw, struct buf *ret)
{
	buf_add(ret, "PERFILE2", 8);
	pw_u64(pw, ret, 16);
	for (size_t i = 0; i < pw->nevents; i++) {
		struct buf b = BUF_INIT;

		add_attr(pw, &b, &pw->events[i]);
		if (pw->events[i].id)
			pw_u64(pw, &b, pw->events[i].id);
		add_record(pw, ret, RECORD_HEADER_ATTR, 0, &b);
		buf_release(&b);
		if (pw->events[i].name && pw->events[i].id) {
			pw_u64(pw, &b, 2);
			pw_u64(pw, &b, pw->events[i].id);
			add_name(&b, pw->events[i].name);
			pad(&b, 8);
			add_record(pw, ret, RECORD_EVENT_UPDATE, 0, &b);
			buf_release(&b);
		}
	}
	for (size_t i = 0; i < PW_FEATURES; i++) {
		struct buf b = BUF_INIT;

		if (pw->features[i].len == 0)
			continue;
		if (i == 2) { /* BUILD_ID is records already */
			buf_add(ret, pw->features[i].s, pw->features[i].len);
			continue;
		}
		pw_u64(pw, &b, i);
		buf_add(&b, pw->features[i].s, pw->features[i].len);
		add_record(pw, ret, RECORD_FEATURE, 0, &b);
		buf_release(&b);
	}
}

static void add_event_desc(struct pw *pw)
{
	struct buf *b = pw_feature(pw, 12);
	size_t size = pw->attr_size ? pw->attr_size : PW_ATTR_SIZE;

	pw_u32(pw, b, (uint32_t)pw->nevents);
	pw_u32(pw, b, (uint32_t)size);
	for (size_t i = 0; i < pw->nevents; i++) {
		add_attr(pw, b, &pw->events[i]);
		pw_u32(pw, b, pw->events[i].id ? 1 : 0);
		pw_string(pw, b, pw->events[i].name ? pw->events[i].name : "");
		if (pw->events[i].id)
			pw_u64(pw, b, pw->events[i].id);
	}
}

static void finish_file(struct pw *pw, const struct buf *records, struct buf *ret)
{
	size_t attr_size = (pw->attr_size ? pw->attr_size : PW_ATTR_SIZE) + 16;
	size_t ids = 104, attrs = ids + 8 * pw->nevents, data = attrs + attr_size * pw->nevents;
	size_t start = ret->len, at = data + records->len, n = 0;
	uint64_t bits = 0;

	add_event_desc(pw);
	for (size_t i = 0; i < PW_FEATURES; i++)
		if (pw->features[i].len > 0) {
			bits |= UINT64_C(1) << i;
			n++;
		}
	buf_add(ret, "PERFILE2", 8);
	pw_u64(pw, ret, 104);
	pw_u64(pw, ret, attr_size);
	pw_u64(pw, ret, attrs);
	pw_u64(pw, ret, attr_size * pw->nevents);
	pw_u64(pw, ret, data);
	pw_u64(pw, ret, pw->cut ? 0 : records->len);
	buf_pad(ret, 0, 16);
	pw_u64(pw, ret, bits);
	buf_pad(ret, 0, 24);
	for (size_t i = 0; i < pw->nevents; i++)
		pw_u64(pw, ret, pw->events[i].id);
	for (size_t i = 0; i < pw->nevents; i++) {
		add_attr(pw, ret, &pw->events[i]);
		pw_u64(pw, ret, ids + 8 * i);
		pw_u64(pw, ret, pw->events[i].id ? 8 : 0);
	}
	assert_int_equal(ret->len - start, data);
	buf_add(ret, records->s, records->len);
	if (pw->cut)
		return;
	at += 16 * n;
	for (size_t i = 0; i < PW_FEATURES; i++)
		if (pw->features[i].len > 0) {
			pw_u64(pw, ret, at);
			pw_u64(pw, ret, pw->features[i].len);
			at += pw->features[i].len;
		}
	for (size_t i = 0; i < PW_FEATURES; i++)
		buf_add(ret, pw->features[i].s, pw->features[i].len);
}

void pw_finish(struct pw *pw, struct buf *ret)
{
	struct buf records = BUF_INIT;

	if (pw->compress)
		compress(pw, &records);
	else
		buf_add(&records, pw->records.s, pw->records.len);
	if (pw->pipe) {
		finish_pipe(pw, ret);
		buf_add(ret, records.s, records.len);
	} else {
		finish_file(pw, &records, ret);
	}
	/* A big-endian machine writes the same word, which is the same letters backwards. */
	if (pw->big)
		memcpy(ret->s, "2ELIFREP", 8);
	buf_release(&records);
	pw_release(pw);
}

/* ---- reading */

static bool keep(void *arg, const struct access *access)
{
	struct pr *pr = arg;

	ARRAY_GROW(pr->items, pr->n, pr->cap);
	pr->items[pr->n++] = *access;
	return true;
}

static bool read_path(const char *path, const struct perf_image *image, struct pr *ret)
{
	*ret = (struct pr){.err = ERR_INIT};
	if (!recording_open(path, &ret->err, &ret->recording))
		return false;
	ret->facts = recording_facts(ret->recording);
	return recording_read(ret->recording, image, NULL, keep, ret, &ret->err);
}

bool pr_read(const struct buf *bytes, const struct perf_image *image, struct pr *ret)
{
	int fd = memfd_create("perf.data", MFD_CLOEXEC);
	char path[64];
	bool ok;

	assert_true(fd >= 0);
	assert_int_equal(pwrite(fd, bytes->s, bytes->len, 0), (ssize_t)bytes->len);
	(void)snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	ok = read_path(path, image, ret);
	close(fd);
	return ok;
}

bool pr_read_pipe(const struct buf *bytes, struct pr *ret)
{
	int ends[2];
	char path[64];
	bool ok;

	assert_int_equal(pipe(ends), 0);
	assert_true(bytes->len <= 65536); /* what a pipe holds */
	assert_int_equal(write(ends[1], bytes->s, bytes->len), (ssize_t)bytes->len);
	close(ends[1]);
	(void)snprintf(path, sizeof path, "/proc/self/fd/%d", ends[0]);
	ok = read_path(path, NULL, ret);
	close(ends[0]);
	return ok;
}

void pr_release(struct pr *pr)
{
	recording_close(pr->recording);
	free(pr->items);
	err_release(&pr->err);
}
