// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What the image says of code addresses, for the tests and for whoever looks into them: one line a
 * claim, or the reason why there is none.
 *
 *	claims IMAGE PC...		of these instructions, hexadecimal
 *	claims -r SEED,N IMAGE		of the instructions with an operand in memory of N functions
 *					drawn at random, and the count of what came of them
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/math.h"
#include "base/mem.h"
#include "dwarf/claims.h"
#include "elf/symtab.h"
#include "insn/insn.h"

static const char *const reasons[CLAIM_REASONS] = {
	[CLAIM_MADE] = "made",
	[CLAIM_NO_CODE] = "no-code",
	[CLAIM_NO_INSN] = "no-instruction",
	[CLAIM_NO_OPERAND] = "no-operand",
	[CLAIM_STACK] = "stack",
	[CLAIM_NO_UNIT] = "no-unit",
	[CLAIM_NO_VARIABLE] = "no-variable",
	[CLAIM_NO_TYPE] = "no-type",
	[CLAIM_PATCHED] = "patched",
};

static void print_run(const struct claims *claims, const struct claim_run *run)
{
	static const char *const how[] = {"variable", "tracked", "symbol"};

	printf("%" PRIx64 " %s", run->pc, run->function ? run->function : "?");
	if (run->outer && (!run->function || strcmp(run->outer, run->function) != 0))
		printf(" in %s", run->outer);
	if (!run->n)
		printf(": %s\n", reasons[run->none]);
	for (size_t i = 0; i < run->n; i++) {
		const struct claim *c = &claims->claims[run->first + i];

		printf("%s %s:%s%" PRId64 " %s%s%s size %u%s%s", i ? "\n   or" : ":",
		       c->type       ? c->type
		       : c->spelling ? c->spelling
				     : "?",
		       c->is_exact ? "" : "~", c->offset, how[c->how], c->variable ? " " : "",
		       c->variable ? c->variable : "", c->size, c->reads ? " r" : "",
		       c->writes ? " w" : "");
		if (c->is_percpu)
			printf(" percpu");
		if (c->source)
			printf(" (%s)", c->source);
	}
	if (run->n)
		putchar('\n');
}

static int compare(const void *left, const void *right)
{
	return compare_u64(*(const uint64_t *)left, *(const uint64_t *)right);
}

struct pcs {
	uint64_t *items;
	size_t n, cap;
};

/* Each once, in order. */
static void sort(struct pcs *pcs)
{
	size_t kept = 0;

	if (pcs->n)
		qsort(pcs->items, pcs->n, sizeof *pcs->items, compare);
	for (size_t i = 0; i < pcs->n; i++)
		if (!kept || pcs->items[kept - 1] != pcs->items[i])
			pcs->items[kept++] = pcs->items[i];
	pcs->n = kept;
}

static void fail(struct err *err)
{
	fprintf(stderr, "claims: %s\n", err->text);
	exit(EXIT_CANNOT);
}

/* The instructions of a function that have an operand in memory. */
static void add_accesses(struct image *image, struct insn_decoder *decoder,
			 const struct symbol *symbol, struct insn_code *code, struct pcs *ret)
{
	uint8_t *bytes = xmalloc(symbol->size);

	insn_clear(code);
	if (image_read_address(image, symbol->address, bytes, symbol->size))
		insn_decode(decoder, bytes, symbol->size, symbol->address, code);
	for (size_t i = 0; i < code->n; i++) {
		if (!code->insns[i].nmemory)
			continue;
		ARRAY_GROW(ret->items, ret->n, ret->cap);
		ret->items[ret->n++] = code->insns[i].pc;
	}
	free(bytes);
}

/* Those of @wanted functions, the same ones for the same @seed. */
static void draw(struct image *image, uint64_t seed, size_t wanted, struct pcs *ret)
{
	struct insn_decoder *decoder = insn_decoder_new(image_target(image)->arch, false);
	struct insn_code code = {0};
	struct err err = ERR_INIT;
	struct symtab symtab;

	if (!symtab_read(image, &err, &symtab))
		fail(&err);
	for (size_t tries = 0; decoder && wanted && tries < 1000000 && symtab.n; tries++) {
		const struct symbol *symbol;

		seed = seed * 6364136223846793005u + 1442695040888963407u;
		symbol = &symtab.items[(seed >> 33) % symtab.n];
		if (!symbol->is_function || !symbol->size || symbol->size > 1 << 20)
			continue;
		wanted--;
		add_accesses(image, decoder, symbol, &code, ret);
	}
	insn_code_release(&code);
	insn_decoder_free(decoder);
	symtab_release(&symtab);
}

/* What came of the instructions that access memory elsewhere than on the stack. */
static void count(const struct claims *claims)
{
	size_t none[CLAIM_REASONS] = {0}, structs = 0, symbols = 0, scalars = 0, all;

	for (size_t i = 0; i < claims->nruns; i++) {
		const struct claim_run *run = &claims->runs[i];
		const struct claim *c = run->n ? &claims->claims[run->first] : NULL;

		none[run->none]++;
		if (c && c->type)
			structs++;
		else if (c && c->how == CLAIM_SYMBOL)
			symbols++;
		else if (c)
			scalars++;
	}
	all = claims->nruns - none[CLAIM_STACK] - none[CLAIM_NO_OPERAND];
	printf("accesses %zu named %zu struct %zu symbol %zu other %zu", all, none[CLAIM_MADE],
	       structs, symbols, scalars);
	for (unsigned i = CLAIM_NO_UNIT; i < CLAIM_REASONS; i++)
		printf(" %s %zu", reasons[i], none[i]);
	putchar('\n');
}

int main(int argc, char **argv)
{
	bool random = argc == 4 && strcmp(argv[1], "-r") == 0;
	struct err err = ERR_INIT;
	struct pcs pcs = {0};
	struct claims claims;
	struct image *image;
	char *rest;

	if (argc < 3)
		return EXIT_CANNOT;
	if (!image_open(argv[random ? 3 : 1], NULL, &err, &image))
		fail(&err);
	if (random) {
		uint64_t seed = strtoull(argv[2], &rest, 10);

		draw(image, seed, strtoul(rest + 1, NULL, 10), &pcs);
	} else {
		pcs.items = xcalloc((size_t)argc, sizeof *pcs.items);
		for (int i = 2; i < argc; i++)
			pcs.items[pcs.n++] = strtoull(argv[i], NULL, 16);
	}
	sort(&pcs);
	if (!claims_find(image, pcs.items, pcs.n, 0, &err, &claims))
		fail(&err);
	for (size_t i = 0; i < claims.nruns; i++)
		print_run(&claims, &claims.runs[i]);
	if (random)
		count(&claims);
	claims_release(&claims);
	image_close(image);
	free(pcs.items);
	return 0;
}
