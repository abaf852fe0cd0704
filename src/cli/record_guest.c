/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The run of an emulator: what it is given, and what is said when it ends as it should not. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/text.h"
#include "cli/progress.h"
#include "cli/record_run.h"

enum { MAX_STATUS = 1 << 20 };

/* ---- while it runs -------------------------------------------------------------------------- */

static void read_status(struct record *record)
{
	struct err ignored = ERR_INIT;
	struct bytes bytes;

	if (file_read(record->machine.status, MAX_STATUS, &ignored, &bytes)) {
		guest_status_parse(bytes.data, bytes.len, &record->status);
		bytes_release(&bytes);
	}
	err_release(&ignored);
}

static bool is_other_build(const struct record *record)
{
	const char *wanted = source_target(record->source)->build_id;

	return wanted && record->status.build_id[0] && strcmp(wanted, record->status.build_id) != 0;
}

static bool goes_on(void *arg)
{
	struct record *record = arg;

	read_status(record);
	return !is_other_build(record) && !record->status.error[0];
}

/* ---- when it has ended ---------------------------------------------------------------------- */

/* What the plugin had to say, behind its prefix; NULL: nothing. */
static char *plugin_words(const struct guest_result *result)
{
	static const char prefix[] = "layoutcheck-tcg: ";
	const char *at = strstr(result->errors.s, prefix);
	struct buf line = BUF_INIT;

	if (!at)
		return NULL;
	at += sizeof prefix - 1;
	buf_add(&line, at, strcspn(at, "\n"));
	return buf_detach(&line);
}

static bool say_signal(const struct record *record, int number, struct err *err)
{
	if (number == SIGBUS)
		return err_set(err, record->workdir.dir,
			       "no room for the guest's memory: TMPDIR names another directory");
	return err_set(err, record->machine.qemu, "ended by signal %d (%s)", number,
		       strsignal(number));
}

static bool say_timeout(const struct record *record, struct err *err)
{
	return err_set(err, NULL, "record: %s within %llu seconds (--time-limit)",
		       record->status.started ? "the workload did not end"
					      : "the guest did not start the workload",
		       (unsigned long long)record->time_limit);
}

/* Why it is not done; the likeliest reason first. */
static bool say_why(const struct record *record, const struct guest_result *result, struct err *err)
{
	char *panic = guest_panic(result), *words = plugin_words(result);
	char *last = guest_last_line(WIFEXITED(result->wait_status) &&
						     WEXITSTATUS(result->wait_status) == 0
					     ? &result->output
					     : &result->errors);

	if (is_other_build(record))
		err_set(err, record->vmlinux, "build id %s, but that of the kernel is %s",
			source_target(record->source)->build_id, record->status.build_id);
	else if (record->status.error[0])
		err_set(err, record->kernel, "the guest could not go on: %s", record->status.error);
	else if (workdir_signal())
		err_set(err, NULL, "record: interrupted");
	else if (panic)
		err_set(err, record->kernel, "the guest's kernel panicked: %s", panic);
	else if (result->end == GUEST_TIMEOUT)
		say_timeout(record, err);
	else if (words)
		err_set(err, NULL, "record: %s", words);
	else if (WIFSIGNALED(result->wait_status))
		say_signal(record, WTERMSIG(result->wait_status), err);
	else
		err_set(err, record->kernel,
			"the guest went away before the workload had ended; its last words: %s",
			*last ? last : "none");
	free(panic);
	free(words);
	free(last);
	return false;
}

/* The plugin writes when a program exits by itself. */
static bool say_unrecorded(const struct record *record, struct err *err)
{
	const char *program = record->workloads[0].words[0];

	if (record->status.signal)
		return err_set(err, program, "ended by signal %d (%s), and the recording with it",
			       record->status.signal, strsignal(record->status.signal));
	return err_set(err, program,
		       "nothing of it was recorded: either it became another program (exec), or "
		       "%s takes no plugins, as that of Debian 13",
		       record->machine.qemu);
}

static bool has_trace(const struct record *record, const struct guest_result *result,
		      struct err *err)
{
	char *words;

