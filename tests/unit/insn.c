/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Machine code: operands, effects, blocks, the stack; and code that a kernel replaces. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/mem.h"
#include "dwarf/patched.h"
#include "insn/insn.h"
#include "insn/stack.h"

enum { RAX = 0, RDX, RCX, RBX, RSI, RDI, RBP, RSP, R8, R12 = 12 };
enum { START = 0x1000 };

static struct insn_decoder *decoder;

static int make_decoder(void **state)
{
	(void)state;
	decoder = insn_decoder_new("x86_64", false);
	return decoder ? 0 : -1;
}

static int free_decoder(void **state)
{
	(void)state;
	insn_decoder_free(decoder);
	return 0;
}

/* Bytes as hexadecimal digits. */
static size_t parse(const char *text, uint8_t *bytes)
{
	size_t n = 0;

	for (; *text; text += strspn(text, " ")) {
		char digits[3] = {text[0], text[1], '\0'};

		bytes[n++] = (uint8_t)strtoul(digits, NULL, 16);
		text += 2;
	}
	return n;
}

static struct insn_code decode(const char *text)
{
	struct insn_code code = {0};
	uint8_t bytes[256];

	insn_decode(decoder, bytes, parse(text, bytes), START, &code);
	insn_link(&code, NULL, 0, NULL, 0);
	return code;
}

static void machines(void **state)
{
	(void)state;
	assert_null(insn_decoder_new("aarch64", false));
	assert_null(insn_decoder_new("i386", false));
	assert_null(insn_decoder_new("x86_64", true));
	assert_null(insn_decoder_new(NULL, false));
	insn_decoder_free(NULL);
}

static void operands(void **state)
{
	static const struct {
		const char *bytes;
		struct insn_memory m;
	} cases[] = {
		/* mov 0x84(%r15),%ebx */
		{"41 8b 9f 84 00 00 00", {15, INSN_NONE, 1, 0, false, true, false, false, 4, 0x84}},
		/* mov %rax,-8(%rdi,%rcx,8) */
		{"48 89 44 cf f8", {RDI, RCX, 8, 0, false, false, true, false, 8, -8}},
		/* lock incq 0x38(%rbp) */
		{"f0 48 ff 45 38", {RBP, INSN_NONE, 1, 0, false, true, true, false, 8, 0x38}},
		/* mov 0x10(%rip),%rax: behind its 7 bytes */
		{"48 8b 05 10 00 00 00",
		 {INSN_NONE, INSN_NONE, 1, 0, true, true, false, false, 8, START + 0x17}},
		/* mov %gs:0x1fb80,%rax */
		{"65 48 8b 04 25 80 fb 01 00",
		 {INSN_NONE, INSN_NONE, 1, SEGMENT_GS, true, true, false, false, 8, 0x1fb80}},
		/* lock cmpxchg %edx,(%rdi) */
		{"f0 0f b1 17", {RDI, INSN_NONE, 1, 0, false, true, true, false, 4, 0}},
		/* cmpb $0,(%rdi) */
		{"80 3f 00", {RDI, INSN_NONE, 1, 0, false, true, false, false, 1, 0}},
		/* lock bts %rax,(%rdx): which word, the register says */
		{"f0 48 0f ab 02", {RDX, INSN_NONE, 1, 0, false, true, true, true, 0, 0}},
		/* lock btsl $3,(%rdx) */
		{"f0 0f ba 2a 03", {RDX, INSN_NONE, 1, 0, false, true, true, false, 4, 0}},
		/* rep stosq: to rdi */
		{"f3 48 ab", {RDI, INSN_NONE, 1, 0, false, false, true, true, 0, 0}},
		/* xsave64 (%rdi) */
		{"48 0f ae 27", {RDI, INSN_NONE, 1, 0, false, false, true, true, 0, 0}},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct insn_code code = decode(cases[i].bytes);
		const struct insn_memory *want = &cases[i].m, *have = &code.insns[0].memory[0];

		assert_int_equal(code.n, 1);
		assert_int_equal(code.insns[0].nmemory, 1);
		assert_int_equal(have->base, want->base);
		assert_int_equal(have->index, want->index);
		assert_int_equal(have->scale, want->scale);
		assert_int_equal(have->is_address, want->is_address);
		assert_int_equal(have->disp, want->disp);
		assert_int_equal(have->reads, want->reads);
		assert_int_equal(have->writes, want->writes);
		assert_int_equal(have->moves, want->moves);
		assert_int_equal(have->size, want->size);
		if (want->segment)
			assert_int_equal(have->segment, want->segment);
		insn_code_release(&code);
	}
}

