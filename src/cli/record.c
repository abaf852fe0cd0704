/* SPDX-License-Identifier: GPL-2.0-or-later */
/* layoutcheck record: who fights over cache lines, recorded without a PMU, in an emulator. */
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/mem.h"
#include "cli/record_run.h"
#include "record/against.h"
#include "record/libraries.h"

enum {
	DEFAULT_CPUS = 2,
	DEFAULT_MEMORY = 512,
	DEFAULT_LINE = 64,
	DEFAULT_QUANTUM = 100,
	DEFAULT_TIME = 300,
	LONGEST_TIME = 86400,
	MIN_CPUS = 2,
	MOST_RUNS = 99,
	CACHE_WAYS = 8,
};

/* ---- the command line ----------------------------------------------------------------------- */

static bool check_range(const char *name, uint64_t value, uint64_t least, uint64_t most,
			struct err *err)
{
	return (value >= least && value <= most) ||
	       err_set(err, NULL, "record: option `--%s`: %llu is not from %llu to %llu", name,
		       (unsigned long long)value, (unsigned long long)least,
		       (unsigned long long)most);
}

static bool check_numbers(const struct record *record, struct err *err)
{
	if (record->line != DEFAULT_LINE && record->line != (uint64_t)2 * DEFAULT_LINE)
		return err_set(err, NULL, "record: option `--line`: %llu is neither 64 nor 128",
			       (unsigned long long)record->line);
	if (record->cache_lines % CACHE_WAYS)
		return err_set(err, NULL,
			       "record: option `--cache-lines`: %llu is no multiple of 8, which a "
			       "set of the cache has",
			       (unsigned long long)record->cache_lines);
	return check_range("cpus", record->cpus, MIN_CPUS, MACHINE_MAX_CPUS, err) &&
	       check_range("memory", record->memory, MACHINE_MIN_MEMORY, MACHINE_MAX_MEMORY, err) &&
	       check_range("quantum", record->quantum, 1, UINT32_MAX, err) &&
	       check_range("runs", record->runs, AGAINST_LEAST_RUNS, MOST_RUNS, err) &&
	       check_range("time-limit", record->time_limit, 1, LONGEST_TIME, err);
}

/* What has no meaning for a program, or beside another option. */
static bool check_sense(const struct record *record, struct err *err)
{
	const char *kernel_only = record->kernel        ? "kernel"
				  : record->vmlinux     ? "vmlinux"
				  : record->initramfs   ? "initramfs"
				  : record->append      ? "append"
				  : record->from_symbol ? "from-symbol"
				  : record->to_symbol   ? "to-symbol"
				  : record->boot        ? "boot"
				  : record->objects     ? "objects"
				  : record->files.n     ? "add"
							: NULL;

	if (record->program && kernel_only)
		return err_set(err, NULL,
			       "record: option `--%s` is about a kernel: not with --user",
			       kernel_only);
	if (record->initramfs && record->files.n)
		return err_set(err, NULL, "record: option `--add`: --initramfs has all files");
	if (record->against && (record->report || record->objects))
		return err_set(err, NULL, "record: option `--%s`: --against keeps no recording",
			       record->report ? "report" : "objects");
	if ((record->marks + record->boot + (record->from_symbol || record->to_symbol)) > 1)
		return err_set(err, NULL,
			       "record: --marks, --boot and --from-symbol each say what is "
			       "recorded: give one of them");
	return true;
}

/* A `--` among the operands begins another program. */
static bool split_workloads(struct record *record, const struct strings *words, struct err *err)
{
	size_t begin = 0;

	for (size_t i = 0; i <= words->n; i++) {
		if (i < words->n && strcmp(words->items[i], "--") != 0)
			continue;
		if (i == begin)
			return err_set(err, NULL, "record: there is no program behind `--`");
		record->workloads = arena_grow(&record->arena, record->workloads,
					       record->nworkloads, sizeof *record->workloads);
		record->workloads[record->nworkloads++] =
			(struct workload){&words->items[begin], i - begin};
		begin = i + 1;
	}
	if (record->program && record->nworkloads > 1)
		return err_set(err, NULL, "record: --user records one program");
	return true;
}

/* ---- the run -------------------------------------------------------------------------------- */

