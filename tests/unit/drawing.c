/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Hot lines as drawings: what is drawn, and which rows have the heat of which data. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/math.h"
#include "c2c/drawing.h"
#include "lib/spec.h"

static struct arena arena;

static struct def *def_of(uint64_t bytes, const char *spec)
{
	struct def *def = arena_alloc(&arena, sizeof *def);

	*def = (struct def){
		.name = "s", .kind = DEF_STRUCT, .type = spec_struct(&arena, "s", bytes, spec)};
	return def;
}

static struct c2c_datum datum(const char *name, int64_t begins, uint64_t size, uint64_t hitm,
			      uint64_t stores)
{
	return (struct c2c_datum){.name = name,
				  .begins = begins,
				  .offset = begins < 0 ? 0 : (uint64_t)begins,
				  .size = size,
				  .counts = {.hitm = hitm, .loads = hitm, .stores = stores}};
}

/* "16!" and the boxes of that line; a row that is hot as "a=NAME:HITM/STORES,...", of the line's.
 */
static void write_drawing(struct buf *out, const struct c2c_drawing *drawing)
{
	for (size_t i = 0; i < drawing->map.nlines; i++) {
		const struct map_line *line = &drawing->map.lines[i];

		if (!line->is_hot)
			continue;
		buf_addf(out, "%s%lld:", drawing->has_type ? "" : "alone ",
			 (long long)line->offset);
		for (size_t k = 0; k < line->nlanes; k++)
			for (size_t b = 0; b < line->lanes[k].n; b++) {
				const struct map_box *box = &line->lanes[k].boxes[b];
				const struct view_row *row = &drawing->view->rows[box->row];

				buf_addf(out, " %s+%llu", row->kind == VIEW_GAP ? "()" : row->name,
					 (unsigned long long)box->bits / 8);
				for (size_t s = 0; row->heat && s < row->heat->nseen; s++)
					buf_addf(out, "%c%s:%llu/%llu", s ? ',' : '=',
						 row->heat->seen[s].name,
						 (unsigned long long)row->heat->seen[s].hitm,
						 (unsigned long long)row->heat->seen[s].stores);
			}
	}
}

static void drawing_is(const struct c2c_line *line, const char *wanted)
{
	const struct target target = {.line = 64};
	const struct def *def = c2c_drawn_type(line);
	struct c2c_drawing drawing;
	struct buf out = BUF_INIT;
	struct view view;

	if (def)
		view_make(def, &target, &arena, &view);
	c2c_draw(line, 64, def ? &view : NULL, &arena, &drawing);
	write_drawing(&out, &drawing);
	assert_string_equal(out.s, wanted);
	buf_release(&out);
}

static void test_of_a_type(void **state)
{
	struct def *def = def_of(128, "a:64@0 b[8]:512@64 c:32@576 d:32@608 e:384@640");
	struct c2c_datum data[] = {datum("s.a", 0, 8, 5, 0), datum("s.b[1]", 16, 8, 0, 3),
				   datum("s.b[2]", 24, 8, 1, 0)};
	struct c2c_line line = {
		.object = {.def = def}, .data = data, .ndata = ARRAY_SIZE(data), .counts.hitm = 6};

	(void)state;
	drawing_is(&line, "0: a+8=s.a:5/0 b+56=s.b[1]:0/3,s.b[2]:1/0");
	/* An access of more than one member is one of each. */
	line.object.offset = 64;
	data[0] = datum("s.c", 8, 8, 2, 0);
	line.ndata = 1;
	drawing_is(&line, "64: b+8 c+4=s.c:2/0 d+4=s.c:2/0 e+48");
	/* It begins within the line. */
	line.object.offset = -24;
	data[0] = datum("s.a", 24, 8, 2, 0);
	drawing_is(&line, "-24: a+8=s.a:2/0 b+32");
	/* The third of an array of them. */
	line.object.offset = 256;
	data[0] = datum("s.a", 0, 8, 2, 0);
	drawing_is(&line, "0: a+8=s.a:2/0 b+56");
}

static void test_union(void **state)
{
	struct def *def = def_of(16, "union{ a:64@0 b:64@0 c:32@0 }:64@0 d:64@64");
	struct c2c_datum data[] = {datum("s.b", 0, 8, 5, 0)};
	struct c2c_line line = {.object = {.def = def}, .data = data, .ndata = 1};

	(void)state;
	data[0].def = def;
	data[0].member = "b";
	drawing_is(&line, "0: a+8 d+8 b+8=s.b:5/0 c+4");
	/* Of another definition the name says nothing. */
	data[0].def = NULL;
	drawing_is(&line, "0: a+8=s.b:5/0 d+8 b+8=s.b:5/0 c+4=s.b:5/0");
	data[0].def = def;
	data[0].member = "elsewhere";
	drawing_is(&line, "0: a+8=s.b:5/0 d+8 b+8=s.b:5/0 c+4=s.b:5/0");
}

static void test_alone(void **state)
{
	struct def *def = def_of(16, "a:64@0 b:64@64");
	struct c2c_datum data[] = {datum("early", -8, 16, 1, 0), datum("+0x10", 16, 4, 0, 2),
				   datum("late", 56, 16, 3, 0)};
	struct c2c_line line = {.data = data, .ndata = ARRAY_SIZE(data)};

	(void)state;
	drawing_is(&line, "alone 0: early+8=early:1/0 +0x10+4=+0x10:0/2 late+8=late:3/0");
	/* A type that does not hold all of it, before or behind. */
	line.object.def = def;
	drawing_is(&line, "alone 0: early+8=early:1/0 +0x10+4=+0x10:0/2 late+8=late:3/0");
	line.data = data + 1;
	line.ndata = 1;
	drawing_is(&line, "alone 0: +0x10+4=+0x10:0/2");
	line.object.offset = -16;
	drawing_is(&line, "-16: a+8=+0x10:0/2 b+8");
	line.object.def = def_of(0, "");
	drawing_is(&line, "alone 0: +0x10+4=+0x10:0/2");
	line.ndata = 0;
	drawing_is(&line, "");
}

static int free_arena(void **state)
{
	(void)state;
	arena_release(&arena);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_of_a_type),
		cmocka_unit_test(test_union),
		cmocka_unit_test(test_alone),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	arena_init(&arena);
	return cmocka_run_group_tests(tests, NULL, free_arena);
}
