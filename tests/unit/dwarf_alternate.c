/* SPDX-License-Identifier: GPL-2.0-or-later */
/* References into an alternate debug file (dwz -m), which is whole, cut off, damaged, or another.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lib/dwarf.h"

/* An image and its alternate file; with DWARF 5's own forms and .debug_sup, or those of GNU. */
struct pair {
	struct dw *image, *other;
	bool is_gnu;
	const char *path; /* of the other one */
};

enum { FIRST = 1, INT, TAGGED, SECOND, FLOAT, CHAR };
static const char id[] = "\x12\x34\x56\x78";

static unsigned place_of(const struct dw *dw, unsigned label)
{
	return (unsigned)(dw->labels[label].unit + dw->labels[label].at);
}

/* Imported by the image: it holds `int` and `tagged`, and imports the second unit. */
static void first_unit(struct dw *dw)
{
	dw_unit(dw, DW_UT_partial);
	dw_label(dw, FIRST);
	dw_die(dw, DW_TAG_partial_unit, true, DW_AT_stmt_list, DW_FORM_sec_offset, 0, DW_END);
	dw_label(dw, INT);
	dw_die(dw, DW_TAG_base_type, false, DW_AT_name, DW_FORM_strp, "int", DW_SIZE(4), DW_END);
	dw_die(dw, DW_TAG_imported_unit, false, DW_AT_import, DW_FORM_ref_addr, SECOND, DW_END);
	dw_label(dw, TAGGED);
	dw_die(dw, DW_TAG_structure_type, true, DW_AT_name, DW_FORM_strp, "tagged", DW_SIZE(8),
	       DW_AT_decl_file, DW_FORM_data1, 1, DW_AT_decl_line, DW_FORM_data1, 5, DW_END);
	dw_die(dw, DW_TAG_member, false, DW_NAME("tag"), DW_TYPE(INT), DW_PLACE(0), DW_END);
	dw_die(dw, DW_TAG_member, false, DW_AT_name, DW_FORM_strp, "value", DW_AT_type,
	       DW_FORM_ref_addr, FLOAT, DW_PLACE(4), DW_END);
	dw_null(dw);
	dw_finish(dw);
}

static struct dw *new_other(unsigned version, bool big, bool wide)
{
	struct dw *dw = dw_new(version, 8, big);

	dw->wide = wide;
	first_unit(dw);
	dw_unit(dw, DW_UT_partial);
	dw_label(dw, SECOND);
	dw_die(dw, DW_TAG_partial_unit, true, DW_END);
	dw_label(dw, FLOAT);
	dw_die(dw, DW_TAG_base_type, false, DW_NAME("float"), DW_SIZE(4), DW_END);
	dw_struct(dw, "deep", 4, FLOAT, 0);
	dw_finish(dw);
	dw_unit(dw, DW_UT_partial); /* nobody imports it */
	dw_die(dw, DW_TAG_partial_unit, true, DW_END);
	dw_label(dw, CHAR);
	dw_die(dw, DW_TAG_base_type, false, DW_NAME("char"), DW_SIZE(1), DW_END);
	dw_struct(dw, "unused", 1, CHAR, 0);
	dw_finish(dw);
	dw_line_table(dw, "/build", "include", "tagged.h");
	dw->more_name = ".debug_sup"; /* read when there is no build id, whatever the version */
	dw_uint(dw, &dw->more, 5, 2);
	buf_add(&dw->more, "\1\0\4", 3);
	buf_adds(&dw->more, id);
	return dw;
}

/* Its strings and types are in the other file. */
static struct dw *new_image(const struct pair *p)
{
	struct dw *dw = dw_new(p->other->version, 8, p->other->big);
	unsigned ref = DW_FORM_GNU_ref_alt, strp = DW_FORM_GNU_strp_alt;

	dw->wide = p->other->wide;
	if (!p->is_gnu) {
		ref = dw->wide ? DW_FORM_ref_sup8 : DW_FORM_ref_sup4;
		strp = DW_FORM_strp_sup;
	}
	dw_unit(dw, DW_UT_compile);
	dw_die(dw, DW_TAG_compile_unit, true, DW_AT_name, strp, 0, DW_END);
	dw_die(dw, DW_TAG_imported_unit, false, DW_AT_import, ref, place_of(p->other, FIRST),
	       DW_END);
	/* "tagged" is at 4 of the strings, behind "int". */
	dw_die(dw, DW_TAG_structure_type, true, DW_NAME("own"), DW_SIZE(12), DW_END);
	dw_die(dw, DW_TAG_member, false, DW_AT_name, strp, 4, DW_AT_type, ref,
	       place_of(p->other, TAGGED), DW_PLACE(0), DW_END);
	dw_die(dw, DW_TAG_member, false, DW_NAME("more"), DW_AT_type, DW_FORM_indirect, ref,
	       place_of(p->other, INT), DW_PLACE(8), DW_END);
	dw_null(dw);
	dw_finish(dw);
	return dw;
}