static bool find_plugin(struct record *record, struct err *err)
{
	record->machine.plugin.path = record_helper(&record->arena, "layoutcheck-tcg.so");
	return record->machine.plugin.path ||
	       err_set(err, NULL, "record: layoutcheck-tcg.so is not beside the program");
}

static bool record_kernel(struct record *record, struct err *err)
{
	return record_find_qemu("qemu-system-x86_64", "qemu-system-x86", &record->arena, err,
				&record->machine.qemu) &&
	       record_find_kernel(record, err) && record_kernel_facts(record, err) &&
	       (!record->objects || record_slab_facts(record, err)) &&
	       record_run_guest(record, err) && record_keep(record, err);
}

void record_set_program(struct record *record, const char *path)
{
	struct workload *workload = arena_copy(&record->arena, record->workloads, sizeof *workload);
	const char **words =
		arena_copy(&record->arena, workload->words, workload->n * sizeof *words);

	words[0] = path;
	workload->words = words;
	record->workloads = workload;
}

static bool record_program(struct record *record, struct err *err)
{
	const char *word = record->workloads[0].words[0];
	const char *path = program_find(word, &record->arena);

	if (!path)
		return err_set(err, word, "there is no such program");
	record_set_program(record, path);
	return record_find_qemu("qemu-x86_64", "qemu-user", &record->arena, err,
				&record->machine.qemu) &&
	       record_run_program(record, err) && record_keep(record, err);
}

bool record_once(struct record *record, struct err *err)
{
	return record->program ? record_program(record, err) : record_kernel(record, err);
}

/* Its own failure is not the recorder's, but worth a word. */
static int workload_status(const struct record *record)
{
	const char *name = record->workloads[record->status.ended - 1].words[0];

	if (record->status.signal)
		say_error("%s: ended by signal %d (%s); what it did was recorded", name,
			  record->status.signal, strsignal(record->status.signal));
	else if (record->status.exit)
		say_error("%s: exit status %d; what it did was recorded", name,
			  record->status.exit);
	return record->status.signal || record->status.exit ? EXIT_FINDINGS : EXIT_CLEAN;
}

static int report(const struct record *record, int status)
{
	char *argv[] = {xstrdup("c2c"), xstrdup("-k"),
			xstrdup(record->program ? record->workloads[0].words[0] : record->vmlinux),
			xstrdup(record->output), NULL};
	int ret = command_c2c.run((int)ARRAY_SIZE(argv) - 1, argv);

	for (size_t i = 0; argv[i]; i++)
		free(argv[i]);
	return ret > status ? ret : status;
}

static int run(struct record *record, const struct strings *words)
{
	struct err err = ERR_INIT;
	int status = EXIT_CANNOT;
	bool ok;

	ok = check_numbers(record, &err) && check_sense(record, &err) &&
	     split_workloads(record, words, &err) && find_plugin(record, &err);
	if (ok && record->against) {
		status = record_against(record, &err);
		if (err.text)
			say_err(&err);
		return status;
	}
	ok = ok && workdir_begin(&err, &record->workdir) && record_once(record, &err);
	if (!ok)
		say_err(&err);
	workdir_end(&record->workdir);
	if (ok)
		status = workload_status(record);
	return ok && record->report ? report(record, status) : status;
}

/* As it stands in the recording. */
static void set_command(struct record *record, int argc, char **argv)
{
	const char **words = arena_array(&record->arena, (size_t)argc + 2, sizeof *words);

	words[0] = "layoutcheck";
	for (int i = 0; i < argc; i++)
		words[i + 1] = argv[i];
	record->argv = words;
}

static void record_end(struct record *record)
{
	source_close(record->source);
	strings_release(&record->files);
	common_release(&record->common);
	arena_release(&record->arena);
}

