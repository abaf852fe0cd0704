/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Maps, written out as text and compared; groups and marks of a view. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/buf.h"
#include "layout/map.h"
#include "lib/spec.h"

static struct arena arena;

static struct view view_of(const char *spec, uint64_t bytes, uint64_t line)
{
	struct target target = {.line = line};
	struct def *def = arena_alloc(&arena, sizeof *def);
	struct view view;

	*def = (struct def){
		.name = "s", .kind = DEF_STRUCT, .type = spec_struct(&arena, "s", bytes, spec)};
	view_make(def, &target, &arena, &view);
	return view;
}

/* "1: a+64 .8 b+8~": the line, and in lanes parted by "|" the boxes with their bits; `.` are bits
 * that are free, `~` is on the side where a box goes on. */
static void write_map(struct buf *out, const struct view *view, const struct map *map)
{
	for (size_t i = 0; i < map->nlines; i++) {
		const struct map_line *line = &map->lines[i];

		buf_addf(out, "%lld%s", (long long)line->offset, line->is_hot ? "!" : "");
		if (line->same > 1)
			buf_addf(out, "*%llu", (unsigned long long)line->same);
		buf_addc(out, ':');
		for (size_t k = 0; k < line->nlanes; k++) {
			buf_adds(out, k ? " |" : "");
			for (size_t b = 0; b < line->lanes[k].n; b++) {
				const struct map_box *box = &line->lanes[k].boxes[b];
				const struct view_row *row = &view->rows[box->row];

				if (box->before)
					buf_addf(out, " .%llu", (unsigned long long)box->before);
				buf_addf(out, " %s%s+%llu%s", box->is_rest ? "~" : "",
					 row->kind == VIEW_GAP ? "()" : row->name,
					 (unsigned long long)box->bits, box->goes_on ? "~" : "");
			}
		}
		buf_addc(out, '\n');
	}
	if (map->hidden)
		buf_addf(out, "%zu hidden\n", map->hidden);
}

static void map_is(uint64_t bytes, uint64_t line, const char *spec, const char *wanted)
{
	struct view view = view_of(spec, bytes, line);
	struct buf out = BUF_INIT;
	struct map map;

	map_of(&view, &arena, &map);
	write_map(&out, &view, &map);
	assert_string_equal(out.s, wanted);
	buf_release(&out);
}

static void around_is(uint64_t bytes, int64_t offset, const char *spec, const char *wanted)
{
	struct view view = view_of(spec, bytes, 16);
	struct buf out = BUF_INIT;
	struct map map;

	map_around(&view, offset, &arena, &map);
	write_map(&out, &view, &map);
	assert_string_equal(out.s, wanted);
	assert_int_equal(map.has_line, offset % 16 == 0);
	buf_release(&out);
}

static void around_a_line(void **state)
{
	static const char spec[] = "a:64@0 b:64@64 c[4096]:32768@128 d:64@32896";

	(void)state;
	around_is(4120, 0, spec, "0!: a+64 b+64\n16: c+128~\n");
	around_is(4120, 16, spec, "0: a+64 b+64\n16!: c+128~\n32: ~c+128~\n");
	/* Of many lines that look alike, one is the hot one. */
	around_is(4120, 512, spec, "496: ~c+128~\n512!: ~c+128~\n528: ~c+128~\n");
	/* The object need not begin or end on a line. */
	around_is(4120, 4112, spec, "4096: ~c+128\n4112!: d+64\n");
	around_is(4120, -8, spec, "-8!: .64 a+64\n8: b+64 c+64~\n");
	around_is(4120, 4, spec, "-12: .96 a+32~\n4!: ~a+32 b+64 c+32~\n20: ~c+128~\n");
	around_is(4120, 4104, spec, "4088: ~c+128~\n4104!: ~c+64 d+64\n");
	/* It is not there at all. */
	around_is(4120, -16, spec, "");
	around_is(4120, 4144, spec, "");
	around_is(4120, INT64_MAX - 15, spec, "");
	around_is(4120, INT64_MIN, spec, "");
}

