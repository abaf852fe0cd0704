/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A plugin of QEMU's TCG: sees every access of the guest to memory, models who has which cache
 * line, and counts exactly who met whom. `layoutcheck record` runs it.
 *
 * Nothing is instrumented before the start mark: there all code is translated again, with the
 * calls. QEMU 7.2 keeps a dangling list of them when a block is left by longjmp, so that behind the
 * stop mark they stay, and return at once.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "plugin/lines.h"
#include "plugin/lockstep.h"
#include "plugin/plugin.h"
#include "plugin/qemu.h"
#include "plugin/save.h"
#include "plugin/snapshot.h"
#include "plugin/task.h"

enum { MARK_START = 111, MARK_STOP = 222 };
enum { WAYS = 8 };
enum { SETTLE = 20000000, LOOK_AGAIN = 1000000 }; /* nanoseconds */
/* Accesses between two looks at the clock, and of one place at the task. */
enum { CLOCK_EVERY = 64, TASK_EVERY = 256 };

QEMU_EXPORT int qemu_plugin_version = 1;
QEMU_EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t *info, int argc,
				    char **argv);

struct settings settings = {.line = 64, .quantum = 100, .marks = 1};
struct vcpu vcpus[COHERENCE_CPUS];
bool is_system;
atomic_bool recording;

static qemu_plugin_id_t plugin_id;
static pid_t process;
static unsigned nvcpus;
static uint64_t started_at, stopped_at;
static atomic_bool has_started, has_stopped, has_saved, on_one_thread, holding;
static _Atomic uint64_t beyond;
static const void *(*insn_bytes)(const struct qemu_plugin_insn *insn);
static size_t (*insn_copy)(const struct qemu_plugin_insn *insn, void *to, size_t size);

/* Runs while the plugin is being loaded, before QEMU looks at the version. */
__attribute__((constructor)) static void choose_version(void)
{
	void *data = dlsym(RTLD_DEFAULT, "qemu_plugin_insn_data");

	if (dlsym(RTLD_DEFAULT, "qemu_plugin_register_vcpu_tb_exec_cond_cb"))
		qemu_plugin_version = 3;
	else if (dlsym(RTLD_DEFAULT, "qemu_plugin_num_vcpus"))
		qemu_plugin_version = 2;
	memcpy(&insn_bytes, &data, sizeof data);
	memcpy(&insn_copy, &data, sizeof data);
}

uint64_t nanoseconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static bool is_recording(void)
{
	return atomic_load_explicit(&recording, memory_order_relaxed);
}

/* ---- accesses ------------------------------------------------------------------------------ */

/* A private cache of some lines: the one used longest ago makes room. */
static void keep_in_cache(struct vcpu *vcpu, unsigned index, uint64_t physical)
{
	uint64_t number = physical / settings.line;
	uint64_t *set = vcpu->cache + number % (settings.cache_lines / WAYS) * WAYS;
	unsigned i = 0;

	while (i < WAYS && set[i] != number + 1)
		i++;
	if (i == WAYS) {
		i = WAYS - 1;
		if (set[i]) {
			line_drop(line_at((set[i] - 1) * settings.line, settings.line), index);
			vcpu->evicted++;
		}
	}
	memmove(set + 1, set, i * sizeof *set);
	set[0] = number + 1;
}

static void stamp(struct place *place, struct vcpu *vcpu, unsigned index, uint64_t physical,
		  unsigned size)
{
	uint64_t times = 0;

	for (unsigned i = 0; i < LEVELS; i++)
		times += place->loads[i] + place->stores[i];
	if (!times) {
		place->first = vcpu->clock;
		place->size = (uint8_t)size;
	}
	place->last = vcpu->clock;
	place->physical = physical;
	if (times % TASK_EVERY == 0) {
		task_look(index);
		place->pid = vcpu->pid;
		place->tid = vcpu->tid;
	}
}

static void count(struct counts *counts, struct place *place, const struct line_use *use,
		  const struct line_found *found)
{
	if (use->load) {
		place->loads[found->level]++;
		if (found->met)
			counts_meet(counts, found->met, place);
	}
	if (use->store)
		place->stores[found->level]++;
}

/* What of an access is on one line. */
struct part {
	uint64_t address, physical;
	unsigned whole, size; /* bytes, of the access and of this part */
	bool store;
	bool split; /* the second of two */
};

