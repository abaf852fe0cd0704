/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rows of a view, written out as text and compared. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/buf.h"
#include "layout/view.h"
#include "lib/spec.h"

static struct arena arena;

static const char *gap_name(enum gap_kind kind)
{
	static const char *const names[] = {[GAP_HOLE] = "hole",
					    [GAP_BIT_HOLE] = "bit hole",
					    [GAP_PADDING] = "padding",
					    [GAP_BIT_PADDING] = "bit padding",
					    [GAP_UNKNOWN] = "not known"};

	return names[kind];
}

/* "  8+4 u32 b", two blanks a level; `~` continues on the next line, `!` straddles. */
static void write_row(struct buf *out, const struct view_row *row)
{
	if (row->kind == VIEW_LINE) {
		buf_addf(out, "line %llu at %llu\n", (unsigned long long)row->line,
			 (unsigned long long)row->offset);
		return;
	}
	buf_pad(out, ' ', 2 * row->depth);
	if (row->kind == VIEW_CLOSE) {
		buf_adds(out, "}\n");
		return;
	}
	if (row->is_dynamic)
		buf_adds(out, "?");
	else
		buf_addf(out, "%llu", (unsigned long long)row->offset);
	if (row->bit_size)
		buf_addf(out, ":%u+:%u", row->bit_offset, row->bit_size);
	else
		buf_addf(out, "+%llu", (unsigned long long)row->size);
	buf_addf(out, "%s%s", row->crosses ? "~" : "", row->straddles ? "!" : "");
	if (row->kind == VIEW_GAP)
		buf_addf(out, " (%s)", gap_name(row->gap));
	else
		buf_addf(out, " %s%s%s", row->kind == VIEW_MARKER ? "marker " : "", row->decl,
			 row->kind == VIEW_OPEN ? " {" : "");
	if (row->is_flexible)
		buf_adds(out, " ...");
	buf_addc(out, '\n');
}

static struct view view_of(const struct type *type, uint64_t line)
{
	struct target target = {.line = line};
	struct def *def = arena_alloc(&arena, sizeof *def);
	struct view view;

	*def = (struct def){.name = "s", .kind = DEF_STRUCT, .type = type};
	view_make(def, &target, &arena, &view);
	return view;
}

static void rows_are(uint64_t bytes, uint64_t line, const char *spec, const char *wanted)
{
	struct view view = view_of(spec_struct(&arena, "s", bytes, spec), line);
	struct buf out = BUF_INIT;

	for (size_t i = 0; i < view.nrows; i++)
		write_row(&out, &view.rows[i]);
	assert_string_equal(out.s, wanted);
	buf_release(&out);
}

static void plain(void **state)
{
	(void)state;
	rows_are(32, 16, "a:64@0 b:8@64 c:32@96 d:64@128 e:8@192",
		 "line 0 at 0\n"
		 "0+8 u64 a\n"
		 "8+1 u8 b\n"
		 "9+3 (hole)\n"
		 "12+4 u32 c\n"
		 "line 1 at 16\n"
		 "16+8 u64 d\n"
		 "24+1 u8 e\n"
		 "25+7 (padding)\n");
	rows_are(8, 0, "b:8@32 a:32@0",
		 "0+4 u32 a\n"
		 "4+1 u8 b\n"
		 "5+3 (padding)\n");
	rows_are(0, 64, "", "");
	rows_are(8, 64, "", "line 0 at 0\n0+8 (padding)\n");
}

static void declarations(void **state)
{
	(void)state;
	rows_are(32, 0,
		 "*p:64@0 m[2][3]:48@64 f/32:3@112 g/32:7@118 h=struct{x:8@0}:8@128 "
		 "e:0@136 t[]/16@144",
		 "0+8 void *p\n"
		 "8+6 u8 m[2][3]\n"
		 "14:0+:3 u32 f:3\n"
		 "14:3+:3 (bit hole)\n"
		 "14:6+:7 u32 g:7\n"
		 "15:5+:3 (bit hole)\n"
		 "16+1 struct h h\n"
		 "17+0 struct {...} e\n"
		 "17+1 (hole)\n"
		 "18+0 u16 t[] ...\n"
		 "18+14 (padding)\n");
}

