/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/functions.h"

#include <stdlib.h>
#include <string.h>

#include "base/math.h"
#include "base/search.h"
#include "base/text.h"
#include "insn/insn.h"

/* Of a function: its instructions are looked at one by one. */
enum { LARGEST_FUNCTION = 1 << 16 };

struct pcs {
	uint64_t *items;
	size_t n, cap;
};

void functions_init(struct functions *functions)
{
	*functions = (struct functions){.n = 0};
	claims_init(&functions->claims);
}

void functions_release(struct functions *functions)
{
	claims_release(&functions->claims);
	free(functions->items);
	functions_init(functions);
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* Modules have functions of the same names. */
static bool is_of(const char *row_object, const char *object)
{
	if (!row_object)
		return true;
	return object ? strcmp(base_name(row_object), base_name(object)) == 0
		      : text_starts_with(row_object, "[kernel");
}

/* The only function of that name; NULL: none, or several. */
static const struct symbol *only_function(const struct symtab *symtab, const char *name)
{
	struct symbol_run run = symtab_named(symtab, name, false);
	const struct symbol *found = NULL;

	for (size_t i = 0; i < run.n; i++) {
		const struct symbol *symbol = &symtab->items[run.first[i]];

		if (!symbol->is_function)
			continue;
		if (found)
			return NULL;
		found = symbol;
	}
	return found && found->size <= LARGEST_FUNCTION ? found : NULL;
}

static int compare_pcs(const void *left, const void *right)
{
	return compare_u64(*(const uint64_t *)left, *(const uint64_t *)right);
}

static int compare_names(const void *left, const void *right)
{
	const struct c2c_function *a = left, *b = right;

	return strcmp(a->name, b->name);
}

/* Those with an operand in memory. */
static void add_pcs(struct image *image, struct insn_decoder *decoder, const struct symbol *symbol,
		    struct insn_code *code, struct pcs *pcs)
{
	uint8_t *bytes = xmalloc(symbol->size);

	insn_clear(code);
	if (image_read_address(image, symbol->address, bytes, symbol->size))
		insn_decode(decoder, bytes, symbol->size, symbol->address, code);
	for (size_t i = 0; i < code->n; i++) {
		if (!code->insns[i].nmemory)
			continue;
		ARRAY_GROW(pcs->items, pcs->n, pcs->cap);
		pcs->items[pcs->n++] = code->insns[i].pc;
	}
	free(bytes);
}

/* Each name once. */
static void collect(struct c2c_table *table, const struct symtab *symtab, const char *object,
		    struct functions *ret)
{
	size_t kept = 0;

	for (size_t i = 0; i < table->nrows; i++) {
		struct table_row *row = &table->rows[i];

		if (row->has_pc || !row->symbol || !is_of(row->object, object) ||
		    !only_function(symtab, row->symbol))
			continue;
		row->has_function = true;
		ARRAY_GROW(ret->items, ret->n, ret->cap);
		ret->items[ret->n++] = (struct c2c_function){.name = row->symbol};
	}
	if (ret->n)
		qsort(ret->items, ret->n, sizeof *ret->items, compare_names);
	for (size_t i = 0; i < ret->n; i++)
		if (!kept || compare_names(&ret->items[kept - 1], &ret->items[i]) != 0)
			ret->items[kept++] = ret->items[i];
	ret->n = kept;
}

/* The first claim of the instructions from @address on; they stand in the order of those. */
static size_t first_claim(const struct claims *claims, uint64_t address)
{
	return FIRST_FROM(claims->claims, claims->nclaims, pc, address);
}

static void hand_out(const struct symtab *symtab, struct functions *ret)
{
	for (size_t i = 0; i < ret->n; i++) {
		const struct symbol *symbol = only_function(symtab, ret->items[i].name);
		size_t first = first_claim(&ret->claims, symbol->address);

		ret->items[i].claims = &ret->claims.claims[first];
		ret->items[i].n = first_claim(&ret->claims, symbol->address + symbol->size) - first;
	}
}

bool functions_find(struct c2c_table *table, const struct symtab *symtab, struct image *image,
		    const char *object, struct err *err, struct functions *ret)
{
	struct insn_decoder *decoder = insn_decoder_new(image_target(image)->arch, false);
	struct insn_code code = {0};
	struct pcs pcs = {0};
	bool ok = true;

	if (decoder)
		collect(table, symtab, object, ret);
	for (size_t i = 0; i < ret->n; i++)
		add_pcs(image, decoder, only_function(symtab, ret->items[i].name), &code, &pcs);
	if (pcs.n) {
		qsort(pcs.items, pcs.n, sizeof *pcs.items, compare_pcs);
		ok = claims_find(image, pcs.items, pcs.n, 0, err, &ret->claims);
	}
	if (ok)
		hand_out(symtab, ret);
	insn_code_release(&code);
	if (decoder)
		insn_decoder_free(decoder);
	free(pcs.items);
	return ok;
}
