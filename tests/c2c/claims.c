// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What the image says of code addresses, for the tests and for whoever looks into them: one line a
 * claim, or the reason why there is none.
 *
 *	claims IMAGE PC...		of these instructions, hexadecimal
 *	claims -r SEED,N IMAGE		of every instruction of N functions drawn at random, and the
 *					count of what came of their operands
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/math.h"
#include "base/mem.h"
#include "dwarf/claims.h"
#include "elf/symtab.h"

static const char *const reasons[CLAIM_REASONS] = {
	[CLAIM_MADE] = "made",
	[CLAIM_NO_CODE] = "no code",
	[CLAIM_NO_INSN] = "no instruction",
	[CLAIM_NO_OPERAND] = "no operand",
	[CLAIM_STACK] = "stack",
	[CLAIM_NO_UNIT] = "no unit",
	[CLAIM_NO_VARIABLE] = "no variable",
	[CLAIM_NO_TYPE] = "no type",
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

/* Each once, in order. */
static size_t sort(uint64_t *pcs, size_t n)
{
	size_t kept = 0;

	qsort(pcs, n, sizeof *pcs, compare);
	for (size_t i = 0; i < n; i++)
		if (!kept || pcs[kept - 1] != pcs[i])
			pcs[kept++] = pcs[i];
	return kept;
}

/* Every address of @wanted functions: those at which no instruction begins are told apart later. */
static size_t draw(const struct symtab *symtab, unsigned seed, size_t wanted, uint64_t **ret)
{
	size_t n = 0, cap = 0;
	uint64_t *pcs = NULL, state = seed;

	for (size_t tries = 0; wanted && tries < 1000000; tries++) {
		const struct symbol *symbol;

		state = state * 6364136223846793005u + 1442695040888963407u;
		symbol = &symtab->items[(state >> 33) % symtab->n];
		if (!symbol->is_function || !symbol->size || symbol->size > 1 << 20)
			continue;
		wanted--;
		for (uint64_t i = 0; i < symbol->size; i++) {
			ARRAY_GROW(pcs, n, cap);
			pcs[n++] = symbol->address + i;
		}
	}
	*ret = pcs;
	return n ? sort(pcs, n) : 0;
}

static void count(const struct claims *claims)
{
	size_t none[CLAIM_REASONS] = {0}, structs = 0, symbols = 0, scalars = 0, unknown = 0, all;

	for (size_t i = 0; i < claims->nruns; i++) {
		const struct claim_run *run = &claims->runs[i];
		const struct claim *c = run->n ? &claims->claims[run->first] : NULL;

		none[run->none]++;
		if (c && c->type)
			structs++;
		else if (c && c->variable && c->how == CLAIM_SYMBOL)
			symbols++;
		else if (c && c->spelling)
			scalars++;
		else if (c)
			unknown++;
	}
	all = none[CLAIM_MADE] + none[CLAIM_NO_VARIABLE] + none[CLAIM_NO_TYPE] +
	      none[CLAIM_PATCHED];
	printf("operands %zu named %zu struct %zu symbol %zu scalar %zu address %zu no-variable "
	       "%zu no-type %zu stack %zu\n",
	       all, none[CLAIM_MADE], structs, symbols, scalars, unknown, none[CLAIM_NO_VARIABLE],
	       none[CLAIM_NO_TYPE], none[CLAIM_STACK]);
}

static void fail(struct err *err)
{
	fprintf(stderr, "claims: %s\n", err->text);
	exit(EXIT_CANNOT);
}

int main(int argc, char **argv)
{
	struct err err = ERR_INIT;
	struct image *image;
	struct symtab symtab;
	struct claims claims;
	uint64_t *pcs = NULL;
	size_t n = 0;
	bool random = argc == 4 && strcmp(argv[1], "-r") == 0;

	if (argc < 3)
		return EXIT_CANNOT;
	if (!image_open(argv[random ? 3 : 1], NULL, &err, &image))
		fail(&err);
	if (random) {
		char *rest;
		unsigned seed = (unsigned)strtoul(argv[2], &rest, 10);

		if (!symtab_read(image, &err, &symtab))
			fail(&err);
		n = draw(&symtab, seed, strtoul(rest + 1, NULL, 10), &pcs);
		symtab_release(&symtab);
	} else {
		pcs = xcalloc((size_t)argc, sizeof *pcs);
		for (int i = 2; i < argc; i++)
			pcs[n++] = strtoull(argv[i], NULL, 16);
		n = sort(pcs, n);
	}
	if (!claims_find(image, pcs, n, 0, &err, &claims))
		fail(&err);
	for (size_t i = 0; i < claims.nruns; i++)
		if (!random || claims.runs[i].none != CLAIM_NO_INSN)
			print_run(&claims, &claims.runs[i]);
	if (random)
		count(&claims);
	claims_release(&claims);
	image_close(image);
	free(pcs);
	return 0;
}
