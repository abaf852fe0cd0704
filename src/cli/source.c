/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/source.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "btf/btf.h"
#include "cli/progress.h"
#include "cli/source_private.h"
#include "elf/archive.h"
#include "elf/config.h"
#include "elf/image.h"
#include "elf/kernel.h"
#include "elf/symtab.h"
#include "layout/kconfig.h"
#include "layout/snapshot.h"

static bool read_dwarf(struct source *source, const struct want *want, struct err *err,
		       struct layout **ret)
{
	static const struct dwarf_options options = {0};

	return dwarf_read(source->image, want, &options, err, ret);
}

static bool read_dwarf_part(struct source *source, struct image *image, const struct want *want,
			    enum dwarf_depth depth, struct join *join, struct err *err,
			    struct layout **ret)
{
	const struct dwarf_options options = {.depth = depth, .join = join};

	(void)source;
	return dwarf_read(image, want, &options, err, ret);
}

static bool read_btf_part(struct source *source, struct image *image, const struct want *want,
			  enum dwarf_depth depth, struct join *join, struct err *err,
			  struct layout **ret)
{
	const struct btf_options options = {.pointer_bits = source->target.bits};

	(void)depth; /* it does not tell what is inside functions from the rest */
	(void)join;
	return btf_read(image, source->base, want, &options, err, ret);
}

static bool read_btf(struct source *source, const struct want *want, struct err *err,
		     struct layout **ret)
{
	const struct btf_options options = {.pointer_bits = source->target.bits};

	return btf_read(source->image, source->base, want, &options, err, ret);
}

/* All has been read when the source was opened. */
static bool read_snapshot(struct source *source, const struct want *want, struct err *err,
			  struct layout **ret)
{
	(void)err;
	*ret = snapshot_select(source->snapshot, want);
	return true;
}

static const struct reader snapshot_reader = {.name = "snapshot", .read = read_snapshot};

/* No types: what is asked of them is unknown. */
static bool read_symbols(struct source *source, const struct want *want, struct err *err,
			 struct layout **ret)
{
	static const struct want none;

	(void)want;
	(void)err;
	*ret = layout_new();
	(*ret)->path = arena_strdup(&(*ret)->arena, image_path(source->image));
	(*ret)->source = SOURCE_SYMBOLS;
	(*ret)->recorded = &none;
	return true;
}

const struct reader symbols_reader = {.name = "symbols", .read = read_symbols};

const struct reader image_readers[READERS] = {
	{"DWARF", "dwarf", FROM_DWARF, dwarf_present, read_dwarf, read_dwarf_part},
	{"BTF", "btf", FROM_BTF, btf_present, read_btf, read_btf_part},
};

/* The first other reader that finds something in the image; NULL: none. */
static const struct reader *another_reader(struct image *image, const struct reader *than)
{
	for (size_t i = 0; i < READERS; i++)
		if (&image_readers[i] != than && image_readers[i].present(image))
			return &image_readers[i];
	return NULL;
}

/* What there is to say of debug info of another kind; NULL: there is none. */
static const char *another_kind(struct image *image)
{
	static const struct {
		const char *section, *says;
	} kinds[] = {
		{".debug_info.dwo",
		 "has units of split debug info alone: give the program that it belongs to"},
		{".gnu.debuglto_.debug_info",
		 "has debug info for the linker alone (LTO): give the linked program, or build "
		 "with -ffat-lto-objects"},
		{".ctf", "has CTF, which is not read: build with -g"},
		{".SUNW_ctf", "has CTF, which is not read: build with -g"},
		{".stab", "has stabs, which are not read: build with -gdwarf"},
	};

	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		struct err err = ERR_INIT;
		struct section *section = NULL;
		bool present = !image_section(image, kinds[i].section, &err, &section) || section;

		err_release(&err);
		if (present)
			return kinds[i].says;
	}
	return NULL;
}

static bool has_nothing(struct image *image, struct err *err)
{
	static const char says[] =
		"has neither DWARF nor BTF: build with -g, or install the debug package";
	const char *path = image_path(image), *looked = image_debug_looked(image);
	const char *mismatch = image_debug_mismatch(image), *another = another_kind(image);

	if (another)
		return err_set(err, path, "%s", another);
	if (mismatch)
		return err_set(err, path, "%s (%s)", says, mismatch);
	if (looked)
		return err_set(err, path, "%s (there is no %s)", says, looked);
	return err_set(err, path, "%s", says);
}

/*
 * A debug file that is there and is not the one: what is read instead is all well, but hardly what
 * was wanted.
 */
