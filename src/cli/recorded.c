/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/recorded.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "c2c/judge.h"
#include "cli/functions.h"
#include "cli/progress.h"
#include "cli/types.h"
#include "dwarf/claims.h"
#include "elf/symtab.h"
#include "perf/objects.h"
#include "perf/pairs.h"
#include "perf/perf.h"

enum { MOST_BUILD_ID = 64 };

struct reading {
	struct arena arena;
	struct source *source;
	struct recorded_options options;
	struct symtab symtab;
	struct claims claims;
	struct functions functions;
	struct c2c_table table;
	struct recording **recordings;
	size_t n, npaired; /* the second: those with .pairs beside them */
	bool is_alone;     /* one recording */
	uint8_t build_id[MOST_BUILD_ID];
	struct perf_image image;
};

/* ---- what perf/ asks of the image ------------------------------------------------------------ */

static bool ask_symbol(void *arg, const char *name, uint64_t *ret_address)
{
	struct reading *reading = arg;
	struct symbol_run run = symtab_named(&reading->symtab, name, false);

	for (size_t i = 0; i < run.n; i++)
		if (i == 0 || reading->symtab.items[run.first[i]].is_global)
			*ret_address = reading->symtab.items[run.first[i]].address;
	/* Labels between sections (_text, _stext) are no functions to the table. */
	return run.n ||
	       image_symbol(source_image(reading->source), name, ret_address, &(uint64_t){0});
}

static bool ask_function(void *arg, uint64_t address, const char **ret_name, uint64_t *ret_start,
			 uint64_t *ret_size)
{
	struct reading *reading = arg;
	const struct symbol *symbol = symtab_at(&reading->symtab, address, SYMBOL_FUNCTION);

	if (!symbol)
		return false;
	*ret_name = symbol->name;
	*ret_start = symbol->address;
	*ret_size = symbol->size;
	return true;
}

static void ask_functions(void *arg, const char *name, bool prefix,
			  void (*found)(void *found_arg, uint64_t start, uint64_t size),
			  void *found_arg)
{
	struct reading *reading = arg;
	struct symbol_run run = symtab_named(&reading->symtab, name, prefix);

	for (size_t i = 0; i < run.n; i++) {
		const struct symbol *symbol = &reading->symtab.items[run.first[i]];

		if (symbol->is_function)
			found(found_arg, symbol->address, symbol->size);
	}
}

static bool ask_offset(void *arg, uint64_t offset, uint64_t *ret_address)
{
	struct reading *reading = arg;

	return image_address_of_offset(source_image(reading->source), offset, ret_address);
}

static unsigned hex_digit(char c)
{
	return c <= '9' ? (unsigned)(c - '0') : (unsigned)(c - 'a' + 10);
}

static void fill_image(struct reading *reading)
{
	const struct target *target = source_target(reading->source);
	struct perf_image *image = &reading->image;

	*image = (struct perf_image){
		.is_kernel = target->module && strcmp(target->module, "vmlinux") == 0,
		.path = source_path(reading->source),
		.symbol = ask_symbol,
		.function = ask_function,
		.functions = ask_functions,
		.address_of_offset = ask_offset,
		.arg = reading,
	};
	if (!image->is_kernel)
		image_extent(source_image(reading->source), &image->start, &image->end);
	for (const char *hex = target->build_id;
	     hex && hex[0] && hex[1] && image->build_id_size < MOST_BUILD_ID; hex += 2)
		reading->build_id[image->build_id_size++] =
			(uint8_t)(hex_digit(hex[0]) << 4 | hex_digit(hex[1]));
	if (image->build_id_size)
		image->build_id = reading->build_id;
}

/* ---- what c2c/ asks of it -------------------------------------------------------------------- */

static bool ask_variable(void *arg, uint64_t address, bool is_percpu, struct c2c_variable *ret)
{
	const struct reading *reading = arg;
	const struct symbol *symbol =
		symtab_at(&reading->symtab, address, is_percpu ? SYMBOL_PERCPU : SYMBOL_VARIABLE);

	if (!symbol)
		return false;
	*ret = (struct c2c_variable){symbol->name, symbol->address, symbol->size};
	return true;
}

static bool ask_function_name(void *arg, uint64_t pc, const char **ret)
{
	const struct reading *reading = arg;
	const struct symbol *symbol = symtab_at(&reading->symtab, pc, SYMBOL_FUNCTION);

	if (symbol)
		*ret = symbol->name;
	return symbol;
}

/* ---- recordings ------------------------------------------------------------------------------ */

static const char *kind_name(enum recording_kind kind)
{
	switch (kind) {
	case RECORDING_PERF_DATA:
		return "perf.data";
	case RECORDING_SCRIPT:
		return "perf script text";
	case RECORDING_REPORT:
		return "perf c2c report";
	}
	return NULL;
}

