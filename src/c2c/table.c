/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "c2c/table.h"

#include <stdlib.h>
#include <string.h>

#include "base/math.h"

bool is_kernel_address(uint64_t address)
{
	return address >> 63;
}

void table_init(struct c2c_table *table, uint64_t line_size)
{
	*table = (struct c2c_table){.line_size = line_size};
}

void table_release(struct c2c_table *table)
{
	for (size_t i = 0; i < table->nrows; i++)
		free(table->rows[i].cpus);
	free(table->rows);
	free(table->lines);
	free(table->line_slots);
	free(table->row_slots);
	free(table->line_order);
	free(table->pages);
	foughts_release(&table->foughts);
	c2c_slabs_release(&table->slabs);
	*table = (struct c2c_table){0};
}

/* ---- hashes ---------------------------------------------------------------------------------- */

/* The finaliser of SplitMix64 (Steele, Lea, Flood 2014), over the words of a key. */
static uint64_t mix(uint64_t hash, uint64_t word)
{
	hash = (hash ^ word) + 0x9e3779b97f4a7c15;
	hash = (hash ^ (hash >> 30)) * 0xbf58476d1ce4e5b9;
	hash = (hash ^ (hash >> 27)) * 0x94d049bb133111eb;
	return hash ^ (hash >> 31);
}

static uint64_t hash_line(uint64_t address, int32_t pid)
{
	return mix(mix(0, address), (uint32_t)pid);
}

static uint64_t hash_row(uint32_t line, uint32_t offset, uint64_t ip)
{
	return mix(mix(0, (uint64_t)line << 32 | offset), ip);
}

static bool is_crowded(size_t n, size_t nslots)
{
	return n + 1 > nslots / 2;
}

static size_t larger(size_t nslots)
{
	enum { LEAST = 1 << 10 };

	return nslots ? nslots * 2 : LEAST;
}

static void put_slot(uint32_t *slots, size_t nslots, uint64_t hash, size_t index)
{
	size_t at = hash & (nslots - 1);

	while (slots[at])
		at = (at + 1) & (nslots - 1);
	slots[at] = (uint32_t)index + 1;
}

static void grow_lines(struct c2c_table *table)
{
	free(table->line_slots);
	table->nline_slots = larger(table->nline_slots);
	table->line_slots = xcalloc(table->nline_slots, sizeof *table->line_slots);
	for (size_t i = 0; i < table->nlines; i++)
		put_slot(table->line_slots, table->nline_slots,
			 hash_line(table->lines[i].address, table->lines[i].pid), i);
}

static void grow_rows(struct c2c_table *table)
{
	free(table->row_slots);
	table->nrow_slots = larger(table->nrow_slots);
	table->row_slots = xcalloc(table->nrow_slots, sizeof *table->row_slots);
	for (size_t i = 0; i < table->nrows; i++) {
		const struct table_row *row = &table->rows[i];

		put_slot(table->row_slots, table->nrow_slots,
			 hash_row(row->line, row->offset, row->ip), i);
	}
}

static uint32_t find_line(struct c2c_table *table, uint64_t address, int32_t pid)
{
	uint64_t hash = hash_line(address, pid);
	size_t at;

	if (is_crowded(table->nlines, table->nline_slots))
		grow_lines(table);
	for (at = hash & (table->nline_slots - 1); table->line_slots[at];
	     at = (at + 1) & (table->nline_slots - 1)) {
		uint32_t index = table->line_slots[at] - 1;

		if (table->lines[index].address == address && table->lines[index].pid == pid)
			return index;
	}
	ARRAY_GROW(table->lines, table->nlines, table->cap_lines);
	table->lines[table->nlines] = (struct table_line){.address = address, .pid = pid};
	table->line_slots[at] = (uint32_t)++table->nlines;
	return (uint32_t)table->nlines - 1;
}

