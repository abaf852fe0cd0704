/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "dwarf/known.h"

#include <string.h>

#include "dwarf/pointee.h"

/* ---- what DWARF says at a run of instructions that leave the place alone --------------------- */

/* The last instruction of [first, last] where @l holds; SIZE_MAX: none. */
static size_t last_in(const struct tracker *t, const struct located *l, size_t first, size_t last)
{
	const struct insn *insns = t->code->insns;

	if (l->low > insns[last].pc || l->high <= insns[first].pc)
		return SIZE_MAX;
	while (insns[last].pc >= l->high)
		last--;
	return insns[last].pc >= l->low ? last : SIZE_MAX;
}

/* The slot of the frame that @l is in at instruction @i; STACK_NOT. */
static int32_t slot_of(const struct tracker *t, const struct located *l, size_t i)
{
	int32_t base = 0;

	if (l->how != LOCATED_MEMORY)
		return STACK_NOT;
	if (l->base == INSN_RSP)
		base = t->stack->uses[i].rsp;
	else if (l->base == INSN_RBP)
		base = t->stack->uses[i].rbp;
	else if (l->base != PLACE_CFA)
		return STACK_NOT;
	if (base == STACK_NOT || base == STACK_SOMEWHERE)
		return STACK_NOT;
	return (int32_t)(base + l->offset); /* described places are near */
}

/* The value in a slot that belongs to a variable: it, or a pointer in it. */
static bool add_slot(struct tracker *t, const struct query *q, const struct located *l, size_t i,
		     struct pointees *ret)
{
	const struct variable *v = &t->function->variables[l->variable];
	int32_t slot = slot_of(t, l, i);
	struct ctype_pointers pointers;

	if (slot == STACK_NOT || q->slot < slot || !v->type || !v->type->has_size ||
	    (uint64_t)(q->slot - slot) >= v->type->size)
		return true;
	if (!ctype_pointers_at(t->types, v->type, q->slot - slot, &pointers))
		return false;
	for (size_t k = 0; k < pointers.n; k++)
		if (!pointees_add_target(t->types, ret, pointers.items[k], q->delta, q->is_exact,
					 v->name))
			return false;
	return true;
}

static bool add_located(struct tracker *t, const struct query *q, const struct located *l,
			struct pointees *ret)
{
	const struct variable *v = &t->function->variables[l->variable];

	if (!v->type)
		return true;
	if (l->how == LOCATED_MEMORY)
		return pointees_add_object(t->types, ret, v->type, query_plus(q->delta, -l->offset),
					   q->is_exact, v->name);
	if (v->type->kind != CTYPE_POINTER) {
		ret->is_plain |= l->how == LOCATED_HERE;
		return true;
	}
	return pointees_add_target(t->types, ret, v->type,
				   l->how == LOCATED_VALUE ? query_plus(q->delta, -l->offset)
							   : q->delta,
				   q->is_exact, v->name);
}

/* What a variable says, and where. */
struct hit {
	const struct located *located;
	size_t insn;
};
enum { HITS_MAX = 24 };

/* Nearest first; of those at one instruction the innermost, which DWARF names last. */
static bool goes_before(const struct hit *a, const struct hit *b)
{
	return a->insn > b->insn ||
	       (a->insn == b->insn && a->located->variable > b->located->variable);
}

static void add_hit(struct hit *hits, unsigned *n, struct hit hit)
{
	unsigned i = *n;

	if (i == HITS_MAX && !goes_before(&hit, &hits[--i]))
		return;
	for (; i > 0 && goes_before(&hit, &hits[i - 1]); i--)
		hits[i] = hits[i - 1];
	hits[i] = hit;
	*n += *n < HITS_MAX;
}

static void collect(const struct tracker *t, unsigned base, size_t first, size_t last,
		    struct hit *hits, unsigned *n)
{
	const struct function *f = t->function;

	for (size_t i = f->first[base]; i < f->first[base + 1]; i++) {
		const struct located *l = &f->located[i];
		size_t at;

		if (l->low > t->code->insns[last].pc)
			break;
		at = last_in(t, l, first, last);
		if (at != SIZE_MAX)
			add_hit(hits, n, (struct hit){l, at});
	}
}

bool known_here(struct tracker *t, const struct query *q, size_t first, size_t last,
		struct pointees *ret)
{
	struct hit hits[HITS_MAX] = {{NULL, 0}};
	unsigned n = 0;

	collect(t, q->base, first, last, hits, &n);
	if (q->base == PLACE_CFA) {
		collect(t, INSN_RSP, first, last, hits, &n);
		collect(t, INSN_RBP, first, last, hits, &n);
	}
	for (unsigned i = 0; i < n; i++) {
		struct pointees one = {.n = 0};

		if (q->base == PLACE_CFA ? !add_slot(t, q, hits[i].located, hits[i].insn, &one)
					 : !add_located(t, q, hits[i].located, &one))
			return false;
		if (!pointees_refine(t->types, ret, &one))
			return false;
	}
	return true;
}

/* ---- globals --------------------------------------------------------------------------------- */

static const struct global *global_named(const struct tracker *t, const char *name)
{
	for (size_t i = 0; i < t->globals->n; i++)
		if (!t->globals->items[i].has_address && t->globals->items[i].name &&
		    strcmp(t->globals->items[i].name, name) == 0)
			return &t->globals->items[i];
	return NULL;
}

static const struct global *global_at(const struct tracker *t, uint64_t address)
{
	for (size_t i = 0; i < t->globals->n; i++) {
		const struct global *g = &t->globals->items[i];

		if (g->has_address && g->type && address >= g->address &&
		    address - g->address < (g->type->has_size ? g->type->size : 1))
			return g;
	}
	return NULL;
}

/* The variable at an address: this unit's own, or one that it declares and another defines. */
struct pointee known_address(const struct tracker *t, uint64_t address, bool is_percpu)
{
	const struct symbol *symbol =
		symtab_at(t->symtab, address, is_percpu ? SYMBOL_PERCPU : SYMBOL_VARIABLE);
	struct pointee p = {.has_address = true, .is_percpu = is_percpu, .address = address};
	const struct symbol *end = t->symtab->items + t->symtab->n;
	const struct global *g;

	if (!symbol)
		return (struct pointee){.has_address = false};
	p.offset = (int64_t)(address - symbol->address);
	p.variable = symbol->name;
	g = global_at(t, address);
	if (g) {
		p.offset = (int64_t)(address - g->address);
		p.variable = g->name ? g->name : symbol->name;
		p.type = g->type;
		return p;
	}
	/* Several names of one address: one of them is declared here. */
	while (symbol > t->symtab->items && symbol[-1].address == symbol->address)
		symbol--;
	for (uint64_t start = symbol->address; symbol < end && symbol->address == start; symbol++) {
		g = symbol->is_global ? global_named(t, symbol->name) : NULL;
		if (!g)
			continue;
		p.variable = g->name;
		p.type = g->type;
		break;
	}
	return p;
}

/* An object at a known address, of which a register or an operand has the address. */
bool known_add_address(struct tracker *t, const struct query *q, int64_t address,
		       struct pointees *ret)
{
	struct pointee p = known_address(t, (uint64_t)address, q->is_percpu);

	if (!p.has_address)
		return true;
	if (!ctype_element(t->types, p.type, &p.type))
		return false;
	p.is_exact = q->is_exact;
	p.is_tracked = true;
	pointees_add(ret, &p);
	return true;
}