	if (access(record->machine.plugin.trace, F_OK) == 0)
		return true;
	words = plugin_words(result);
	if (words)
		err_set(err, NULL, "record: %s", words);
	else if (record->from_symbol || record->to_symbol)
		err_set(err, NULL, "record: `%s` was not reached",
			record->from_symbol ? record->from_symbol : record->to_symbol);
	else if (record->program && !record->marks)
		say_unrecorded(record, err);
	else
		err_set(err, NULL,
			"record: the workload set no marks (include/layoutcheck-marks.h "
			"has them; without --marks all of it is recorded)");
	free(words);
	return false;
}

/* ---- the run -------------------------------------------------------------------------------- */

static bool write_tree(struct record *record, struct err *err)
{
	const struct tree_options options = {
		.init = record_helper(&record->arena, "layoutcheck-init"),
		.base = record->initramfs,
		.workloads = record->workloads,
		.nworkloads = record->nworkloads,
		.files = record->files.items,
		.nfiles = record->files.n,
		.marks = record->machine.plugin.marks && !record->marks,
	};
	struct buf out = BUF_INIT;
	bool ok;

	if (!options.init)
		return err_set(err, NULL, "record: layoutcheck-init is not beside the program");
	ok = tree_make(&options, err, &out) &&
	     file_write(record->machine.initramfs, out.s, out.len, err);
	buf_release(&out);
	return ok;
}

static const char *in_workdir(struct record *record, const char *name)
{
	return arena_printf(&record->arena, "%s/%s", record->workdir.dir, name);
}

static void set_plugin(struct record *record)
{
	struct machine_plugin *plugin = &record->machine.plugin;

	plugin->trace = in_workdir(record, "trace");
	plugin->line = record->line;
	plugin->quantum = record->quantum;
	plugin->cache_lines = record->cache_lines;
}

static void set_machine(struct record *record)
{
	struct machine *machine = &record->machine;

	set_plugin(record);
	machine->kernel = record->kernel;
	machine->initramfs = in_workdir(record, "initramfs");
	machine->status = in_workdir(record, "status");
	machine->append = record->append;
	machine->cpus = (unsigned)record->cpus;
	machine->memory = (unsigned)record->memory;
	machine->plugin.ram = in_workdir(record, "ram");
	if (record->objects)
		machine->plugin.snapshot = in_workdir(record, "snapshot");
	record->slabs.snapshot = machine->plugin.snapshot;
	record->slabs.direct = machine->plugin.direct;
	machine->plugin.marks = !record->boot && !record->from_symbol && !record->to_symbol;
}

bool record_run_guest(struct record *record, struct err *err)
{
	struct guest_run run = {.seconds = (unsigned)record->time_limit,
				.verbose = record->common.verbose,
				.tick = goes_on,
				.arg = record};
	struct guest_result result;
	bool ok;

	set_machine(record);
	if (!write_tree(record, err))
		return false;
	run.argv = machine_argv(&record->machine, &record->arena);
	progress_begin((enum when)record->common.progress, "running %s on %u CPUs", record->kernel,
		       record->machine.cpus);
	ok = guest_run(&run, err, &result);
	progress_end();
	if (!ok)
		return false;
	read_status(record);
	ok = (record->status.done && !is_other_build(record) && !workdir_signal()) ||
	     say_why(record, &result, err);
	ok = ok && has_trace(record, &result, err);
	guest_result_release(&result);
	return ok;
}

/* Its wait status in the words of a guest. */
static void set_status(struct record *record, int wait_status)
{
	record->status.started = record->status.ended = 1;
	record->status.done = true;
	if (WIFSIGNALED(wait_status))
		record->status.signal = WTERMSIG(wait_status);
	else
		record->status.exit = WEXITSTATUS(wait_status);
}

bool record_run_program(struct record *record, struct err *err)
{
	struct guest_run run = {.seconds = (unsigned)record->time_limit, .is_program = true};
	struct guest_result result;
	bool ok;

	set_plugin(record);
	record->machine.plugin.user = true;
	record->machine.plugin.marks = record->marks;
	run.argv = machine_user_argv(&record->machine, &record->workloads[0], &record->arena);
	if (!guest_run(&run, err, &result))
		return false;
	if (result.end == GUEST_ENDED && !workdir_signal()) {
		set_status(record, result.wait_status);
		ok = has_trace(record, &result, err);
	} else if (result.end == GUEST_TIMEOUT) {
		record->status.started = 1;
		ok = say_timeout(record, err);
	} else {
		ok = err_set(err, NULL, "record: interrupted");
	}
	guest_result_release(&result);
	return ok;
}