static void access_line(unsigned index, const struct insn *insn, const struct part *part)
{
	struct vcpu *vcpu = &vcpus[index];
	struct place *place = counts_place(&vcpu->counts, insn, part->address, part->split);
	struct line_use use = {
		.cpu = index,
		/* What reads, changes and writes in one go is a load, too. */
		.load = !part->store || insn->locked,
		.store = part->store,
		.parts = freshness_parts(part->physical & (settings.line - 1), part->size,
					 settings.line),
		.place = place,
	};
	struct line_found found;

	if (vcpu->cache)
		keep_in_cache(vcpu, index, part->physical);
	line_access(line_at(part->physical, settings.line), &use, &found);
	if (place) {
		stamp(place, vcpu, index, part->physical, part->whole);
		count(&vcpu->counts, place, &use, &found);
	}
	if (found.needed)
		counts_needed(&vcpu->counts, found.needed_met, found.needed);
}

/* Of an access over the end of a page the second part has another frame, which QEMU does not tell:
 * taken as the next one. */
static void access_lines(unsigned index, const struct insn *insn, struct part part)
{
	unsigned here = (unsigned)(settings.line - (part.address & (settings.line - 1)));

	if (part.whole <= here) {
		access_line(index, insn, &part);
		return;
	}
	part.size = here;
	access_line(index, insn, &part);
	part.address += here;
	part.physical += here;
	part.size = part.whole - here;
	part.split = true;
	access_line(index, insn, &part);
}

static bool physical_of(qemu_plugin_meminfo_t info, uint64_t address, uint64_t *ret)
{
	struct qemu_plugin_hwaddr *hwaddr;

	*ret = address;
	if (!is_system)
		return true;
	hwaddr = qemu_plugin_get_hwaddr(info, address);
	if (!hwaddr || qemu_plugin_hwaddr_is_io(hwaddr))
		return false;
	*ret = qemu_plugin_hwaddr_phys_addr(hwaddr);
	return true;
}

static void on_access(unsigned index, qemu_plugin_meminfo_t info, uint64_t address, void *arg)
{
	const struct insn *insn = arg;
	unsigned size = 1u << qemu_plugin_mem_size_shift(info);
	bool store = qemu_plugin_mem_is_store(info);
	uint64_t physical;

	if (!is_recording() || !physical_of(info, address, &physical))
		return;
	/* One access: QEMU 7.2 tells of it once, newer ones of the load and then of the store. */
	if (insn->locked && !store)
		return;
	if (index >= COHERENCE_CPUS) {
		atomic_fetch_add_explicit(&beyond, 1, memory_order_relaxed);
		return;
	}
	if (vcpus[index].accesses++ % CLOCK_EVERY == 0)
		vcpus[index].clock = nanoseconds() - started_at;
	access_lines(index, insn,
		     (struct part){
			     .address = address,
			     .physical = physical,
			     .whole = size,
			     .size = size,
			     .store = store,
		     });
}

/* ---- start and stop ------------------------------------------------------------------------ */

static void register_callbacks(qemu_plugin_id_t id);

static void begin(void)
{
	started_at = nanoseconds();
	atomic_store(&has_started, true);
	atomic_store(&recording, true);
}

static void end(void)
{
	if (!atomic_exchange(&recording, false))
		return;
	stopped_at = nanoseconds();
	if (!settings.snapshot)
		return;
	/* Time for the others to come to the end of a block. */
	atomic_store(&holding, true);
	nanosleep(&(struct timespec){.tv_nsec = SETTLE}, NULL);
	snapshot_take();
	atomic_store(&holding, false);
}

static void save(void)
{
	struct trace_header header = {
		.flags = (is_system ? TRACE_SYSTEM : 0u) |
			 (atomic_load(&has_started) ? TRACE_STARTED : 0u) |
			 (atomic_load(&has_stopped) ? TRACE_STOPPED : 0u) |
			 (atomic_load(&on_one_thread) ? TRACE_ONE_THREAD : 0u),
		.duration = stopped_at - started_at,
		.beyond = atomic_load(&beyond),
	};

	/* A process that the program forked has a copy of all this. */
	if (getpid() == process && !atomic_exchange(&has_saved, true))
		save_trace(&header);
}

static void on_start(unsigned index, void *arg)
{
	(void)index;
	(void)arg;
	if (atomic_exchange(&has_started, true))
		return;
	begin();
	qemu_plugin_reset(plugin_id, register_callbacks);
}

static void on_stop(unsigned index, void *arg)
{
	(void)index;
	(void)arg;
	if (!is_recording())
		return;
	atomic_store(&has_stopped, true);
	end();
}

static void on_exit_of_qemu(qemu_plugin_id_t id, void *arg)
{
	(void)id;
	(void)arg;
	end();
	save();
}

/* ---- translation --------------------------------------------------------------------------- */

