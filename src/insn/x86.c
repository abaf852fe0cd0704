/* SPDX-License-Identifier: GPL-2.0-or-later */
/* x86-64, through capstone. */
#include <capstone/capstone.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "insn/insn.h"

/* What capstone calls it before 5. */
#if CS_API_MAJOR < 5
#define X86_INS_UD1 X86_INS_UD2B
#endif

struct insn_decoder {
	csh handle;
	cs_insn *insn;
};

static struct insn_decoder *open_decoder(void)
{
	struct insn_decoder *d;
	csh handle;

	if (cs_open(CS_ARCH_X86, CS_MODE_64, &handle) != CS_ERR_OK)
		return NULL;
	cs_option(handle, CS_OPT_DETAIL, CS_OPT_ON);
	d = xcalloc(1, sizeof *d);
	d->handle = handle;
	d->insn = cs_malloc(handle);
	if (!d->insn)
		die_oom();
	return d;
}

/*
 * Capstone sorts and fills tables that all its handles share when the first instruction is decoded,
 * without a lock. That one is decoded here, before there is a second thread to look at them.
 */
static void fill_tables(void)
{
	static const uint8_t nop = 0x90;
	struct insn_decoder *d = open_decoder();
	const uint8_t *p = &nop;
	uint64_t address = 0;
	size_t len = 1;

	if (d)
		(void)cs_disasm_iter(d->handle, &p, &len, &address, d->insn);
	insn_decoder_free(d);
}

struct insn_decoder *insn_decoder_new(const char *arch, bool big_endian)
{
	static pthread_once_t filled = PTHREAD_ONCE_INIT;

	if (!arch || strcmp(arch, "x86_64") != 0 || big_endian)
		return NULL;
	pthread_once(&filled, fill_tables);
	return open_decoder();
}

void insn_decoder_free(struct insn_decoder *d)
{
	if (!d)
		return;
	cs_free(d->insn, 1);
	cs_close(&d->handle);
	free(d);
}

/* ---- registers ------------------------------------------------------------------------------- */

/* Capstone's names of the parts of a register -> its DWARF number + 1. */
static const uint8_t numbers[X86_REG_ENDING] = {
	[X86_REG_RAX] = 1,  [X86_REG_EAX] = 1,   [X86_REG_AX] = 1,    [X86_REG_AL] = 1,
	[X86_REG_AH] = 1,   [X86_REG_RDX] = 2,   [X86_REG_EDX] = 2,   [X86_REG_DX] = 2,
	[X86_REG_DL] = 2,   [X86_REG_DH] = 2,    [X86_REG_RCX] = 3,   [X86_REG_ECX] = 3,
	[X86_REG_CX] = 3,   [X86_REG_CL] = 3,    [X86_REG_CH] = 3,    [X86_REG_RBX] = 4,
	[X86_REG_EBX] = 4,  [X86_REG_BX] = 4,    [X86_REG_BL] = 4,    [X86_REG_BH] = 4,
	[X86_REG_RSI] = 5,  [X86_REG_ESI] = 5,   [X86_REG_SI] = 5,    [X86_REG_SIL] = 5,
	[X86_REG_RDI] = 6,  [X86_REG_EDI] = 6,   [X86_REG_DI] = 6,    [X86_REG_DIL] = 6,
	[X86_REG_RBP] = 7,  [X86_REG_EBP] = 7,   [X86_REG_BP] = 7,    [X86_REG_BPL] = 7,
	[X86_REG_RSP] = 8,  [X86_REG_ESP] = 8,   [X86_REG_SP] = 8,    [X86_REG_SPL] = 8,
	[X86_REG_R8] = 9,   [X86_REG_R8D] = 9,   [X86_REG_R8W] = 9,   [X86_REG_R8B] = 9,
	[X86_REG_R9] = 10,  [X86_REG_R9D] = 10,  [X86_REG_R9W] = 10,  [X86_REG_R9B] = 10,
	[X86_REG_R10] = 11, [X86_REG_R10D] = 11, [X86_REG_R10W] = 11, [X86_REG_R10B] = 11,
	[X86_REG_R11] = 12, [X86_REG_R11D] = 12, [X86_REG_R11W] = 12, [X86_REG_R11B] = 12,
	[X86_REG_R12] = 13, [X86_REG_R12D] = 13, [X86_REG_R12W] = 13, [X86_REG_R12B] = 13,
	[X86_REG_R13] = 14, [X86_REG_R13D] = 14, [X86_REG_R13W] = 14, [X86_REG_R13B] = 14,
	[X86_REG_R14] = 15, [X86_REG_R14D] = 15, [X86_REG_R14W] = 15, [X86_REG_R14B] = 15,
	[X86_REG_R15] = 16, [X86_REG_R15D] = 16, [X86_REG_R15W] = 16, [X86_REG_R15B] = 16,
};

