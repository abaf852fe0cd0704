/* SPDX-License-Identifier: GPL-2.0-or-later */
/* layoutcheck rules: what rules there are, what they mean, and packs made of images. */
#include "cli/rules_cmd.h"

#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "base/mem.h"
#include "cli/rules.h"
#include "cli/types.h"
#include "elf/kernel.h"
#include "report/rules.h"
#include "rule/kind.h"
#include "rule/lint.h"
#include "rule/yaml_write.h"

struct rules {
	struct common common;
	bool kinds;           /* --kinds */
	struct strings types; /* -C */
	struct rules_export export;
	struct arena arena;
	struct packs packs;
	const char *const *operands; /* behind the command's name */
	size_t n;
};

static bool is_json(const struct rules *rules)
{
	return strcmp(rules->common.format->name, "json") == 0;
}

static int print(const struct rules *rules, struct buf *out, int status)
{
	bool ok = write_output(rules->common.output, out);

	buf_release(out);
	return ok ? status : EXIT_CANNOT;
}

/* ---- kinds ----------------------------------------------------------------------------------- */

static const char *argument_name(enum arg_type arg)
{
	switch (arg) {
	case ARG_EXPRS:
		return "EXPRESSION";
	case ARG_MEMBER_EXPRS:
		return "{MEMBER: EXPRESSION, ...}";
	case ARG_EXPRS_OR_MEMBERS:
		return "EXPRESSION or {MEMBER: EXPRESSION, ...}";
	case ARG_ITEM:
		return "MEMBERS";
	case ARG_ITEMS:
		return "[MEMBERS, MEMBERS, ...]";
	case ARG_NUMBER:
		return "N";
	case ARG_WORD:
		return "NAME";
	case ARG_PLACES:
		return "[TYPE.MEMBER, TYPE.MEMBER, ...]";
	case ARG_CLASSES:
		return "{CLASS: MEMBERS, ...}";
	}
	BUG("argument of no type");
}

static const char *param_name(enum param_type type)
{
	switch (type) {
	case PARAM_NUMBER:
		return "N";
	case PARAM_NUMBERS:
		return "[N, ...]";
	case PARAM_EXPR:
		return "EXPRESSION";
	case PARAM_ITEM:
		return "MEMBERS";
	case PARAM_DISTANCE:
		return "DISTANCE";
	case PARAM_WORD:
		return "NAME";
	case PARAM_PAIR:
		return "[NAME, NAME]";
	}
	BUG("parameter of no type");
}

static bool is_of_variables(const struct kind *kind)
{
	return kind_find(variable_kinds, kind->name) == kind;
}

/* What MEMBER is to structs. */
static const char *variables_name(enum arg_type arg)
{
	switch (arg) {
	case ARG_MEMBER_EXPRS:
		return "{VARIABLE: EXPRESSION, ...}";
	case ARG_ITEM:
		return "VARIABLES";
	case ARG_ITEMS:
		return "[VARIABLES, VARIABLES, ...]";
	default:
		return argument_name(arg);
	}
}

static struct kind_row row_of_kind(struct rules *rules, const struct kind *kind)
{
	bool of_variables = is_of_variables(kind);
	struct kind_row row = {.name = kind->name,
			       .argument = of_variables ? variables_name(kind->arg)
							: argument_name(kind->arg),
			       .help = kind->help,
			       .has_granule = kind->uses_granule,
			       .one_param = kind->one_param,
			       .of_variables = of_variables};
	struct param_row *params = arena_array(&rules->arena, MOST_PARAMS, sizeof *params);

	for (const struct kind_param *param = kind->params; param && param->name; param++)
		params[row.nparams++] = (struct param_row){
			.name = param->name,
			.type = param_name(param->type),
			.least = param->least,
			.has_fallback = param->type == PARAM_NUMBER && param->fallback != NOT_GIVEN,
			.fallback = param->fallback,
			.help = param->help,
		};
	row.params = params;
	return row;
}