/* They name memory and do not access it. */
static void no_operands(void **state)
{
	static const char *const cases[] = {
		"48 8d 47 08",    /* lea 8(%rdi),%rax */
		"0f 1f 44 00 00", /* nopl 0(%rax,%rax) */
		"0f 18 0f",       /* prefetcht0 (%rdi) */
		"66 2e 0f 1f 84 00 00 00 00 00",
		"55",
		"5d",
		"c9",
		"c3", /* the stack is no operand */
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct insn_code code = decode(cases[i]);

		assert_int_equal(code.n, 1);
		assert_true(code.insns[0].is_known);
		assert_int_equal(code.insns[0].nmemory, 0);
		insn_code_release(&code);
	}
}

static void effects(void **state)
{
	static const struct {
		const char *bytes;
		enum insn_effect effect;
		uint8_t dst, src;
		int64_t imm;
	} cases[] = {
		{"48 89 f8", EFFECT_MOVE, RAX, RDI, 0},
		{"89 f8", EFFECT_OTHER, INSN_NONE, INSN_NONE, 0}, /* half of a pointer */
		{"48 0f 44 c2", EFFECT_MAY_MOVE, RAX, RDX, 0},
		{"48 8b 47 08", EFFECT_LOAD, RAX, INSN_NONE, 0},
		{"8b 47 08", EFFECT_OTHER, INSN_NONE, INSN_NONE, 0},
		{"48 0f 45 07", EFFECT_MAY_LOAD, RAX, INSN_NONE, 0},
		{"48 89 07", EFFECT_STORE, INSN_NONE, RAX, 0},
		{"48 8d 47 08", EFFECT_ADDRESS, RAX, INSN_NONE, 0},
		{"b8 10 00 00 80", EFFECT_CONSTANT, RAX, INSN_NONE, 0x80000010},
		{"48 c7 c0 10 00 00 80", EFFECT_CONSTANT, RAX, INSN_NONE, (int32_t)0x80000010},
		{"48 83 c7 10", EFFECT_ADD, RDI, INSN_NONE, 16},
		{"48 83 ef 10", EFFECT_ADD, RDI, INSN_NONE, -16},
		{"48 ff c7", EFFECT_ADD, RDI, INSN_NONE, 1},
		{"48 83 e0 fc", EFFECT_ADD, RAX, INSN_NONE,
		 0}, /* and $-4: the flags of a pointer */
		{"48 25 00 f0 ff ff", EFFECT_OTHER, INSN_NONE, INSN_NONE, 0}, /* its page */
		{"48 01 d0", EFFECT_ADD_REG, RAX, RDX, 0},
		{"48 29 d0", EFFECT_SUB_REG, RAX, RDX, 0},
		{"48 03 07", EFFECT_ADD_LOAD, RAX, INSN_NONE, 0},
		{"48 87 07", EFFECT_EXCHANGE, RAX, INSN_NONE, 0},
		{"48 87 d1", EFFECT_SWAP, RCX, RDX, 0},
		{"41 54", EFFECT_PUSH, INSN_NONE, R12, 0},
		{"41 5c", EFFECT_POP, R12, INSN_NONE, 0},
		{"c9", EFFECT_LEAVE, RBP, INSN_NONE, 0},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct insn_code code = decode(cases[i].bytes);
		const struct insn *insn = &code.insns[0];

		assert_int_equal(insn->effect, cases[i].effect);
		if (insn->effect == EFFECT_SWAP) /* either way round */
			assert_int_equal(insn->dst + insn->src, cases[i].dst + cases[i].src);
		else
			assert_int_equal(insn->dst, cases[i].dst);
		if (insn->effect != EFFECT_SWAP)
			assert_int_equal(insn->src, cases[i].src);
		assert_int_equal(insn->imm, cases[i].imm);
		insn_code_release(&code);
	}
}