static struct table_row *find_row(struct c2c_table *table, uint32_t line, uint32_t offset,
				  uint64_t ip, const char *symbol)
{
	size_t at;

	if (is_crowded(table->nrows, table->nrow_slots))
		grow_rows(table);
	for (at = hash_row(line, offset, ip) & (table->nrow_slots - 1); table->row_slots[at];
	     at = (at + 1) & (table->nrow_slots - 1)) {
		struct table_row *row = &table->rows[table->row_slots[at] - 1];

		/* Reports without code addresses have names alone. */
		if (row->line == line && row->offset == offset && row->ip == ip &&
		    (ip || row->symbol == symbol ||
		     (row->symbol && symbol && strcmp(row->symbol, symbol) == 0)))
			return row;
	}
	ARRAY_GROW(table->rows, table->nrows, table->cap_rows);
	table->rows[table->nrows] =
		(struct table_row){.line = line, .offset = offset, .ip = ip, .symbol = symbol};
	table->row_slots[at] = (uint32_t)table->nrows + 1;
	return &table->rows[table->nrows++];
}

/* ---- pages: the same memory in several processes, where no map tells it ---------------------- */

enum { PAGE = 4096 }; /* no machine has smaller ones */

static void put_page(struct table_page *pages, size_t n, const struct table_page *page)
{
	size_t at = mix(0, page->physical) & (n - 1);

	while (pages[at].is_set)
		at = (at + 1) & (n - 1);
	pages[at] = *page;
}

static void grow_pages(struct c2c_table *table)
{
	size_t n = larger(table->npage_slots);
	struct table_page *pages = xcalloc(n, sizeof *pages);

	for (size_t i = 0; i < table->npage_slots; i++)
		if (table->pages[i].is_set)
			put_page(pages, n, &table->pages[i]);
	free(table->pages);
	table->pages = pages;
	table->npage_slots = n;
}

/* Who accessed the page first, and where in that process it is. */
static struct table_page find_page(struct c2c_table *table, const struct access *access)
{
	const struct table_page page = {true, access->pid, access->physical / PAGE,
					access->address / PAGE};
	size_t at;

	if (is_crowded(table->npages, table->npage_slots))
		grow_pages(table);
	for (at = mix(0, page.physical) & (table->npage_slots - 1); table->pages[at].is_set;
	     at = (at + 1) & (table->npage_slots - 1))
		if (table->pages[at].physical == page.physical)
			return table->pages[at];
	table->npages++;
	table->pages[at] = page;
	return page;
}

/* ---- time ------------------------------------------------------------------------------------ */

static uint32_t add_u32(uint32_t a, uint64_t b)
{
	return (uint32_t)min_u64(a + b, UINT32_MAX);
}

static void sum_slice(struct table_slice *to, const struct table_slice *from)
{
	to->hitm = add_u32(to->hitm, from->hitm);
	to->peer = add_u32(to->peer, from->peer);
	to->loads = add_u32(to->loads, from->loads);
	to->stores = add_u32(to->stores, from->stores);
}

/* Two become one, and the second half is free again. */
static void widen_slices(struct c2c_table *table)
{
	table->width *= 2;
	for (size_t i = 0; i < table->nrows; i++) {
		struct table_slice *slices = table->rows[i].slices;

		for (size_t k = 0; k < C2C_SLICES / 2; k++) {
			struct table_slice sum = slices[2 * k];

			sum_slice(&sum, &slices[2 * k + 1]);
			slices[k] = sum;
		}
		memset(slices + C2C_SLICES / 2, 0, C2C_SLICES / 2 * sizeof *slices);
	}
}

static size_t slice_of(struct c2c_table *table, const struct access *access)
{
	enum { FIRST_WIDTH_NS = 1000000 };

	if (!access->has_time)
		return 0;
	if (!table->has_time) {
		table->has_time = true;
		table->start = access->time;
		table->width = FIRST_WIDTH_NS;
	}
	if (access->time <= table->start)
		return 0;
	while ((access->time - table->start) / table->width >= C2C_SLICES)
		widen_slices(table);
	return (size_t)((access->time - table->start) / table->width);
}

/* ---- rows ------------------------------------------------------------------------------------ */

static struct table_cpu *find_cpu(struct table_row *row, int32_t cpu)
{
	for (size_t i = 0; i < row->ncpus; i++)
		if (row->cpus[i].cpu == cpu)
			return &row->cpus[i];
	ARRAY_GROW(row->cpus, row->ncpus, row->cap_cpus);
	row->cpus[row->ncpus] = (struct table_cpu){.cpu = cpu};
	return &row->cpus[row->ncpus++];
}