static void warn_of_mismatch(const struct source *source, const struct common *common)
{
	const char *mismatch = image_debug_mismatch(source->image);

	if (mismatch && !image_debug_path(source->image) && !common->quiet)
		say_error("warning: %s: %s", image_path(source->image), mismatch);
}

static bool choose_reader(struct source *source, enum from from, bool only_variables,
			  struct err *err)
{
	const char *path = image_path(source->image);
	const struct reader *asked = NULL, *other;

	for (size_t i = 0; i < READERS; i++) {
		if (from != FROM_ANY && image_readers[i].from != from)
			continue;
		if (image_readers[i].present(source->image)) {
			source->reader = &image_readers[i];
			return true;
		}
		if (from != FROM_ANY)
			asked = &image_readers[i];
	}
	other = another_reader(source->image, NULL);
	if (only_variables && from == FROM_ANY) {
		source->reader = &symbols_reader;
		return true;
	}
	if (asked && other)
		return err_set(err, path, "has no %s, but %s: --from %s reads that", asked->name,
			       other->name, other->option);
	return has_nothing(source->image, err);
}

/* ---- the target ------------------------------------------------------------------------------ */

/* The name that the kernel has for a BTF file: "xfs" for /sys/kernel/btf/xfs. */
static const char *module_name(struct source *source)
{
	const char *path = image_path(source->image), *slash = strrchr(path, '/');
	const char *name = slash ? slash + 1 : path;

	return arena_strndup(&source->arena, name, strcspn(name, "."));
}

/* A kernel is what defines struct task_struct; its BTF says so in no other way. */
static bool is_kernel_btf(struct source *source, struct err *err, bool *ret)
{
	static const char *const names[] = {"task_struct"};
	const struct want want = {.names = names, .n = ARRAY_SIZE(names)};
	struct type_ref ref = {.kind = DEF_STRUCT, .name = names[0]};
	struct layout *layout;

	if (!btf_read(source->image, NULL, &want, &(struct btf_options){0}, err, &layout))
		return false;
	*ret = layout_find(layout, ref, &source->arena).n != 0;
	layout_free(layout);
	return true;
}

/* Raw BTF that is not the running kernel's says nothing about its machine. */
static bool raw_target(struct source *source, struct err *err)
{
	struct target *target = &source->target;
	bool is_kernel = false;

	if (source->base) {
		if (is_running_btf(image_path(source->base)))
			running_target(&source->arena, target);
		else
			*target = *image_target(source->base);
		target->build_id = NULL;
		target->module = module_name(source);
		return true;
	}
	if (!is_kernel_btf(source, err, &is_kernel))
		return false;
	target->module = is_kernel ? "vmlinux" : NULL;
	return true;
}

static bool apply_options(struct source *source, const struct common *common, struct err *err)
{
	struct target *target = &source->target;
	const struct arch *arch = common->arch;

	if (arch && target->arch && strcmp(arch->name, target->arch) != 0)
		return err_set(err, source_path(source), "is for %s, not for %s (--arch)",
			       target->arch, arch->name);
	if (arch && !target->arch) {
		target->arch = arch->name;
		target->bits = arch->bits;
		target->big_endian = arch->big_endian;
		target->line = arch->line;
	}
	if (common->line)
		target->line = common->line;
	return true;
}

static bool find_config(struct source *source, const struct common *common, struct err *err)
{
	struct target *target = &source->target;
	const struct kconfig **config = &target->kconfig;
	bool ok = true;

	if (common->config)
		ok = config_read(common->config, &source->arena, err, config);
	else if (!common->wants_config || !source->image)
		return true;
	else if (is_running_btf(image_path(source->image)))
		*config = running_config(target->release, &source->arena);
	else
		ok = image_config(source->image, &source->arena, err, config);
	if (!ok || !*config)
		return ok;
	target->config = (*config)->digest;
	if (kconfig_value(*config, "CONFIG_RANDSTRUCT") ||
	    kconfig_value(*config, "CONFIG_GCC_PLUGIN_RANDSTRUCT"))
		target->randomized = RANDOMIZED_YES;
	return true;
}

static bool find_target(struct source *source, const struct common *common, struct err *err)
{
	const char *path = image_path(source->image);

	if (image_kind(source->image) != IMAGE_RAW_BTF) {
		source->target = *image_target(source->image);
		if (source->parts.n)
			source->target.build_id = source->target.module = NULL;
	} else if (is_running_btf(path)) {
		running_target(&source->arena, &source->target);
		source->target.module = module_name(source);
	} else if (!raw_target(source, err)) {
		return false;
	}
	return find_config(source, common, err) && apply_options(source, common, err);
}

/* ---- opening ------------------------------------------------------------------------------- */

