/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "dwarf/claimer.h"

#include <stdlib.h>
#include <string.h>

#include "dwarf/constants.h"
#include "dwarf/types.h"

static bool read_image(void *arg, uint64_t address, void *data, size_t len)
{
	const struct claim_source *source = arg;
	bool ok;

	pthread_mutex_lock(source->lock);
	ok = image_read_address(source->image, address, data, len);
	pthread_mutex_unlock(source->lock);
	return ok;
}

void claimer_init(struct claimer *k, const struct claim_source *source)
{
	const struct target *target = image_target(source->image);

	*k = (struct claimer){.source = source, .err = ERR_INIT};
	reader_init(&k->reader, source->sections->sections, &k->err);
	ctypes_init(&k->types, &k->reader, &k->scratch);
	tracker_init(&k->tracker);
	k->decoder = insn_decoder_new(target->arch, target->big_endian);
	k->patcher = (struct patcher){.patches = source->patches,
				      .decoder = k->decoder,
				      .read = read_image,
				      .arg = (void *)(uintptr_t)source};
}

void claimer_release(struct claimer *k)
{
	ctypes_release(&k->types);
	foreign_release(&k->reader);
	reader_release(&k->reader);
	tracker_release(&k->tracker);
	patcher_release(&k->patcher);
	insn_decoder_free(k->decoder);
	insn_code_release(&k->code);
	insn_stack_release(&k->stack);
	function_release(&k->function);
	free(k->globals.items);
	free(k->dead);
	free(k->edges);
	free(k->bytes);
	free(k->claims);
	free(k->queries);
	err_release(&k->err);
	arena_release(&k->scratch);
	arena_release(&k->arena);
}

/* ---- claims ---------------------------------------------------------------------------------- */

static const char *keep(struct claimer *k, const char *s)
{
	return s ? arena_strdup(&k->arena, s) : NULL;
}

/* As type_ref_parse() reads it; NULL: it has no name of its own. */
static const char *type_name(struct claimer *k, const struct ctype *type)
{
	if (type->kind != CTYPE_COMPOSITE)
		return NULL;
	if (!type->name)
		return type->alias ? arena_printf(&k->arena, "typedef %s", type->alias) : NULL;
	if (type->is_union)
		return arena_printf(&k->arena, "union %s", type->name);
	return keep(k, type->name);
}

/* Asks where a type is declared, once for each type. */
static bool ask_source(struct claimer *k, const struct ctype *type, size_t *ret)
{
	struct ctype *own = (struct ctype *)(uintptr_t)type;
	const struct unit *unit = type->place.unit;
	struct file_query query = {.lines = unit->lines,
				   .line_table = unit->line_table,
				   .address_size = unit->params.address_size};
	struct cursor c;
	struct die die;
	uint64_t line;

	if (type->kind == CTYPE_COMPOSITE && !type->query && unit->has_line_table) {
		if (!read_at(&k->reader, type->place, &die, &c))
			return false;
		if (die_declaration(&k->reader, unit, &die, &query.file, &line)) {
			query.comp_dir = keep(k, unit->comp_dir);
			ARRAY_GROW(k->queries, k->nqueries, k->cap_queries);
			k->queries[k->nqueries++] = query;
			own->query = (uint32_t)k->nqueries;
		}
	}
	*ret = type->query;
	return true;
}

static bool claim_type(struct claimer *k, const struct ctype *type, struct made_claim *made)
{
	const char *spelling;

	if (!type)
		return true;
	if (!ctype_spelling(&k->types, type, &spelling))
		return false;
	made->claim.type = type_name(k, type);
	made->claim.spelling = keep(k, spelling);
	made->claim.has_type_size = type->has_size;
	made->claim.type_size = type->size;
	return ask_source(k, type, &made->query);
}

static bool add_claim(struct claimer *k, const struct insn *insn, const struct insn_memory *m,
		      const struct pointee *p, struct claim_run *run)
{
	struct made_claim made = {.claim = {.pc = insn->pc,
					    .how = CLAIM_VARIABLE,
					    .offset = p->offset,
					    .is_exact = p->is_exact && !m->moves,
					    .address = p->address,
					    .is_percpu = p->is_percpu,
					    .size = m->size,
					    .reads = m->reads,
					    .writes = m->writes}};

	if (m->is_address)
		made.claim.how = CLAIM_SYMBOL;
	else if (p->is_tracked)
		made.claim.how = CLAIM_TRACKED;
	made.claim.variable = keep(k, p->variable);
	if (!claim_type(k, p->type, &made))
		return false;
	ARRAY_GROW(k->claims, k->nclaims, k->cap_claims);
	k->claims[k->nclaims++] = made;
	run->n++;
	return true;
}

