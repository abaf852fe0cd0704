// SPDX-License-Identifier: GPL-2.0-or-later
/* What packs say, as the judges get it. language.yaml has every form of the language once. */
#include <ftw.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "rule/kind.h"
#include "rule/pack.h"

static struct packs packs;
static struct pack_errors errors;

static int load_language(void **state)
{
	(void)state;
	packs_init(&packs);
	pack_errors_init(&errors);
	if (!packs_load(&packs, "tests/fixtures/rules/language.yaml", &errors) ||
	    !packs_finish(&packs, &errors))
		fail_msg("%s", errors.text.s);
	return 0;
}

static int start(void **state)
{
	(void)state;
	packs_init(&packs);
	pack_errors_init(&errors);
	return 0;
}

static int release(void **state)
{
	(void)state;
	packs_release(&packs);
	pack_errors_release(&errors);
	return 0;
}

static const struct rule *find_rule(const char *id)
{
	for (size_t i = 0; i < packs.n; i++)
		for (size_t b = 0; b < packs.items[i].nblocks; b++)
			for (size_t r = 0; r < packs.items[i].blocks[b].nrules; r++)
				if (strcmp(packs.items[i].blocks[b].rules[r].id, id) == 0)
					return &packs.items[i].blocks[b].rules[r];
	fail_msg("no rule `%s`", id);
	return NULL;
}

static void expect_expr(const struct expr *expr, enum expr_op op, uint64_t value, const char *text)
{
	assert_int_equal(expr->op, op);
	assert_int_equal(expr->value, value);
	assert_string_equal(expr->text, text);
}

static void expect_case(const struct exprs *exprs, size_t i, const char *arch, const char *text)
{
	assert_true(i < exprs->n);
	if (arch)
		assert_string_equal(exprs->cases[i].arch, arch);
	else
		assert_null(exprs->cases[i].arch);
	assert_string_equal(exprs->cases[i].expr.text, text);
}

static void expect_ref(const struct ref *ref, const char *text, bool optional)
{
	assert_string_equal(ref->text, text);
	assert_int_equal(ref->optional, optional);
	assert_string_equal(ref->pos.file, "tests/fixtures/rules/language.yaml");
	assert_true(ref->pos.line > 10 && ref->pos.col > 1);
}

/* ---- packs and blocks --------------------------------------------------------------------- */

static void test_pack(void **state)
{
	const struct pack *pack = packs.items;

	(void)state;
	assert_int_equal(packs.n, 1);
	assert_string_equal(pack->file, "tests/fixtures/rules/language.yaml");
	assert_string_equal(pack->title, "The language");
	assert_string_equal(pack->image, "module:layout_test");
	assert_int_equal(pack->cacheline, 128);
	assert_int_equal(pack->nblocks, 4);
	assert_memory_equal(pack->text, "# SPDX", 6);
	assert_int_equal(strlen(pack->text), pack->len);
}

static void test_blocks(void **state)
{
	const struct block *blocks = packs.items->blocks;

	(void)state;
	assert_string_equal(blocks[0].name, "plain");
	assert_int_equal(blocks[0].type.kind, DEF_ANY);
	assert_string_equal(blocks[0].source, "include/linux/plain.h");
	assert_int_equal(blocks[0].alloc.kind, ALLOC_KMALLOC);
	assert_false(blocks[0].optional);
	assert_int_equal(blocks[0].pos.line, 9);
	assert_int_equal(blocks[0].pos.col, 3);
	assert_int_equal(blocks[0].nrules, 10);

	assert_string_equal(blocks[1].name, "union both");
	assert_int_equal(blocks[1].type.kind, DEF_UNION);
	assert_string_equal(blocks[1].type.name, "both");
	assert_true(blocks[1].optional);
	assert_null(blocks[1].source);

	assert_string_equal(blocks[2].type.scope, "ns");
	assert_string_equal(blocks[2].type.name, "again");
	assert_string_equal(blocks[2].source, "a.h");
	assert_int_equal(blocks[2].alloc.kind, ALLOC_STATIC);
	assert_string_equal(blocks[3].type.name, "again");
	assert_string_equal(blocks[3].source, "b.h");
	assert_int_equal(blocks[3].alloc.kind, ALLOC_LINE);
}