static struct kind_row *rows_of_kinds(struct rules *rules, size_t *ret_n)
{
	struct kind_row *rows;
	size_t n = 0, nvariables = 0;

	while (kinds[n])
		n++;
	while (variable_kinds[nvariables])
		nvariables++;
	rows = arena_array(&rules->arena, n + nvariables, sizeof *rows);
	for (size_t i = 0; i < n; i++)
		rows[i] = row_of_kind(rules, kinds[i]);
	for (size_t i = 0; i < nvariables; i++)
		rows[n + i] = row_of_kind(rules, variable_kinds[i]);
	*ret_n = n + nvariables;
	return rows;
}

static int list_kinds(struct rules *rules)
{
	struct buf out = BUF_INIT;
	size_t n;
	struct kind_row *rows = rows_of_kinds(rules, &n);

	if (is_json(rules))
		json_kinds(rows, n, &out);
	else
		text_kinds(rows, n, &out);
	return print(rules, &out, EXIT_CLEAN);
}

/* It is JSON, whatever the format. */
static int run_schema(struct rules *rules)
{
	struct buf out = BUF_INIT;
	size_t n;
	struct kind_row *rows = rows_of_kinds(rules, &n);

	json_schema(rows, n, &out);
	return print(rules, &out, EXIT_CLEAN);
}

/* ---- list ------------------------------------------------------------------------------------ */

static struct pack_row row_of_pack(struct rules *rules, const struct pack *pack)
{
	struct rule_row *rows;
	size_t n = 0;

	for (size_t b = 0; b < pack->nblocks; b++)
		n += pack->blocks[b].nrules;
	rows = arena_array(&rules->arena, n, sizeof *rows);
	n = 0;
	for (size_t b = 0; b < pack->nblocks; b++)
		for (size_t r = 0; r < pack->blocks[b].nrules; r++) {
			const struct rule *rule = &pack->blocks[b].rules[r];

			rows[n++] = (struct rule_row){
				.id = rule->id,
				.kind = rule->kind->name,
				.subject =
					pack->blocks[b].of_variables ? NULL : pack->blocks[b].name,
				.severity = rule->severity,
				.pos = rule->pos,
				.why = rule->why,
				.origin = rule->origin,
			};
		}
	return (struct pack_row){pack->file, pack->title, pack->image, rows, n};
}

static int run_list(struct rules *rules)
{
	struct pack_row *rows;
	struct buf out = BUF_INIT;

	if (!rules_load(&rules->common, true, &rules->packs))
		return EXIT_CANNOT;
	rows = arena_array(&rules->arena, rules->packs.n, sizeof *rows);
	for (size_t i = 0; i < rules->packs.n; i++)
		rows[i] = row_of_pack(rules, &rules->packs.items[i]);
	if (is_json(rules))
		json_packs(rows, rules->packs.n, &out);
	else
		text_packs(rows, rules->packs.n, &out);
	return print(rules, &out, EXIT_CLEAN);
}

/* ---- explain --------------------------------------------------------------------------------- */

static size_t indent_of(const char *line)
{
	return strspn(line, " ");
}

/* The lines of the pack that the rule stands on: until one that is indented less than its keys. */
static void add_source(struct rules *rules, const struct pack *pack, const struct rule *rule,
		       struct buf *out)
{
	const char *line = pack->text, *end = pack->text + pack->len;
	size_t margin = 0, len;

	for (unsigned nth = 1; line < end; nth++, line += len + 1) {
		size_t indent = indent_of(line);

		len = strcspn(line, "\n");
		if (nth < rule->pos.line)
			continue;
		if (nth == rule->pos.line)
			margin = indent;
		else if (indent == len || indent + 1 < rule->pos.col)
			break;
		buf_adds(out, "    ");
		escape_text(out, arena_strndup(&rules->arena, line + margin, len - margin));
		buf_addc(out, '\n');
	}
}

