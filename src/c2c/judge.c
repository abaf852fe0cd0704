/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From names to the report: rows with their counts, the object of each line, totals. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/math.h"
#include "c2c/embed.h"
#include "c2c/place.h"
#include "c2c/private.h"
#include "c2c/starts.h"

const char *c2c_how_name(enum c2c_how how)
{
	static const char *const names[] = {
		[HOW_INSN] = "insn",
		[HOW_SYMBOL] = "symbol",
		[HOW_CONSENSUS] = "consensus",
		[HOW_NONE] = "none",
	};

	return names[how];
}

const char *claim_none_text(enum claim_none none)
{
	static const char *const texts[CLAIM_REASONS] = {
		[CLAIM_MADE] = "nothing fits",
		[CLAIM_NO_CODE] = "the code is not in the image",
		[CLAIM_NO_INSN] = "the instruction cannot be decoded",
		[CLAIM_NO_OPERAND] = "the instruction does not access memory",
		[CLAIM_STACK] = "a stack",
		[CLAIM_NO_UNIT] = "no debug info at the instruction",
		[CLAIM_NO_VARIABLE] = "no variable in the register",
		[CLAIM_NO_TYPE] = "no type behind the pointer",
		[CLAIM_PATCHED] = "the running code is another",
	};

	return texts[none];
}

void c2c_release(struct c2c_report *report)
{
	arena_release(&report->arena);
	*report = (struct c2c_report){0};
}

/* ---- rows ------------------------------------------------------------------------------------ */

static const char *join(struct arena *arena, const char *type, const char *member)
{
	return member ? arena_printf(arena, "%s.%s", type, member) : type;
}

/* "[3]" of an array of structs in a variable or behind a pointer, and where in the element. */
static const char *index_of(const struct named *named, uint64_t *offset, struct arena *arena)
{
	uint64_t size = named->def ? named->def->type->bits / 8 : 0, index;

	if (!size || *offset < size)
		return "";
	index = *offset / size;
	*offset %= size;
	return arena_printf(arena, "[%" PRIu64 "]", index);
}

/* What the instruction says, where that is less than the name. */
static const char *inner_of(const struct making *making, const struct named *named, uint32_t size)
{
	const struct claim *claim = named->claim;
	const struct def *def;
	struct place place;

	if (!claim || (named->def && claim_is_of(claim, named->def)))
		return NULL;
	if (!claim->type)
		return named->def || named->variable.name ? NULL : claim->spelling;
	def = def_of_claim(making->image, claim, making->arena);
	if (def && claim->offset >= 0 && def->type->bits / 8 &&
	    place_at(def->type, (uint64_t)claim->offset % (def->type->bits / 8), size,
		     making->arena, &place))
		return join(making->arena, claim->type, place.path);
	return claim->type;
}

static void name_in_type(const struct making *making, const struct named *named,
			 struct c2c_row *row, const char *head)
{
	uint64_t offset = (uint64_t)row->member_offset;
	const char *index = index_of(named, &offset, making->arena);
	struct place place;

	row->type = named->def->name;
	if (place_at(named->def->type, offset, row->size, making->arena, &place))
		row->member = place.path;
	else
		row->member = arena_printf(making->arena, "+0x%" PRIx64, offset);
	row->name = arena_printf(making->arena, "%s%s.%s", head, index, row->member);
}

static void name_row(const struct making *making, const struct named *named, struct c2c_row *row,
		     uint64_t address)
{
	enum { WORD = 8 };

	row->how = named->how;
	row->none = named->none;
	row->size = named->claim ? named->claim->size : 0;
	if (named->how == HOW_NONE)
		return;
	row->member_offset = (int64_t)(address - named->base);
	row->symbol = named->variable.name;
	row->inner = inner_of(making, named, row->size);
	if (named->def) {
		name_in_type(making, named, row, row->symbol ? row->symbol : named->def->name);
		return;
	}
	if (row->symbol) {
		row->name = row->symbol;
		if (named->variable.size > WORD)
			row->name = arena_printf(making->arena, "%s+0x%" PRIx64, row->symbol,
						 (uint64_t)row->member_offset);
		return;
	}
	row->name = row->inner;
	row->inner = NULL;
}