/* ---- one instruction ------------------------------------------------------------------------- */

static bool uses_stack(const struct claimer *k, const struct insn *insn)
{
	const struct symbol *symbol;

	switch (insn->effect) {
	case EFFECT_PUSH:
	case EFFECT_POP:
	case EFFECT_LEAVE:
	case EFFECT_CALL:
		return true;
	}
	if (insn->flow != FLOW_JUMP)
		return insn->flow == FLOW_STOP;
	/* Where there is no need for the thunk, a return stands in the place of the jump. */
	symbol = symtab_at(k->source->symtab, insn->target, SYMBOL_FUNCTION);
	return symbol && strcmp(symbol->name, "__x86_return_thunk") == 0;
}

static bool fits(struct claimer *k, const struct pointee *p, const struct insn_memory *m, bool *ret)
{
	*ret = false;
	return !p->type || ctype_fits(&k->types, p->type, p->offset, m->size, ret);
}

/*
 * Of several answers those stay that have something of the size of the access at its place, if any
 * has; what came out of a union must have it.
 */
static bool sift(struct claimer *k, const struct insn_memory *m, struct pointees *found)
{
	bool fit[POINTEES_MAX] = {false}, any = false;
	unsigned n = 0;

	for (unsigned i = 0; i < found->n; i++) {
		if (!fits(k, &found->items[i], m, &fit[i]))
			return false;
		any |= fit[i];
	}
	for (unsigned i = 0; i < found->n; i++)
		if (fit[i] || !(any || found->items[i].is_doubtful))
			found->items[n++] = found->items[i];
	found->n = n;
	return true;
}

static bool claim_insn(struct claimer *k, size_t i, struct claim_run *run)
{
	const struct insn *insn = &k->code.insns[i];
	bool on_stack = uses_stack(k, insn), plain = false, elsewhere = false;

	run->first = k->nclaims;
	if (insn->effect == EFFECT_CALL && patch_replaces_call(k->source->patches, insn->pc)) {
		run->none = CLAIM_PATCHED;
		return true;
	}
	for (unsigned m = 0; m < insn->nmemory; m++) {
		struct pointees found;

		if (k->stack.uses[i].memory[m] != STACK_NOT) {
			on_stack = true;
			continue;
		}
		elsewhere = true;
		if (!track_operand(&k->tracker, i, m, &found) || !sift(k, &insn->memory[m], &found))
			return false;
		plain |= found.is_plain;
		for (unsigned p = 0; p < found.n; p++)
			if (!add_claim(k, insn, &insn->memory[m], &found.items[p], run))
				return false;
	}
	if (run->n)
		run->none = CLAIM_MADE;
	else if (elsewhere)
		run->none = plain ? CLAIM_NO_TYPE : CLAIM_NO_VARIABLE;
	else
		run->none = on_stack ? CLAIM_STACK : CLAIM_NO_OPERAND;
	return true;
}

/* ---- one function ---------------------------------------------------------------------------- */

/* A function of more bytes is none. */
enum { CODE_MAX = 16 << 20 };

static bool read_bytes(struct claimer *k, const struct range *range)
{
	size_t len = (size_t)(range->high - range->low);

	if (k->cap_bytes < len) {
		k->cap_bytes = len;
		k->bytes = xrealloc_array(k->bytes, len, 1);
	}
	return read_image((void *)(uintptr_t)k->source, range->low, k->bytes, len);
}

static void add_edges(struct claimer *k, const struct range *range)
{
	const struct patch_edge *edges;
	size_t n;

	edges = patch_edges_in(k->source->patches, range->low, range->high, &n);
	for (size_t i = 0; i < n; i++) {
		ARRAY_GROW(k->edges, k->nedges, k->cap_edges);
		k->edges[k->nedges++] = (struct insn_edge){edges[i].from, edges[i].to};
	}
}

static int compare_ranges(const void *left, const void *right)
{
	const struct range *a = left, *b = right;

	return (a->low > b->low) - (a->low < b->low);
}

static void decode_range(struct claimer *k, const struct range *range,
			 struct claim_run *const *runs, size_t n)
{
	size_t len = (size_t)(range->high - range->low);

