/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The language of packs as a JSON Schema (draft-07, which editors know), made of the table of
 * kinds. It takes every pack that layoutcheck takes; what no schema can say, that ids differ or
 * that a group is there, it does not refuse.
 */
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "layout/target.h"
#include "report/json.h"
#include "report/rules.h"

/* ---- small ones ------------------------------------------------------------------------------ */

static json_t *of_type(const char *type)
{
	json_t *schema = json_new_object();

	json_put(schema, "type", json_text(type));
	return schema;
}

/* YAML has other words for nothing. */
static json_t *some_text(void)
{
	json_t *schema = of_type("string");

	json_put(schema, "minLength", json_number(1));
	return schema;
}

static json_t *text_like(const char *pattern)
{
	json_t *schema = of_type("string");

	json_put(schema, "pattern", json_text(pattern));
	return schema;
}

static json_t *number_from(uint64_t least)
{
	json_t *schema = of_type("integer");

	json_put(schema, "minimum", json_number(least));
	return schema;
}

static json_t *list_of(json_t *items, uint64_t least)
{
	json_t *schema = of_type("array");

	json_put(schema, "items", items);
	json_put(schema, "minItems", json_number(least));
	return schema;
}

/* A list of different ones. */
static json_t *set_of(json_t *items)
{
	json_t *schema = list_of(items, 1);

	json_put(schema, "uniqueItems", json_truth(true));
	return schema;
}

static json_t *map_of(json_t *keys, json_t *values)
{
	json_t *schema = of_type("object");

	json_put(schema, "propertyNames", keys);
	json_put(schema, "additionalProperties", values);
	json_put(schema, "minProperties", json_number(1));
	return schema;
}

static json_t *ref(const char *name)
{
	json_t *schema = json_new_object();
	struct buf path = BUF_INIT;

	buf_addf(&path, "#/definitions/%s", name);
	json_put(schema, "$ref", json_text(path.s));
	buf_release(&path);
	return schema;
}

static void put_any_of(json_t *schema, json_t *a, json_t *b)
{
	json_t *list = json_new_array();

	json_push(list, a);
	json_push(list, b);
	json_put(schema, "anyOf", list);
}

static json_t *any_of(json_t *a, json_t *b)
{
	json_t *schema = json_new_object();

	put_any_of(schema, a, b);
	return schema;
}

static json_t *one_word(const char *const *words)
{
	json_t *schema = json_new_object(), *list = json_new_array();

	for (; *words; words++)
		json_push(list, json_text(*words));
	json_put(schema, "enum", list);
	return schema;
}

/* A mapping that takes no other keys. */
static json_t *closed(json_t *properties, const char *const *required)
{
	json_t *schema = of_type("object"), *list = json_new_array();

	json_put(schema, "properties", properties);
	json_put(schema, "additionalProperties", json_truth(false));
	for (; *required; required++)
		json_push(list, json_text(*required));
	json_put(schema, "required", list);
	return schema;
}

/* ---- arguments ------------------------------------------------------------------------------- */

/* What rows call an argument or a parameter; the definitions below have the names. */
static const struct {
	const char *word, *definition;
} arguments[] = {
	{"EXPRESSION", "expressions"},
	{"{MEMBER: EXPRESSION, ...}", "member_expressions"},
	{"EXPRESSION or {MEMBER: EXPRESSION, ...}", "either"},
	{"MEMBERS", "members"},
	{"[MEMBERS, MEMBERS, ...]", "items"},
	{"NAME", "name"},
	{"[TYPE.MEMBER, TYPE.MEMBER, ...]", "places"},
	{"{CLASS: MEMBERS, ...}", "classes"},
	{"DISTANCE", "distance"},
	{"[N, ...]", "numbers"},
	{"[NAME, NAME]", "pair"},
	{"{VARIABLE: EXPRESSION, ...}", "variable_expressions"},
	{"VARIABLES", "variable_list"},
	{"[VARIABLES, VARIABLES, ...]", "variable_items"},
};

static json_t *argument_schema(const char *word, uint64_t least)
{
	if (strcmp(word, "N") == 0)
		return number_from(least);
	for (size_t i = 0; i < ARRAY_SIZE(arguments); i++)
		if (strcmp(arguments[i].word, word) == 0)
			return ref(arguments[i].definition);
	BUG("an argument that the schema does not know");
}

