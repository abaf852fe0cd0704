/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kernel of a recording: which it is, the vmlinux of the same build, and what the plugin and
 * the walk over the slabs have to know of it. */
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/text.h"
#include "cli/progress.h"
#include "cli/record_run.h"
#include "elf/image.h"
#include "layout/path.h"
#include "record/kernel.h"

#define LINKED_AT UINT64_C(0xffffffff80000000) /* without KASLR this is physical 0 */

/* ---- which ---------------------------------------------------------------------------------- */

/* The two lines that it prints. */
static bool take_paths(struct record *record, const struct buf *said, struct err *err)
{
	const char *first = said->s, *second = strchr(first, '\n'), *end;

	end = second ? strchr(++second, '\n') : NULL;
	if (!end)
		return err_set(err, NULL, "record: no kernel was fetched");
	record->kernel = arena_strndup(&record->arena, first, (size_t)(second - 1 - first));
	if (!record->vmlinux)
		record->vmlinux = arena_strndup(&record->arena, second, (size_t)(end - second));
	return true;
}

static bool fetch(struct record *record, const char *package, struct err *err)
{
	const char *cache = kernel_cache(&record->arena);
	const char *helper = record_helper(&record->arena, "layoutcheck-fetch-kernel");
	const char *const argv[] = {helper, cache, package, NULL};
	const struct guest_run run = {.argv = argv};
	struct guest_result result;
	bool ok;

	if (!helper)
		return err_set(err, NULL,
			       "record: layoutcheck-fetch-kernel is not beside the program");
	if (!cache)
		return err_set(err, NULL, "record: HOME is not set, and kernels are kept below it");
	progress_begin((enum when)record->common.progress, "fetching %s",
		       package ? package : "the newest cloud kernel");
	ok = guest_run(&run, err, &result);
	progress_end();
	if (!ok)
		return false;
	if (result.end == GUEST_ENDED && WIFEXITED(result.wait_status) &&
	    WEXITSTATUS(result.wait_status) == 0) {
		ok = take_paths(record, &result.output, err);
	} else {
		char *why = guest_last_line(&result.errors);

		ok = err_set(err, package, "%s", *why ? why : "fetching it was interrupted");
		free(why);
	}
	guest_result_release(&result);
	return ok;
}

static bool has_banner_of(struct source *source, const char *version_line)
{
	enum { LONGEST = 512 };
	struct image *image = source_image(source);
	char banner[LONGEST + 1] = "";
	uint64_t address, size;

	if (!image || !image_symbol(image, "linux_banner", &address, &size))
		return false;
	for (size_t len = 0; len < LONGEST; len++)
		if (!image_read_address(image, address + len, &banner[len], 1) || !banner[len])
			break;
	return kernel_is_same_build(version_line, banner);
}

static bool open_vmlinux(struct record *record, const char *version_line, struct err *err)
{
	if (!source_open(record->vmlinux, &record->common, err, &record->source))
		return false;
	if (!has_banner_of(record->source, version_line))
		return err_set(err, record->vmlinux, "not of the build of %s, which is %s",
			       record->kernel, version_line);
	return true;
}

static bool find_vmlinux(struct record *record, const char *version_line, struct err *err)
{
	const char *release = kernel_release(version_line, &record->arena);
	const char *const *places;
	struct buf looked = BUF_INIT;
	size_t n;

	places = kernel_places(record->kernel, release, &record->arena, &n);
	for (size_t i = 0; i < n; i++) {
		buf_addf(&looked, "%s%s", i ? ", " : "", places[i]);
		if (access(places[i], R_OK) == 0) {
			buf_release(&looked);
			record->vmlinux = places[i];
			return true;
		}
	}
	err_set(err, record->kernel,
		"no vmlinux with its debug info is there (%s): give one with --vmlinux, or install "
		"Debian's linux-image-%s-dbg",
		looked.s, release);
	buf_release(&looked);
	return false;
}