static void explain_rule(struct rules *rules, const struct pack *pack, const struct block *block,
			 const struct rule *rule, struct buf *out)
{
	struct kind_row row = row_of_kind(rules, rule->kind);

	escape_text(out, rule->id);
	buf_addf(out, ": %s, ", severity_name(rule->severity));
	escape_text(out, pack->file);
	buf_addf(out, ":%u, of ", rule->pos.line);
	escape_text(out, block->name);
	buf_addc(out, '\n');
	add_source(rules, pack, rule, out);
	text_kinds(&row, 1, out);
}

static bool explain_named(struct rules *rules, const char *id, struct buf *out)
{
	for (size_t p = 0; p < rules->packs.n; p++) {
		const struct pack *pack = &rules->packs.items[p];

		for (size_t b = 0; b < pack->nblocks; b++)
			for (size_t r = 0; r < pack->blocks[b].nrules; r++) {
				const struct rule *rule = &pack->blocks[b].rules[r];

				if (strcmp(rule->id, id) != 0)
					continue;
				explain_rule(rules, pack, &pack->blocks[b], rule, out);
				return true;
			}
	}
	return false;
}

static void complain_unknown(const struct rules *rules, const char *word)
{
	struct buf text = BUF_INIT;
	struct strings names = {0};

	for (const struct kind *const *kind = kinds; *kind; kind++)
		strings_add(&names, (*kind)->name);
	for (size_t p = 0; p < rules->packs.n; p++)
		for (size_t b = 0; b < rules->packs.items[p].nblocks; b++)
			for (size_t r = 0; r < rules->packs.items[p].blocks[b].nrules; r++)
				strings_add(&names, rules->packs.items[p].blocks[b].rules[r].id);
	buf_addf(&text, "no kind and no rule is called `%s`", word);
	add_suggestion(&text, word, "", names.items, names.n);
	say_error("rules: %s", text.s);
	strings_release(&names);
	buf_release(&text);
}

/* Of structs, of variables, or of both. */
static bool explain_kind(struct rules *rules, const char *name, struct buf *out)
{
	const struct kind *found[] = {kind_find(kinds, name), kind_find(variable_kinds, name)};
	struct kind_row rows[ARRAY_SIZE(found)];
	size_t n = 0;

	for (size_t i = 0; i < ARRAY_SIZE(found); i++)
		if (found[i])
			rows[n++] = row_of_kind(rules, found[i]);
	text_kinds(rows, n, out);
	return n > 0;
}

static int run_explain(struct rules *rules)
{
	int status = EXIT_CLEAN;
	struct buf out = BUF_INIT;

	if (!rules_load(&rules->common, false, &rules->packs))
		return EXIT_CANNOT;
	for (size_t i = 0; i < rules->n; i++) {
		if (!explain_kind(rules, rules->operands[i], &out) &&
		    !explain_named(rules, rules->operands[i], &out)) {
			complain_unknown(rules, rules->operands[i]);
			status = EXIT_FINDINGS;
		}
	}
	return print(rules, &out, status);
}

/* ---- lint ------------------------------------------------------------------------------------ */

/* Those named behind the command, else as for `check`. */
static bool load_operands(struct rules *rules)
{
	for (size_t i = 0; i < rules->n; i++)
		strings_add(&rules->common.rules, rules->operands[i]);
	return rules_load(&rules->common, true, &rules->packs);
}

static int run_lint(struct rules *rules)
{
	struct pack_errors found;
	struct buf out = BUF_INIT;
	size_t n = 0;
	int status;

	if (!load_operands(rules))
		return EXIT_CANNOT;
	for (size_t p = 0; p < rules->packs.n; p++)
		for (size_t b = 0; b < rules->packs.items[p].nblocks; b++)
			n += rules->packs.items[p].blocks[b].nrules;
	pack_errors_init(&found);
	packs_lint(&rules->packs, &found);
	buf_adds(&out, found.text.s);
	if (!found.n && !rules->common.quiet)
		buf_addf(&out, "nothing to complain of: %zu rule%s in %zu pack%s\n", n,
			 n == 1 ? "" : "s", rules->packs.n, rules->packs.n == 1 ? "" : "s");
	status = found.n ? EXIT_FINDINGS : EXIT_CLEAN;
	pack_errors_release(&found);
	return print(rules, &out, status);
}