/* Whatever else an instruction does, it says which registers are others behind it. */
static void writes(void **state)
{
	static const struct {
		const char *bytes;
		uint32_t mask;
	} cases[] = {
		{"e8 00 00 00 00", 0xf37},                    /* call: what it need not keep */
		{"89 f8", 1 << RAX},                          /* mov %edi,%eax */
		{"0f b6 07", 1 << RAX},                       /* movzbl (%rdi),%eax */
		{"48 f7 e2", 1 << RAX | 1 << RDX},            /* mul %rdx */
		{"0f 05", 1 << RAX | 1 << RCX | 1 << 11},     /* syscall */
		{"f3 48 a5", 1 << RCX | 1 << RSI | 1 << RDI}, /* rep movsq */
		{"f0 0f b1 17", 1 << RAX},                    /* cmpxchg */
		{"0f 31", 1 << RAX | 1 << RDX},               /* rdtsc */
		{"0f 01 f9", 1 << RAX | 1 << RDX | 1 << RCX}, /* rdtscp */
		{"0f 32", 1 << RAX | 1 << RDX},               /* rdmsr */
		{"0f 33", 1 << RAX | 1 << RDX},               /* rdpmc */
		{"0f 01 d0", 1 << RAX | 1 << RDX},            /* xgetbv */
		{"48 0f c7 0f", 1 << RAX | 1 << RDX},         /* cmpxchg16b (%rdi) */
		{"48 99", 1 << RDX},                          /* cqto */
		{"48 98", 1 << RAX},                          /* cltq */
		{"48 0f c1 17", 1 << RDX},                    /* xadd %rdx,(%rdi) */
		{"f3 48 0f b8 c7", 1 << RAX},                 /* popcnt */
		{"48 0f bc c7", 1 << RAX},                    /* bsf */
		{"f3 48 ab", 1 << RDI | 1 << RCX},            /* rep stosq */
		{"48 ad", 1 << RAX | 1 << RSI},               /* lodsq */
		{"48 f7 f1", 1 << RAX | 1 << RDX},            /* div %rcx */
		{"48 c1 e8 03", 1 << RAX},                    /* shr $3,%rax */
		{"48 0f c8", 1 << RAX},                       /* bswap */
		{"0f 94 c0", 1 << RAX},                       /* sete %al */
		{"66 48 0f 7e c0", 1 << RAX},                 /* movq %xmm0,%rax */
		{"c4 e2 e8 f7 c1", 1 << RAX},                 /* bextr */
		{"f3 48 0f c7 f8", 1 << RAX},                 /* rdpid */
		{"48 0f c7 f0", 1 << RAX},                    /* rdrand */
		{"f3 48 0f ae c0", 1 << RAX},                 /* rdfsbase */
		{"0f 20 c0", 1 << RAX},                       /* mov %cr0,%rax */
		{"48 63 c7", 1 << RAX},                       /* movslq */
		{"48 0f b1 17", 1 << RAX},
		{"39 f8", 0}, /* cmp */
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct insn_code code = decode(cases[i].bytes);

		assert_int_equal(code.insns[0].writes & cases[i].mask, cases[i].mask);
		assert_int_equal(code.insns[0].writes & 1 << RBX, 0);
		if (!cases[i].mask)
			assert_int_equal(code.insns[0].writes, 0);
		insn_code_release(&code);
	}
}

static bool leads(const struct insn_code *code, size_t from, size_t to)
{
	const struct insn_block *block = &code->blocks[code->block_of[to]];

	for (uint32_t i = 0; i < block->npreds; i++)
		if (code->preds[block->first_pred + i] == code->block_of[from])
			return true;
	return false;
}