	if (!read_bytes(k, range))
		return;
	patch_bytes(&k->patcher, range->low, k->bytes, len, runs, n);
	insn_decode(k->decoder, k->bytes, len, range->low, &k->code);
	add_edges(k, range);
}

static void link_code(struct claimer *k)
{
	const struct function *f = &k->function;
	size_t ndead = 0;

	if (k->cap_dead < f->ncalls) {
		k->cap_dead = f->ncalls;
		k->dead = xrealloc_array(k->dead, f->ncalls, sizeof *k->dead);
	}
	for (size_t i = 0; i < f->ncalls; i++)
		if (f->calls[i].is_noreturn)
			k->dead[ndead++] = f->calls[i].return_pc;
	insn_link(&k->code, k->edges, k->nedges, k->dead, ndead);
	insn_stack_find(&k->stack, &k->code);
}

/* False: the image has no code there. */
static bool decode(struct claimer *k, struct claim_run *const *runs, size_t n)
{
	struct ranges *ranges = &k->function.ranges;
	uint64_t end = 0;

	insn_clear(&k->code);
	k->nedges = 0;
	qsort(ranges->items, ranges->n, sizeof *ranges->items, compare_ranges);
	for (size_t i = 0; i < ranges->n; i++) {
		const struct range *range = &ranges->items[i];

		/* Ranges of damaged or discarded functions may overlap. */
		if (range->low < end || range->high - range->low > CODE_MAX)
			continue;
		decode_range(k, range, runs, n);
		end = range->high;
	}
	if (!k->code.n)
		return false;
	link_code(k);
	return true;
}

static void name_run(struct claimer *k, struct claim_run *run)
{
	const struct function *f = &k->function;
	const char *inner = f->name;

	for (size_t i = 0; i < f->ninlined; i++)
		if (run->pc >= f->inlined[i].low && run->pc < f->inlined[i].high)
			inner = f->inlined[i].name;
	run->outer = keep(k, f->name);
	run->function = keep(k, inner);
}

static bool claim_function(struct claimer *k, struct claim_run *const *runs, size_t n)
{
	bool decoded = k->decoder && decode(k, runs, n);

	for (size_t i = 0; i < n; i++) {
		size_t insn;

		/* Of functions that overlap, which damaged ones do, the first one counts. */
		if (runs[i]->n || !ranges_hold(&k->function.ranges, runs[i]->pc))
			continue;
		name_run(k, runs[i]);
		insn = decoded ? insn_find(&k->code, runs[i]->pc) : SIZE_MAX;
		if (insn == SIZE_MAX || !k->code.insns[insn].is_known)
			runs[i]->none = decoded || !k->decoder ? CLAIM_NO_INSN : CLAIM_NO_CODE;
		else if (!claim_insn(k, insn, runs[i]))
			return false;
	}
	return true;
}

/* ---- one unit -------------------------------------------------------------------------------- */

struct unit_walk {
	struct claimer *k;
	struct code_unit *cu;
	struct claim_run *const *runs;
	size_t n;
	/* Functions that cover a run. */
	uint32_t *functions;
	size_t nfunctions, cap_functions;
	/* By abbreviation: 0 not known, 1 a function with code, 2 none. */
	uint8_t *has_code;
};

static bool covers_run(const struct unit_walk *w, const struct ranges *ranges)
{
	for (size_t i = 0; i < w->n; i++)
		if (ranges_hold(ranges, w->runs[i]->pc))
			return true;
	return false;
}

/* Most functions of a unit are declarations, or inlined and nowhere else. */
static bool may_have_code(const struct unit_walk *w, const struct abbrev *abbrev)
{
	const struct abbrev_table *table = w->cu->unit->abbrevs;
	uint8_t *known = &w->has_code[abbrev - table->items];
	struct cursor c = cursor_over(table->specs, table->specs_len, false);

	if (*known)
		return *known == 1;
	*known = 2;
	cursor_seek(&c, abbrev->specs);
	for (;;) {
		struct spec spec = abbrev_read_spec(&c);

		if (!(spec.attribute | spec.form))
			return *known == 1;
		if (spec.attribute == DW_AT_low_pc || spec.attribute == DW_AT_ranges)
			*known = 1;
	}
}

