/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "record/machine.h"

#include <inttypes.h>
#include <string.h>

#include "base/buf.h"
#include "record/initramfs.h"

struct words {
	struct arena *arena;
	const char **items;
	size_t n;
};

static void add(struct words *words, const char *word)
{
	words->items = arena_grow(words->arena, words->items, words->n, sizeof *words->items);
	words->items[words->n++] = word;
}

static void add_pair(struct words *words, const char *option, const char *value)
{
	add(words, option);
	add(words, value);
}

/* QEMU parts the values of an option by commas; one that is meant is doubled. */
static void add_value(struct buf *out, const char *name, const char *value)
{
	buf_addf(out, ",%s=", name);
	for (; *value; value++) {
		if (*value == ',')
			buf_addc(out, ',');
		buf_addc(out, *value);
	}
}

static void add_number(struct buf *out, const char *name, uint64_t value)
{
	buf_addf(out, ",%s=%" PRIu64, name, value);
}

static void add_address(struct buf *out, const char *name, uint64_t value)
{
	buf_addf(out, ",%s=0x%" PRIx64, name, value);
}

static const char *keep(struct words *words, struct buf *text)
{
	const char *kept = arena_strndup(words->arena, text->s, text->len);

	buf_release(text);
	return kept;
}

static void add_plugin(struct words *words, const struct machine_plugin *plugin)
{
	struct buf text = BUF_INIT;

	add_value(&text, "file", plugin->path);
	add_value(&text, "out", plugin->trace);
	if (plugin->ram)
		add_value(&text, "ram", plugin->ram);
	if (plugin->snapshot)
		add_value(&text, "snapshot", plugin->snapshot);
	add_number(&text, "line", plugin->line);
	add_number(&text, "quantum", plugin->quantum);
	if (plugin->cache_lines)
		add_number(&text, "cache-lines", plugin->cache_lines);
	add_number(&text, "marks", plugin->marks);
	add_number(&text, "user", plugin->user);
	if (plugin->from)
		add_address(&text, "from", plugin->from);
	if (plugin->to)
		add_address(&text, "to", plugin->to);
	if (plugin->has_task) {
		add_address(&text, "percpu", plugin->percpu);
		add_address(&text, "current", plugin->current);
		add_address(&text, "direct", plugin->direct);
		add_number(&text, "pid", plugin->pid);
		add_number(&text, "tgid", plugin->tgid);
		add_number(&text, "comm", plugin->comm);
	}
	memmove(text.s, text.s + 1, text.len--); /* the comma before the first */
	add_pair(words, "-plugin", keep(words, &text));
}

/* A clock that is read under a lock, as the HPET is, would be fought over more than what is looked
 * for. Symbols are addresses without KASLR. String instructions that the processor has in one piece
 * would be one access of many lines, and so would 5-level page tables move the direct map. */
#define CPU "max,-erms,-fsrm,-la57"

const char *const *machine_argv(const struct machine *machine, struct arena *arena)
{
	struct words words = {.arena = arena};
	struct buf text = BUF_INIT;

	add(&words, machine->qemu);
	add_pair(&words, "-accel", "tcg,thread=multi,tb-size=256");
	add_pair(&words, "-cpu", CPU);
	add_pair(&words, "-smp", arena_printf(arena, "%u", machine->cpus));
	add_pair(&words, "-m", arena_printf(arena, "%uM", machine->memory));
	buf_adds(&text, "memory-backend-file,id=ram,share=on");
	buf_addf(&text, ",size=%uM", machine->memory);
	add_value(&text, "mem-path", machine->plugin.ram);
	add_pair(&words, "-object", keep(&words, &text));
	add_pair(&words, "-machine", "pc,hpet=off,memory-backend=ram");
	add_pair(&words, "-display", "none");
	add(&words, "-nodefaults");
	add(&words, "-no-user-config");
	add(&words, "-no-reboot");
	add_pair(&words, "-monitor", "none");
	add_pair(&words, "-serial", "stdio");
	buf_adds(&text, "file,id=status");
	add_value(&text, "path", machine->status);
	add_pair(&words, "-chardev", keep(&words, &text));
	add_pair(&words, "-serial", "chardev:status");
	add_pair(&words, "-kernel", machine->kernel);
	add_pair(&words, "-initrd", machine->initramfs);
	add_pair(&words, "-append",
		 arena_printf(arena,
			      "nokaslr console=ttyS0 panic=-1 quiet slab_nomerge tsc=reliable "
			      "rdinit=" INITRAMFS_INIT "%s%s",
			      machine->append ? " " : "", machine->append ? machine->append : ""));
	add_plugin(&words, &machine->plugin);
	add(&words, NULL);
	return words.items;
}

const char *const *machine_user_argv(const struct machine *machine, const struct workload *program,
				     struct arena *arena)
{
	struct words words = {.arena = arena};

	add(&words, machine->qemu);
	add_plugin(&words, &machine->plugin);
	add(&words, "--");
	for (size_t i = 0; i < program->n; i++)
		add(&words, program->words[i]);
	add(&words, NULL);
	return words.items;
}