static void link_to(struct pair *p, const char *path)
{
	struct dw *dw = p->image;

	dw->more.len = 0;
	dw->more_name = p->is_gnu ? ".gnu_debugaltlink" : ".debug_sup";
	if (!p->is_gnu) {
		dw_uint(dw, &dw->more, 5, 2);
		buf_addc(&dw->more, 0);
	}
	buf_add(&dw->more, path, strlen(path) + 1);
	if (!p->is_gnu)
		buf_addc(&dw->more, 4);
	buf_adds(&dw->more, id);
}

static void open_other(struct pair *p, const char *cut, size_t keep)
{
	p->path = dw_open(p->other, cut, keep);
	link_to(p, p->path);
}

static struct pair new_pair(unsigned version, bool is_gnu, bool big, bool wide)
{
	struct pair p = {.is_gnu = is_gnu, .other = new_other(version, big, wide)};

	p.image = new_image(&p);
	return p;
}

static void free_pair(struct pair *p)
{
	dw_free(p->image);
	dw_free(p->other);
}

static const char all[] = "struct deep 32 cus 1\n"
			  " a: float @0+32\n"
			  "struct own 96 cus 1\n"
			  " tagged: struct tagged @0+64\n"
			  " more: int @64+32\n"
			  "struct tagged 64 include/tagged.h:5 cus 1\n"
			  " tag: int @0+32\n"
			  " value: float @32+32\n";

static void every_form(void **state)
{
	(void)state;
	for (unsigned kind = 0; kind < 16; kind++) {
		struct pair p = new_pair(kind & 8 ? 5 : 4, kind & 1, kind & 2, kind & 4);

		open_other(&p, NULL, 0);
		dw_expect(p.image, NULL, all);
		dw_expect(p.image, "deep", "struct deep 32 cus 1\n a: float @0+32\n");
		dw_expect(p.image, "unused", "");
		dw_close(p.path);
		free_pair(&p);
	}
}

/*
 * Compile units that import one that imports another one, and so on: each is counted once, on
 * whatever ways it imports a definition.
 */
static void counted(void **state)
{
	struct pair p = new_pair(5, true, false, false);
	struct dw *dw = p.image;

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		dw_unit(dw, DW_UT_partial);
		dw_label(dw, 8 + i);
		dw_die(dw, DW_TAG_partial_unit, true, DW_END);
		dw_die(dw, DW_TAG_imported_unit, false, DW_AT_import, DW_FORM_GNU_ref_alt,
		       place_of(p.other, SECOND), DW_END);
		dw_finish(dw);
	}
	for (unsigned i = 0; i < 3; i++) {
		dw_unit(dw, DW_UT_compile);
		dw_die(dw, DW_TAG_compile_unit, true, DW_END);
		for (unsigned k = 0; k < 2; k++)
			dw_die(dw, DW_TAG_imported_unit, false, DW_AT_import, DW_FORM_ref_addr,
			       8 + k, DW_END);
		dw_finish(dw);
	}
	open_other(&p, NULL, 0);
	dw_expect(dw, "tagged",
		  "struct tagged 64 include/tagged.h:5 cus 1\n"
		  " tag: int @0+32\n value: float @32+32\n");
	dw_expect(dw, "deep", "struct deep 32 cus 4\n a: float @0+32\n");
	dw_close(p.path);
	free_pair(&p);
}

/* ---- what cannot be followed ----------------------------------------------------------------- */

static void refused(struct pair *p, const char *name, const char *part)
{
	open_other(p, NULL, 0);
	dw_refuse(p->image, name, part);
	dw_close(p->path);
	free_pair(p);
}

/* An image with a member of that type, and a name that is one of the other file. */
static void one_member(struct pair *p, unsigned type, unsigned name)
{
	dw_free(p->image);
	p->image = dw_new(4, 8, false);
	dw_begin(p->image);
	dw_die(p->image, DW_TAG_structure_type, true, DW_AT_name, DW_FORM_GNU_strp_alt, name,
	       DW_SIZE(4), DW_END);
	dw_die(p->image, DW_TAG_member, false, DW_NAME("a"), DW_AT_type, DW_FORM_GNU_ref_alt, type,
	       DW_PLACE(0), DW_END);
	dw_null(p->image);
	dw_finish(p->image);
}

static void bad_references(void **state)
{
	struct pair p = new_pair(4, true, false, false);

	(void)state;
	one_member(&p, place_of(p.other, INT), 0x1000);
	refused(&p, NULL,
		"string offset 0x1000 is behind the end of .debug_str of the alternate debug file");

	p = new_pair(4, true, false, false);
	one_member(&p, 0x1000, 0);
	refused(&p, NULL,
		"a reference to 0x1000, behind the end of .debug_info of the alternate debug file");

	p = new_pair(4, true, false, false);
	one_member(&p, 3, 0);
	refused(&p, NULL, "a reference to 0x3, which is no DIE");

	p = new_pair(4, true, false, false);
	one_member(&p, place_of(p.other, INT) + 1, 0);
	refused(&p, NULL, "a reference leads to the end of a list");

	/* Its own errors are at its own places. */
	p = new_pair(4, true, false, false);
	one_member(&p, place_of(p.other, TAGGED), 0);
	p.other->info.s[place_of(p.other, TAGGED)] = 0x7f;
	refused(&p, NULL, "abbreviation code 127 is not in the table at 0x0");
}

