// SPDX-License-Identifier: GPL-2.0-or-later
#include "lib/btf.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "base/buf.h"
#include "lib/scratch.h"

static const char source[] =
	"typedef struct { int counter; } counted_t;\n"
	"typedef counted_t alias_t;\n"
	"typedef int plain_t;\n"
	"enum level { LOW, HIGH };\n"
	"struct node;\n"
	"struct inner { char c; int i; };\n"
	"union word { unsigned char bytes[8]; unsigned int half; };\n"
	"struct outer {\n"
	"	unsigned int a:3, b:7;\n"
	"	_Bool on:1;\n"
	"	enum level level;\n"
	"	struct inner inner;\n"
	"	struct { char x; union { int u; char v; }; };\n"
	"	alias_t count;\n"
	"	union word word;\n"
	"	const char *const name;\n"
	"	struct node *next;\n"
	"	int (*probe)(struct node *, plain_t, ...);\n"
	"	char __cacheline_group_begin__hot[0];\n"
	"	char stop[0];\n"
	"	int grid[2][3];\n"
	"	volatile plain_t live;\n"
	"	double d;\n"
	"	struct node *rest[];\n"
	"};\n"
	"struct outer outer; long word_size; union word word; plain_t plain;\n";

int make_fixtures(void **state)
{
	if (scratch_make(state) != 0)
		return -1;
	scratch_write("fixture.c", source);
	scratch_run("gcc -g -c fixture.c -o gcc.o && pahole --btf_encode_detached=gcc.btf gcc.o");
	scratch_run("gcc -m32 -g -c fixture.c -o gcc32.o &&"
		    "pahole --btf_encode_detached=gcc32.btf gcc32.o");
	for (int big = 0; big < 2; big++) {
		const char *target = big ? "bpfeb" : "bpfel";

		scratch_run("clang -target %s -g -c fixture.c -o %s.o &&"
			    "objcopy -I elf64-%s -O binary --only-section=.BTF"
			    " --set-section-flags .BTF=alloc %s.o %s.btf",
			    target, target, big ? "big" : "little", target, target);
	}
	return 0;
}

struct btf *small_btf(void)
{
	struct btf *btf = btf__new_empty();

	assert_int_equal(btf__add_int(btf, "int", 4, BTF_INT_SIGNED), 1);
	assert_int_equal(btf__add_int(btf, "long", 8, BTF_INT_SIGNED), 2);
	assert_int_equal(btf__add_struct(btf, "base", 4), 3);
	assert_int_equal(btf__add_field(btf, "x", 1, 0, 0), 0);
	return btf;
}

struct btf_bytes of_btf(const struct btf *btf, const char *place)
{
	struct btf_bytes bytes = {.place = place};
	uint32_t len;

	bytes.data = btf__raw_data(btf, &len);
	bytes.len = len;
	assert_non_null(bytes.data);
	return bytes;
}

const struct want everything = {.all = true};

struct layout *load(struct btf_bytes own, const struct btf_bytes *base, const struct want *want,
		    unsigned bits)
{
	struct err err = ERR_INIT;
	struct layout *layout = NULL;

	if (!btf_load(&own, base, want, bits, &err, &layout))
		fail_msg("%s", err.text);
	assert_null(err.text);
	return layout;
}

/* Loading fails, with a sentence that has @part in it. */
void refuses(struct btf_bytes own, const struct btf_bytes *base, const char *part)
{
	struct err err = ERR_INIT;
	struct layout *layout = NULL;

	if (btf_load(&own, base, &everything, 0, &err, &layout))
		fail_msg("loaded, where \"%s\" was expected", part);
	assert_null(layout);
	if (!strstr(err.text, part))
		fail_msg("\"%s\" has no \"%s\"", err.text, part);
	err_release(&err);
}

const struct def *find(const struct layout *layout, const char *text)
{
	struct arena arena = {0};
	struct def_list list = layout_find(layout, type_ref_parse(&arena, text), &arena);
	const struct def *def;

	if (list.n != 1)
		fail_msg("%zu definitions of %s", list.n, text);
	def = list.defs[0];
	arena_release(&arena);
	return def;
}

/* Members as "name offset size", in bits, a line each; flags as letters; with types if asked. */
static void describe(struct buf *out, const struct type *type, unsigned depth, bool types)
{
	for (size_t i = 0; i < type->nmembers; i++) {
		const struct member *m = &type->members[i];

		buf_pad(out, ' ', depth);
		buf_addf(out, "%s %d %d", m->name ? m->name : "-", (int)m->bit_offset,
			 (int)m->bit_size);
		buf_adds(out, m->is_bitfield ? " bits" : "");
		buf_adds(out, m->is_flexible ? " flexible" : "");
		buf_adds(out, m->is_marker ? " marker" : "");
		buf_adds(out, m->is_dynamic ? " dynamic" : "");
		if (types)
			buf_addf(out, " %s", m->type->spelling);
		buf_addc(out, '\n');
		if (!m->name && type_composite(m->type))
			describe(out, type_composite(m->type), depth + 1, types);
	}
}

void expect_members(const struct def *def, bool types, const char *expected)
{
	struct buf text = BUF_INIT;

	describe(&text, def->type, 0, types);
	assert_string_equal(text.s, expected);
	buf_release(&text);
}

void refuses_btf(struct btf *btf, const char *part)
{
	refuses(of_btf(btf, "made"), NULL, part);
	btf__free(btf);
}
