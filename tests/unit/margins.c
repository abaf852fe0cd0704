/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Margins, held to what they say: structs at random, laid out as C lays them out; a rule that holds
 * with a margin still holds when so many bytes are added where the kind says, and breaks with one
 * more; one without a margin holds whatever is added.
 */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "base/buf.h"
#include "lib/judged.h"

enum { MOST_FIELDS = 12, STRUCTS = 400 };

struct field {
	unsigned size, count, align; /* align: explicit, or that of the scalar */
	bool is_explicit;
};

struct shape {
	struct field fields[MOST_FIELDS];
	size_t n;
	const char *alloc; /* of the block, or NULL */
	bool is_marked;    /* the fields from..to are the group `g` */
	size_t from, to;
};

/* Where bytes are added: before a field, or at the end. */
struct addition {
	size_t before;
	unsigned bytes;
};

static uint64_t state_of_random = 1;

static unsigned at_random(unsigned below)
{
	state_of_random = state_of_random * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)(state_of_random >> 33) % below;
}

static struct shape random_shape(void)
{
	struct shape shape = {.n = 2 + at_random(MOST_FIELDS - 2)};

	for (size_t i = 0; i < shape.n; i++) {
		struct field *field = &shape.fields[i];

		field->size = 1u << at_random(4);
		field->count = at_random(3) ? 1 : 1 + at_random(16);
		field->is_explicit = at_random(8) == 0;
		field->align = field->is_explicit ? 16u << at_random(3) : field->size;
	}
	return shape;
}

static uint64_t round_up(uint64_t value, uint64_t unit)
{
	return (value + unit - 1) / unit * unit;
}

/* The struct with the addition, as a layout with `s` in it; offsets of its fields in @ret. */
static struct layout *lay_out(const struct shape *shape, struct addition addition, uint64_t *ret)
{
	struct layout *layout = model_new("x86_64", 64, SOURCE_DWARF);
	struct buf text = BUF_INIT;
	uint64_t end = 0, align = 1;

	for (size_t i = 0; i <= shape->n; i++) {
		const struct field *field = &shape->fields[i];

		if (i == addition.before && addition.bytes) {
			buf_addf(&text, "added@%" PRIu64 ":1x%u ", end, addition.bytes);
			end += addition.bytes;
		}
		if (shape->is_marked && i == shape->to + 1)
			buf_addf(&text, "__cacheline_group_end__g@%" PRIu64 ":0 ", end);
		if (i == shape->n)
			break;
		if (shape->is_marked && i == shape->from)
			buf_addf(&text, "__cacheline_group_begin__g@%" PRIu64 ":0 ", end);
		ret[i] = round_up(end, field->align);
		buf_addf(&text, "f%zu@%" PRIu64 ":%ux%u", i, ret[i], field->size, field->count);
		if (field->is_explicit)
			buf_addf(&text, "!%u", field->align);
		buf_addc(&text, ' ');
		end = ret[i] + (uint64_t)field->size * field->count;
		align = align > field->align ? align : field->align;
	}
	layout->target.has_kernel = true;
	layout->target.kernel = (struct kernel_version){6, 12, 0};
	model_define(layout, "s", round_up(end, align), text.s);
	buf_release(&text);
	return layout;
}

struct answer {
	bool holds, has_margin;
	unsigned margin;
};

static struct answer ask(const struct shape *shape, struct addition addition, const char *rule)
{
	uint64_t offsets[MOST_FIELDS];
	struct layout *layout = lay_out(shape, addition, offsets);
	const struct finding *finding;
	struct answer answer;
	struct judged judged;

	judge_rule_text(layout, shape->alloc, rule, &judged);
	finding = only_finding(&judged);
	answer = (struct answer){finding->outcome == OUTCOME_HOLDS, finding->has_margin,
				 (unsigned)finding->margin};
	judged_release(&judged);
	layout_free(layout);
	return answer;
}

static void show(const struct shape *shape, struct addition addition, const char *rule)
{
	uint64_t offsets[MOST_FIELDS];

	layout_free(lay_out(shape, addition, offsets));
	print_error("# %s, %u bytes before f%zu\n", rule, addition.bytes, addition.before);
	for (size_t i = 0; i < shape->n; i++)
		print_error("#   f%zu@%" PRIu64 ": %u x %u, aligned to %u%s\n", i, offsets[i],
			    shape->fields[i].size, shape->fields[i].count, shape->fields[i].align,
			    shape->fields[i].is_explicit ? " explicitly" : "");
}