static uint8_t number_of(unsigned reg)
{
	return reg < ARRAY_SIZE(numbers) && numbers[reg] ? numbers[reg] - 1 : INSN_NONE;
}

static uint32_t bit_of(uint8_t number)
{
	return number < INSN_REGS ? 1u << number : 0;
}

/* rax, rdx, rcx, rsi, rdi, r8 to r11. */
enum { CALL_WRITES = 0x0f37 };

/* Registers that nobody spells: capstone 4 leaves some of them out. */
static uint32_t written_silently(unsigned id)
{
	switch (id) {
	case X86_INS_SYSCALL:
	case X86_INS_SYSENTER:
	case X86_INS_INT:
		return CALL_WRITES;
	case X86_INS_CMPXCHG:
		return 1; /* rax */
	case X86_INS_CPUID:
		return 0xf; /* rax, rdx, rcx, rbx */
	default:
		return 0;
	}
}

static uint32_t registers_written(const struct insn_decoder *d)
{
	cs_regs read, written;
	uint8_t nread, nwritten;
	uint32_t mask = written_silently(d->insn->id);

	if (cs_regs_access(d->handle, d->insn, read, &nread, written, &nwritten) != CS_ERR_OK)
		return UINT32_MAX;
	for (unsigned i = 0; i < nwritten; i++)
		mask |= bit_of(number_of(written[i]));
	return mask;
}

/* ---- memory ---------------------------------------------------------------------------------- */

static struct insn_memory memory_of(const struct insn *insn, const cs_x86_op *op)
{
	struct insn_memory m = {.base = number_of(op->mem.base),
				.index = number_of(op->mem.index),
				.scale = (uint8_t)op->mem.scale,
				.size = op->size,
				.disp = op->mem.disp};

	if (op->mem.segment == X86_REG_GS)
		m.segment = SEGMENT_GS;
	else if (op->mem.segment == X86_REG_FS)
		m.segment = SEGMENT_FS;
	m.is_address = m.base == INSN_NONE && m.index == INSN_NONE;
	if (op->mem.base == X86_REG_RIP || op->mem.base == X86_REG_EIP)
		m.disp += (int64_t)(insn->pc + insn->length);
	m.reads = op->access & CS_AC_READ;
	m.writes = op->access & CS_AC_WRITE;
	return m;
}

/* They name memory and leave it alone, as far as a profiler of accesses sees. */
static bool does_not_access(unsigned id)
{
	switch (id) {
	case X86_INS_LEA:
	case X86_INS_NOP:
	case X86_INS_INVLPG:
	case X86_INS_CLFLUSH:
	case X86_INS_CLFLUSHOPT:
	case X86_INS_CLWB:
	case X86_INS_PREFETCH:
	case X86_INS_PREFETCHW:
	case X86_INS_PREFETCHNTA:
	case X86_INS_PREFETCHT0:
	case X86_INS_PREFETCHT1:
	case X86_INS_PREFETCHT2:
		return true;
	default:
		return false;
	}
}

/* Where capstone 4 says nothing, or not all of it, of how an operand is accessed. */
static void correct_access(unsigned id, struct insn_memory *m)
{
	switch (id) {
	case X86_INS_XCHG:
	case X86_INS_XADD:
	case X86_INS_CMPXCHG:
	case X86_INS_CMPXCHG8B:
	case X86_INS_CMPXCHG16B:
	case X86_INS_BTS:
	case X86_INS_BTR:
	case X86_INS_BTC:
		m->reads = m->writes = true;
		break;
	case X86_INS_CMP:
	case X86_INS_TEST:
	case X86_INS_BT:
	case X86_INS_PUSH:
	case X86_INS_CALL:
	case X86_INS_JMP:
		m->reads = true;
		m->writes = false;
		break;
	default:
		if (!m->reads && !m->writes)
			m->reads = true;
	}
}