static void add_to_row(struct c2c_table *table, struct table_row *row, const struct access *access)
{
	const struct table_slice one = {
		.hitm = access_is_hitm(access) ? (uint32_t)min_u64(access->n, UINT32_MAX) : 0,
		.peer = access_is_peer(access) ? (uint32_t)min_u64(access->n, UINT32_MAX) : 0,
		.loads = access->op == ACCESS_LOAD ? (uint32_t)min_u64(access->n, UINT32_MAX) : 0,
		.stores = access->op == ACCESS_STORE ? (uint32_t)min_u64(access->n, UINT32_MAX) : 0,
	};

	counts_add(&row->counts, access);
	sum_slice(&row->slices[slice_of(table, access)], &one);
	if (access->cpu >= 0) {
		struct table_cpu *cpu = find_cpu(row, access->cpu);

		cpu->hitm = add_u32(cpu->hitm, one.hitm);
		cpu->peer = add_u32(cpu->peer, one.peer);
		cpu->loads = add_u32(cpu->loads, one.loads);
		cpu->stores = add_u32(cpu->stores, one.stores);
		table->has_cpus = true;
	}
	row->cpus_said = max_u64(row->cpus_said, access->cpus);
	row->nodes |= access->nodes;
	if (access->node >= 0)
		row->nodes |= UINT64_C(1) << min_u64((uint64_t)access->node, 63);
	if (access->has_image_ip) {
		row->has_pc = true;
		row->pc = access->image_ip;
	}
	if (access->object)
		row->object = access->object;
}

static void add_perf(uint64_t perf[PERF_COUNTERS], const struct access *access)
{
	for (uint64_t bits = access->perf_counts; bits; bits &= bits - 1) {
		int counter = __builtin_ctzll(bits);

		if (counter < PERF_COUNTERS)
			perf[counter] += access->n;
	}
}

/* Whose memory it is that was accessed, and where that has it. */
struct place_of {
	int32_t pid;
	bool is_shared;
	uint64_t address;
};

static struct place_of find_place(struct c2c_table *table, const struct access *access)
{
	struct place_of place = {access->pid, access->is_shared, access->address};

	if (is_kernel_address(access->address)) {
		place.pid = -1;
		place.is_shared = false;
	} else if (access->is_shared) {
		place.pid = access->shared_pid;
		place.address = access->shared_address;
	} else if (access->has_physical && !access->is_private) {
		struct table_page page = find_page(table, access);

		place.is_shared = page.pid != access->pid;
		place.pid = page.pid;
		place.address += (page.address - access->address / PAGE) * PAGE;
	}
	return place;
}

void table_add(struct c2c_table *table, const struct access *access)
{
	struct table_line *line;
	struct table_row *row;
	struct place_of place;
	uint64_t offset;
	uint32_t index;

	counts_add(&table->total, access);
	add_perf(table->perf, access);
	if (!access->has_address) {
		table->no_address += access->n;
		return;
	}
	place = find_place(table, access);
	offset = place.address & (table->line_size - 1);
	index = find_line(table, place.address - offset, place.pid);
	line = &table->lines[index];
	line->is_shared |= place.is_shared;
	counts_add(&line->counts, access);
	add_perf(line->perf, access);
	if (access->has_image_address) {
		line->has_image = true;
		line->image = access->image_address - offset;
	}
	if (access->is_of_line)
		return;
	row = find_row(table, index, (uint32_t)offset, access->has_ip ? access->ip : 0,
		       access->has_ip ? NULL : access->symbol);
	if (access->symbol)
		row->symbol = access->symbol;
	add_to_row(table, row, access);
}

/* ---- at the end ------------------------------------------------------------------------------ */

struct row_order {
	const struct table_row *rows;
	const uint32_t *ranks; /* of their lines */
};

static int compare_rows(const void *left, const void *right, void *context)
{
	const struct row_order *order = context;
	const struct table_row *a = &order->rows[*(const uint32_t *)left];
	const struct table_row *b = &order->rows[*(const uint32_t *)right];
	int diff = compare_u64(order->ranks[a->line], order->ranks[b->line]);

	if (!diff)
		diff = compare_u64(a->offset, b->offset);
	if (!diff)
		diff = compare_u64(a->ip, b->ip);
	if (!diff && a->symbol && b->symbol)
		diff = strcmp(a->symbol, b->symbol);
	return diff;
}

