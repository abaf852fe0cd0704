/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lib/scene.h"

#include "layout/model.h"

void scene_put(struct c2c_table *table, struct scene_access one)
{
	const struct access access = {
		.n = 1,
		.op = one.op,
		.hit = one.hit,
		.mode = MODE_KERNEL,
		.has_address = true,
		.address = one.address,
		.has_ip = true,
		.ip = one.pc,
		.has_image_ip = true,
		.image_ip = one.pc,
		.has_image_address = one.address >= SCENE_DATA,
		.image_address = one.address,
		.pid = 7,
		.cpu = one.cpu,
		.node = one.cpu / 2,
		.has_time = one.time != 0,
		.time = one.time,
	};

	for (uint64_t i = 0; i < one.n; i++)
		table_add(table, &access);
}

void scene_load(struct c2c_table *table, int32_t cpu, uint64_t n, uint64_t address, uint64_t pc,
		enum access_hit hit)
{
	scene_put(table, (struct scene_access){cpu, n, address, pc, 0, ACCESS_LOAD, hit});
}

void scene_store(struct c2c_table *table, int32_t cpu, uint64_t n, uint64_t address, uint64_t pc)
{
	scene_put(table, (struct scene_access){cpu, n, address, pc, 0, ACCESS_STORE, HIT_L1});
}

void scene_named(struct c2c_table *table, const char *function, enum access_op op, uint64_t n,
		 uint64_t address)
{
	const struct access access = {
		.n = n,
		.op = op,
		.hit = op == ACCESS_LOAD ? HIT_LOCAL_HITM : HIT_L1,
		.has_address = true,
		.address = address,
		.symbol = function,
		.pid = -1,
		.cpu = -1,
		.node = -1,
	};

	table_add(table, &access);
}

/* Those of the image are what the scene has. */
static bool find_variable(void *arg, uint64_t address, bool is_percpu, struct c2c_variable *ret)
{
	const struct scene *scene = arg;

	for (size_t i = 0; i < SCENE_VARIABLES; i++) {
		const struct c2c_variable *variable = &scene->variables[i];

		if (is_percpu || !variable->name || address - variable->address >= variable->size)
			continue;
		*ret = *variable;
		return true;
	}
	return false;
}

void scene_begin(struct scene *scene)
{
	*scene = (struct scene){0};
	table_init(&scene->table, 64);
}

uint64_t scene_claim(struct scene *scene, const char *type, int64_t offset, uint32_t size)
{
	size_t i = scene->n++;

	scene->claims[i] = (struct claim){.pc = i + 1,
					  .how = CLAIM_VARIABLE,
					  .type = type,
					  .offset = offset,
					  .is_exact = true,
					  .size = size};
	scene->runs[i] = (struct claim_run){i + 1, CLAIM_MADE, NULL, NULL, i, type != NULL};
	return i + 1;
}

void scene_judge(struct scene *scene)
{
	const struct c2c_image image = {.layout = scene->layout,
					.runs = scene->runs,
					.nruns = scene->n,
					.claims = scene->claims,
					.functions = scene->functions,
					.nfunctions = scene->nfunctions,
					.variable = find_variable,
					.arg = scene};

	table_finish(&scene->table);
	for (size_t i = 0; i < scene->table.nrows; i++)
		scene->table.rows[i].has_function =
			scene->nfunctions && !scene->table.rows[i].has_pc;
	c2c_judge(&scene->table, &image, &scene->report);
}

void scene_end(struct scene *scene)
{
	c2c_release(&scene->report);
	table_release(&scene->table);
	layout_free(scene->layout);
}