static void must(const struct shape *shape, size_t before, unsigned bytes, const char *rule,
		 bool hold)
{
	struct addition addition = {before, bytes};

	if (ask(shape, addition, rule).holds == hold)
		return;
	show(shape, (struct addition){before, 0}, rule);
	fail_msg("with %u bytes added before f%zu it %s", bytes, before,
		 hold ? "breaks" : "still holds");
}

/* Tries a rule on a shape, bytes being added before the field @before. Returns whether it held and
 * had a margin. */
static bool try_rule(const struct shape *shape, size_t before, const char *rule, bool is_exact)
{
	static const unsigned anything[] = {1, 4, 8, 31, 57, 64, 100};
	struct answer answer = ask(shape, (struct addition){0}, rule);

	if (!answer.holds)
		return false;
	if (!answer.has_margin) {
		for (size_t i = 0; i < ARRAY_SIZE(anything); i++)
			must(shape, before, anything[i], rule, true);
		return false;
	}
	must(shape, before, answer.margin, rule, true);
	must(shape, before, at_random(answer.margin + 1), rule, true);
	if (is_exact)
		must(shape, before, answer.margin + 1, rule, false);
	return true;
}

/* Rules of one kind on many shapes. Enough of them must have held with a margin. */
struct trial {
	const struct shape *shape;
	uint64_t offsets[MOST_FIELDS];
	uint64_t size;
	size_t first, second; /* two fields, in order */
	struct buf rule;
};
typedef bool try_fn(struct trial *trial);

static void try_many(try_fn *try)
{
	unsigned with_margin = 0;

	for (unsigned i = 0; i < STRUCTS; i++) {
		struct shape shape = random_shape();
		struct trial trial = {.shape = &shape, .rule = BUF_INIT};
		struct layout *layout = lay_out(&shape, (struct addition){0}, trial.offsets);

		trial.size = layout->defs[0].type->bits / 8;
		trial.second = 1 + at_random((unsigned)shape.n - 1);
		trial.first = at_random((unsigned)trial.second);
		with_margin += try(&trial);
		buf_release(&trial.rule);
		layout_free(layout);
	}
	if (with_margin < STRUCTS / 20)
		fail_msg("only %u of %u had a margin: this shows nothing", with_margin, STRUCTS);
}

static bool try_size(struct trial *trial)
{
	static const char *const ops[] = {"<= ", "< ", "", "% "};
	unsigned op = at_random(ARRAY_SIZE(ops));
	uint64_t value = trial->size;

	if (op < 2)
		value += op + at_random(80);
	if (op == 3)
		value = 4u << at_random(5);
	buf_addf(&trial->rule, "size: \"%s%" PRIu64 "\"", ops[op], value);
	return try_rule(trial->shape, trial->shape->n, trial->rule.s, op != 3);
}

static bool try_bucket(struct trial *trial)
{
	uint64_t bucket;
	const struct target target = {.arch = "x86_64", .has_kernel = true, .kernel = {6, 12, 0}};

	assert_true(kmalloc_bucket(trial->size, &target, &bucket));
	buf_addf(&trial->rule, "bucket: %" PRIu64, bucket);
	return try_rule(trial->shape, trial->shape->n, trial->rule.s, true);
}

static bool try_waste(struct trial *trial)
{
	static const char *const allocs[] = {"alloc: kmalloc", "alloc: {cache: c}",
					     "alloc: {cache: c, hwcache_align: true}",
					     "alloc: {cache: c, freeptr: after, align: 32}"};
	struct shape shape = *trial->shape;

	shape.alloc = allocs[at_random(ARRAY_SIZE(allocs))];
	buf_addf(&trial->rule, "waste: \"<= %u\"", at_random(40));
	return try_rule(&shape, shape.n, trial->rule.s, true);
}

static bool try_objects(struct trial *trial)
{
	struct shape shape = *trial->shape;

	shape.alloc = at_random(2) ? "alloc: {cache: c, freeptr: after}" : "alloc: kmalloc";
	buf_addf(&trial->rule, "objects_per_slab: \">= %u\"\n%s: %u", 1 + at_random(50),
		 at_random(2) ? "cpus" : "order", 1 + at_random(3));
	return try_rule(&shape, shape.n, trial->rule.s, true);
}

static bool try_max_lines(struct trial *trial)
{
	buf_addf(&trial->rule, "max_lines: %" PRIu64, (trial->size + 63) / 64 + at_random(2));
	return try_rule(trial->shape, trial->shape->n, trial->rule.s, true);
}