/* ---- export ---------------------------------------------------------------------------------- */

static int run_export(struct rules *rules)
{
	if (!rules->export.asserts) {
		say_error("rules: export as what? --asserts writes static assertions of C");
		return EXIT_CANNOT;
	}
	return load_operands(rules) ? rules_export(&rules->common, &rules->export, &rules->packs)
				    : EXIT_CANNOT;
}

/* ---- packs from images ----------------------------------------------------------------------- */

static const char *image_of(const struct rules *rules)
{
	return rules->n ? rules->operands[0] : RUNNING_BTF;
}

static int run_from_markers(struct rules *rules)
{
	return rules_from_markers(&rules->common, image_of(rules));
}

static int run_learn(struct rules *rules)
{
	struct strings types = {0};
	int status;

	for (size_t i = 0; i < rules->types.n; i++)
		types_add(&types, rules->types.items[i], &rules->arena);
	if (types.n) {
		status = rules_learn(&rules->common, &types, image_of(rules));
	} else {
		say_error("rules: learn what type? Name it with -C");
		status = EXIT_CANNOT;
	}
	strings_release(&types);
	return status;
}

/* ---- packs from documents -------------------------------------------------------------------- */

static int run_import(struct rules *rules)
{
	const char *type = rules->types.n ? rules->types.items[0] : NULL;

	if (type && (rules->types.n > 1 || rules->n > 1)) {
		say_error("rules: -C names the struct of one document");
		return EXIT_CANNOT;
	}
	if (type && !is_plain_name(type)) {
		say_error("rules: `%s` is no struct's name", type);
		return EXIT_CANNOT;
	}
	return rules_import(&rules->common, type, rules->operands, rules->n);
}

/* ---- which ----------------------------------------------------------------------------------- */

static const struct verb {
	const char *name;
	int (*run)(struct rules *rules);
	size_t least, most; /* operands */
	const char *takes;  /* those */
	bool has_json;
} verbs[] = {
	{"list", run_list, 0, 0, "no operand", true},
	{"explain", run_explain, 1, SIZE_MAX, "the names of kinds or rules", false},
	{"lint", run_lint, 0, SIZE_MAX, "packs", false},
	{"schema", run_schema, 0, 0, "no operand", true},
	{"from-markers", run_from_markers, 0, 1, "one image", false},
	{"learn", run_learn, 0, 1, "one image", false},
	{"export", run_export, 0, SIZE_MAX, "packs", false},
	{"import", run_import, 1, SIZE_MAX, "the names of documents", false},
};

static int complain_verb(const char *word)
{
	const char *names[ARRAY_SIZE(verbs)];
	struct buf text = BUF_INIT;

	for (size_t i = 0; i < ARRAY_SIZE(verbs); i++)
		names[i] = verbs[i].name;
	buf_addf(&text, "unknown command `%s`", word);
	add_suggestion(&text, word, "", names, ARRAY_SIZE(names));
	say_error("rules: %s", text.s);
	buf_release(&text);
	return EXIT_CANNOT;
}

/* An option that was given and is another verb's, or NULL. */
static const char *stray_option(const struct rules *rules, const struct verb *verb)
{
	if (rules->types.n && verb->run != run_learn && verb->run != run_import)
		return "type";
	if (verb->run == run_export)
		return NULL;
	if (rules->export.asserts)
		return "asserts";
	if (rules->export.image)
		return "image";
	return rules->export.fail_on == SEVERITY_ERROR ? NULL : "fail-on";
}