static void lines(void **state)
{
	(void)state;
	map_is(32, 16, "a:64@0 b:8@64 c:32@96 d:64@128 e:8@192",
	       "0: a+64 b+8 ()+24 c+32\n"
	       "16: d+64 e+8 ()+56\n");
	map_is(16, 8, "f/32:3@0 g/32:7@6 h:64@64", "0: f+3 ()+3 g+7 ()+19 ()+32\n8: h+64\n");
	map_is(0, 64, "", "");
	/* Nothing is without extent but what has none. */
	map_is(8, 64, "a:32@0 z:0@32 t[]/16@32", "0: a+32 ()+32\n");
}

static void long_members(void **state)
{
	(void)state;
	map_is(64, 16, "a:64@0 m[6]:384@64 z:64@448",
	       "0: a+64 m+64~\n16*2: ~m+128~\n48: ~m+64 z+64\n");
	map_is(32, 16, "m[4]:256@0", "0: m+128~\n16: ~m+128\n");
	/* Without lines there are rows, of their own width. */
	map_is(72, 0, "a:64@0 m[8]:512@64", "0: a+64 m+448~\n64: ~m+64\n");
	/* One of 2^40 bytes is three rows. */
	map_is(UINT64_C(1) << 40, 64, "m[137438953472]:8796093022208@0",
	       "0: m+512~\n64*17179869182: ~m+512~\n1099511627712: ~m+512\n");
}

static void unions(void **state)
{
	(void)state;
	map_is(24, 64,
	       "union{a:32@0 struct{b:32@0 c:32@32}:64@0 struct{d:16@0 union{e:8@0 "
	       "f:8@0}:8@16}:32@0}"
	       ":64@0 g:64@64 h:64@128",
	       "0: a+32 .32 g+64 h+64 | b+32 c+32 | d+16 e+8 | .16 f+8\n");
	/* An alternative keeps its lane on the lines it alone is on. */
	map_is(32, 16, "union{a:64@0 b[3]:192@0}:192@0 c:64@192",
	       "0: a+64 | b+128~\n16: .64 c+64 | ~b+64\n");
}

/* Members over each other in a struct, as only a broken image or a base class has them. */
static void overlaps(void **state)
{
	struct buf spec = BUF_INIT, wanted = BUF_INIT;

	(void)state;
	map_is(8, 64, "a:64@0 b:32@0 c:32@32", "0: a+64 | b+32 c+32\n");
	for (unsigned i = 0; i < MOST_LANES + 3; i++) {
		buf_addf(&spec, "m%u:64@0 ", i);
		if (i < MOST_LANES)
			buf_addf(&wanted, "%s m%u+64", i ? " |" : "0:", i);
	}
	buf_adds(&wanted, "\n3 hidden\n");
	map_is(8, 64, spec.s, wanted.s);
	/* The lanes that nested unions would take have an end, too. */
	spec.len = 0;
	buf_adds(&spec, "union{");
	for (unsigned i = 0; i < MOST_LANES + 3; i++)
		buf_addf(&spec, "m%u:64@0 ", i);
	buf_adds(&spec, "}:64@0");
	map_is(8, 64, spec.s, wanted.s);
	buf_release(&spec);
	buf_release(&wanted);
}

/* ---- groups and marks ------------------------------------------------------------------------ */