static bool is_repeated(const cs_insn *insn)
{
	switch (insn->id) {
	case X86_INS_MOVSB:
	case X86_INS_MOVSW:
	case X86_INS_MOVSD:
	case X86_INS_MOVSQ:
	case X86_INS_STOSB:
	case X86_INS_STOSW:
	case X86_INS_STOSD:
	case X86_INS_STOSQ:
	case X86_INS_LODSB:
	case X86_INS_LODSW:
	case X86_INS_LODSD:
	case X86_INS_LODSQ:
	case X86_INS_SCASB:
	case X86_INS_SCASW:
	case X86_INS_SCASD:
	case X86_INS_SCASQ:
	case X86_INS_CMPSB:
	case X86_INS_CMPSW:
	case X86_INS_CMPSD:
	case X86_INS_CMPSQ:
	case X86_INS_INSB:
	case X86_INS_INSW:
	case X86_INS_INSD:
	case X86_INS_OUTSB:
	case X86_INS_OUTSW:
	case X86_INS_OUTSD:
		return insn->detail->x86.prefix[0] == X86_PREFIX_REP ||
		       insn->detail->x86.prefix[0] == X86_PREFIX_REPNE;
	default:
		return false;
	}
}

static bool moves_away(const cs_insn *insn)
{
	const cs_x86 *x = &insn->detail->x86;

	switch (insn->id) {
	case X86_INS_BT:
	case X86_INS_BTS:
	case X86_INS_BTR:
	case X86_INS_BTC:
		return x->op_count == 2 && x->operands[1].type == X86_OP_REG;
	case X86_INS_XSAVE:
	case X86_INS_XSAVE64:
	case X86_INS_XSAVEC:
	case X86_INS_XSAVEC64:
	case X86_INS_XSAVEOPT:
	case X86_INS_XSAVEOPT64:
	case X86_INS_XSAVES:
	case X86_INS_XSAVES64:
	case X86_INS_XRSTOR:
	case X86_INS_XRSTOR64:
	case X86_INS_XRSTORS:
	case X86_INS_XRSTORS64:
	case X86_INS_FXSAVE:
	case X86_INS_FXSAVE64:
	case X86_INS_FXRSTOR:
	case X86_INS_FXRSTOR64:
		return true;
	default:
		return is_repeated(insn);
	}
}

static void read_memory(const cs_insn *from, struct insn *insn)
{
	const cs_x86 *x = &from->detail->x86;

	for (unsigned i = 0; i < x->op_count; i++) {
		struct insn_memory m;

		if (x->operands[i].type != X86_OP_MEM)
			continue;
		m = memory_of(insn, &x->operands[i]);
		if (from->id == X86_INS_LEA)
			insn->address = m;
		if (does_not_access(from->id) || insn->nmemory == ARRAY_SIZE(insn->memory))
			continue;
		correct_access(from->id, &m);
		m.moves = moves_away(from);
		if (m.moves)
			m.size = 0;
		insn->memory[insn->nmemory++] = m;
	}
}

/* ---- effects --------------------------------------------------------------------------------- */

/* A whole register; INSN_NONE for a part of one. */
static uint8_t whole(const cs_x86_op *op)
{
	return op->type == X86_OP_REG && op->size == 8 ? number_of(op->reg) : INSN_NONE;
}

static void set_effect(struct insn *insn, enum insn_effect effect, uint8_t dst, uint8_t src)
{
	insn->effect = (uint8_t)effect;
	insn->dst = dst;
	insn->src = src;
}