static void test_cache(void **state)
{
	const struct alloc *alloc = &packs.items->blocks[1].alloc;

	(void)state;
	assert_int_equal(alloc->kind, ALLOC_CACHE);
	assert_string_equal(alloc->cache, "both_cache");
	assert_true(alloc->hwcache_align);
	assert_int_equal(alloc->freeptr, FREEPTR_AFTER);
	assert_int_equal(alloc->align, 32);
}

static void test_groups(void **state)
{
	const struct block *block = &packs.items->blocks[1];
	const struct item *item;

	(void)state;
	assert_int_equal(block->ngroups, 2);
	item = &block->groups[0].item;
	assert_string_equal(block->groups[0].name, "read");
	assert_string_equal(item->label, "read");
	assert_int_equal(item->n, 3);
	expect_ref(&item->refs[0], "f_op", false);
	expect_ref(&item->refs[2], "max..low", false);
	assert_string_equal(item->refs[2].alts[0], "max");
	assert_string_equal(item->refs[2].to, "low");

	item = &block->groups[1].item;
	expect_ref(&item->refs[0], "f_count|f_ref", true);
	assert_int_equal(item->refs[0].nalts, 2);
	assert_string_equal(item->refs[0].alts[0], "f_count");
	assert_string_equal(item->refs[0].alts[1], "f_ref");
	assert_null(item->refs[0].to);
	expect_ref(&item->refs[1], "lock.a[1..2]", false);
	assert_int_equal(item->refs[1].nalts, 1);
	assert_null(item->refs[1].to);
}

/* ---- rules -------------------------------------------------------------------------------- */

static void test_common(void **state)
{
	const struct rule *rule = find_rule("sizes"), *plain = find_rule("plain/size");

	(void)state;
	assert_ptr_equal(rule->kind, kind_find(kinds, "size"));
	assert_int_equal(rule->severity, SEVERITY_WARNING);
	assert_string_equal(rule->why, "one line is 64 bytes");
	assert_string_equal(rule->origin, "0c9e63fd38a2");
	assert_string_equal(rule->owner, "fs");
	assert_string_equal(rule->waive->until, "2030-01-31");
	assert_string_equal(rule->waive->why, "it moves");
	assert_string_equal(rule->waive->owner, "mm");
	assert_null(plain->waive);
	assert_true(rule->optional);
	assert_null(rule->when);
	assert_int_equal(rule->pos.line, 14);
	assert_int_equal(rule->pos.col, 9);

	assert_int_equal(plain->severity, SEVERITY_ERROR);
	assert_null(plain->why);
	assert_false(plain->optional);
	assert_int_equal(find_rule("plain/max_padding")->severity, SEVERITY_NOTE);
	assert_int_equal(find_rule("both/starts_line/written")->granule, 128);
	assert_int_equal(find_rule("both/alone/f_lock")->granule, 0);
}

static void test_exprs(void **state)
{
	const struct rule *rule = find_rule("plain/size");

	(void)state;
	assert_int_equal(rule->exprs.n, 1);
	assert_null(rule->exprs.cases[0].arch);
	expect_expr(&rule->exprs.cases[0].expr, EXPR_EQ, 704, "704");

	rule = find_rule("sizes");
	assert_int_equal(rule->exprs.n, 3);
	expect_case(&rule->exprs, 0, "x86_64", "704");
	expect_case(&rule->exprs, 1, "s390x", "<= 0x400");
	expect_case(&rule->exprs, 2, NULL, "power-of-two");
	expect_expr(&rule->exprs.cases[1].expr, EXPR_LE, 1024, "<= 0x400");
	assert_int_equal(rule->exprs.cases[2].expr.op, EXPR_POWER_OF_TWO);

	expect_expr(&find_rule("plain/align")->exprs.cases[0].expr, EXPR_MULTIPLE, 64, "% 64");
	expect_expr(&find_rule("again/b")->exprs.cases[0].expr, EXPR_LT, 9, "< 9");
	expect_expr(&find_rule("again/c")->exprs.cases[0].expr, EXPR_EQ, 9, "9");
	expect_expr(&find_rule("ns::again/size")->exprs.cases[0].expr, EXPR_GT, 1, "> 1");
}