/*
 * BTF stands in the file itself, as a rule, and then it does not matter what a debug file is like.
 */
static bool open_image(const char *path, enum from from, const struct common *common,
		       struct err *err, struct image **ret)
{
	struct image_options options = {.debug_dir = common->debug_dir,
					.no_separate = from == FROM_BTF,
					.debuginfod = common->debuginfod};

	if (strcmp(path, RUNNING_BTF) == 0 && access(path, F_OK) != 0 && errno == ENOENT)
		return err_set(err, NULL,
			       "the running kernel has no BTF (" RUNNING_BTF
			       "): give a vmlinux, or boot a kernel with CONFIG_DEBUG_INFO_BTF=y");
	if (!image_open(path, &options, err, ret))
		return false;
	if (!options.no_separate || btf_present(*ret))
		return true;
	image_close(*ret);
	*ret = NULL;
	options.no_separate = false;
	return image_open(path, &options, err, ret);
}

/* BTF counts on from its base: on that of another build the numbers lead to other types. */
static bool check_release(struct source *source, struct err *err)
{
	const char *own = image_target(source->image)->release;
	const char *base = image_path(source->base);
	struct target under = *image_target(source->base);

	if (is_running_btf(base))
		running_target(&source->arena, &under);
	if (!own || !under.release || strcmp(own, under.release) == 0)
		return true;
	return err_set(err, image_path(source->image),
		       "its BTF builds on that of Linux %s, and %s is of %s", own, base,
		       under.release);
}

bool source_open_base(struct source *source, struct err *err)
{
	const char *path = image_path(source->image), *base = source->common->base;

	if (source->reader->from != FROM_BTF || !btf_is_split(source->image))
		return true;
	if (!base && is_running_btf(path))
		base = RUNNING_BTF;
	if (!base)
		return err_set(err, path,
			       "its BTF builds on that of its vmlinux: give that with --base");
	return open_image(base, FROM_BTF, source->common, err, &source->base) &&
	       check_release(source, err);
}

/*
 * A file that cannot be looked at is the image's to complain about. A pipe is not opened: who
 * writes to it would be left without a reader when it is closed again.
 */
static bool is_snapshot(const char *path)
{
	char start[64];
	struct stat st;
	ssize_t n;
	int fd;

	if (stat(path, &st) != 0 || !S_ISREG(st.st_mode))
		return false;
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	n = pread(fd, start, sizeof start, 0);
	close(fd);
	return n > 0 && snapshot_detect(start, (size_t)n);
}

/* --from says what to read of images; a snapshot has what it was taken from. */
static bool check_origin(const struct layout *snapshot, enum from from, struct err *err)
{
	enum from has = snapshot->origin == SOURCE_BTF ? FROM_BTF : FROM_DWARF;

	return from == FROM_ANY || from == has ||
	       err_set(err, snapshot->path, "is a snapshot, which was taken from %s",
		       layout_source_name(snapshot->origin));
}

static bool open_snapshot(struct source *source, const char *path, const struct common *common,
			  struct err *err)
{
	struct bytes bytes;
	bool ok;

	source->reader = &snapshot_reader;
	progress_begin(source->progress, "reading %s (snapshot)", path);
	ok = file_read(path, SNAPSHOT_MAX, err, &bytes);
	if (ok) {
		ok = snapshot_read(bytes.data, bytes.len, path, err, &source->snapshot);
		bytes_release(&bytes);
	}
	progress_end();
	if (!ok || !check_origin(source->snapshot, (enum from)common->from, err))
		return false;
	source->target = source->snapshot->target;
	return find_config(source, common, err) && apply_options(source, common, err);
}

static bool open_source(struct source *source, const char *path, const struct common *common,
			struct err *err)
{
	const struct strings *joined = &common->joined;

	if (common->join && path == common->joined_name)
		return joined_open(source, joined->items, joined->n, err) &&
		       find_target(source, common, err);
	if (archive_detect(path))
		return joined_open(source, &path, 1, err) && find_target(source, common, err);
	if (is_snapshot(path))
		return open_snapshot(source, path, common, err);
	return open_image(path, (enum from)common->from, common, err, &source->image) &&
	       choose_reader(source, (enum from)common->from, common->only_variables, err) &&
	       source_open_base(source, err) && find_target(source, common, err);
}

bool source_open(const char *path, const struct common *common, struct err *err,
		 struct source **ret)
{
	struct source *source = xcalloc(1, sizeof *source);