static void anonymous(void **state)
{
	(void)state;
	/* A gap inside, one at the end of an inner struct, one that both share. */
	rows_are(24, 64,
		 "struct{a:8@0 b:32@32 c:8@64}:96@0 d:32@96 union{struct{x:8@0 y:16@16}:32@0 "
		 "z:8@0}:32@128 struct{w:8@0}:16@160",
		 "line 0 at 0\n"
		 "0+12 struct {\n"
		 "  0+1 u8 a\n"
		 "  1+3 (hole)\n"
		 "  4+4 u32 b\n"
		 "  8+1 u8 c\n"
		 "  9+3 (hole)\n"
		 "}\n"
		 "12+4 u32 d\n"
		 "16+4 union {\n"
		 "  16+4 struct {\n"
		 "    16+1 u8 x\n"
		 "    17+1 (hole)\n"
		 "    18+2 u16 y\n"
		 "  }\n"
		 "  16+1 u8 z\n"
		 "}\n"
		 "20+2 struct {\n"
		 "  20+1 u8 w\n"
		 "}\n"
		 "21+3 (padding)\n");
}

static void union_tail(void **state)
{
	(void)state;
	rows_are(16, 64, "union{c[5]:40@0 i:32@0}:64@0 d:64@64",
		 "line 0 at 0\n"
		 "0+8 union {\n"
		 "  0+5 u8 c[5]\n"
		 "  0+4 u32 i\n"
		 "  5+3 (hole)\n"
		 "}\n"
		 "8+8 u64 d\n");
}

static void across_lines(void **state)
{
	(void)state;
	rows_are(160, 64, "a[60]:480@0 b:64@480 c[80]:640@544 d:32@1184 g:8@1272",
		 "line 0 at 0\n"
		 "0+60 u8 a[60]\n"
		 "60+8~! u64 b\n"
		 "line 1 at 64\n"
		 "68+80~ u8 c[80]\n"
		 "line 2 at 128\n"
		 "148+4 u32 d\n"
		 "152+7 (hole)\n"
		 "159+1 u8 g\n");
	/* A union goes back to lines that were announced; a hole may open one. */
	rows_are(136, 64, "union{a[100]:800@0 struct{b:32@0 c:32@512}:544@0 z:8@0}:800@0 d:64@1024",
		 "line 0 at 0\n"
		 "0+100 union {\n"
		 "  0+100~ u8 a[100]\n"
		 "  0+68 struct {\n"
		 "    0+4 u32 b\n"
		 "line 1 at 64\n"
		 "    64+4 u32 c\n"
		 "  }\n"
		 "  0+1 u8 z\n"
		 "}\n"
		 "100+28 (hole)\n"
		 "line 2 at 128\n"
		 "128+8 u64 d\n");
}

static void markers(void **state)
{
	(void)state;
	rows_are(128, 64,
		 "__cacheline_group_begin__r:0@0 a[64]:512@0 __cacheline_group_end__r:0@512 "
		 "__cacheline_group_begin__w:0@512 b:64@512 __cacheline_group_end__w:0@576",
		 "line 0 at 0\n"
		 "0+0 marker struct {...} __cacheline_group_begin__r\n"
		 "0+64 u8 a[64]\n"
		 "64+0 marker struct {...} __cacheline_group_end__r\n"
		 "line 1 at 64\n"
		 "64+0 marker struct {...} __cacheline_group_begin__w\n"
		 "64+8 u64 b\n"
		 "72+0 marker struct {...} __cacheline_group_end__w\n"
		 "72+56 (padding)\n");
}

static void odd_members(void **state)
{
	(void)state;
	rows_are(16, 64, "?v:64@0 ^B=struct{x:32@0}:32@0 y:32@32 ?struct{z:8@0}:64@0",
		 "line 0 at 0\n"
		 "0+4 struct B\n"
		 "4+4 u32 y\n"
		 "8+8 (not known)\n"
		 "?+8 u64 v\n"
		 "?+8 struct {...}\n");
	/* Broken: past the end, wider than the struct. */
	rows_are(4, 64, "a:8@0 b:64@16 c:8@18446744073709551608",
		 "line 0 at 0\n"
		 "0+1 u8 a\n"
		 "1+1 (hole)\n"
		 "2+8 u64 b\n"
		 "line 36028797018963967 at 2305843009213693888\n"
		 "2305843009213693951+1 u8 c\n");
}