static void another_alternate(void **state)
{
	struct pair p = new_pair(4, true, false, false);
	struct dw *dw = p.other;

	(void)state;
	dw_unit(dw, DW_UT_partial);
	dw_die(dw, DW_TAG_partial_unit, true, DW_END);
	dw_label(dw, TAGGED);
	dw_die(dw, DW_TAG_typedef, false, DW_NAME("t"), DW_AT_type, DW_FORM_GNU_ref_alt, 0, DW_END);
	dw_finish(dw);
	one_member(&p, place_of(dw, TAGGED), 0);
	refused(&p, NULL, "an alternate debug file that refers to another one");
}

static void not_its_file(void **state)
{
	struct pair p = new_pair(5, true, false, false);

	(void)state;
	p.other->more.s[p.other->more.len - 1]++;
	refused(&p, NULL, "has the build id 12345679");

	p = new_pair(5, true, true, false);
	dw_free(p.image);
	p.other->big = false;
	p.image = new_image(&p);
	p.other->big = true;
	refused(&p, NULL, "is not of the machine of");

	/* There is none, and none is named. */
	p = new_pair(5, true, false, false);
	dw_refuse(p.image, "own", "but neither .gnu_debugaltlink nor .debug_sup names one");
	free_pair(&p);

	/* The other file is one to be read, too. */
	p = new_pair(5, true, false, false);
	dw_expect(p.other, "tagged",
		  "struct tagged 64 include/tagged.h:5 cus 1\n"
		  " tag: int @0+32\n value: float @32+32\n");
	free_pair(&p);
}

/* ---- cut off and damaged everywhere ---------------------------------------------------------- */

enum { INFO, ABBREV, STR, LINE, LINE_STR, MORE, PARTS };

static struct buf *part_of(struct dw *dw, unsigned part)
{
	struct buf *const bufs[PARTS] = {&dw->info, &dw->abbrev,   &dw->str,
					 &dw->line, &dw->line_str, &dw->more};

	return bufs[part];
}

/* The text of all definitions; NULL: an error. */
static char *text_of(struct dw *image)
{
	struct err err = ERR_INIT;
	struct layout *layout = dw_read(image, NULL, &err);
	struct buf text = BUF_INIT;

	if (layout)
		dw_dump(layout, &text);
	else
		assert_non_null(err.text);
	layout_free(layout);
	err_release(&err);
	return layout ? buf_detach(&text) : NULL;
}

/* An error or the same answer; without a line table, or the last unit that nobody wants, too. */
static void every_prefix(void **state)
{
	static const char *const names[PARTS] = {".debug_info", ".debug_abbrev",   ".debug_str",
						 ".debug_line", ".debug_line_str", ".debug_sup"};

	(void)state;
	for (unsigned version = 4; version <= 5; version++)
		for (unsigned part = 0; part < PARTS; part++) {
			struct pair p = new_pair(version, true, false, false);
			size_t len = part_of(p.other, part)->len;

			for (size_t keep = 0; keep < len; keep++) {
				char *text;

				open_other(&p, names[part], keep);
				text = text_of(p.image);
				if (text && strcmp(text, all) != 0 && !(part == LINE && !keep))
					fail_msg("%zu bytes of %s pass as\n%s", keep, names[part],
						 text);
				free(text);
				dw_close(p.path);
			}
			free_pair(&p);
		}
}

/* Whatever comes of it. */
static void every_byte(void **state)
{
	static const uint8_t flips[] = {0x01, 0x80, 0xff};
	unsigned errors = 0;

	(void)state;
	for (unsigned part = 0; part < PARTS; part++) {
		struct pair p = new_pair(5, true, false, false);
		struct buf *buf = part_of(p.other, part);

		for (size_t at = 0; at < buf->len; at++)
			for (size_t i = 0; i < ARRAY_SIZE(flips); i++) {
				char *text;

				buf->s[at] = (char)(buf->s[at] ^ flips[i]);
				open_other(&p, NULL, 0);
				text = text_of(p.image);
				errors += !text;
				free(text);
				dw_close(p.path);
				buf->s[at] = (char)(buf->s[at] ^ flips[i]);
			}
		free_pair(&p);
	}
	assert_true(errors > 100);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_form),     cmocka_unit_test(counted),
		cmocka_unit_test(bad_references), cmocka_unit_test(another_alternate),
		cmocka_unit_test(not_its_file),   cmocka_unit_test(every_prefix),
		cmocka_unit_test(every_byte),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