static void test_member_exprs(void **state)
{
	const struct rule *machine = find_rule("plain/align/machine");
	const struct rule *rule = find_rule("plain/align/lock,next|succ");

	(void)state;
	assert_int_equal(machine->nmember_exprs, 0);
	expect_case(&machine->exprs, 0, "aarch64", "64");
	expect_case(&machine->exprs, 1, NULL, "32");

	assert_int_equal(rule->exprs.n, 0);
	assert_int_equal(rule->nmember_exprs, 2);
	expect_ref(&rule->member_exprs[0].ref, "lock", false);
	expect_case(&rule->member_exprs[0].exprs, 0, NULL, "64");
	expect_ref(&rule->member_exprs[1].ref, "next|succ", true);
	expect_case(&rule->member_exprs[1].exprs, 0, "i386", ">= 4");
	expect_case(&rule->member_exprs[1].exprs, 1, NULL, "!= 4");
	expect_case(&find_rule("plain/offset/lock")->member_exprs[0].exprs, 0, NULL, "0");
}

static void test_numbers(void **state)
{
	const struct rule *bucket = find_rule("plain/bucket");

	(void)state;
	assert_int_equal(find_rule("plain/max_lines")->number, 11);
	assert_int_equal(find_rule("plain/max_hole")->number, 16);
	assert_int_equal(find_rule("plain/max_padding")->number, 0);
	assert_int_equal(bucket->number, 64);
	assert_int_equal(bucket->nbuckets, 3);
	assert_int_equal(bucket->buckets[0], 32);
	assert_int_equal(bucket->buckets[2], 128);
}

static void test_params(void **state)
{
	(void)state;
	assert_int_equal(find_rule("both/together/read")->params[0], 1);
	assert_int_equal(find_rule("both/together/two")->params[0], 2);
}

static void test_items(void **state)
{
	const struct rule *rule = find_rule("both/apart/read,written,f_lock+f_pos,f_inode");

	(void)state;
	assert_int_equal(rule->nitems, 4);
	assert_string_equal(rule->items[0].label, "read");
	assert_int_equal(rule->items[0].n, 3);
	assert_string_equal(rule->items[1].label, "written");
	assert_null(rule->items[2].label);
	assert_int_equal(rule->items[2].n, 2);
	expect_ref(&rule->items[2].refs[1], "f_pos", true);
	assert_string_equal(rule->items[3].label, "f_inode");
	assert_int_equal(rule->items[3].n, 1);
}

/* A group that stands in a list brings its members. */
static void test_flattened(void **state)
{
	const struct item *item = &find_rule("both/together/two")->items[0];

	(void)state;
	assert_null(item->label);
	assert_int_equal(item->n, 4);
	expect_ref(&item->refs[0], "f_op", false);
	expect_ref(&item->refs[2], "max..low", false);
	expect_ref(&item->refs[3], "f_flags", true);
}

static void test_default_ids(void **state)
{
	(void)state;
	find_rule("both/no_straddle/f_pos,m[0]");
	find_rule("both/order/f_op,f_mode");
	find_rule("both/present/f_op");
	find_rule("both/absent/old,older");
	find_rule("ns::again/size");
}

/* ---- when --------------------------------------------------------------------------------- */

static void test_when(void **state)
{
	const struct cond *when = find_rule("again/b")->when, *cond;

	(void)state;
	assert_int_equal(when->kind, COND_ALL);
	assert_int_equal(when->nconds, 10);
	cond = when->conds;
	assert_int_equal(cond->kind, COND_ARCH);
	assert_int_equal(cond->nwords, 2);
	assert_string_equal(cond->words[1], arch_by_name("arm64")->name);
	cond++;
	assert_int_equal(cond->kind, COND_KERNEL);
	assert_int_equal(cond->op, EXPR_GE);
	assert_int_equal(cond->version.major, 5);
	assert_int_equal(cond->version.minor, 10);
	assert_true(cond->any_patch);
	cond++;
	assert_int_equal(cond->op, EXPR_LT);
	assert_int_equal(cond->version.patch, 3);
	assert_false(cond->any_patch);
	cond++;
	assert_int_equal(cond->kind, COND_HAS);
	assert_string_equal(cond->type.name, "plain");
	assert_null(cond->path);
	cond++;
	assert_int_equal(cond->type.kind, DEF_UNION);
	assert_string_equal(cond->type.name, "both");
	assert_string_equal(cond->path, "f_count");
	cond++;
	assert_int_equal(cond->kind, COND_NOT);
	assert_int_equal(cond->nconds, 1);
	assert_int_equal(cond->conds[0].kind, COND_HAS);
	assert_string_equal(cond->conds[0].path, "gone");
	assert_string_equal(cond->text, "not has(plain.gone)");
	cond++;
	assert_int_equal(cond->kind, COND_HAS);
	assert_string_equal(cond->path, "there");
	cond++;
	assert_int_equal(cond->kind, COND_SIZEOF);
	assert_string_equal(cond->type.name, "spinlock");
	expect_expr(&cond->expr, EXPR_EQ, 4, "4");
	cond++;
	assert_int_equal(cond->kind, COND_SIZEOF);
	assert_string_equal(cond->text, "sizeof(plain): <= 704");
	cond++;
	assert_int_equal(cond->kind, COND_NOT);
	assert_int_equal(cond->nconds, 2);
	assert_string_equal(cond->text, "not (bits: 32, arch: i386)");
}