static void warn(struct recorded *recorded, const char *path, const char *text)
{
	strings_add(&recorded->warnings,
		    arena_printf(&recorded->reading->arena, "%s: %s", path, text));
}

/* A recording of another build has other members at the same offsets. */
static bool check_build(struct recorded *recorded, const char *path,
			const struct recording_facts *facts, struct err *err)
{
	struct reading *reading = recorded->reading;
	const char *image = source_path(reading->source);

	switch (facts->build_id) {
	case BUILD_ID_SAME:
		return true;
	case BUILD_ID_OTHER:
		if (!reading->options.force)
			return err_set(err, path,
				       "it was recorded on build id %s, and %s is another build "
				       "(--force takes it all the same)",
				       facts->image_build_id, image);
		warn(recorded, path,
		     arena_printf(
			     &reading->arena,
			     "it was recorded on build id %s, and %s is another build: no name "
			     "is verified",
			     facts->image_build_id, image));
		break;
	case BUILD_ID_UNKNOWN:
		warn(recorded, path,
		     arena_printf(&reading->arena,
				  "it does not say on which build it was recorded: names are those "
				  "of %s, unverified",
				  image));
		break;
	}
	recorded->verified = false;
	return true;
}

static bool take(void *arg, const struct access *access)
{
	table_add(arg, access);
	return true;
}

static void tell(void *unused, uint64_t done, uint64_t all)
{
	(void)unused;
	progress_tell(done, all);
}

static void add_input(struct recorded *recorded, const char *path,
		      const struct recording_facts *facts)
{
	recorded->inputs[recorded->ninputs++] = (struct c2c_input){
		.path = path,
		.kind = kind_name(facts->kind),
		.release = facts->release,
		.arch = facts->arch,
		.cpuid = facts->cpuid,
		.cmdline = facts->cmdline,
		.samples = facts->samples,
		.verified = facts->build_id == BUILD_ID_SAME,
	};
	for (size_t i = 0; i < facts->nnotes; i++)
		strings_add(&recorded->warnings, facts->notes[i]);
}

static bool read_one(struct recorded *recorded, const char *path, struct recording *recording,
		     struct err *err)
{
	const struct perf_progress progress = {.tick = tell};
	struct reading *reading = recorded->reading;
	bool ok;

	progress_begin(reading->options.progress, "reading %s", path);
	ok = recording_read(recording, &reading->image, &progress, take, &reading->table, err);
	progress_end();
	if (!ok || !check_build(recorded, path, recording_facts(recording), err))
		return false;
	add_input(recorded, path, recording_facts(recording));
	return true;
}

/* Of the whole file, which is read again for it. */
static bool digest_of(const char *path, struct err *err, char ret[SHA256_HEX])
{
	const size_t most = SIZE_MAX / 4;
	struct bytes bytes;

	if (!file_read(path, most, err, &bytes))
		return false;
	hash_sha256_bytes(bytes.data, bytes.len, ret);
	bytes_release(&bytes);
	return true;
}

/* Who had stored before. */
static bool take_pairs(struct reading *reading, const struct bytes *bytes, const char *place,
		       const char digest[SHA256_HEX], struct err *err)
{
	struct perf_pairs pairs;

	if (!pairs_read(bytes, place, digest, err, &pairs))
		return false;
	for (size_t i = 0; i < pairs.n; i++)
		foughts_add(&reading->table.foughts, &pairs.items[i]);
	pairs_release(&pairs);
	reading->npaired++;
	return true;
}

/* What the slab allocator had. */
static bool take_objects(struct reading *reading, const struct bytes *bytes, const char *place,
			 const char digest[SHA256_HEX], struct err *err)
{
	struct perf_objects objects;

	if (!objects_read(bytes, place, digest, err, &objects))
		return false;
	/* Of several recordings each is of another boot, whose memory is another. */
	for (size_t i = 0; i < objects.n && reading->is_alone; i++)
		c2c_slabs_add(&reading->table.slabs, &objects.items[i]);
	objects_release(&objects);
	return true;
}

typedef bool take_fn(struct reading *reading, const struct bytes *bytes, const char *place,
		     const char digest[SHA256_HEX], struct err *err);

/* @digest: of the recording; empty: not asked yet. */
static bool take_beside(struct reading *reading, const char *path, const char *suffix,
			take_fn *take_it, char digest[SHA256_HEX], struct err *err)
{
	struct bytes bytes;
	char *beside;
	bool ok;

	if (!side_find(path, suffix, err, &beside, &bytes)) {
		free(beside);
		return !err->text;
	}
	ok = (*digest || digest_of(path, err, digest)) &&
	     take_it(reading, &bytes, beside, digest, err);
	bytes_release(&bytes);
	free(beside);
	return ok;
}

static bool take_side(struct reading *reading, const char *path, struct err *err)
{
	char digest[SHA256_HEX] = "";

	if (strcmp(path, "-") == 0) /* nothing lies beside a pipe */
		return true;
	return take_beside(reading, path, ".pairs", take_pairs, digest, err) &&
	       take_beside(reading, path, ".objects", take_objects, digest, err);
}