static int run_verb(struct rules *rules, const struct verb *verb)
{
	const char *stray = stray_option(rules, verb);

	if (stray) {
		say_error("rules: %s has no option `--%s`", verb->name, stray);
		return EXIT_CANNOT;
	}
	if (rules->n < verb->least || rules->n > verb->most) {
		say_error("rules: %s takes %s", verb->name, verb->takes);
		return EXIT_CANNOT;
	}
	if (is_json(rules) && !verb->has_json) {
		say_error("rules: %s has no JSON: `list` and --kinds have", verb->name);
		return EXIT_CANNOT;
	}
	return verb->run(rules);
}

static int run_asked(struct rules *rules)
{
	const struct strings *operands = &rules->common.images;
	const char *word = operands->items[0];

	rules->operands = operands->items + 1;
	rules->n = operands->n - 1;
	if (rules->kinds && strcmp(word, "list") == 0 && !rules->n)
		return list_kinds(rules);
	if (rules->kinds) {
		say_error("rules: --kinds is asked for alone");
		return EXIT_CANNOT;
	}
	for (size_t i = 0; i < ARRAY_SIZE(verbs); i++)
		if (strcmp(verbs[i].name, word) == 0)
			return run_verb(rules, &verbs[i]);
	return complain_verb(word);
}

static const struct choice severities[] = {{"error", SEVERITY_ERROR},
					   {"warning", SEVERITY_WARNING},
					   {"note", SEVERITY_NOTE},
					   {NULL, 0}};

static int run_rules(int argc, char **argv)
{
	struct rules rules = {.export = {.fail_on = SEVERITY_ERROR}};
	const struct option_row rows[] = {
		OPT_FLAG(0, "kinds", &rules.kinds, "list the kinds of rules"),
		OPT_LIST('C', "type", "NAME[,NAME...]", &rules.types,
			 "the types that `learn` learns, repeatable; or the struct\n"
			 "of the document that `import` reads"),
		OPT_FLAG(0, "asserts", &rules.export.asserts, "export as static assertions of C"),
		OPT_INPUT('k', "image", "IMAGE", &rules.export.image,
			  "what `export` asks for what C cannot: names, bit-fields"),
		OPT_CHOICE(0, "fail-on", "SEVERITY", &rules.export.fail_on, severities,
			   "assert rules from this severity up: error (default),\n"
			   "warning or note"),
	};
	int status;

	arena_init(&rules.arena);
	packs_init(&rules.packs);
	if (common_parse(argc, argv, &command_rules, rows, ARRAY_SIZE(rows), &rules.common,
			 &status) == COMMON_GO)
		status = run_asked(&rules);
	packs_release(&rules.packs);
	strings_release(&rules.types);
	common_release(&rules.common);
	arena_release(&rules.arena);
	return status;
}

static bool has_format(const struct format *format)
{
	return strcmp(format->name, "text") == 0 || strcmp(format->name, "json") == 0;
}

const struct command command_rules = {
	.name = "rules",
	.run = run_rules,
	.synopsis = "[options] [COMMAND [OPERAND...]]",
	.summary = "list, explain and lint rules, or learn them from a binary",
	.about = "list                  the packs and their rules (what stands in for COMMAND)\n"
		 "explain NAME...       what a kind of rule means, or a rule\n"
		 "lint [PACK...]        rules that can never hold, and groups that no rule uses\n"
		 "schema                a JSON Schema of packs, for editors\n"
		 "from-markers [IMAGE]  a pack of the groups that the source of IMAGE marks\n"
		 "learn -C TYPE [IMAGE] a pack that holds for TYPE in IMAGE, to be edited down\n"
		 "export --asserts PACK what C can assert of the rules, to be included\n"
		 "import FILE.rst...    a pack of the kernel's tables of how members are accessed\n"
		 "\n"
		 "Exits 0; 1 when lint complains or what was asked for is not there; 2 when the "
		 "job\n"
		 "could not be done.",
	.has_format = has_format,
	.operand = "list",
};