#define NUMBER  "(0|[1-9][0-9]*|0[xX][0-9a-fA-F]+)"
#define RELEASE "[0-9]+[.][0-9]+([.][0-9]+)?"

/* Members as layout/path.h and rule/item.h have them: `a.b`, `m[2]`, `m[0..3]`, `a|b`, `a..b`,
 * `a?`. */
#define IN_NAME  "[^ \\t\\n.\\[\\]|]"
#define NAME_END "[^ \\t\\n.\\[\\]|?]"
#define INDEX    "(\\[[0-9]+\\]|\\[0[xX][0-9a-fA-F]+\\])"
#define PATH                                                                                       \
	"(?![0-9])" IN_NAME "*" NAME_END INDEX "*([.]" IN_NAME "*" NAME_END INDEX                  \
	"*)*(\\[[0-9a-fA-FxX]+[.][.][0-9a-fA-FxX]+\\])?"
#define MEMBER PATH "([|]" PATH ")*[?]?"

/* What a linker calls a variable. */
#define SYMBOL   "(?![^|]*[.][.])[A-Za-z_.$][A-Za-z0-9_.$]*"
#define VARIABLE SYMBOL "([|]" SYMBOL ")*[?]?"

/* Types: read_type_name(). Letters of any alphabet begin one, and blanks stand between angles. */
#define TYPE_WORD  "(struct |union |typedef )?"
#define TYPE       TYPE_WORD "[^\\u0000-@\\[-^`{-\\u007f][^ \\t\\n<]*(<.*)?"
#define SHORT_TYPE TYPE_WORD "[^\\u0000-@\\[-^`{-\\u007f][^. \\t\\n<]*(<[^.]*)?"

static json_t *class_map(void)
{
	static const char *const classes[] = {"read_mostly", "rarely_written", "written", "cold"};
	static const char *const required[] = {"read_mostly", "written", NULL};
	json_t *properties = json_new_object();

	for (size_t i = 0; i < ARRAY_SIZE(classes); i++)
		json_put(properties, classes[i], ref("members"));
	return closed(properties, required);
}

static json_t *machine_words(bool has_default)
{
	json_t *schema = json_new_object(), *list = json_new_array();
	const char *word;

	for (unsigned i = 0; (word = arch_spelling(i)); i++)
		json_push(list, json_text(word));
	if (has_default)
		json_push(list, json_text("default"));
	json_put(schema, "enum", list);
	return schema;
}

static json_t *pair_schema(void)
{
	json_t *schema = list_of(ref("name"), 2);

	json_put(schema, "maxItems", json_number(2));
	return schema;
}

static void define_arguments(json_t *definitions)
{
	static const char *const expression =
		"^ *power-of-two$|^ *(<=|>=|==|!=|<|>)? *" NUMBER
		"$|^ *% *([1-9][0-9]*|0[xX]0*[1-9a-fA-F][0-9a-fA-F]*)$";
	json_t *machines;

	json_put(definitions, "group", text_like("^[A-Za-z0-9_-]+$"));
	json_put(definitions, "name", text_like("^[^ \\t\\n]+$"));
	json_put(definitions, "type", text_like("^" TYPE "$"));
	json_put(definitions, "plain_member", text_like("^" MEMBER "$"));
	json_put(definitions, "member", text_like("^" MEMBER "$|^" PATH "[.][.]" PATH "[?]?$"));
	/* The name of a group, which may begin with a digit, stands where a member may. */
	json_put(definitions, "member_or_group", any_of(ref("member"), ref("group")));
	json_put(definitions, "members",
		 any_of(ref("member_or_group"), set_of(ref("member_or_group"))));
	json_put(definitions, "items", list_of(ref("members"), 2));
	json_put(definitions, "expression", any_of(number_from(0), text_like(expression)));
	machines = map_of(machine_words(true), ref("expression"));
	json_put(definitions, "expressions", any_of(ref("expression"), machines));
	json_put(definitions, "member_expressions",
		 map_of(ref("plain_member"), ref("expressions")));
	json_put(definitions, "either", any_of(ref("expressions"), ref("member_expressions")));
	json_put(definitions, "places", list_of(text_like("^" SHORT_TYPE "[.]" MEMBER "$"), 2));
	json_put(definitions, "classes", class_map());
	json_put(definitions, "numbers", list_of(number_from(1), 1));
	json_put(definitions, "pair", pair_schema());
	json_put(definitions, "variable", text_like("^" VARIABLE "$"));
	/* A group's name may have a `-`. */
	json_put(definitions, "variable_or_group", text_like("^" VARIABLE "$|^[A-Za-z0-9_-]+$"));
	json_put(definitions, "variable_list",
		 any_of(ref("variable_or_group"), set_of(ref("variable_or_group"))));
	json_put(definitions, "variable_items", list_of(ref("variable_list"), 2));
	json_put(definitions, "variable_expressions", map_of(ref("variable"), ref("expressions")));
	json_put(definitions, "distance",
		 any_of(number_from(0),
			text_like("^ *(" NUMBER " *[*] *)?sizeof[(]" TYPE "[)]$|^" NUMBER "$")));
}

