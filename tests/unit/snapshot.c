// SPDX-License-Identifier: GPL-2.0-or-later
/* Snapshots: there and back, the same bytes, and what is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "layout/snapshot.h"
#include "lib/model.h"

static const struct want everything = {.all = true};
static const struct snapshot_options plain = {0};

static struct buf write(const struct layout *layout, const struct want *want,
			const struct snapshot_options *options)
{
	struct buf out = BUF_INIT;

	snapshot_write(layout, want, options, &out);
	return out;
}

static struct layout *parse(const struct buf *text)
{
	struct err err = ERR_INIT;
	struct layout *layout = NULL;

	if (!snapshot_read(text->s, text->len, "file", &err, &layout))
		fail_msg("%s\n%s", err.text, text->s);
	assert_null(err.text);
	return layout;
}

/* What is written of @layout, read and written again, is the same; returns what was read. */
static struct layout *there_and_back(const struct layout *layout,
				     const struct snapshot_options *options)
{
	struct buf once = write(layout, &everything, options), twice;
	struct layout *back = parse(&once);

	twice = write(back, &everything, options);
	assert_string_equal(once.s, twice.s);
	buf_release(&once);
	buf_release(&twice);
	return back;
}

static bool has_line(const struct buf *text, const char *line)
{
	return strstr(text->s, line) != NULL;
}

static void assert_line(const struct buf *text, const char *line)
{
	if (!has_line(text, line))
		fail_msg("no \"%s\" in\n%s", line, text->s);
}

#define CONFIG "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

/* ---- facts ----------------------------------------------------------------------------------- */

static struct layout *rich(void)
{
	struct layout *layout = model_kernel(SOURCE_DWARF);

	model_define(layout, "union word", 8, "half@0:4 whole@0:8");
	model_define(layout, "rich!64", 192,
		     "a@0:4 b@4.3:b5 __cacheline_group_begin__hot@8:1x0 lock@64:8!64 w@72:=word "
		     "far%@0:4 many@80:=pairx3 -@128:=word rest@192:4x");
	layout->target.big_endian = true;
	layout->target.build_id = "00ff";
	return layout;
}

static void assert_same_member(const struct member *a, const struct member *b)
{
	if (a->name)
		assert_string_equal(a->name, b->name);
	else
		assert_null(b->name);
	assert_string_equal(a->type->spelling, b->type->spelling);
	assert_int_equal(a->type->kind, b->type->kind);
	assert_int_equal(a->type->bits, b->type->bits);
	if (!a->is_dynamic)
		assert_int_equal(a->bit_offset, b->bit_offset);
	assert_int_equal(a->bit_size, b->bit_size);
	assert_int_equal(a->is_bitfield, b->is_bitfield);
	assert_int_equal(a->is_flexible, b->is_flexible);
	assert_int_equal(a->is_base, b->is_base);
	assert_int_equal(a->is_marker, b->is_marker);
	assert_int_equal(a->is_dynamic, b->is_dynamic);
	assert_int_equal(a->has_align, b->has_align);
	assert_int_equal(a->align, b->align);
}

static void assert_same_def(const struct def *a, const struct def *b)
{
	assert_string_equal(a->name, b->name);
	assert_int_equal(a->kind, b->kind);
	assert_int_equal(a->has_decl, b->has_decl);
	assert_string_equal(a->file, b->file);
	assert_int_equal(a->line, b->line);
	assert_int_equal(a->type->bits, b->type->bits);
	assert_int_equal(a->type->has_align, b->type->has_align);
	assert_int_equal(a->type->align, b->type->align);
	assert_int_equal(a->type->nmembers, b->type->nmembers);
	for (size_t i = 0; i < a->type->nmembers; i++)
		assert_same_member(&a->type->members[i], &b->type->members[i]);
}