static bool try_offset(struct trial *trial)
{
	static const char *const ops[] = {"<= ", "< ", "", "% "};
	unsigned op = at_random(ARRAY_SIZE(ops));
	uint64_t value = trial->offsets[trial->second];

	if (op < 2)
		value += op + at_random(80);
	if (op == 3)
		value = 1u << at_random(7);
	buf_addf(&trial->rule, "offset: {f%zu: \"%s%" PRIu64 "\"}", trial->second, ops[op], value);
	return try_rule(trial->shape, trial->second, trial->rule.s, op != 3);
}

static bool try_starts_line(struct trial *trial)
{
	static const unsigned granules[] = {8, 16, 32, 64};

	buf_addf(&trial->rule, "starts_line: f%zu\ngranule: %u", trial->second,
		 granules[at_random(ARRAY_SIZE(granules))]);
	return try_rule(trial->shape, trial->second, trial->rule.s, true);
}

static bool try_together(struct trial *trial)
{
	buf_addf(&trial->rule, "together: [f%zu, f%zu]\nlines: %u", trial->second, trial->first,
		 1 + at_random(3));
	if (at_random(3) == 0)
		buf_adds(&trial->rule, "\ngranule: 128");
	return try_rule(trial->shape, trial->second, trial->rule.s, true);
}

static bool try_apart(struct trial *trial)
{
	static const unsigned granules[] = {8, 16, 32, 64, 128};

	buf_addf(&trial->rule, "apart: [f%zu, f%zu]\ngranule: %u", trial->second, trial->first,
		 granules[at_random(ARRAY_SIZE(granules))]);
	return try_rule(trial->shape, trial->first, trial->rule.s, false);
}

static bool try_classes(struct trial *trial)
{
	static const unsigned granules[] = {8, 16, 32, 64, 128};

	buf_addf(&trial->rule, "classes: {read_mostly: f%zu, written: f%zu}\ngranule: %u",
		 trial->second, trial->first, granules[at_random(ARRAY_SIZE(granules))]);
	return try_rule(trial->shape, trial->first, trial->rule.s, false);
}

/* Added at the end of the group. */
static bool try_group(struct trial *trial)
{
	struct shape shape = *trial->shape;

	shape.is_marked = true;
	shape.from = trial->first;
	shape.to = trial->second;
	buf_adds(&trial->rule, "group: g");
	if (at_random(2))
		buf_addf(&trial->rule, "\nbytes: \"<%s %u\"", at_random(2) ? "=" : "",
			 16 + at_random(200));
	if (at_random(2))
		buf_addf(&trial->rule, "\nlines: %u", 1 + at_random(4));
	return try_rule(&shape, shape.to + 1, trial->rule.s, true);
}

static bool try_no_straddle(struct trial *trial)
{
	static const unsigned granules[] = {16, 32, 64, 128};

	buf_addf(&trial->rule, "no_straddle: f%zu\ngranule: %u", trial->second,
		 granules[at_random(ARRAY_SIZE(granules))]);
	return try_rule(trial->shape, trial->second, trial->rule.s, true);
}

static void test_size(void **state)
{
	(void)state;
	try_many(try_size);
}

static void test_bucket(void **state)
{
	(void)state;
	try_many(try_bucket);
}

static void test_waste(void **state)
{
	(void)state;
	try_many(try_waste);
}

static void test_objects(void **state)
{
	(void)state;
	try_many(try_objects);
}

static void test_max_lines(void **state)
{
	(void)state;
	try_many(try_max_lines);
}

static void test_offset(void **state)
{
	(void)state;
	try_many(try_offset);
}

static void test_starts_line(void **state)
{
	(void)state;
	try_many(try_starts_line);
}

static void test_together(void **state)
{
	(void)state;
	try_many(try_together);
}

static void test_apart(void **state)
{
	(void)state;
	try_many(try_apart);
}

static void test_classes(void **state)
{
	(void)state;
	try_many(try_classes);
}

static void test_group(void **state)
{
	(void)state;
	try_many(try_group);
}

static void test_no_straddle(void **state)
{
	(void)state;
	try_many(try_no_straddle);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_size),        cmocka_unit_test(test_bucket),
		cmocka_unit_test(test_waste),       cmocka_unit_test(test_objects),
		cmocka_unit_test(test_max_lines),   cmocka_unit_test(test_offset),
		cmocka_unit_test(test_starts_line), cmocka_unit_test(test_together),
		cmocka_unit_test(test_apart),       cmocka_unit_test(test_no_straddle),
		cmocka_unit_test(test_classes),     cmocka_unit_test(test_group),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