static int compare_lines(const void *left, const void *right, void *context)
{
	const struct table_line *lines = context;
	const struct table_line *a = &lines[*(const uint32_t *)left];
	const struct table_line *b = &lines[*(const uint32_t *)right];

	if (a->pid != b->pid)
		return a->pid < b->pid ? -1 : 1;
	return compare_u64(a->address, b->address);
}

static uint32_t *count_up(size_t n)
{
	uint32_t *numbers = xcalloc(n, sizeof *numbers);

	for (size_t i = 0; i < n; i++)
		numbers[i] = (uint32_t)i;
	return numbers;
}

static uint64_t peers_of(const struct c2c_counts *counts)
{
	return counts->hits[HIT_LOCAL_PEER] + counts->hits[HIT_REMOTE_PEER];
}

static void count_peers(struct c2c_table *table)
{
	table->total.hitm = peers_of(&table->total);
	for (size_t i = 0; i < table->nlines; i++)
		table->lines[i].counts.hitm = peers_of(&table->lines[i].counts);
	for (size_t i = 0; i < table->nrows; i++) {
		struct table_row *row = &table->rows[i];

		row->counts.hitm = peers_of(&row->counts);
		for (size_t k = 0; k < C2C_SLICES; k++)
			row->slices[k].hitm = row->slices[k].peer;
		for (size_t k = 0; k < row->ncpus; k++)
			row->cpus[k].hitm = row->cpus[k].peer;
	}
}

static void sort_lines(struct c2c_table *table)
{
	table->line_order = count_up(table->nlines);
	if (table->nlines)
		qsort_r(table->line_order, table->nlines, sizeof *table->line_order, compare_lines,
			table->lines);
}

/* In memory, too: they are large, and objects are judged over all rows of many lines. */
static void sort_rows(struct c2c_table *table)
{
	uint32_t *ranks = count_up(table->nlines), *order = count_up(table->nrows);
	struct table_row *rows = xcalloc(table->nrows, sizeof *rows);
	struct row_order context = {table->rows, ranks};

	for (size_t i = 0; i < table->nlines; i++)
		ranks[table->line_order[i]] = (uint32_t)i;
	if (table->nrows)
		qsort_r(order, table->nrows, sizeof *order, compare_rows, &context);
	for (size_t i = 0; i < table->nrows; i++)
		rows[i] = table->rows[order[i]];
	free(table->rows);
	free(ranks);
	free(order);
	table->rows = rows;
	table->cap_rows = table->nrows;
}

static bool is_of_one_process(const struct c2c_table *table)
{
	int32_t pid = -1;

	for (size_t i = 0; i < table->nlines; i++) {
		if (table->lines[i].pid < 0)
			continue;
		if (pid >= 0 && pid != table->lines[i].pid)
			return false;
		pid = table->lines[i].pid;
	}
	return true;
}

void table_finish(struct c2c_table *table)
{
	if (!table->total.hitm)
		count_peers(table);
	sort_lines(table);
	sort_rows(table);
	foughts_sort(&table->foughts);
	c2c_slabs_sort(&table->slabs);
	table->one_process = is_of_one_process(table);
	for (size_t i = 0; i < table->nrows; i++) {
		struct table_line *line = &table->lines[table->rows[i].line];

		if (!line->nrows++)
			line->first = i;
	}
}

static int compare_pcs(const void *left, const void *right)
{
	return compare_u64(*(const uint64_t *)left, *(const uint64_t *)right);
}

uint64_t *table_pcs(const struct c2c_table *table, size_t *ret_n)
{
	uint64_t *pcs = xcalloc(table->nrows, sizeof *pcs);
	size_t n = 0, kept = 0;

	for (size_t i = 0; i < table->nrows; i++)
		if (table->rows[i].has_pc)
			pcs[n++] = table->rows[i].pc;
	if (n)
		qsort(pcs, n, sizeof *pcs, compare_pcs);
	for (size_t i = 0; i < n; i++)
		if (!kept || pcs[kept - 1] != pcs[i])
			pcs[kept++] = pcs[i];
	*ret_n = kept;
	return pcs;
}