static unsigned count_bits(uint64_t bits)
{
	return (unsigned)__builtin_popcountll(bits);
}

static const char *function_of(const struct making *making, const struct table_row *row,
			       const struct named *named)
{
	const char *name;

	if (row->has_pc && making->image->function &&
	    making->image->function(making->image->arg, row->pc, &name))
		return name;
	if (named->run && named->run->outer)
		return named->run->outer;
	return row->symbol;
}

static void make_row(const struct making *making, const struct named *named, struct c2c_row *ret)
{
	const struct table_row *from = &making->table->rows[named->row];
	uint64_t address = making->table->lines[from->line].address + from->offset;

	*ret = (struct c2c_row){
		.offset = from->offset,
		.pc = from->has_pc ? from->pc : 0,
		.ip = from->ip,
		.object = from->object,
		.cpus = (unsigned)max_u64(from->ncpus, from->cpus_said),
		.nodes = count_bits(from->nodes),
	};
	ret->function = function_of(making, from, named);
	row_counts_in(from, making->part->first_slice, making->part->last_slice, &ret->counts);
	name_row(making, named, ret, address);
}

/* ---- a line ---------------------------------------------------------------------------------- */

static int compare_named(const void *left, const void *right, void *context)
{
	const struct c2c_table *table = context;
	const struct table_row *a = &table->rows[(*(const struct named *const *)left)->row];
	const struct table_row *b = &table->rows[(*(const struct named *const *)right)->row];
	int order = compare_u64(a->offset, b->offset);

	if (!order)
		order = compare_u64(b->counts.hitm, a->counts.hitm);
	if (!order)
		order = compare_u64(b->counts.stores, a->counts.stores);
	if (!order)
		order = compare_u64(b->counts.loads, a->counts.loads);
	return order ? order : compare_u64(a->ip, b->ip);
}

/* The variable of most samples, where no object is. */
static const struct named *main_variable(const struct making *making, const struct c2c_line *line)
{
	const struct named *best = NULL;
	uint64_t most = 0;

	for (size_t i = 0; i < line->nrows; i++) {
		const struct c2c_counts *counts = &line->rows[i].counts;
		uint64_t weight = 1 + counts->samples + 1000 * counts->hitm;

		if (!making->named[i]->variable.name || weight <= most)
			continue;
		most = weight;
		best = making->named[i];
	}
	return best;
}

static void find_object(const struct making *making, struct c2c_line *line)
{
	const struct object *object = making->part->object;
	const struct named *variable = main_variable(making, line);
	struct c2c_object *ret = &line->object;

	*ret = (struct c2c_object){.cpu = -1, .how = HOW_NONE};
	if (variable) {
		ret->symbol = variable->variable.name;
		ret->is_percpu = variable->is_percpu;
		ret->cpu = variable->cpu;
		ret->how = HOW_SYMBOL;
		ret->def = variable->def;
		ret->offset = (int64_t)(line->address - variable->base);
	} else if (object) {
		ret->how = object->votes ? HOW_INSN : HOW_CONSENSUS;
		ret->def = object->def;
		ret->offset = (int64_t)(line->address - object->base);
		starts_of(making->starts, object->def, making->table->line_size, making->arena,
			  ret);
	}
	if (ret->def)
		ret->type = ret->def->name;
}

/*
 * Bytes that an object of the type has at the least: the kernel allocates some without the end of
 * their last member, which may be that of an embedded struct. A task_struct ends with room for the
 * largest state of a floating-point unit, and task_struct_cachep has what this machine's needs
 * (arch_task_struct_size).
 */
static uint64_t bytes_at_least(const struct type *type)
{
	uint64_t bits = 0;

	while (type && type->kind == TYPE_STRUCT) {
		const struct member *last = NULL;

		for (size_t i = 0; i < type->nmembers; i++)
			if (!type->members[i].is_dynamic &&
			    (!last || type->members[i].bit_offset >= last->bit_offset))
				last = &type->members[i];
		bits += last ? last->bit_offset : 0;
		type = last ? type_composite(last->type) : NULL;
	}
	return bits / 8;
}

