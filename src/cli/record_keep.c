/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From the trace of a run to the files that are kept. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/file.h"
#include "base/hash.h"
#include "cli/progress.h"
#include "cli/record_run.h"
#include "elf/image.h"
#include "perf/objects.h"
#include "perf/pairs.h"
#include "record/convert.h"

/* Of a file that the program had mapped; NULL: it has none. */
static char *build_id_of(const char *path)
{
	const struct image_options options = {.no_separate = true};
	struct err ignored = ERR_INIT;
	struct image *image;
	char *ret = NULL;

	if (image_open(path, &options, &ignored, &image)) {
		const char *id = image_target(image)->build_id;

		ret = id ? xstrdup(id) : NULL;
		image_close(image);
	}
	err_release(&ignored);
	return ret;
}

static bool kernel_subject(const struct record *record, struct convert_subject *ret,
			   struct err *err)
{
	struct image *image = source_image(record->source);
	const char *path = source_path(record->source);
	uint64_t unused;

	ret->release = record->release;
	ret->build_id = record->status.build_id[0] ? record->status.build_id
						   : source_target(record->source)->build_id;
	if (!image_symbol(image, "_stext", &ret->text, &unused) ||
	    !image_symbol(image, "_etext", &ret->text_end, &unused))
		return err_set(err, path, "has no symbols `_stext` and `_etext`");
	return true;
}

static void program_subject(const struct record *record, const struct utsname *machine,
			    struct convert_subject *ret)
{
	const char *path = record->workloads[0].words[0], *slash = strrchr(path, '/');

	ret->release = machine->release;
	ret->comm = slash ? slash + 1 : path;
	ret->build_id_of = build_id_of;
}

/* What the recording has no place for. NULL: nothing, and what an earlier recording of that name
 * left there is removed, since it speaks of another. */
static bool write_beside(struct record *record, const char *suffix, const struct buf *text,
			 struct err *err)
{
	const char *path = arena_printf(&record->arena, "%s%s", record->output, suffix);

	if (text)
		return file_write(path, text->s, text->len, err);
	return unlink(path) == 0 || errno == ENOENT || errno == ENOTDIR ||
	       err_set_errno(err, path, "cannot remove what an earlier recording left");
}

/* The recording first: what lies beside it has its digest. */
static bool write_files(struct record *record, const struct trace *trace,
			const struct converted *converted, struct err *err)
{
	const struct buf *data = &converted->perf_data;
	struct line_object *found = NULL;
	struct buf pairs = BUF_INIT, objects = BUF_INIT;
	char digest[SHA256_HEX];
	size_t n = 0;
	bool ok;

	if (record->objects &&
	    !objects_find(&record->slabs, trace, &record->arena, err, &found, &n))
		return false;
	hash_sha256_bytes(data->s, data->len, digest);
	pairs_write(converted->pairs, converted->npairs, digest, &pairs);
	objects_write(found, n, digest, &objects);
	ok = file_write(record->output, data->s, data->len, err) &&
	     write_beside(record, ".pairs", &pairs, err) &&
	     write_beside(record, ".objects", record->objects ? &objects : NULL, err);
	free(found);
	buf_release(&pairs);
	buf_release(&objects);
	return ok;
}

/* What ran and is not in the recording: a line that it fought over may look quiet. */
static void say_missed(const struct record *record, const struct trace_header *header)
{
	if (record->common.quiet)
		return;
	if (header->beyond)
		say_error("warning: %llu accesses by threads beyond the first %d that ran at once "
			  "are not in the recording",
			  (unsigned long long)header->beyond, TRACE_CPUS);
	if (header->lost)
		say_error("warning: %llu accesses at more places than are counted are not in the "
			  "recording",
			  (unsigned long long)header->lost);
}

bool record_keep(struct record *record, struct err *err)
{
	enum { MIB = 20 };
	struct convert_subject subject = {.argv = record->argv, .memory = record->memory << MIB};
	struct converted converted;
	struct utsname machine;
	struct trace trace;
	bool ok;

	uname(&machine);
	if (record->program)
		program_subject(record, &machine, &subject);
	else if (!kernel_subject(record, &subject, err))
		return false;
	if (!trace_read(record->machine.plugin.trace, err, &trace))
		return false;
	progress_begin((enum when)record->common.progress, "writing %s", record->output);
	convert(&trace, &subject, &converted);
	record->hitm_period = converted.hitm_period;
	ok = write_files(record, &trace, &converted, err);
	progress_end();
	if (ok)
		say_missed(record, trace.header);
	if (ok && record->common.verbose)
		say_error("record: %llu loads, %llu stores, %llu HITM; a sample stands for %llu of "
			  "those",
			  (unsigned long long)converted.loads, (unsigned long long)converted.stores,
			  (unsigned long long)converted.hitm,
			  (unsigned long long)converted.hitm_period);
	converted_release(&converted);
	trace_release(&trace);
	return ok;
}
