/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The language of packs as a JSON Schema (draft-07, which editors know), made of the table of
 * kinds. It takes every pack that layoutcheck takes; what no schema can say, that ids differ or
 * that a group is there, it does not refuse.
 */
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "report/json.h"
#include "report/rules.h"

/* ---- small ones ------------------------------------------------------------------------------ */

static json_t *of_type(const char *type)
{
	json_t *schema = json_new_object();

	json_put(schema, "type", json_text(type));
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

static json_t *map_of(json_t *values)
{
	json_t *schema = of_type("object");

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

static json_t *any_of(json_t *a, json_t *b)
{
	json_t *schema = json_new_object(), *list = json_new_array();

	json_push(list, a);
	json_push(list, b);
	json_put(schema, "anyOf", list);
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

#define NUMBER "(0|[1-9][0-9]*|0[xX][0-9a-fA-F]+)"

static json_t *class_map(void)
{
	static const char *const classes[] = {"read_mostly", "rarely_written", "written", "cold"};
	static const char *const required[] = {"read_mostly", "written", NULL};
	json_t *properties = json_new_object();

	for (size_t i = 0; i < ARRAY_SIZE(classes); i++)
		json_put(properties, classes[i], ref("members"));
	return closed(properties, required);
}

static void define_arguments(json_t *definitions)
{
	static const char *const powers = "^ *power-of-two$|^ *(<=|>=|==|!=|<|>|%)? *" NUMBER "$";

	json_put(definitions, "name", text_like("^[^ \\t\\n]+$"));
	json_put(definitions, "member", text_like("^[^ \\t\\n0-9][^ \\t\\n]*$"));
	json_put(definitions, "members", any_of(ref("member"), list_of(ref("member"), 1)));
	json_put(definitions, "items", list_of(ref("members"), 2));
	json_put(definitions, "expression", any_of(number_from(0), text_like(powers)));
	json_put(definitions, "expressions", any_of(ref("expression"), map_of(ref("expression"))));
	json_put(definitions, "member_expressions", map_of(ref("expressions")));
	json_put(definitions, "either", any_of(ref("expressions"), ref("member_expressions")));
	json_put(definitions, "places", list_of(text_like("^[^.]+[.].+$"), 2));
	json_put(definitions, "classes", class_map());
	json_put(definitions, "numbers", list_of(number_from(1), 1));
	json_put(definitions, "distance",
		 any_of(number_from(0),
			text_like("^ *(" NUMBER " *[*] *)?sizeof[(].+[)]$|^" NUMBER "$")));
}

/* ---- rules ----------------------------------------------------------------------------------- */

static json_t *waive_schema(void)
{
	static const char *const required[] = {"why", NULL};
	json_t *properties = json_new_object();

	json_put(properties, "why", of_type("string"));
	json_put(properties, "owner", of_type("string"));
	json_put(properties, "until", of_type("string"));
	return closed(properties, required);
}

/* What any rule may have. */
static json_t *common_properties(void)
{
	static const char *const severities[] = {"error", "warning", "note", NULL};
	json_t *properties = json_new_object();

	json_put(properties, "id", ref("name"));
	json_put(properties, "why", of_type("string"));
	json_put(properties, "origin", of_type("string"));
	json_put(properties, "owner", of_type("string"));
	json_put(properties, "severity", one_word(severities));
	json_put(properties, "when", any_of(of_type("object"), of_type("string")));
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

static json_t *kind_schema(const struct kind_row *row)
{
	const char *required[] = {row->name, NULL};
	json_t *properties = common_properties();

	for (size_t i = 0; i < row->nparams; i++)
		json_put(properties, row->params[i].name,
			 described(argument_schema(row->params[i].type, row->params[i].least),
				   row->params[i].help));
	json_put(properties, row->name, described(argument_schema(row->argument, 0), row->help));
	if (row->has_granule)
		json_put(properties, "granule", number_from(1));
	return closed(properties, required);
}

/* ---- packs ----------------------------------------------------------------------------------- */

static json_t *alloc_schema(void)
{
	static const char *const words[] = {"kmalloc", "static", "line", NULL};
	static const char *const places[] = {"inside", "after", NULL};
	static const char *const required[] = {"cache", NULL};
	json_t *properties = json_new_object();

	json_put(properties, "cache", of_type("string"));
	json_put(properties, "hwcache_align", of_type("boolean"));
	json_put(properties, "freeptr", one_word(places));
	json_put(properties, "align", number_from(1));
	return any_of(one_word(words), closed(properties, required));
}

static json_t *block_schema(void)
{
	static const char *const required[] = {"rules", NULL};
	json_t *properties = json_new_object();

	json_put(properties, "source", of_type("string"));
	json_put(properties, "alloc", alloc_schema());
	json_put(properties, "optional", of_type("boolean"));
	json_put(properties, "groups", map_of(list_of(ref("member"), 1)));
	json_put(properties, "rules", list_of(ref("rule"), 1));
	return closed(properties, required);
}

static json_t *rule_schema(const struct kind_row *rows, size_t n)
{
	json_t *schema = json_new_object(), *list = json_new_array();

	for (size_t i = 0; i < n; i++)
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

void json_schema(const struct kind_row *rows, size_t n, struct buf *out)
{
	static const char *const required[] = {"layoutcheck", "structs", NULL};
	json_t *properties = json_new_object(), *definitions = json_new_object(), *schema;

	json_put(properties, "layoutcheck", version_schema());
	json_put(properties, "title", of_type("string"));
	json_put(properties, "image", text_like("^(vmlinux|user|module:.+)$"));
	json_put(properties, "cacheline", number_from(1));
	json_put(properties, "structs", map_of(any_of(ref("block"), list_of(ref("block"), 1))));
	schema = closed(properties, required);
	json_put(schema, "$schema", json_text("http://json-schema.org/draft-07/schema#"));
	json_put(schema, "title", json_text("Rule pack of layoutcheck, version 1"));
	define_arguments(definitions);
	json_put(definitions, "block", block_schema());
	json_put(definitions, "rule", rule_schema(rows, n));
	json_put(schema, "definitions", definitions);
	json_add(schema, out);
}