static bool is_prefix(uint8_t byte)
{
	switch (byte) {
	case 0x26:
	case 0x2e:
	case 0x36:
	case 0x3e:
	case 0x64:
	case 0x65:
	case 0x66:
	case 0x67:
	case 0xf0:
	case 0xf2:
	case 0xf3:
		return true;
	default:
		return (byte & 0xf0) == 0x40; /* REX */
	}
}

/* A lock prefix, or an exchange with memory, which needs none. Intel's manual, volume 2, XCHG. */
static bool is_locked(const uint8_t *bytes, size_t n)
{
	bool locked = false;
	size_t i = 0;

	for (; i < n && is_prefix(bytes[i]); i++)
		locked = locked || bytes[i] == 0xf0;
	return locked || (i < n && (bytes[i] == 0x86 || bytes[i] == 0x87));
}

/* Of a mark: "mov $NUMBER, %ebx", then a nop with prefixes that no assembler writes. */
static uint32_t mark_number(const uint8_t *bytes, size_t n, uint32_t before, bool *ret_is_mark)
{
	uint32_t number;

	*ret_is_mark = n == 3 && memcmp(bytes, "\x64\x67\x90", 3) == 0;
	if (*ret_is_mark)
		return before;
	if (n != 5 || bytes[0] != 0xbb)
		return 0;
	memcpy(&number, bytes + 1, sizeof number);
	return number;
}

static const struct insn *remember(struct qemu_plugin_insn *insn, bool locked)
{
	struct insn *made = zeroed(1, sizeof *made);

	made->ip = qemu_plugin_insn_vaddr(insn);
	made->size = (uint8_t)qemu_plugin_insn_size(insn);
	made->locked = locked;
	return made;
}

static void watch_marks(struct qemu_plugin_insn *insn, uint32_t number, bool is_mark)
{
	uint64_t ip = qemu_plugin_insn_vaddr(insn);

	if ((settings.from && ip == settings.from) ||
	    (settings.marks && is_mark && number == MARK_START))
		qemu_plugin_register_vcpu_insn_exec_cb(insn, on_start, QEMU_PLUGIN_CB_NO_REGS,
						       NULL);
	if ((settings.to && ip == settings.to) ||
	    (settings.marks && is_mark && number == MARK_STOP))
		qemu_plugin_register_vcpu_insn_exec_cb(insn, on_stop, QEMU_PLUGIN_CB_NO_REGS, NULL);
}

static void on_block(unsigned index, void *arg)
{
	static _Atomic(pthread_t) threads[COHERENCE_CPUS];

	while (atomic_load_explicit(&holding, memory_order_acquire))
		nanosleep(&(struct timespec){.tv_nsec = LOOK_AGAIN}, NULL);
	if (!is_recording() || index >= COHERENCE_CPUS)
		return;
	if (!vcpus[index].instructions) {
		threads[index] = pthread_self();
		lockstep_join();
		/* A program's threads always have one each, and leave its name to the next. */
		for (unsigned i = 0; is_system && i < COHERENCE_CPUS; i++)
			if (i != index && pthread_equal(threads[i], pthread_self()))
				atomic_store(&on_one_thread, true);
	}
	if (atomic_load_explicit(&vcpus[index].idle, memory_order_relaxed) && !is_system)
		lockstep_resume(index); /* back from a system call */
	lockstep_run(index, (unsigned)(uintptr_t)arg);
}

static void on_translation(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
	size_t n = qemu_plugin_tb_n_insns(tb);
	bool sees = is_recording();
	uint32_t number = 0;

	(void)id;
	if (sees)
		qemu_plugin_register_vcpu_tb_exec_cb(tb, on_block, QEMU_PLUGIN_CB_NO_REGS,
						     (void *)n);
	for (size_t i = 0; i < n; i++) {
		struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);
		size_t size = qemu_plugin_insn_size(insn);
		uint8_t copy[16];
		const uint8_t *bytes = copy;
		bool is_kernel = is_system && qemu_plugin_insn_vaddr(insn) >> 63, is_mark;

		if (qemu_plugin_version >= 3)
			insn_copy(insn, copy, size < sizeof copy ? size : sizeof copy);
		else
			bytes = insn_bytes(insn);
		number = mark_number(bytes, size, number, &is_mark);
		watch_marks(insn, number, is_mark);
		if (sees && (is_kernel || !is_system || settings.user))
			qemu_plugin_register_vcpu_mem_cb(
				insn, on_access, QEMU_PLUGIN_CB_NO_REGS, QEMU_PLUGIN_MEM_RW,
				(void *)remember(insn, is_locked(bytes, size)));
	}
}