/* What the allocator's books say of the line, and of what the rows made of it. */
static void find_slabs(const struct making *making, struct c2c_line *line)
{
	const struct c2c_object *object = &line->object;

	line->slabs = c2c_slabs_on(&making->table->slabs, line->address, &line->nslabs);
	if (object->def && !object->symbol)
		line->fit = c2c_slabs_fit(line->slabs, line->nslabs,
					  line->address - (uint64_t)object->offset,
					  bytes_at_least(object->def->type));
}

static void count_cpus(const struct making *making, struct c2c_line *line)
{
	uint64_t nodes = 0, most = 0;
	int32_t *cpus = NULL;
	size_t n = 0, cap = 0;

	for (size_t i = 0; i < line->nrows; i++) {
		const struct table_row *row = &making->table->rows[making->named[i]->row];

		nodes |= row->nodes;
		most = max_u64(most, row->cpus_said);
		for (size_t k = 0; k < row->ncpus; k++) {
			size_t at = 0;

			while (at < n && cpus[at] != row->cpus[k].cpu)
				at++;
			if (at < n)
				continue;
			ARRAY_GROW(cpus, n, cap);
			cpus[n++] = row->cpus[k].cpu;
		}
	}
	free(cpus);
	line->cpus = (unsigned)max_u64(n, most);
	line->nodes = count_bits(nodes);
}

static void make_line(const struct making *making, const struct attribution *attribution,
		      struct c2c_line *ret)
{
	const struct part *part = making->part;
	const struct table_line *from = &making->table->lines[part->line];

	*ret = (struct c2c_line){
		.address = from->address,
		.pid = from->pid,
		.is_shared = from->is_shared,
		.is_part = part->is_part,
	};
	memcpy(ret->perf, from->perf, sizeof ret->perf);
	for (size_t i = 0; i < part->n; i++)
		making->named[i] = &attribution->named[part->first + i];
	if (part->n)
		qsort_r(making->named, part->n, sizeof *making->named, compare_named,
			(void *)making->table);
	ret->rows = arena_array(making->arena, part->n, sizeof *ret->rows);
	ret->nrows = part->n;
	for (size_t i = 0; i < part->n; i++) {
		make_row(making, making->named[i], &ret->rows[i]);
		counts_sum(&ret->counts, &ret->rows[i].counts);
	}
	/* A report counts accesses of a line whose rows it leaves out. */
	if (!part->is_part)
		ret->counts = from->counts;
	count_cpus(making, ret);
	find_object(making, ret);
	find_slabs(making, ret);
	find_data(making, ret);
	find_verdict(making, ret);
}

/* ---- the report ------------------------------------------------------------------------------ */

static void count_names(const struct embed *embed, const struct making *making,
			const struct c2c_line *line, struct c2c_report *report)
{
	for (size_t i = 0; i < line->nrows; i++) {
		struct c2c_row *row = &line->rows[i];
		const struct named *named = making->named[i];
		uint64_t hitm = row->counts.hitm;

		if (row->how == HOW_NONE) {
			report->unnamed += hitm;
			report->unnamed_by_reason[row->none] += hitm;
			continue;
		}
		report->hitm_by_how[row->how] += hitm;
		row->is_outermost = row->symbol ||
				    (named->def && !embed_holders(embed, named->def->name, NULL));
		if (row->is_outermost)
			report->outermost += hitm;
		else if (row->type)
			report->inner += hitm;
		else
			report->scalar += hitm;
	}
}

static struct c2c_counts counts_of(const struct c2c_table *table, const struct part *part,
				   const struct attribution *attribution)
{
	struct c2c_counts sum = {0}, counts;

	for (size_t i = 0; i < part->n; i++) {
		row_counts_in(&table->rows[attribution->named[part->first + i].row],
			      part->first_slice, part->last_slice, &counts);
		counts_sum(&sum, &counts);
	}
	/* A report counts accesses of a line whose rows it leaves out. */
	if (!part->is_part)
		sum.hitm = max_u64(sum.hitm, table->lines[part->line].counts.hitm);
	return sum;
}

/* Several CPUs store, so far as the recording tells. */
static bool stored_by_several(const struct c2c_table *table, const struct part *part,
			      const struct attribution *attribution)
{
	int32_t first = -1;

	for (size_t i = 0; i < part->n; i++) {
		const struct table_row *row = &table->rows[attribution->named[part->first + i].row];

		for (size_t k = 0; k < row->ncpus; k++) {
			if (!row->cpus[k].stores)
				continue;
			if (first >= 0 && first != row->cpus[k].cpu)
				return true;
			first = row->cpus[k].cpu;
		}
	}
	return false;
}