/* A move, which may be conditional, between two operands. */
static void read_move(const cs_x86 *x, bool conditional, struct insn *insn)
{
	const cs_x86_op *to = &x->operands[0], *from = &x->operands[1];

	if (from->type == X86_OP_IMM && to->type == X86_OP_REG && to->size >= 4) {
		set_effect(insn, EFFECT_CONSTANT, number_of(to->reg), INSN_NONE);
		insn->imm = to->size == 4 ? (int64_t)(uint32_t)from->imm : from->imm;
	} else if (to->type == X86_OP_MEM && whole(from) != INSN_NONE) {
		set_effect(insn, EFFECT_STORE, INSN_NONE, whole(from));
	} else if (whole(to) == INSN_NONE) {
		return;
	} else if (from->type == X86_OP_MEM) {
		set_effect(insn, conditional ? EFFECT_MAY_LOAD : EFFECT_LOAD, whole(to), INSN_NONE);
	} else if (whole(from) != INSN_NONE) {
		set_effect(insn, conditional ? EFFECT_MAY_MOVE : EFFECT_MOVE, whole(to),
			   whole(from));
	}
}

static void read_sum(const cs_x86 *x, bool minus, struct insn *insn)
{
	const cs_x86_op *to = &x->operands[0], *from = &x->operands[1];

	if (whole(to) == INSN_NONE)
		return;
	if (from->type == X86_OP_IMM) {
		set_effect(insn, EFFECT_ADD, whole(to), INSN_NONE);
		insn->imm = minus ? (int64_t)(0 - (uint64_t)from->imm) : from->imm;
	} else if (from->type == X86_OP_MEM && !minus) {
		set_effect(insn, EFFECT_ADD_LOAD, whole(to), INSN_NONE);
	} else if (whole(from) != INSN_NONE) {
		set_effect(insn, minus ? EFFECT_SUB_REG : EFFECT_ADD_REG, whole(to), whole(from));
	}
}

/* The low bits of a pointer may be flags; taking them off leaves a pointer to the same object. */
static void read_mask(const cs_x86 *x, struct insn *insn)
{
	const cs_x86_op *to = &x->operands[0], *from = &x->operands[1];

	if (whole(to) != INSN_NONE && from->type == X86_OP_IMM &&
	    (from->imm == -2 || from->imm == -4 || from->imm == -8))
		set_effect(insn, EFFECT_ADD, whole(to), INSN_NONE);
}

static void read_exchange(const cs_x86 *x, struct insn *insn)
{
	const cs_x86_op *a = &x->operands[0], *b = &x->operands[1];

	if (a->type == X86_OP_MEM && whole(b) != INSN_NONE)
		set_effect(insn, EFFECT_EXCHANGE, whole(b), INSN_NONE);
	else if (b->type == X86_OP_MEM && whole(a) != INSN_NONE)
		set_effect(insn, EFFECT_EXCHANGE, whole(a), INSN_NONE);
	else if (whole(a) != INSN_NONE && whole(b) != INSN_NONE)
		set_effect(insn, EFFECT_SWAP, whole(a), whole(b));
}

static bool is_conditional_move(unsigned id)
{
	switch (id) {
	case X86_INS_CMOVA:
	case X86_INS_CMOVAE:
	case X86_INS_CMOVB:
	case X86_INS_CMOVBE:
	case X86_INS_CMOVE:
	case X86_INS_CMOVG:
	case X86_INS_CMOVGE:
	case X86_INS_CMOVL:
	case X86_INS_CMOVLE:
	case X86_INS_CMOVNE:
	case X86_INS_CMOVNO:
	case X86_INS_CMOVNP:
	case X86_INS_CMOVNS:
	case X86_INS_CMOVO:
	case X86_INS_CMOVP:
	case X86_INS_CMOVS:
		return true;
	default:
		return false;
	}
}

