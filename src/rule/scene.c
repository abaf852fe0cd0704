/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "rule/scene.h"

static void set_on(struct scene *scene, struct judge_on *on, const struct def *def)
{
	struct geometry *geometry = NULL;

	if (def) {
		geometry = arena_alloc(&scene->arena, sizeof *geometry);
		geometry_of(def->type, scene->target.line, &scene->arena, geometry);
	}
	*on = (struct judge_on){
		.layout = scene->layout,
		.block = scene->block,
		.def = def,
		.geometry = geometry,
		.missing = scene->selection.missing,
		.untold = scene->selection.untold,
		.target = &scene->target,
		.arena = &scene->arena,
	};
}

void scene_init(struct scene *scene, const struct layout *layout, uint64_t line,
		const struct pack *pack, const struct block *block)
{
	*scene = (struct scene){.layout = layout, .block = block, .target = layout->target};
	if (line)
		scene->target.line = line;
	else if (pack->cacheline)
		scene->target.line = pack->cacheline;
	if (!block->of_variables)
		select_defs(block, layout, &scene->arena, &scene->selection);
	scene->n = scene->selection.defs.n ? scene->selection.defs.n : 1;
	scene->on = arena_array(&scene->arena, scene->n, sizeof *scene->on);
	for (size_t i = 0; i < scene->n; i++)
		set_on(scene, &scene->on[i],
		       scene->selection.defs.n ? scene->selection.defs.defs[i] : NULL);
}

void scene_release(struct scene *scene)
{
	arena_release(&scene->arena);
}