static bool see_function(struct unit_walk *w, struct cursor *c)
{
	struct ranges *ranges = &w->k->function.ranges;
	struct code_die die;

	if (!code_die_read(w->cu, w->cu->unit, c, &die))
		return false;
	ranges->n = 0;
	if (!code_ranges(w->cu, &die, ranges))
		return false;
	if (covers_run(w, ranges)) {
		ARRAY_GROW(w->functions, w->nfunctions, w->cap_functions);
		w->functions[w->nfunctions++] = die.at;
	}
	return code_die_pass_children(w->cu, c, &die);
}

static bool see_variable(struct unit_walk *w, struct cursor *c)
{
	struct code_die die;

	return code_die_read(w->cu, w->cu->unit, c, &die) &&
	       global_read(w->cu, &w->k->types, &die, &w->k->globals) &&
	       code_die_pass_children(w->cu, c, &die);
}

enum { NESTING_MAX = 100 };

/* Namespaces, and in languages that nest them functions of types. */
static bool is_nest(const struct unit_walk *w, const struct abbrev *abbrev)
{
	return abbrev->role == ROLE_SCOPE ||
	       (w->cu->unit->nests_types && type_class(abbrev->tag) == CLASS_COMPOSITE);
}

static bool walk_list(struct unit_walk *w, struct cursor *c, unsigned depth)
{
	const struct unit *unit = w->cu->unit;

	while (cursor_left(c)) {
		struct cursor start = *c;
		uint64_t code = cursor_uleb(c);
		const struct abbrev *abbrev;
		bool ok;

		if (!code)
			return true;
		abbrev = abbrev_find(unit->abbrevs, code);
		if (!abbrev)
			return die_fail_code(&w->k->reader, unit, (uint32_t)cursor_offset(&start),
					     code);
		if (abbrev->tag == DW_TAG_subprogram && may_have_code(w, abbrev)) {
			*c = start;
			ok = see_function(w, c);
		} else if (abbrev->tag == DW_TAG_variable) {
			*c = start;
			ok = see_variable(w, c);
		} else if (is_nest(w, abbrev) && abbrev->has_children && depth < NESTING_MAX) {
			struct code_die die;

			*c = start;
			ok = code_die_read(w->cu, unit, c, &die) && walk_list(w, c, depth + 1);
		} else {
			ok = die_pass(&w->k->reader, unit, c, abbrev);
		}
		if (!ok)
			return false;
	}
	return true;
}

static bool work_function(struct unit_walk *w, uint32_t at)
{
	struct claimer *k = w->k;
	struct cursor c = unit_cursor(&k->reader, w->cu->unit, at);
	struct code_die die;

	function_clear(&k->function);
	if (!code_die_read(w->cu, w->cu->unit, &c, &die) ||
	    !code_ranges(w->cu, &die, &k->function.ranges) ||
	    !function_read(w->cu, &k->types, &c, &die, &k->globals, &k->function))
		return false;
	k->tracker.cu = w->cu;
	k->tracker.types = &k->types;
	k->tracker.function = &k->function;
	k->tracker.code = &k->code;
	k->tracker.stack = &k->stack;
	k->tracker.globals = &k->globals;
	k->tracker.symtab = k->source->symtab;
	return claim_function(k, w->runs, w->n);
}

static bool work_unit(struct claimer *k, struct code_unit *cu, struct claim_run *const *runs,
		      size_t n)
{
	struct unit_walk w = {.k = k, .cu = cu, .runs = runs, .n = n};
	struct cursor c;
	bool ok = true;

	if (!cu->unit->children)
		return true;
	w.has_code = xcalloc(cu->unit->abbrevs->n + 1, sizeof *w.has_code);
	k->globals.n = 0;
	c = unit_cursor(&k->reader, cu->unit, cu->unit->children);
	ok = walk_list(&w, &c, 0);
	for (size_t i = 0; i < w.nfunctions && ok; i++)
		ok = work_function(&w, w.functions[i]);
	free(w.functions);
	free(w.has_code);
	return ok;
}

bool claimer_work(struct claimer *k, uint64_t offset, struct claim_run *const *runs, size_t n)
{
	const struct unit *unit;
	struct code_unit cu;
	bool ok;

	if (!fetch_unit(&k->reader, SECTION_INFO, offset, &unit))
		return false;
	ok = code_unit_init(k->source->sections, &k->reader, unit, &cu) &&
	     work_unit(k, &cu, runs, n);
	ctypes_end(&k->types);
	fetch_done(&k->reader, unit);
	arena_release(&k->scratch);
	return ok;
}