/* ---- conditions ------------------------------------------------------------------------------ */

static json_t *one_or_list(json_t *(*make)(void))
{
	return any_of(make(), list_of(make(), 1));
}

static json_t *machine_schema(void)
{
	return machine_words(false);
}

/* YAML has 6.10 as a number. */
static json_t *release_schema(void)
{
	return any_of(of_type("number"), text_like("^" RELEASE "$"));
}

static json_t *kernel_schema(void)
{
	return any_of(of_type("number"), text_like("^ *(<=|>=|==|!=|<|>)? *" RELEASE "$"));
}

static json_t *has_schema(void)
{
	return text_like("^" SHORT_TYPE "([.]" PATH ")?$");
}

static json_t *config_schema(void)
{
	return text_like("^CONFIG_[A-Za-z0-9_]+(=.+)?$");
}

static json_t *bits_schema(void)
{
	json_t *schema = json_new_object(), *list = json_new_array();

	json_push(list, json_number(32));
	json_push(list, json_number(64));
	json_put(schema, "enum", list);
	return schema;
}

/* What is written as a call. */
static json_t *calls(void)
{
	json_t *patterns = json_new_object();

	json_put(patterns, "^has[(]" SHORT_TYPE "([.]" PATH ")?[)]$", of_type("boolean"));
	json_put(patterns, "^sizeof[(]" TYPE "[)]$", ref("expression"));
	return patterns;
}

static json_t *when_schema(void)
{
	static const char *const required[] = {NULL};
	json_t *properties = json_new_object(), *map;

	json_put(properties, "arch", one_or_list(machine_schema));
	json_put(properties, "bits", bits_schema());
	json_put(properties, "kernel", one_or_list(kernel_schema));
	json_put(properties, "has", one_or_list(has_schema));
	json_put(properties, "sizeof", map_of(ref("type"), ref("expression")));
	json_put(properties, "config", one_or_list(config_schema));
	json_put(properties, "not", ref("when"));
	map = closed(properties, required);
	json_put(map, "patternProperties", calls());
	json_put(map, "minProperties", json_number(1));
	return any_of(map, text_like("^has[(]" SHORT_TYPE "([.]" PATH ")?[)]$"));
}

/* ---- rules ----------------------------------------------------------------------------------- */

static json_t *waive_schema(void)
{
	static const char *const required[] = {"why", NULL};
	json_t *properties = json_new_object();

	json_put(properties, "why", some_text());
	json_put(properties, "owner", some_text());
	json_put(properties, "until",
		 text_like("^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$"));
	return closed(properties, required);
}

/* What any rule may have. */
static json_t *common_properties(void)
{
	static const char *const severities[] = {"error", "warning", "note", NULL};
	json_t *properties = json_new_object();

	json_put(properties, "id", ref("name"));
	json_put(properties, "why", some_text());
	json_put(properties, "origin", some_text());
	json_put(properties, "owner", some_text());
	json_put(properties, "severity", one_word(severities));
	json_put(properties, "when", ref("when"));
	json_put(properties, "since", release_schema());
	json_put(properties, "until", release_schema());
	json_put(properties, "optional", of_type("boolean"));
	json_put(properties, "waive", waive_schema());
	return properties;
}

static json_t *described(json_t *schema, const char *help)
{
	json_t *list, *outer;

	if (!json_object_get(schema, "$ref")) {
		json_put(schema, "description", json_text(help));
		return schema;
	}
	/* Beside a $ref, draft-07 looks at nothing else. */
	outer = json_new_object();
	list = json_new_array();
	json_push(list, schema);
	json_put(outer, "allOf", list);
	json_put(outer, "description", json_text(help));
	return outer;
}