	arena_init(&source->arena);
	source->progress = (enum when)common->progress;
	source->source_root = common->source_root;
	source->common = common;
	source->path = path;
	if (!open_source(source, path, common, err)) {
		source_close(source);
		return false;
	}
	if (source->image && !source->parts.n)
		warn_of_mismatch(source, common);
	*ret = source;
	return true;
}

void source_close(struct source *source)
{
	if (!source)
		return;
	layout_free(source->snapshot);
	image_close(source->base);
	image_close(source->image);
	parts_release(&source->parts);
	arena_release(&source->arena);
	free(source);
}

const char *source_path(const struct source *source)
{
	return source->path;
}

struct image *source_image(const struct source *source)
{
	return source->parts.n ? NULL : source->image;
}

bool source_is_joined(const struct source *source)
{
	return source->parts.n != 0;
}

const struct target *source_target(const struct source *source)
{
	return &source->target;
}

/* "...; --from btf reads its BTF": the way out is named, never taken. */
static void name_the_other(struct source *source, struct err *err)
{
	const struct reader *other = another_reader(source->image, source->reader);
	struct err longer = ERR_INIT;

	if (!other)
		return;
	err_set(&longer, NULL, "%s; --from %s reads its %s", err->text, other->option, other->name);
	err_release(err);
	*err = longer;
}

/* Takes @root off the paths of declarations. Slashes at its end do not matter. */
static void strip_root(const char *root, struct layout *layout)
{
	size_t len = strlen(root);

	while (len && root[len - 1] == '/')
		len--;
	for (size_t i = 0; i < layout->ndefs; i++) {
		struct def *def = &layout->defs[i];
		const char *rest;

		if (!def->has_decl || strncmp(def->file, root, len) != 0 || def->file[len] != '/')
			continue;
		rest = def->file + len + strspn(def->file + len, "/");
		if (*rest)
			def->file = rest;
	}
	layout_sort(layout); /* by file, among others */
}

/* Whatever the layouts come from, variables come from the symbol table. */
static bool read_variables(struct source *source, struct err *err, struct layout *layout)
{
	struct data_table *data = arena_alloc(&layout->arena, sizeof *data);

	layout->data = data;
	if (source->parts.n)
		data->unknown = "where the linker puts the variables of several objects is not "
				"known before it has";
	else if (source->image)
		return image_data(source->image, &layout->arena, err, data);
	else
		data->unknown = "a snapshot does not keep where variables are";
	return true;
}

static bool read_layout(struct source *source, const struct want *want, struct err *err,
			struct layout **ret)
{
	if (!(source->parts.n ? joined_read : source->reader->read)(source, want, err, ret)) {
		name_the_other(source, err);
		return false;
	}
	(*ret)->target = source->target;
	if (want->variables && !read_variables(source, err, *ret)) {
		layout_free(*ret);
		return false;
	}
	if (source->source_root && *source->source_root)
		strip_root(source->source_root, *ret);
	return true;
}

bool source_read(struct source *source, const struct want *want, struct err *err,
		 struct layout **ret)
{
	bool ok;

	progress_begin(source->progress, "reading %s (%s)", source_path(source),
		       source->reader->name);
	ok = read_layout(source, want, err, ret);
	progress_end();
	return ok;
}

/* One of two images that are read at once. */
struct half {
	struct source *source;
	const struct want *want;
	struct err err;
	struct layout *layout;
	bool ok;
};

static void *read_half(void *data)
{
	struct half *half = data;

	half->ok = read_layout(half->source, half->want, &half->err, &half->layout);
	return NULL;
}

bool source_read_both(struct source *const sources[2], const struct want *const wants[2],
		      struct err *err, struct layout *ret[2])
{
	struct half halves[2] = {{sources[0], wants[0], ERR_INIT, NULL, false},
				 {sources[1], wants[1], ERR_INIT, NULL, false}};
	pthread_t thread;
	bool threaded;

	progress_begin(sources[0]->progress, "reading %s (%s) and %s (%s)", source_path(sources[0]),
		       sources[0]->reader->name, source_path(sources[1]), sources[1]->reader->name);
	threaded = pthread_create(&thread, NULL, read_half, &halves[0]) == 0;
	if (!threaded)
		read_half(&halves[0]);
	read_half(&halves[1]);
	if (threaded)
		pthread_join(thread, NULL);
	progress_end();
	for (size_t i = 0; i < 2; i++) {
		if (!halves[i].ok)
			err_set(err, NULL, "%s", halves[i].err.text);
		err_release(&halves[i].err);
	}
	if (!halves[0].ok || !halves[1].ok) {
		layout_free(halves[0].layout);
		layout_free(halves[1].layout);
		return false;
	}
	ret[0] = halves[0].layout;
	ret[1] = halves[1].layout;
	return true;
}