static int run_record(int argc, char **argv)
{
	struct record record = {
		.output = "perf.data",
		.cpus = DEFAULT_CPUS,
		.memory = DEFAULT_MEMORY,
		.line = DEFAULT_LINE,
		.quantum = DEFAULT_QUANTUM,
		.time_limit = DEFAULT_TIME,
		.runs = AGAINST_LEAST_RUNS,
	};
	const struct option_row rows[] = {
		OPT_STRING('o', "output", "FILE", &record.output,
			   "the recording (default: perf.data)"),
		OPT_FLAG(0, "user", &record.program,
			 "record a program alone, under qemu-user, and no kernel"),
		OPT_STRING(0, "kernel", "KERNEL", &record.kernel,
			   "a bzImage, or a package of Debian, linux-image-RELEASE,\n"
			   "to fetch (default: the newest cloud kernel)"),
		OPT_INPUT(0, "vmlinux", "IMAGE", &record.vmlinux,
			  "its vmlinux with debug info (default: looked for\n"
			  "where builds and packages put it)"),
		OPT_NUMBER(0, "cpus", "N", &record.cpus, NULL,
			   "processors of the guest, 2 (default) to 16"),
		OPT_NUMBER(0, "memory", "MIB", &record.memory, NULL,
			   "its memory, 128 to 3072 (default: 512)"),
		OPT_INPUT(0, "initramfs", "FILE", &record.initramfs,
			  "boot from this archive, which has the WORKLOAD"),
		OPT_LIST(0, "add", "FILE[=PLACE]", &record.files,
			 "a file for the guest, under the same name or as PLACE;\n"
			 "a program brings its libraries; repeatable"),
		OPT_STRING(0, "append", "WORDS", &record.append,
			   "more for the kernel's command line"),
		OPT_FLAG(0, "marks", &record.marks,
			 "record between the marks that the WORKLOAD sets (see\n"
			 "layoutcheck-marks.h), not all of it"),
		OPT_STRING(0, "from-symbol", "NAME", &record.from_symbol,
			   "record from when the kernel first runs this function"),
		OPT_STRING(0, "to-symbol", "NAME", &record.to_symbol,
			   "record until it runs this function"),
		OPT_FLAG(0, "objects", &record.objects,
			 "ask the slab allocator what was on each line, at the end"),
		OPT_FLAG(0, "boot", &record.boot, "record from power-on to power-off"),
		OPT_STRING(0, "against", "OTHER", &record.against,
			   "record this kernel or program, too, and print who gained\n"
			   "or lost HITM; no recording is kept"),
		OPT_NUMBER(0, "runs", "N", &record.runs, NULL, "so many times each (default: 3)"),
		OPT_NUMBER(0, "line", "N", &record.line, NULL,
			   "bytes in a cache line, 64 (default) or 128"),
		OPT_NUMBER(0, "cache-lines", "N", &record.cache_lines, NULL,
			   "lines in each processor's cache (default: no end)"),
		OPT_NUMBER(0, "quantum", "N", &record.quantum, NULL,
			   "instructions by which processors may run ahead of each\n"
			   "other (default: 100)"),
		OPT_NUMBER(0, "time-limit", "SECONDS", &record.time_limit, NULL,
			   "give up after that long (default: 300)"),
		OPT_FLAG('v', "verbose", &record.common.verbose,
			 "show the guest's console on standard error"),
		OPT_FLAG(0, "report", &record.report, "print what c2c says of the recording"),
	};
	struct strings words;
	int status;

	set_command(&record, argc, argv);
	if (common_parse(argc, argv, &command_record, rows, ARRAY_SIZE(rows), &record.common,
			 &status) == COMMON_GO) {
		words = record.common.images;
		status = run(&record, &words);
	}
	record_end(&record);
	return status;
}

static bool has_format(const struct format *format)
{
	return format->c2c;
}

static const char *const unused[] = {"output",      "format",    "rules",   "from",
				     "arch",        "cacheline", "base",    "config",
				     "source-root", "color",     "verbose", NULL};

const struct command command_record = {
	.name = "record",
	.run = run_record,
	.synopsis = "[options] -- WORKLOAD [ARG...]",
	.summary = "record who fights over cache lines, in an emulator",
	.about =
		"Boots a kernel in QEMU, runs WORKLOAD in it, and writes a recording like that of\n"
		"`perf c2c record`, without a PMU: on a machine of CI, in a container. Exits 0; 1\n"
		"when WORKLOAD itself failed, or with --against a member gained HITM; 2 when the\n"
		"job could not be done.",
	.has_format = has_format,
	.unused = unused,
	.operand = "--", /* no program behind it */
};
