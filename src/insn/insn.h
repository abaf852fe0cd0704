/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Machine code -> what a reader of it has to know: which memory an instruction accesses, what it
 * does to registers, where control goes next. The only room that includes capstone. It knows
 * nothing of debug info; registers have the numbers that DWARF gives them.
 *
 * x86-64 only so far. Sources: Intel SDM volume 2; the System V psABI of x86-64, figures 3.4 (which
 * registers a call keeps) and 3.36 (register numbers).
 */
#ifndef INSN_INSN_H
#define INSN_INSN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	INSN_RAX = 0, /* what a call returns */
	INSN_RBP = 6,
	INSN_RSP = 7,
	INSN_REGS = 16,
	INSN_NONE = 0xff, /* no register */
};

enum insn_segment { SEGMENT_NONE, SEGMENT_FS, SEGMENT_GS };

/* One operand in memory: at base + index * scale + disp of the segment. */
struct insn_memory {
	uint8_t base, index, scale; /* INSN_NONE: not there */
	uint8_t segment;
	bool is_address; /* neither base nor index, or relative to rip: disp is the address */
	bool reads, writes;
	/* It may lie away from there, by what only a running program knows: a bit string, one step
	 * of a repeated instruction, a part of a state that is saved. */
	bool moves;
	uint32_t size; /* bytes; 0: not known */
	int64_t disp;
};

/* What an instruction does to `dst`, when it can be followed; all 64 bits of it. */
enum insn_effect {
	EFFECT_OTHER,    /* nothing that can be said; see `writes` */
	EFFECT_MOVE,     /* dst = src */
	EFFECT_MAY_MOVE, /* the same, or dst stays as it is */
	EFFECT_LOAD,     /* dst = memory[0] */
	EFFECT_MAY_LOAD,
	EFFECT_STORE,    /* memory[0] = src */
	EFFECT_ADDRESS,  /* dst = the address of `address` (lea) */
	EFFECT_CONSTANT, /* dst = imm */
	EFFECT_ADD,      /* dst += imm */
	EFFECT_ADD_REG,  /* dst += src */
	EFFECT_SUB_REG,  /* dst -= src */
	EFFECT_ADD_LOAD, /* dst += memory[0] */
	EFFECT_EXCHANGE, /* dst and memory[0] change places */
	EFFECT_SWAP,     /* dst and src change places */
	EFFECT_PUSH,     /* of src, INSN_NONE when it is no register */
	EFFECT_POP,      /* into dst, INSN_NONE when it is no register */
	EFFECT_LEAVE,    /* rsp = rbp, then pop into rbp */
	EFFECT_CALL,
};

enum insn_flow {
	FLOW_NEXT,
	FLOW_JUMP,     /* to `target` */
	FLOW_BRANCH,   /* to `target`, or on */
	FLOW_CALL,     /* and then on; of `target` when it is known */
	FLOW_INDIRECT, /* to some place */
	FLOW_STOP,     /* nowhere: a return */
	FLOW_TRAP,     /* nowhere, as far as is known: Linux goes on behind the ud2 of a warning */
};

struct insn {
	uint64_t pc;
	uint64_t target; /* 0: none, or not known */
	int64_t imm;
	uint32_t writes; /* a bit for each register that may be another one behind it */
	uint8_t length;
	uint8_t effect, dst, src;
	uint8_t flow;
	bool is_known; /* false: a byte that does not decode */
	uint8_t nmemory;
	struct insn_memory memory[2];
	struct insn_memory address; /* of lea: computed, not accessed */
};

/* A run of instructions that is entered only at its start. */
struct insn_block {
	uint32_t first, n;           /* instructions */
	uint32_t first_pred, npreds; /* in insn_code.preds: the blocks that lead here */
};

/* The code of one function. All zero is none. */
struct insn_code {
	struct insn *insns; /* ascending */
	size_t n, cap;
	struct insn_block *blocks; /* in the order of the instructions */
	size_t nblocks, cap_blocks;
	uint32_t *preds; /* blocks */
	size_t npreds, cap_preds;
	uint32_t *block_of; /* by instruction */
	size_t cap_block_of;
};

struct insn_edge {
	uint64_t from, to;
};

/* One for each thread, made by any thread. NULL: the machine (as struct target names it) is not
 * known here. */
struct insn_decoder *insn_decoder_new(const char *arch, bool big_endian);
void insn_decoder_free(struct insn_decoder *decoder);

void insn_code_release(struct insn_code *code);

/* Forgets the instructions and keeps the memory. */
void insn_clear(struct insn_code *code);

/* Adds the instructions of @bytes, which lie at @address, behind those that are there. */
void insn_decode(struct insn_decoder *decoder, const uint8_t *bytes, size_t len, uint64_t address,
		 struct insn_code *code);

/*
 * A block that nothing leads to is taken to be where indirect jumps go, or the way on behind a trap
 * that stands before it.
 *
 * Finds the blocks, once all of the function is decoded. @edges: ways that the instructions do not
 * show (patched jumps). @dead: return addresses of calls that do not return, ascending.
 */
void insn_link(struct insn_code *code, const struct insn_edge *edges, size_t nedges,
	       const uint64_t *dead, size_t ndead);

/* The instruction that begins at @pc; SIZE_MAX: none. */
size_t insn_find(const struct insn_code *code, uint64_t pc);

#endif