bool record_find_kernel(struct record *record, struct err *err)
{
	const char *kernel = record->kernel, *line;

	if (!kernel || (access(kernel, F_OK) != 0 && text_starts_with(kernel, "linux-image-")))
		if (!fetch(record, kernel, err))
			return false;
	if (!kernel_version_line(record->kernel, &record->arena, err, &line))
		return false;
	record->release = kernel_release(line, &record->arena);
	return (record->vmlinux || find_vmlinux(record, line, err)) &&
	       open_vmlinux(record, line, err);
}

/* ---- what is in it -------------------------------------------------------------------------- */

static bool symbol(const struct record_facts *facts, const char *name, uint64_t *ret)
{
	struct source *source = facts->record->source;

	return (source_image(source) &&
		image_symbol(source_image(source), name, ret, &(uint64_t){0})) ||
	       err_set(facts->err, source_path(source), "has no symbol `%s`", name);
}

static const struct type *find_struct(const struct record_facts *facts, const char *name)
{
	struct arena *arena = &facts->record->arena;
	struct type_ref ref = {.kind = DEF_STRUCT, .name = name};
	struct def_list defs = layout_find(facts->layout, ref, arena);

	if (defs.n)
		return defs.defs[0]->type;
	err_set(facts->err, source_path(facts->record->source), "has no struct `%s`", name);
	return NULL;
}

enum { BYTE = 8 };

bool record_size(const struct record_facts *facts, const char *type_name, uint64_t *ret)
{
	const struct type *type = find_struct(facts, type_name);

	if (!type)
		return false;
	*ret = type->bits / BYTE;
	return true;
}

bool record_offset(const struct record_facts *facts, const char *type_name, const char *member,
		   uint64_t *ret)
{
	const struct type *type = find_struct(facts, type_name);
	const char *why = NULL;
	struct span span;

	if (!type)
		return false;
	if (path_resolve(type, member, &facts->record->arena, &why, &span) != PATH_FOUND)
		return err_set(facts->err, source_path(facts->record->source),
			       "struct %s has no member `%s`", type_name, member);
	*ret = span.bit_offset / BYTE;
	return true;
}

/* The running task: a per-cpu pointer, from Linux 6.2 to 6.14 a member of a per-cpu struct. */
static bool task_facts(const struct record_facts *facts, struct machine_plugin *ret)
{
	struct image *image = source_image(facts->record->source);
	uint64_t within = 0, table, base;

	if (!image_symbol(image, "current_task", &ret->current, &(uint64_t){0})) {
		if (!symbol(facts, "pcpu_hot", &ret->current) ||
		    !record_offset(facts, "pcpu_hot", "current_task", &within))
			return false;
		ret->current += within;
	}
	if (!symbol(facts, "__per_cpu_offset", &table) ||
	    !symbol(facts, "page_offset_base", &base) ||
	    !record_offset(facts, "task_struct", "pid", &ret->pid) ||
	    !record_offset(facts, "task_struct", "tgid", &ret->tgid) ||
	    !record_offset(facts, "task_struct", "comm", &ret->comm))
		return false;
	if (!image_read_address(image, base, &ret->direct, sizeof ret->direct))
		return err_set(facts->err, source_path(facts->record->source),
			       "`page_offset_base` has no contents");
	ret->percpu = table - LINKED_AT;
	ret->has_task = true;
	return true;
}

bool record_kernel_facts(struct record *record, struct err *err)
{
	static const char *const names[] = {"pcpu_hot", "task_struct"};
	const struct want want = {.names = names, .n = ARRAY_SIZE(names)};
	struct machine_plugin *plugin = &record->machine.plugin;
	struct record_facts facts = {.record = record, .err = err};
	struct layout *layout;
	bool ok;

	if (!source_read(record->source, &want, err, &layout))
		return false;
	facts.layout = layout;
	ok = task_facts(&facts, plugin);
	ok = ok && (!record->from_symbol || symbol(&facts, record->from_symbol, &plugin->from));
	ok = ok && (!record->to_symbol || symbol(&facts, record->to_symbol, &plugin->to));
	layout_free(layout);
	return ok;
}
