/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Accesses and claims made by hand, judged: what c2c/ makes of them.
 *
 *	scene_begin(&scene);
 *	scene.layout = ...;
 *	scene_load(&scene.table, 0, 50, SCENE_HEAP + 4, scene_claim(&scene, "lock", 0, 4),
 *		   HIT_LOCAL_HITM);
 *	scene_judge(&scene);		-> scene.report
 */
#ifndef UNIT_LIB_SCENE_H
#define UNIT_LIB_SCENE_H

#include "c2c/judge.h"

/* An address of the heap, on a line, and one where scene.variables can live. */
#define SCENE_HEAP UINT64_C(0xffff888104c2d600)
#define SCENE_DATA UINT64_C(0xffffffff82400000)

enum { SCENE_CLAIMS = 64, SCENE_VARIABLES = 4, SCENE_FUNCTIONS = 4 };

/* Of pcs 1, 2, 3, ...: a claim each. */
struct scene {
	struct c2c_table table;
	struct claim claims[SCENE_CLAIMS];
	struct claim_run runs[SCENE_CLAIMS];
	size_t n;
	struct c2c_variable variables[SCENE_VARIABLES]; /* those with a name */
	struct c2c_function functions[SCENE_FUNCTIONS]; /* by name */
	size_t nfunctions;
	struct layout *layout;
	struct c2c_report report;
};

void scene_begin(struct scene *scene);
void scene_end(struct scene *scene);

/* The pc of a new instruction, which accesses @size bytes at @offset of the type; NULL: of what,
 * nothing says. */
uint64_t scene_claim(struct scene *scene, const char *type, int64_t offset, uint32_t size);

struct scene_access {
	int32_t cpu;
	uint64_t n, address, pc, time; /* time 0: not known */
	enum access_op op;
	enum access_hit hit;
};

void scene_put(struct c2c_table *table, struct scene_access one);
void scene_load(struct c2c_table *table, int32_t cpu, uint64_t n, uint64_t address, uint64_t pc,
		enum access_hit hit);
void scene_store(struct c2c_table *table, int32_t cpu, uint64_t n, uint64_t address, uint64_t pc);

/* By a row of a report that tells nothing of its code but the function. */
void scene_named(struct c2c_table *table, const char *function, enum access_op op, uint64_t n,
		 uint64_t address);

void scene_judge(struct scene *scene);

#endif
