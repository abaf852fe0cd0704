/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the plugin calls of QEMU: our own declarations of its interface for TCG plugins, so that
 * nothing of QEMU is needed to build. The versions that matter: 1 is QEMU 6 to 8.2, 2 is 9.0, 3
 * and above 9.1 and later. QEMU refuses a plugin of a version below its least, and above its own;
 * of the functions here qemu_plugin_insn_data() alone differs: until 2 it returns the bytes of the
 * instruction, from 3 on it copies them.
 *
 * Source: QEMU, docs/devel/tcg-plugins.rst and the comments of its include/qemu/qemu-plugin.h.
 */
#ifndef PLUGIN_QEMU_H
#define PLUGIN_QEMU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define QEMU_EXPORT __attribute__((visibility("default")))

typedef uint64_t qemu_plugin_id_t;
typedef uint32_t qemu_plugin_meminfo_t;

struct qemu_plugin_tb; /* a translated block */
struct qemu_plugin_insn;
struct qemu_plugin_hwaddr;

typedef struct {
	const char *target_name;
	struct {
		int min, cur;
	} version;
	bool system_emulation;
	struct {
		int smp_vcpus, max_vcpus;
	} system;
} qemu_info_t;

enum qemu_plugin_cb_flags { QEMU_PLUGIN_CB_NO_REGS };
enum qemu_plugin_mem_rw { QEMU_PLUGIN_MEM_R = 1, QEMU_PLUGIN_MEM_W, QEMU_PLUGIN_MEM_RW };

typedef void qemu_done_cb(qemu_plugin_id_t id);
typedef void qemu_vcpu_cb(qemu_plugin_id_t id, unsigned vcpu);
typedef void qemu_exit_cb(qemu_plugin_id_t id, void *arg);
typedef void qemu_tb_cb(qemu_plugin_id_t id, struct qemu_plugin_tb *tb);
typedef void qemu_exec_cb(unsigned vcpu, void *arg);
typedef void qemu_mem_cb(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t vaddr, void *arg);
typedef void qemu_syscall_cb(qemu_plugin_id_t id, unsigned vcpu, int64_t number, uint64_t a1,
			     uint64_t a2, uint64_t a3, uint64_t a4, uint64_t a5, uint64_t a6,
			     uint64_t a7, uint64_t a8);

void qemu_plugin_reset(qemu_plugin_id_t id, qemu_done_cb *done);
void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t id, qemu_tb_cb *cb);
void qemu_plugin_register_vcpu_idle_cb(qemu_plugin_id_t id, qemu_vcpu_cb *cb);
void qemu_plugin_register_vcpu_resume_cb(qemu_plugin_id_t id, qemu_vcpu_cb *cb);
void qemu_plugin_register_vcpu_exit_cb(qemu_plugin_id_t id, qemu_vcpu_cb *cb);
void qemu_plugin_register_vcpu_syscall_cb(qemu_plugin_id_t id, qemu_syscall_cb *cb);
void qemu_plugin_register_atexit_cb(qemu_plugin_id_t id, qemu_exit_cb *cb, void *arg);
void qemu_plugin_register_vcpu_tb_exec_cb(struct qemu_plugin_tb *tb, qemu_exec_cb *cb,
					  enum qemu_plugin_cb_flags flags, void *arg);
void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn *insn, qemu_exec_cb *cb,
					    enum qemu_plugin_cb_flags flags, void *arg);
void qemu_plugin_register_vcpu_mem_cb(struct qemu_plugin_insn *insn, qemu_mem_cb *cb,
				      enum qemu_plugin_cb_flags flags, enum qemu_plugin_mem_rw rw,
				      void *arg);

size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *tb);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *tb, size_t index);
size_t qemu_plugin_insn_size(const struct qemu_plugin_insn *insn);
uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *insn);
unsigned qemu_plugin_mem_size_shift(qemu_plugin_meminfo_t info);
bool qemu_plugin_mem_is_store(qemu_plugin_meminfo_t info);
struct qemu_plugin_hwaddr *qemu_plugin_get_hwaddr(qemu_plugin_meminfo_t info, uint64_t vaddr);
bool qemu_plugin_hwaddr_is_io(const struct qemu_plugin_hwaddr *address);
uint64_t qemu_plugin_hwaddr_phys_addr(const struct qemu_plugin_hwaddr *address);

#endif