/* A task that moves takes its stack along: nobody fights. */
static bool is_stack(const struct part *part, const struct attribution *attribution)
{
	for (size_t i = 0; i < part->n; i++)
		if (attribution->named[part->first + i].none != CLAIM_STACK)
			return false;
	return true;
}

static int compare_lines(const void *left, const void *right)
{
	const struct c2c_line *a = left, *b = right;
	int order = compare_u64(b->counts.hitm, a->counts.hitm);

	if (!order)
		order = compare_u64(b->counts.stores, a->counts.stores);
	if (!order)
		order = compare_u64(b->counts.samples, a->counts.samples);
	if (!order)
		order = compare_u64(a->address, b->address);
	return order ? order : compare_u64((uint64_t)(uint32_t)a->pid, (uint64_t)(uint32_t)b->pid);
}

struct line_list {
	struct c2c_line *items;
	size_t n, cap;
};

static void keep(struct arena *arena, struct line_list *list, struct c2c_line **ret, size_t *ret_n)
{
	if (list->n)
		qsort(list->items, list->n, sizeof *list->items, compare_lines);
	*ret = arena_copy(arena, list->items, list->n * sizeof *list->items);
	*ret_n = list->n;
	free(list->items);
}

static bool is_busy(const struct c2c_counts *counts, const struct c2c_counts *total)
{
	return (counts->loads && counts->loads * C2C_BUSY_PARTS >= total->loads) ||
	       (counts->stores && counts->stores * C2C_BUSY_PARTS >= total->stores);
}

enum { HOT, STORED, QUIET, LISTS };

/* The list that a part of a line belongs to; LISTS: none. */
static unsigned list_of(const struct c2c_table *table, const struct part *part,
			const struct attribution *attribution)
{
	const struct c2c_counts counts = counts_of(table, part, attribution);

	if (counts.hitm)
		return HOT;
	if (is_stack(part, attribution))
		return LISTS;
	if (counts.stores && stored_by_several(table, part, attribution))
		return STORED;
	return is_busy(&counts, &table->total) ? QUIET : LISTS;
}

static void make_lines(const struct c2c_table *table, const struct c2c_image *image,
		       const struct attribution *attribution, const struct embed *embed,
		       struct c2c_report *report)
{
	struct starts starts;
	struct making making = {
		.table = table, .image = image, .starts = &starts, .arena = &report->arena};
	struct line_list lists[LISTS] = {0};

	starts_find(table, attribution, &starts);
	making.named = xcalloc(attribution->nnamed, sizeof *making.named);
	for (size_t i = 0; i < attribution->nparts; i++) {
		unsigned kind = list_of(table, &attribution->parts[i], attribution);
		struct line_list *list;

		if (kind == LISTS)
			continue;
		list = &lists[kind];
		making.part = &attribution->parts[i];
		ARRAY_GROW(list->items, list->n, list->cap);
		make_line(&making, attribution, &list->items[list->n]);
		count_names(embed, &making, &list->items[list->n], report);
		list->n++;
	}
	free(making.named);
	starts_release(&starts);
	keep(&report->arena, &lists[HOT], &report->lines, &report->nlines);
	keep(&report->arena, &lists[STORED], &report->store_lines, &report->nstore_lines);
	keep(&report->arena, &lists[QUIET], &report->quiet_lines, &report->nquiet_lines);
}

void c2c_judge(const struct c2c_table *table, const struct c2c_image *image, struct c2c_report *ret)
{
	struct embed embed;
	struct attribution attribution;

	*ret = (struct c2c_report){
		.total = table->total,
		.no_address = table->no_address,
		.line_size = table->line_size,
		.has_cpus = table->has_cpus,
	};
	memcpy(ret->perf, table->perf, sizeof ret->perf);
	embed_init(image->layout, &embed);
	attribution_find(table, image, &embed, &attribution);
	make_lines(table, image, &attribution, &embed, ret);
	attribution_release(&attribution);
	embed_release(&embed);
}