static void keeps_every_fact(void **state)
{
	struct layout *layout = rich(), *back = there_and_back(layout, &plain);

	(void)state;
	assert_int_equal(back->source, SOURCE_SNAPSHOT);
	assert_int_equal(back->origin, SOURCE_DWARF);
	assert_true(back->knows_align && back->knows_decl);
	assert_string_equal(back->target.arch, "x86_64");
	assert_int_equal(back->target.bits, 64);
	assert_int_equal(back->target.line, 64);
	assert_true(back->target.big_endian);
	assert_string_equal(back->target.module, "vmlinux");
	assert_true(back->target.has_kernel);
	assert_int_equal(kernel_version_compare(back->target.kernel, layout->target.kernel), 0);
	assert_int_equal(back->ndefs, layout->ndefs);
	for (size_t i = 0; i < layout->ndefs; i++)
		assert_same_def(&layout->defs[i], &back->defs[i]);
	layout_free(layout);
	layout_free(back);
}

static void keeps_no_build_but_with_a_stamp(void **state)
{
	static const struct snapshot_options stamp = {.stamp = true, .tool = "tool 7"};
	struct layout *layout = model_consoles(SOURCE_DWARF), *back;
	struct buf text;

	(void)state;
	layout->target.build_id = "00ff";
	layout->target.config = CONFIG;
	back = there_and_back(layout, &plain);
	assert_null(back->target.release);
	assert_null(back->target.build_id);
	assert_string_equal(back->target.config, CONFIG);
	assert_int_equal(back->defs[0].cus, 1);
	layout_free(back);
	back = there_and_back(layout, &stamp);
	assert_string_equal(back->target.release, "6.12.57");
	assert_string_equal(back->target.build_id, "00ff");
	assert_int_equal(back->defs[0].cus, 1204);
	layout_free(back);
	text = write(layout, &everything, &stamp);
	assert_line(&text, "\"tool\": \"tool 7\",");
	buf_release(&text);
	layout_free(layout);
}

/* BTF knows no alignment and no place; raw BTF not even a machine. */
static void keeps_what_is_not_known(void **state)
{
	struct layout *layout = model_new(NULL, 0, SOURCE_BTF), *back;

	(void)state;
	model_define(layout, "s", 8, "a@0:8");
	back = there_and_back(layout, &plain);
	assert_int_equal(back->origin, SOURCE_BTF);
	assert_false(back->knows_align || back->knows_decl || back->target.has_kernel);
	assert_false(back->defs[0].has_decl || back->defs[0].type->has_align);
	assert_null(back->target.arch);
	assert_null(back->target.module);
	assert_int_equal(back->target.line, 0);
	assert_int_equal(back->target.bits, 0);
	layout_free(back);
	layout_free(layout);
}

static void reads_as_text(void **state)
{
	struct layout *layout = rich();
	struct buf text = write(layout, &everything, &plain);

	(void)state;
	assert_line(&text, "{\n\"layoutcheck_snapshot\": 1,\n\"source\": \"dwarf\",\n");
	assert_line(&text,
		    "\n  {\"name\": \"lock\", \"type\": \"u64\", \"offset\": 64, \"size\": 8, "
		    "\"align\": 64},\n");
	assert_line(&text, "\n  {\"name\": \"b\", \"type\": \"u32\", \"offset\": 4, \"bit\": 3, "
			   "\"bits\": 5, \"bitfield\": true},\n");
	assert_line(&text, "\n{\"name\": \"rich\", \"kind\": \"struct\", \"type\": \"rich\", "
			   "\"file\": \"include/rich.h\", \"line\": 1},\n");
	assert_line(&text, "]\n}\n");
	buf_release(&text);
	layout_free(layout);
}

/* ---- the same bytes -------------------------------------------------------------------------- */

/* Whatever order a reader met types in, and however often it made the same one. */
static void order_does_not_count(void **state)
{
	struct layout *a = model_new("x86_64", 64, SOURCE_DWARF);
	struct layout *b = model_new("x86_64", 64, SOURCE_DWARF);
	struct buf text_a, text_b;

	(void)state;
	model_define(a, "one", 8, "x@0:8");
	model_define(a, "two", 16, "x@0:8 y@8:=one");
	model_define(a, "three", 16, "x@0:8 y@8:=one");
	model_define(b, "one", 8, "x@0:8");
	model_define(b, "three", 16, "x@0:8 y@8:=one");
	model_define(b, "two", 16, "x@0:8 y@8:=one");
	text_a = write(a, &everything, &plain);
	text_b = write(b, &everything, &plain);
	assert_string_equal(text_a.s, text_b.s);
	assert_ptr_equal(strstr(strstr(text_a.s, "\"key\": \"u64\"") + 1, "\"key\": \"u64\""),
			 NULL);
	buf_release(&text_a);
	buf_release(&text_b);
	layout_free(a);
	layout_free(b);
}