static void test_when_short(void **state)
{
	const struct cond *bits = find_rule("ns::again/size")->when;
	const struct cond *has = find_rule("again/c")->when, *not = find_rule("again/d")->when;

	(void)state;
	assert_int_equal(bits->conds[0].kind, COND_BITS);
	expect_expr(&bits->conds[0].expr, EXPR_EQ, 64, "64");
	assert_string_equal(bits->text, "bits: 64");

	assert_int_equal(has->nconds, 1);
	assert_int_equal(has->conds[0].kind, COND_HAS);
	assert_string_equal(has->conds[0].path, "lock");

	/* 6.10 is a version, not the number 6.1. */
	assert_string_equal(not ->text, "not has(plain), kernel: 6.10");
	assert_int_equal(not ->conds[1].op, EXPR_EQ);
	assert_int_equal(not ->conds[1].version.minor, 10);
}

static void test_since_until(void **state)
{
	const struct cond *both = find_rule("again/e")->when, *until = find_rule("again/f")->when;

	(void)state;
	assert_int_equal(both->kind, COND_ALL);
	assert_int_equal(both->nconds, 3);
	assert_int_equal(both->conds[0].kind, COND_KERNEL);
	assert_int_equal(both->conds[0].op, EXPR_GE);
	assert_int_equal(both->conds[0].version.minor, 10);
	assert_true(both->conds[0].any_patch);
	assert_string_equal(both->conds[0].text, "since: 6.10");
	assert_int_equal(both->conds[1].op, EXPR_LT);
	assert_int_equal(both->conds[1].version.patch, 3);
	assert_false(both->conds[1].any_patch);
	assert_string_equal(both->conds[1].text, "until: 6.12.3");
	assert_string_equal(both->conds[2].text, "bits: 64");

	assert_int_equal(until->kind, COND_KERNEL);
	assert_int_equal(until->op, EXPR_LT);
	assert_int_equal(until->version.major, 5);
}

/* ---- files -------------------------------------------------------------------------------- */

static char dir[PATH_MAX];