static void blocks(void **state)
{
	/* 0: test; 1: je to 4; 2: inc; 3: jmp to 0; 4: ret; 5: int3; 6: nop, which nothing reaches
	 */
	struct insn_code code = decode("48 85 ff 74 05 48 ff c0 eb f6 c3 cc 90");

	(void)state;
	assert_int_equal(code.n, 7);
	assert_true(leads(&code, 3, 0));
	assert_true(leads(&code, 1, 2));
	assert_true(leads(&code, 1, 4));
	assert_false(leads(&code, 3, 4));
	assert_false(leads(&code, 4, 5));
	assert_int_equal(code.blocks[code.block_of[6]].npreds, 0);
	assert_int_equal(insn_find(&code, START + 3), 1);
	assert_int_equal(insn_find(&code, START + 4), SIZE_MAX);
	insn_code_release(&code);
}

/* What nothing leads to is behind a trap, or where an indirect jump goes. */
static void orphans(void **state)
{
	struct insn_code code = decode("0f 0b 90 c3");

	(void)state;
	assert_true(leads(&code, 0, 1));
	insn_code_release(&code);
	code = decode("ff e0 90 c3 90 c3"); /* jmp *%rax */
	assert_true(leads(&code, 0, 1));
	assert_true(leads(&code, 0, 3));
	insn_code_release(&code);
}

/* A call that does not return; a jump that a kernel may switch on. */
static void told_ways(void **state)
{
	const struct insn_edge edges[] = {{START + 5, START + 12}, {START + 77, START}};
	const uint64_t dead[] = {START + 5};
	struct insn_code code = decode("e8 00 00 00 00 0f 1f 44 00 00 90 c3 90 c3");

	(void)state;
	assert_int_equal(code.n, 6);
	assert_true(code.block_of[0] == code.block_of[1]);
	assert_false(leads(&code, 1, 4));
	insn_link(&code, edges, ARRAY_SIZE(edges), dead, ARRAY_SIZE(dead));
	assert_false(leads(&code, 0, 1));
	assert_true(leads(&code, 1, 4));
	assert_true(leads(&code, 1, 2));
	insn_code_release(&code);
}

static void unknown_bytes(void **state)
{
	struct insn_code code = decode("06 48 89 f8"); /* there is no push %es */

	(void)state;
	assert_int_equal(code.n, 2);
	assert_false(code.insns[0].is_known);
	assert_int_equal(code.insns[0].writes, UINT32_MAX);
	assert_true(code.insns[1].is_known);
	assert_int_equal(code.insns[1].pc, START + 1);
	insn_code_release(&code);
}

static void stack(void **state)
{
	struct insn_stack found = {0};
	/* push %rbp; mov %rsp,%rbp; sub $16,%rsp; mov %rdi,8(%rsp); mov -8(%rbp),%rax;
	 * mov (%rax),%rax; leave; ret */
	struct insn_code code =
		decode("55 48 89 e5 48 83 ec 10 48 89 7c 24 08 48 8b 45 f8 48 8b 00 "
		       "c9 c3");

	(void)state;
	insn_stack_find(&found, &code);
	assert_int_equal(found.uses[0].implicit, -16);
	assert_int_equal(found.uses[3].memory[0], -24);
	assert_int_equal(found.uses[4].memory[0], -24);
	assert_int_equal(found.uses[5].memory[0], STACK_NOT);
	assert_int_equal(found.uses[6].implicit, -16);
	assert_int_equal(found.uses[7].rsp, -8);
	insn_code_release(&code);

	/* and $-32,%rsp; mov (%rsp),%rax: somewhere; lea 8(%rsp),%rdi; mov (%rdi),%rax */
	code = decode("48 83 e4 e0 48 8b 04 24 48 8d 7c 24 08 48 8b 07 c3");
	insn_stack_find(&found, &code);
	assert_int_equal(found.uses[1].memory[0], STACK_SOMEWHERE);
	assert_int_equal(found.uses[3].memory[0], STACK_SOMEWHERE);
	insn_code_release(&code);
	insn_stack_release(&found);
}