/* Lines of @b that @a does not have. */
static size_t new_lines(const struct buf *a, const struct buf *b)
{
	size_t n = 0;

	for (const char *line = b->s, *end; (end = strchr(line, '\n')); line = end + 1) {
		struct buf wanted = BUF_INIT;

		buf_addc(&wanted, '\n');
		buf_add(&wanted, line, (size_t)(end - line) + 1);
		n += line != b->s && !has_line(a, wanted.s);
		buf_release(&wanted);
	}
	return n;
}

/* A patch to one struct touches its own lines, and not those that hold it. */
static void a_change_stays_where_it_is(void **state)
{
	struct layout *a = model_kernel(SOURCE_DWARF), *b = model_kernel(SOURCE_DWARF);
	struct buf text_a, text_b;

	(void)state;
	model_define(a, "middle", 16, "x@0:8 tail@8:8");
	model_define(b, "middle", 16, "x@0:8 new@8:8 tail@16:8");
	model_define(a, "outer", 32, "x@0:8 y@8:=middle z@24:8");
	model_define(b, "outer", 32, "x@0:8 y@8:=middle z@24:8");
	text_a = write(a, &everything, &plain);
	text_b = write(b, &everything, &plain);
	assert_int_equal(new_lines(&text_a, &text_b), 2);
	assert_int_equal(new_lines(&text_b, &text_a), 1);
	assert_int_equal(new_lines(&text_a, &text_a), 0);
	buf_release(&text_a);
	buf_release(&text_b);
	layout_free(a);
	layout_free(b);
}

static void tells_alike_names_apart(void **state)
{
	struct layout *layout = model_consoles(SOURCE_BTF), *back = there_and_back(layout, &plain);
	struct arena arena = {0};
	struct def_list list = layout_find(back, type_ref_parse(&arena, "console"), &arena);

	(void)state;
	assert_int_equal(list.n, 2);
	assert_int_equal(list.defs[0]->type->bits + list.defs[1]->type->bits, (280 + 40) * 8);
	assert_int_not_equal(list.defs[0]->digest, list.defs[1]->digest);
	arena_release(&arena);
	layout_free(back);
	layout_free(layout);
}

/* ---- what was asked for ---------------------------------------------------------------------- */

static void keeps_what_was_asked(void **state)
{
	static const char *const names[] = {"nothing", "pair"}, *const more[] = {"pair", "s"};
	const struct want want = {.names = names, .n = 2}, other = {.names = more, .n = 2};
	struct layout *layout = model_kernel(SOURCE_DWARF), *back, *part;
	struct buf text = write(layout, &want, &plain), again;

	(void)state;
	back = parse(&text);
	assert_int_equal(back->ndefs, 1);
	assert_string_equal(back->defs[0].name, "pair");
	assert_false(back->recorded->all);
	assert_true(layout_tells_of(back, "pair") && layout_tells_of(back, "nothing"));
	assert_false(layout_tells_of(back, "s"));
	assert_true(layout_tells_of(layout, "s") && layout_tells_of(layout, "whatever"));
	/* All of a part is that part. */
	again = write(back, &everything, &plain);
	assert_string_equal(text.s, again.s);
	buf_release(&again);
	again = write(back, &other, &plain);
	assert_line(&again, "\"asked\": [\n\"pair\"],\n");
	part = snapshot_select(back, &other);
	assert_int_equal(part->ndefs, 1);
	layout_free(part);
	buf_release(&text);
	buf_release(&again);
	layout_free(back);
	layout_free(layout);
}

static void selects_by_name(void **state)
{
	static const char *const names[] = {"s"};
	const struct want want = {.names = names, .n = 1};
	struct layout *layout = model_kernel(SOURCE_DWARF);
	struct layout *back = there_and_back(layout, &plain), *part = snapshot_select(back, &want);

	(void)state;
	assert_int_equal(part->ndefs, 1);
	assert_string_equal(part->defs[0].name, "s");
	assert_true(part->recorded->all);
	layout_free(part);
	part = snapshot_select(back, &everything);
	assert_int_equal(part->ndefs, 2);
	layout_free(part);
	layout_free(back);
	layout_free(layout);
}