static void titles(void **state)
{
	struct target target = {.line = 64};
	struct def def = {.name = "T", .kind = DEF_TYPEDEF};
	struct view view;

	(void)state;
	def.type = spec_struct(&arena, NULL, 4, "a:32@0");
	view_make(&def, &target, &arena, &view);
	assert_string_equal(view.title, "typedef T");
	def.kind = DEF_STRUCT;
	def.scope = "a::b";
	view_make(&def, &target, &arena, &view);
	assert_string_equal(view.title, "struct a::b::T");
	def.kind = DEF_UNION;
	def.scope = "()";
	view_make(&def, &target, &arena, &view);
	assert_string_equal(view.title, "union T (inside a function)");
	assert_int_equal(view.geometry.lines, 1);
	assert_ptr_equal(view.def, &def);
}

/* Every gap is drawn once, every member once, and what opens is closed: on types at random. */
static unsigned seed = 99;

static unsigned below(unsigned n)
{
	seed = seed * 1103515245 + 12345;
	return (seed >> 16) % n;
}

static void random_spec(struct buf *spec, unsigned depth, unsigned bits, size_t *members)
{
	for (unsigned n = below(5), pos = 0; n > 0 && pos + 64 <= bits; n--) {
		unsigned size = 8u << below(4);

		++*members;
		pos += 8 * below(4);
		if (depth < 4 && below(3) == 0 && pos + 64 < bits) {
			unsigned inner = 64 + 8 * below((bits - pos - 64) / 8);

			buf_adds(spec, below(2) ? "struct{" : "union{");
			random_spec(spec, depth + 1, inner, members);
			buf_addf(spec, "}:%u@%u ", inner, pos);
			pos += inner;
		} else {
			buf_addf(spec, "m:%u@%u ", size, pos);
			pos += size;
		}
	}
}

static void everything_once(void **state)
{
	(void)state;
	for (int round = 0; round < 5000; round++) {
		struct buf spec = BUF_INIT;
		size_t members = 0, seen = 0, gaps = 0;
		uint64_t gap_bytes = 0;
		struct view view;
		int open = 0;

		random_spec(&spec, 0, 2000, &members);
		view = view_of(spec_struct(&arena, "s", 256, spec.s), 64);
		for (size_t i = 0; i < view.nrows; i++) {
			const struct view_row *row = &view.rows[i];

			seen += row->kind == VIEW_MEMBER || row->kind == VIEW_OPEN;
			gaps += row->kind == VIEW_GAP;
			gap_bytes += row->kind == VIEW_GAP ? row->size : 0;
			open -= row->kind == VIEW_CLOSE;
			if (row->kind != VIEW_LINE)
				assert_int_equal(row->depth, open);
			open += row->kind == VIEW_OPEN;
		}
		assert_int_equal(open, 0);
		assert_int_equal(seen, members);
		assert_int_equal(gaps, view.geometry.ngaps);
		assert_int_equal(gap_bytes, view.geometry.hole_bytes + view.geometry.padding);
		buf_release(&spec);
		arena_release(&arena);
	}
}

static void endless_nesting(void **state)
{
	struct type *type = spec_struct(&arena, "s", 8, "struct{a:32@0}:32@0 struct{a:32@0}:32@32");
	struct member *members = arena_copy(&arena, type->members, 2 * sizeof *members);
	struct view view;

	(void)state;
	members[0].type = members[1].type = type;
	type->members = members;
	view = view_of(type, 64);
	assert_true(view.nrows > 0 && view.nrows < 4 * (size_t)MOST_LEAVES);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(plain),           cmocka_unit_test(declarations),
		cmocka_unit_test(anonymous),       cmocka_unit_test(union_tail),
		cmocka_unit_test(across_lines),    cmocka_unit_test(markers),
		cmocka_unit_test(odd_members),     cmocka_unit_test(titles),
		cmocka_unit_test(everything_once), cmocka_unit_test(endless_nesting),
	};
	int failed;

	cmocka_set_message_output(CM_OUTPUT_TAP);
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	arena_release(&arena);
	return failed;
}