/* Exactly one of the parameters is there. */
static json_t *one_param(const struct kind_row *row)
{
	json_t *list = json_new_array();

	for (size_t i = 0; i < row->nparams; i++) {
		json_t *has = json_new_object(), *names = json_new_array();

		json_push(names, json_text(row->params[i].name));
		json_put(has, "required", names);
		json_push(list, has);
	}
	return list;
}

static json_t *kind_schema(const struct kind_row *row)
{
	const char *required[] = {row->name, NULL};
	json_t *properties = common_properties(), *schema;

	for (size_t i = 0; i < row->nparams; i++)
		json_put(properties, row->params[i].name,
			 described(argument_schema(row->params[i].type, row->params[i].least),
				   row->params[i].help));
	json_put(properties, row->name, described(argument_schema(row->argument, 0), row->help));
	if (row->has_granule)
		json_put(properties, "granule", number_from(1));
	schema = closed(properties, required);
	if (row->one_param)
		json_put(schema, "oneOf", one_param(row));
	return schema;
}

/* ---- packs ----------------------------------------------------------------------------------- */

static json_t *alloc_schema(void)
{
	static const char *const words[] = {"kmalloc", "static", "line", NULL};
	static const char *const places[] = {"inside", "after", NULL};
	static const char *const required[] = {"cache", NULL};
	json_t *properties = json_new_object();

	json_put(properties, "cache", some_text());
	json_put(properties, "hwcache_align", of_type("boolean"));
	json_put(properties, "freeptr", one_word(places));
	json_put(properties, "align", number_from(1));
	return any_of(one_word(words), closed(properties, required));
}

static json_t *block_schema(void)
{
	static const char *const required[] = {"rules", NULL};
	json_t *properties = json_new_object();

	json_put(properties, "source", some_text());
	json_put(properties, "alloc", alloc_schema());
	json_put(properties, "optional", of_type("boolean"));
	json_put(properties, "groups", map_of(ref("group"), set_of(ref("member"))));
	json_put(properties, "rules", list_of(ref("rule"), 1));
	return closed(properties, required);
}

static json_t *variables_schema(void)
{
	static const char *const required[] = {"rules", NULL};
	json_t *properties = json_new_object();

	json_put(properties, "source", some_text());
	json_put(properties, "optional", of_type("boolean"));
	json_put(properties, "groups", map_of(ref("group"), set_of(ref("variable"))));
	json_put(properties, "rules", list_of(ref("variable_rule"), 1));
	return closed(properties, required);
}

static json_t *rule_schema(const struct kind_row *rows, size_t n, bool of_variables)
{
	json_t *schema = json_new_object(), *list = json_new_array();

	for (size_t i = 0; i < n; i++)
		if (rows[i].of_variables == of_variables)
			json_push(list, kind_schema(&rows[i]));
	json_put(schema, "anyOf", list);
	return schema;
}

static json_t *version_schema(void)
{
	json_t *schema = json_new_object();

	json_put(schema, "const", json_number(1));
	return schema;
}

static json_t *requires(const char *name)
{
	json_t *schema = json_new_object(), *list = json_new_array();

	json_push(list, json_text(name));
	json_put(schema, "required", list);
	return schema;
}

void json_schema(const struct kind_row *rows, size_t n, struct buf *out)
{
	static const char *const required[] = {"layoutcheck", NULL};
	json_t *properties = json_new_object(), *definitions = json_new_object(), *schema;

	json_put(properties, "layoutcheck", version_schema());
	json_put(properties, "title", some_text());
	json_put(properties, "image", text_like("^(vmlinux|user|module:[^ \\t\\n/]+)$"));
	json_put(properties, "cacheline", number_from(1));
	json_put(properties, "structs",
		 map_of(ref("type"), any_of(ref("block"), list_of(ref("block"), 1))));
	json_put(properties, "variables", any_of(ref("variables"), list_of(ref("variables"), 1)));
	schema = closed(properties, required);
	put_any_of(schema, requires("structs"), requires("variables"));
	json_put(schema, "$schema", json_text("http://json-schema.org/draft-07/schema#"));
	json_put(schema, "title", json_text("Rule pack of layoutcheck, version 1"));
	define_arguments(definitions);
	json_put(definitions, "when", when_schema());
	json_put(definitions, "block", block_schema());
	json_put(definitions, "variables", variables_schema());
	json_put(definitions, "rule", rule_schema(rows, n, false));
	json_put(definitions, "variable_rule", rule_schema(rows, n, true));
	json_put(schema, "definitions", definitions);
	json_add(schema, out);
}