static void read_effect(const cs_insn *from, struct insn *insn)
{
	const cs_x86 *x = &from->detail->x86;

	switch (from->id) {
	case X86_INS_MOV:
	case X86_INS_MOVABS:
		read_move(x, false, insn);
		break;
	case X86_INS_LEA:
		if (whole(&x->operands[0]) != INSN_NONE)
			set_effect(insn, EFFECT_ADDRESS, whole(&x->operands[0]), INSN_NONE);
		break;
	case X86_INS_ADD:
		read_sum(x, false, insn);
		break;
	case X86_INS_SUB:
		read_sum(x, true, insn);
		break;
	case X86_INS_INC:
	case X86_INS_DEC:
		if (whole(&x->operands[0]) != INSN_NONE)
			set_effect(insn, EFFECT_ADD, whole(&x->operands[0]), INSN_NONE);
		insn->imm = from->id == X86_INS_INC ? 1 : -1;
		break;
	case X86_INS_AND:
		read_mask(x, insn);
		break;
	case X86_INS_XCHG:
		read_exchange(x, insn);
		break;
	case X86_INS_PUSH:
		set_effect(insn, EFFECT_PUSH, INSN_NONE, whole(&x->operands[0]));
		break;
	case X86_INS_PUSHFQ:
		set_effect(insn, EFFECT_PUSH, INSN_NONE, INSN_NONE);
		break;
	case X86_INS_POP:
		set_effect(insn, EFFECT_POP, whole(&x->operands[0]), INSN_NONE);
		break;
	case X86_INS_POPFQ:
		set_effect(insn, EFFECT_POP, INSN_NONE, INSN_NONE);
		break;
	case X86_INS_LEAVE:
		set_effect(insn, EFFECT_LEAVE, INSN_RBP, INSN_NONE);
		break;
	default:
		if (is_conditional_move(from->id))
			read_move(x, true, insn);
	}
}

/* ---- control flow ---------------------------------------------------------------------------- */

static bool has_group(const cs_insn *insn, uint8_t group)
{
	for (unsigned i = 0; i < insn->detail->groups_count; i++)
		if (insn->detail->groups[i] == group)
			return true;
	return false;
}

static void read_flow(const cs_insn *from, struct insn *insn)
{
	const cs_x86 *x = &from->detail->x86;
	bool direct = x->op_count == 1 && x->operands[0].type == X86_OP_IMM;

	switch (from->id) {
	case X86_INS_RET:
	case X86_INS_RETF:
	case X86_INS_RETFQ:
	case X86_INS_IRET:
	case X86_INS_IRETD:
	case X86_INS_IRETQ:
	case X86_INS_SYSRET:
	case X86_INS_SYSEXIT:
	case X86_INS_INT3:
		insn->flow = FLOW_STOP;
		return;
	case X86_INS_UD0:
	case X86_INS_UD1:
	case X86_INS_UD2:
		insn->flow = FLOW_TRAP;
		return;
	case X86_INS_CALL:
	case X86_INS_LCALL:
		insn->flow = FLOW_CALL;
		insn->effect = EFFECT_CALL;
		insn->writes = CALL_WRITES;
		break;
	case X86_INS_JMP:
	case X86_INS_LJMP:
		insn->flow = direct ? FLOW_JUMP : FLOW_INDIRECT;
		break;
	default:
		if (!has_group(from, X86_GRP_JUMP))
			return;
		insn->flow = FLOW_BRANCH;
	}
	if (direct)
		insn->target = (uint64_t)x->operands[0].imm;
}

/* ---- instructions ---------------------------------------------------------------------------- */

static void add_unknown(struct insn *insn, uint64_t pc)
{
	*insn = (struct insn){.pc = pc, .length = 1, .writes = UINT32_MAX};
}

static void add_known(const struct insn_decoder *d, struct insn *insn)
{
	const cs_insn *from = d->insn;

	*insn = (struct insn){.pc = from->address,
			      .length = (uint8_t)from->size,
			      .is_known = true,
			      .dst = INSN_NONE,
			      .src = INSN_NONE};
	insn->writes = registers_written(d);
	read_memory(from, insn);
	read_effect(from, insn);
	read_flow(from, insn);
	insn->writes |= bit_of(insn->dst);
}

void insn_decode(struct insn_decoder *d, const uint8_t *bytes, size_t len, uint64_t address,
		 struct insn_code *code)
{
	const uint8_t *p = bytes;
	uint64_t pc = address;

	while (len) {
		struct insn *insn;

		ARRAY_GROW(code->insns, code->n, code->cap);
		insn = &code->insns[code->n++];
		if (cs_disasm_iter(d->handle, &p, &len, &pc, d->insn)) {
			add_known(d, insn);
			continue;
		}
		add_unknown(insn, pc);
		p++;
		pc++;
		len--;
	}
}