/* ---- processors ---------------------------------------------------------------------------- */

static void on_idle(qemu_plugin_id_t id, unsigned index)
{
	(void)id;
	if (index < COHERENCE_CPUS)
		lockstep_idle(index);
}

static void on_resume(qemu_plugin_id_t id, unsigned index)
{
	(void)id;
	if (index < COHERENCE_CPUS)
		lockstep_resume(index);
}

static void on_syscall(qemu_plugin_id_t id, unsigned index, int64_t number, uint64_t a1,
		       uint64_t a2, uint64_t a3, uint64_t a4, uint64_t a5, uint64_t a6, uint64_t a7,
		       uint64_t a8)
{
	(void)number, (void)a1, (void)a2, (void)a3, (void)a4, (void)a5, (void)a6, (void)a7;
	(void)a8;
	on_idle(id, index);
}

static void register_callbacks(qemu_plugin_id_t id)
{
	if (!is_system) {
		qemu_plugin_register_vcpu_syscall_cb(id, on_syscall);
		qemu_plugin_register_vcpu_exit_cb(id, on_idle);
	}
	qemu_plugin_register_vcpu_idle_cb(id, on_idle);
	qemu_plugin_register_vcpu_resume_cb(id, on_resume);
	qemu_plugin_register_vcpu_tb_trans_cb(id, on_translation);
	qemu_plugin_register_atexit_cb(id, on_exit_of_qemu, NULL);
}

/* ---- arguments ----------------------------------------------------------------------------- */

static bool set(const char *argument)
{
	static const struct {
		const char *name;
		uint64_t *number;
		const char **text;
	} rows[] = {
		{"out", NULL, &settings.out},
		{"ram", NULL, &settings.ram},
		{"snapshot", NULL, &settings.snapshot},
		{"line", &settings.line, NULL},
		{"cache-lines", &settings.cache_lines, NULL},
		{"quantum", &settings.quantum, NULL},
		{"user", &settings.user, NULL},
		{"marks", &settings.marks, NULL},
		{"from", &settings.from, NULL},
		{"to", &settings.to, NULL},
		{"percpu", &settings.percpu, NULL},
		{"current", &settings.current, NULL},
		{"direct", &settings.direct, NULL},
		{"pid", &settings.pid, NULL},
		{"tgid", &settings.tgid, NULL},
		{"comm", &settings.comm, NULL},
	};
	const char *value = strchr(argument, '=');
	char *end;

	for (size_t i = 0; value && i < sizeof rows / sizeof rows[0]; i++) {
		if (strlen(rows[i].name) != (size_t)(value - argument) ||
		    strncmp(rows[i].name, argument, (size_t)(value - argument)) != 0)
			continue;
		if (rows[i].text) {
			*rows[i].text = strdup(value + 1); /* QEMU takes its arguments back */
			return *rows[i].text != NULL;
		}
		*rows[i].number = strtoull(value + 1, &end, 0);
		return end != value + 1 && *end == '\0';
	}
	return false;
}

static bool are_sound(void)
{
	uint64_t line = settings.line;

	return settings.out && (!settings.snapshot || settings.ram) && line >= 32 && line <= 4096 &&
	       (line & (line - 1)) == 0 && settings.cache_lines % WAYS == 0;
}

QEMU_EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t *info, int argc,
				    char **argv)
{
	plugin_id = id;
	process = getpid();
	is_system = info->system_emulation;
	nvcpus = is_system ? (unsigned)info->system.max_vcpus : COHERENCE_CPUS;
	for (int i = 0; i < argc; i++) {
		if (set(argv[i]))
			continue;
		fprintf(stderr, "layoutcheck-tcg: what is `%s`?\n", argv[i]);
		return -1;
	}
	if (strcmp(info->target_name, "x86_64") != 0 || nvcpus > COHERENCE_CPUS || !are_sound()) {
		fprintf(stderr,
			"layoutcheck-tcg: %s with %u processors, lines of %llu bytes and a cache "
			"of "
			"%llu is not modelled\n",
			info->target_name, nvcpus, (unsigned long long)settings.line,
			(unsigned long long)settings.cache_lines);
		return -1;
	}
	if (!task_open())
		return -1;
	for (unsigned i = 0; i < COHERENCE_CPUS; i++) {
		atomic_store(&vcpus[i].idle, !is_system || i >= nvcpus);
		if (settings.cache_lines)
			vcpus[i].cache = zeroed(settings.cache_lines, sizeof(uint64_t));
	}
	if (!settings.marks && !settings.from)
		begin();
	register_callbacks(id);
	return 0;
}