/* They would speak of some of the samples only. */
static void drop_partial_pairs(struct recorded *recorded, const struct strings *paths)
{
	struct reading *reading = recorded->reading;

	if (!reading->npaired || reading->npaired == paths->n)
		return;
	foughts_release(&reading->table.foughts);
	strings_add(&recorded->warnings,
		    "some recordings have no .pairs beside them: all pairs are inferred");
}

static uint64_t line_of(const struct reading *reading, const struct recording_facts *facts)
{
	enum { USUAL_LINE = 64 };

	if (reading->options.line)
		return reading->options.line;
	if (facts->report_line)
		return facts->report_line;
	if (facts->line)
		return facts->line;
	return source_target(reading->source)->line ? source_target(reading->source)->line
						    : USUAL_LINE;
}

static bool read_all(struct recorded *recorded, const struct strings *paths, struct err *err)
{
	struct reading *reading = recorded->reading;

	reading->is_alone = paths->n == 1;
	reading->recordings = xcalloc(paths->n, sizeof(struct recording *));
	recorded->recordings = reading->recordings;
	recorded->inputs = arena_array(&reading->arena, paths->n, sizeof *recorded->inputs);
	for (size_t i = 0; i < paths->n; i++) {
		struct recording **recording = &reading->recordings[i];
		uint64_t line;

		if (!recording_open(paths->items[i], err, recording))
			return false;
		reading->n++;
		line = line_of(reading, recording_facts(*recording));
		if (!i)
			table_init(&reading->table, line);
		else if (line != reading->table.line_size)
			return err_set(err, paths->items[i],
				       "its lines have %llu bytes, those of %s %llu",
				       (unsigned long long)line, paths->items[0],
				       (unsigned long long)reading->table.line_size);
		if (!read_one(recorded, paths->items[i], *recording, err) ||
		    !take_side(reading, paths->items[i], err))
			return false;
	}
	drop_partial_pairs(recorded, paths);
	table_finish(&reading->table);
	return true;
}

/* ---- names ----------------------------------------------------------------------------------- */

static bool find_claims(struct reading *reading, struct err *err)
{
	size_t n;
	uint64_t *pcs = table_pcs(&reading->table, &n);
	bool ok;

	progress_begin(reading->options.progress, "following %zu instructions in %s", n,
		       source_path(reading->source));
	ok = claims_find(source_image(reading->source), pcs, n, 0, err, &reading->claims);
	ok = ok && functions_find(&reading->table, &reading->symtab, source_image(reading->source),
				  reading->image.is_kernel ? NULL : source_path(reading->source),
				  err, &reading->functions);
	progress_end();
	free(pcs);
	return ok;
}

static void judge(struct recorded *recorded)
{
	struct reading *reading = recorded->reading;
	const struct c2c_image image = {
		.layout = recorded->layout,
		.runs = reading->claims.runs,
		.nruns = reading->claims.nruns,
		.claims = reading->claims.claims,
		.functions = reading->functions.items,
		.nfunctions = reading->functions.n,
		.variable = ask_variable,
		.function = ask_function_name,
		.percpu_start = reading->symtab.percpu_start,
		.percpu_end = reading->symtab.percpu_end,
		.arg = reading,
	};

	c2c_judge(&reading->table, &image, &recorded->report);
}

bool recorded_open(const struct strings *paths, struct source *source,
		   const struct recorded_options *options, struct err *err, struct recorded *ret)
{
	struct reading *reading = xcalloc(1, sizeof *reading);

	*ret = (struct recorded){.reading = reading, .verified = true};
	reading->source = source;
	reading->options = *options;
	claims_init(&reading->claims);
	functions_init(&reading->functions);
	if (!source_image(source) || image_kind(source_image(source)) != IMAGE_ELF)
		return err_set(err, source_path(source),
			       "it has no code: c2c needs the ELF file that ran, with its debug "
			       "info");
	if (!symtab_read(source_image(source), err, &reading->symtab))
		return false;
	fill_image(reading);
	if (!read_all(ret, paths, err) || !source_read(source, &want_all, err, &ret->layout) ||
	    !find_claims(reading, err))
		return false;
	judge(ret);
	return true;
}

void recorded_close(struct recorded *recorded)
{
	struct reading *reading = recorded->reading;

	if (!reading)
		return;
	c2c_release(&recorded->report);
	for (size_t i = 0; i < reading->n; i++)
		recording_close(reading->recordings[i]);
	free(reading->recordings);
	table_release(&reading->table);
	claims_release(&reading->claims);
	functions_release(&reading->functions);
	symtab_release(&reading->symtab);
	arena_release(&reading->arena);
	free(reading);
	layout_free(recorded->layout);
	strings_release(&recorded->warnings);
	*recorded = (struct recorded){0};
}