static int start_in_dir(void **state)
{
	const char *tmp = getenv("TMPDIR");

	snprintf(dir, sizeof dir, "%s/layoutcheck-pack.XXXXXX", tmp ? tmp : "/tmp");
	return mkdtemp(dir) ? start(state) : -1;
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

static int release_dir(void **state)
{
	return release(state) || nftw(dir, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

static const char *in_dir(const char *name)
{
	static char path[PATH_MAX + 64];

	snprintf(path, sizeof path, "%s/%s", dir, name);
	return path;
}

static void write_pack(const char *name, const char *type)
{
	FILE *file = fopen(in_dir(name), "w");

	assert_non_null(file);
	fprintf(file, "layoutcheck: 1\nstructs:\n  %s:\n    rules:\n      - size: 8\n", type);
	assert_int_equal(fclose(file), 0);
}

/* Sorted, whatever order the directory has; each once, whatever circles its links make. */
static void test_directory(void **state)
{
	static const char *const names[] = {"b.yaml", "sub/a.yaml", "sub/again/c.yaml", "z.yaml"};

	(void)state;
	assert_int_equal(mkdir(in_dir("sub"), 0777), 0);
	assert_int_equal(mkdir(in_dir("sub/z"), 0777), 0);
	write_pack("z.yaml", "z");
	write_pack("b.yaml", "b");
	write_pack("sub/a.yaml", "a");
	write_pack("sub/z/c.yaml", "c");
	write_pack("readme.txt", "none");
	write_pack(".hidden.yaml", "hidden");
	assert_int_equal(symlink("..", in_dir("sub/up")), 0);
	assert_int_equal(symlink("z", in_dir("sub/again")), 0);

	assert_true(packs_load(&packs, dir, &errors));
	assert_true(packs_finish(&packs, &errors));
	assert_int_equal(packs.n, 4);
	for (size_t i = 0; i < 4; i++)
		assert_string_equal(packs.items[i].file, in_dir(names[i]));
}

static void test_no_packs(void **state)
{
	(void)state;
	assert_int_equal(mkdir(in_dir("sub"), 0777), 0);
	write_pack("pack.yml", "t");
	assert_false(packs_load(&packs, dir, &errors));
	assert_non_null(strstr(errors.text.s, ": no *.yaml in this directory\n"));
	assert_false(packs_load(&packs, in_dir("none.yaml"), &errors));
	assert_non_null(strstr(errors.text.s, "none.yaml: cannot open: No such file"));
	assert_int_equal(symlink("nowhere", in_dir("dangling.yaml")), 0);
	assert_false(packs_load(&packs, dir, &errors));
	assert_non_null(strstr(errors.text.s, "dangling.yaml: cannot open: No such file"));
	assert_int_equal(errors.n, 3);
	assert_false(packs_load(&packs, "/dev/zero", &errors));
	assert_non_null(strstr(errors.text.s, "/dev/zero: larger than"));
	assert_int_equal(packs.n, 0);
}

static void test_memory(void **state)
{
	static const char text[] = "layoutcheck: 1\nstructs: {a: {rules: [size: 8]}}";

	(void)state;
	assert_true(packs_parse(&packs, "here", text, strlen(text), &errors));
	assert_string_equal(find_rule("a/size")->pos.file, "here");
	assert_int_equal(find_rule("a/size")->pos.line, 2);
	assert_int_equal(find_rule("a/size")->pos.col, 23);
}

/* What is right of a pack is kept. */
static void test_rest(void **state)
{
	static const char text[] = "layoutcheck: 1\n"
				   "structs:\n"
				   "  a:\n"
				   "    rules:\n"
				   "      - size: 8\n"
				   "      - size: eight\n"
				   "      - max_hole: 8\n";

	(void)state;
	assert_false(packs_parse(&packs, "here", text, strlen(text), &errors));
	assert_int_equal(errors.n, 1);
	assert_int_equal(packs.items[0].blocks[0].nrules, 2);
	find_rule("a/max_hole");
}

static void test_shipped(void **state)
{
	(void)state;
	if (!packs_load(&packs, "rules", &errors) || !packs_finish(&packs, &errors))
		fail_msg("%s", errors.text.s);
	assert_true(packs.n > 0);
	for (size_t i = 0; i < packs.n; i++) {
		assert_non_null(packs.items[i].title);
		assert_non_null(packs.items[i].image);
		for (size_t b = 0; b < packs.items[i].nblocks; b++)
			for (size_t r = 0; r < packs.items[i].blocks[b].nrules; r++)
				if (!packs.items[i].blocks[b].rules[r].why)
					fail_msg("%s does not say why",
						 packs.items[i].blocks[b].rules[r].id);
	}
}

#define LANGUAGE(test) cmocka_unit_test_setup_teardown(test, load_language, release)
#define IN_DIR(test)   cmocka_unit_test_setup_teardown(test, start_in_dir, release_dir)
#define EMPTY(test)    cmocka_unit_test_setup_teardown(test, start, release)

int main(void)
{
	const struct CMUnitTest tests[] = {
		LANGUAGE(test_pack),
		LANGUAGE(test_blocks),
		LANGUAGE(test_cache),
		LANGUAGE(test_groups),
		LANGUAGE(test_common),
		LANGUAGE(test_exprs),
		LANGUAGE(test_member_exprs),
		LANGUAGE(test_numbers),
		LANGUAGE(test_params),
		LANGUAGE(test_items),
		LANGUAGE(test_flattened),
		LANGUAGE(test_default_ids),
		LANGUAGE(test_when),
		LANGUAGE(test_when_short),
		LANGUAGE(test_since_until),
		IN_DIR(test_directory),
		IN_DIR(test_no_packs),
		EMPTY(test_memory),
		EMPTY(test_rest),
		EMPTY(test_shipped),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