/* ---- hostile names and numbers --------------------------------------------------------------- */

static void escapes_names(void **state)
{
	struct layout *layout = model_new("x86_64", 64, SOURCE_DWARF), *back;
	struct def *def = model_define(layout, "evil", 8, "x@0:8");
	struct buf text;

	(void)state;
	def->name = "a\033[2J\"\\\n\xe2\x80\xae\xf0\x9f\x92\xa9\xff#";
	def->file = "<script>\x7f";
	text = write(layout, &everything, &plain);
	for (size_t i = 0; i < text.len; i++)
		assert_true(text.s[i] == '\n' || (text.s[i] >= ' ' && text.s[i] < 0x7f));
	buf_release(&text);
	back = there_and_back(layout, &plain);
	assert_string_equal(back->defs[0].name,
			    "a\033[2J\"\\\n\xe2\x80\xae\xf0\x9f\x92\xa9\xef\xbf\xbd#");
	assert_string_equal(back->defs[0].file, "<script>\x7f");
	layout_free(back);
	layout_free(layout);
}

/* Spellings that would be another's key, or that only bad bytes tell apart. */
static void keys_are_never_shared(void **state)
{
	static const char *const spellings[] = {"s", "s#", "s#0", "s\xff", "s\xfe", "s{...}", "s"};
	struct layout *layout = model_new("x86_64", 64, SOURCE_DWARF), *back;
	struct type types[ARRAY_SIZE(spellings)];
	size_t n = ARRAY_SIZE(spellings);

	(void)state;
	for (size_t i = 0; i < n; i++)
		model_define(layout, "t", 8 * (i + 1), "x@0:8");
	for (size_t i = 0; i < n; i++) {
		types[i] = *layout->defs[i].type;
		types[i].spelling = spellings[i];
		layout->defs[i].type = &types[i];
	}
	back = there_and_back(layout, &plain);
	assert_int_equal(back->ndefs, n);
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < i; k++)
			assert_int_not_equal(back->defs[i].type->bits, back->defs[k].type->bits);
	layout_free(back);
	layout_free(layout);
}

static void keeps_large_numbers(void **state)
{
	struct layout *layout = model_new("x86_64", 64, SOURCE_DWARF), *back;
	struct def *def = model_define(layout, "large", 8, "x@0:8");
	struct type type = *def->type;

	(void)state;
	type.bits = UINT64_MAX;
	type.has_align = true;
	type.align = (uint64_t)1 << 63;
	def->type = &type;
	back = there_and_back(layout, &plain);
	assert_true(back->defs[0].type->bits == UINT64_MAX);
	assert_true(back->defs[0].type->align == (uint64_t)1 << 63);
	layout_free(back);
	layout_free(layout);
}

static void detects(void **state)
{
	(void)state;
	assert_true(snapshot_detect("{", 1));
	assert_true(snapshot_detect(" \n\t{\"", 5));
	assert_false(snapshot_detect("", 0));
	assert_false(snapshot_detect(" ", 1));
	assert_false(snapshot_detect("\0{", 2));
	assert_false(snapshot_detect("\x7f"
				     "ELF{",
				     5));
	assert_false(snapshot_detect("\x9f\xeb", 2));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(keeps_every_fact),
		cmocka_unit_test(keeps_no_build_but_with_a_stamp),
		cmocka_unit_test(keeps_what_is_not_known),
		cmocka_unit_test(reads_as_text),
		cmocka_unit_test(order_does_not_count),
		cmocka_unit_test(a_change_stays_where_it_is),
		cmocka_unit_test(tells_alike_names_apart),
		cmocka_unit_test(keeps_what_was_asked),
		cmocka_unit_test(selects_by_name),
		cmocka_unit_test(escapes_names),
		cmocka_unit_test(keys_are_never_shared),
		cmocka_unit_test(keeps_large_numbers),
		cmocka_unit_test(detects),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