/* rbp is an ordinary register, until it is made from the stack pointer. */
static void base_pointer(void **state)
{
	struct insn_code code = decode("48 8b 45 08 48 89 fd 48 8b 45 00 c3");
	struct insn_stack found = {0};

	(void)state;
	insn_stack_find(&found, &code);
	assert_int_equal(found.uses[0].memory[0], STACK_NOT);
	assert_int_equal(found.uses[2].memory[0], STACK_NOT);
	insn_code_release(&code);
	insn_stack_release(&found);
}

/* ---- code that is replaced ------------------------------------------------------------------- */

static uint8_t replacement[16];

static bool read_replacement(void *arg, uint64_t address, void *data, size_t len)
{
	(void)arg;
	if (address != 0x9000 || len > sizeof replacement)
		return false;
	memcpy(data, replacement, len);
	return true;
}

/* What stands at START when @pc (0: none) was seen to access memory: its first bytes. */
static void expect_patched(const char *site, const char *other, uint64_t pc, const char *expected)
{
	uint8_t bytes[64], wanted[64];
	size_t len = parse(site, bytes), n = parse(other, replacement);
	struct patch patch = {START, 0x9000, 0, (uint8_t)len, (uint8_t)n};
	struct patches patches = {.items = &patch, .n = 1};
	struct patcher patcher = {
		.patches = &patches, .decoder = decoder, .read = read_replacement};
	struct claim_run run = {.pc = pc}, *runs[] = {&run};

	patch_bytes(&patcher, START, bytes, len, runs, pc ? 1 : 0);
	n = parse(expected, wanted);
	assert_memory_equal(bytes, wanted, n);
	patcher_release(&patcher);
}

static void patched(void **state)
{
	/* call *pv_ops+0x280; what an unlock is on real hardware: movb $0,(%rdi) */
	const char *call = "ff 14 25 40 9b a3 82", *store = "c6 07 00";
	/* lea 0x20(%rbx),%rsi; call emulation; and cmpxchg16b %gs:(%rsi) */
	const char *lea = "48 8d 73 20 e8 00 00 00 00", *exchange = "65 48 0f c7 0e 0f 94 c0";

	(void)state;
	expect_patched(call, store, 0, "c6 07 00 90 90 90 90");
	expect_patched(call, store, START, "c6 07 00 90 90 90 90");
	expect_patched(lea, exchange, 0, lea);
	expect_patched(lea, exchange, START, "65 48 0f c7 0e 0f 94 c0 90");
	/* An access that only the code as it was has. */
	expect_patched("48 8b 07", "31 c0", START, "48 8b 07");
	/* A relative call moves from 0x9000 to 0x1000. */
	expect_patched(call, "e8 00 00 00 00", 0, "e8 00 80 00 00 90 90");
}

static void patched_tables(void **state)
{
	struct patch_site sites[] = {{0x10, 7}, {0x20, 7}};
	struct patch_edge edges[] = {{0x10, 0x40}, {0x20, 0x50}, {0x20, 0x60}};
	const struct patches patches = {.sites = sites, .nsites = 2, .edges = edges, .nedges = 3};
	size_t n;

	(void)state;
	assert_true(patch_replaces_call(&patches, 0x20));
	assert_false(patch_replaces_call(&patches, 0x18));
	assert_ptr_equal(patch_edges_in(&patches, 0x11, 0x21, &n), &edges[1]);
	assert_int_equal(n, 2);
	(void)patch_edges_in(&patches, 0x21, 0x100, &n);
	assert_int_equal(n, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(machines),       cmocka_unit_test(operands),
		cmocka_unit_test(no_operands),    cmocka_unit_test(effects),
		cmocka_unit_test(writes),         cmocka_unit_test(blocks),
		cmocka_unit_test(orphans),        cmocka_unit_test(told_ways),
		cmocka_unit_test(unknown_bytes),  cmocka_unit_test(stack),
		cmocka_unit_test(base_pointer),   cmocka_unit_test(patched),
		cmocka_unit_test(patched_tables),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, make_decoder, free_decoder);
}