/* The rows that are in groups or marked, "name:GROUP,GROUP:NUMBER,NUMBER". */
static void notes_are(const struct view *view, const char *wanted)
{
	struct buf out = BUF_INIT;

	for (size_t i = 0; i < view->nrows; i++) {
		const struct view_row *row = &view->rows[i];

		if (!row->ngroups && !row->nmarks)
			continue;
		buf_addf(&out, "%s:", row->kind == VIEW_GAP ? "()" : row->name);
		for (size_t k = 0; k < row->ngroups; k++)
			buf_addf(&out, "%s%s", k ? "," : "", view->groups[row->groups[k]].name);
		buf_addc(&out, ':');
		for (size_t k = 0; k < row->nmarks; k++)
			buf_addf(&out, "%s%zu", k ? "," : "", row->marks[k].number);
		buf_addc(&out, ' ');
	}
	for (size_t k = 0; k < view->nmarks; k++)
		buf_addf(&out, "%zu ", view->marks[k].number);
	assert_string_equal(out.s, wanted);
	buf_release(&out);
}

static void groups(void **state)
{
	struct view view = view_of("a:32@0 __cacheline_group_begin__hot_read:0@32 b:32@32 c:64@64 "
				   "__cacheline_group_end__hot_read:0@128 d:32@128",
				   20, 8);
	const struct spot b = {"b", 32, 32}, d = {"d.x[1]", 128, 8}, all = {NULL, 0, 160};

	(void)state;
	notes_are(&view, "b:hot_read: c:hot_read: ");
	assert_int_equal(view.groups[0].access, GROUP_READ);
	assert_int_equal(view.groups[0].members, 2);
	assert_int_equal(view.groups[0].first_line, 0);
	assert_int_equal(view.groups[0].last_line, 1);
	view_group(&view, "cold", &d, &arena);
	view_group(&view, "cold", &b, &arena); /* in two groups */
	view_group(&view, "cold", &b, &arena); /* not twice in one */
	notes_are(&view, "b:hot_read,cold: c:hot_read: d:cold: ");
	assert_int_equal(view.groups[1].access, GROUP_UNTOLD);
	assert_int_equal(view.groups[1].members, 2);
	assert_int_equal(view.groups[1].first_line, 0);
	assert_int_equal(view.groups[1].last_line, 2);
	view_group(&view, "hot_read", &all, &arena);
	notes_are(&view, "a:hot_read: b:hot_read,cold: c:hot_read: d:cold,hot_read: ");
	assert_int_equal(view.ngroups, 2);
}

static void marks(void **state)
{
	struct view view = view_of("union{a:32@0 b:32@0}:32@0 c:8@32 d:32@64 z:0@96", 16, 64);
	const struct spot a = {"a", 0, 32}, hole = {NULL, 40, 24}, z = {"z", 96, 0},
			  nowhere = {"y", 0, 8};
	struct view_mark mark = {1, SEVERITY_ERROR, "broken", "it is"};

	(void)state;
	view_mark(&view, &a, &mark, &arena);
	notes_are(&view, "a::1 ");
	mark.number = 2;
	view_mark(&view, &hole, &mark, &arena);
	view_mark(&view, &hole, &mark, &arena); /* once is enough */
	notes_are(&view, "a::1 ()::2 ");
	mark.number = 3;
	view_mark(&view, &nowhere, &mark, &arena);
	view_mark(&view, NULL, &mark, &arena);
	view_mark(&view, &z, &mark, &arena);
	notes_are(&view, "a::1 ()::2 z::3 3 ");
	mark.number = 4;
	view_mark_run(&view, "b", 2, &mark, &arena);
	view_mark_run(&view, "nobody", 2, &mark, &arena);
	notes_are(&view, "a::1 b::4 c::4 ()::2 z::3 3 ");
	for (size_t i = 0; i < view.nrows; i++)
		if (view.rows[i].name && strcmp(view.rows[i].name, "c") == 0)
			assert_null(view.rows[i].marks[0].text); /* the first one tells */
}

static int setup(void **state)
{
	(void)state;
	arena_init(&arena);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	arena_release(&arena);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(around_a_line), cmocka_unit_test(lines),
		cmocka_unit_test(long_members),  cmocka_unit_test(unions),
		cmocka_unit_test(overlaps),      cmocka_unit_test(groups),
		cmocka_unit_test(marks),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, setup, teardown);
}
