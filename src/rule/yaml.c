/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "rule/yaml.h"

#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include "base/escape.h"

/* A list or mapping whose end has not been seen. */
struct open_node {
	struct node *node;
	const struct node **items;
	size_t n, cap;
};

struct builder {
	const struct source *source;
	struct arena *arena;
	struct complaints *complaints;
	struct open_node open[YAML_MOST_DEPTH];
	size_t depth;
	unsigned documents;
	const struct node *root;
	bool stopped; /* the rest of the file cannot be looked at */
};

const struct node *node_key(const struct node *map, size_t i)
{
	return map->items[2 * i];
}

const struct node *node_value(const struct node *map, size_t i)
{
	return map->items[2 * i + 1];
}

/* ---- the bytes --------------------------------------------------------------------------- */

/*
 * libyaml ends lines at characters where no editor does, so that its line numbers would mislead;
 * they have no use in a pack. Control characters it refuses without saying where.
 */
static bool is_text(uint32_t point)
{
	if (point < 0x20)
		return point == '\t' || point == '\n' || point == '\r';
	return !(point >= 0x7f && point < 0xa0) && point != 0x2028 && point != 0x2029;
}

/* Valid UTF-8 of characters that belong in a text file, CR only before LF. */
static bool check_bytes(const struct source *source, struct complaints *complaints)
{
	const char *p = source->text, *end = p + source->len;
	unsigned line = 1, col = 1;

	while (p < end) {
		uint32_t point = 0;
		int len = utf8_decode(p, &point);

		if (!len) {
			complain(complaints, line, col, "not UTF-8: byte 0x%02x",
				 (unsigned char)*p);
			return false;
		}
		if (!is_text(point) || (point == '\r' && p[1] != '\n')) {
			complain(complaints, line, col, "no text file: character U+%04X", point);
			return false;
		}
		p += len;
		col = point == '\n' ? 1 : col + 1;
		line += point == '\n';
	}
	return true;
}

/* ---- the tree ---------------------------------------------------------------------------- */

static struct node *new_node(struct builder *b, enum node_kind kind, const yaml_mark_t *mark)
{
	struct node *node = arena_alloc(b->arena, sizeof *node);

	node->kind = kind;
	node->line = (unsigned)mark->line + 1;
	node->col = (unsigned)mark->column + 1;
	return node;
}

static void add_node(struct builder *b, const struct node *node)
{
	struct open_node *parent;

	if (!b->depth) {
		b->root = node;
		return;
	}
	parent = &b->open[b->depth - 1];
	ARRAY_GROW(parent->items, parent->n, parent->cap);
	parent->items[parent->n++] = node;
}

static void refuse_extras(struct builder *b, const struct node *node, const yaml_char_t *anchor,
			  const yaml_char_t *tag)
{
	if (anchor)
		complain(b->complaints, node->line, node->col,
			 "an anchor (`&%.60s`) has no place in a pack", (const char *)anchor);
	if (tag)
		complain(b->complaints, node->line, node->col,
			 "a tag (`%.60s`) has no place in a pack; text that begins with `!` is "
			 "quoted, as in \"!= 64\"",
			 (const char *)tag);
}

static void add_scalar(struct builder *b, const yaml_event_t *event)
{
	const char *value = (const char *)event->data.scalar.value;
	size_t len = event->data.scalar.length;
	struct node *node = new_node(b, NODE_SCALAR, &event->start_mark);

	refuse_extras(b, node, event->data.scalar.anchor, event->data.scalar.tag);
	if (memchr(value, 0, len)) {
		complain(b->complaints, node->line, node->col, "a NUL character inside text");
		node->kind = NODE_BAD;
	}
	node->text = arena_strndup(b->arena, value, len);
	node->quoted = event->data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
	add_node(b, node);
}

static void open_node(struct builder *b, enum node_kind kind, const yaml_event_t *event)
{
	struct node *node = new_node(b, kind, &event->start_mark);

	if (kind == NODE_LIST)
		refuse_extras(b, node, event->data.sequence_start.anchor,
			      event->data.sequence_start.tag);
	else
		refuse_extras(b, node, event->data.mapping_start.anchor,
			      event->data.mapping_start.tag);
	if (b->depth == YAML_MOST_DEPTH) {
		complain(b->complaints, node->line, node->col, "nested more than %d deep",
			 YAML_MOST_DEPTH);
		b->stopped = true;
		return;
	}
	b->open[b->depth++] = (struct open_node){.node = node};
}

static int compare_scalars(const void *a, const void *b)
{
	const struct node *x = *(const struct node *const *)a;
	const struct node *y = *(const struct node *const *)b;
	int order = strcmp(x->text, y->text);

	if (order)
		return order;
	if (x->line != y->line)
		return x->line < y->line ? -1 : 1;
	return (x->col > y->col) - (x->col < y->col);
}

bool nodes_differ(const struct node *const *nodes, size_t n, size_t stride, const char *what,
		  struct complaints *complaints)
{
	const struct node **scalars = xrealloc_array(NULL, n, sizeof *scalars);
	size_t found = 0;
	bool ok = true;

	for (size_t i = 0; i < n; i += stride)
		if (nodes[i]->kind == NODE_SCALAR)
			scalars[found++] = nodes[i];
	if (found)
		qsort(scalars, found, sizeof *scalars, compare_scalars);
	for (size_t i = 1; i < found; i++) {
		const struct node *first = scalars[i - 1], *again = scalars[i];

		if (strcmp(first->text, again->text) != 0)
			continue;
		complain(complaints, again->line, again->col,
			 "%s `%.60s` stands twice: first at %u:%u", what, again->text, first->line,
			 first->col);
		ok = false;
	}
	free(scalars);
	return ok;
}

/* Leaves out pairs whose key is no word. */
static size_t check_keys(struct builder *b, const struct node **items, size_t n)
{
	size_t kept = 0;

	for (size_t i = 0; i + 1 < n; i += 2) {
		const struct node *key = items[i];

		if (key->kind == NODE_LIST || key->kind == NODE_MAP)
			complain(b->complaints, key->line, key->col, "a key is a word, not a %s",
				 key->kind == NODE_LIST ? "list" : "mapping");
		else if (key->kind == NODE_SCALAR && !*key->text)
			complain(b->complaints, key->line, key->col, "a key is missing here");
		if (key->kind != NODE_SCALAR || !*key->text)
			continue;
		items[kept++] = key;
		items[kept++] = items[i + 1];
	}
	return kept;
}

static void close_node(struct builder *b)
{
	struct open_node *open;
	bool is_map;

	if (!b->depth)
		BUG("the end of a list or mapping that did not begin");
	open = &b->open[--b->depth];
	is_map = open->node->kind == NODE_MAP;

	if (is_map)
		open->n = check_keys(b, open->items, open->n);
	open->node->n = is_map ? open->n / 2 : open->n;
	if (open->n)
		open->node->items =
			arena_copy(b->arena, open->items, open->n * sizeof *open->items);
	free(open->items);
	if (is_map)
		nodes_differ(open->node->items, 2 * open->node->n, 2, "key", b->complaints);
	add_node(b, open->node);
}

static void take_event(struct builder *b, const yaml_event_t *event)
{
	unsigned line = (unsigned)event->start_mark.line + 1;
	unsigned col = (unsigned)event->start_mark.column + 1;

	switch (event->type) {
	case YAML_DOCUMENT_START_EVENT:
		if (b->documents++) {
			complain(b->complaints, line, col,
				 "a second document begins here: a pack is one");
			b->stopped = true;
		}
		break;
	case YAML_ALIAS_EVENT:
		complain(b->complaints, line, col, "an alias (`*%.60s`) has no place in a pack",
			 (const char *)event->data.alias.anchor);
		add_node(b, new_node(b, NODE_BAD, &event->start_mark));
		break;
	case YAML_SCALAR_EVENT:
		add_scalar(b, event);
		break;
	case YAML_SEQUENCE_START_EVENT:
		open_node(b, NODE_LIST, event);
		break;
	case YAML_MAPPING_START_EVENT:
		open_node(b, NODE_MAP, event);
		break;
	case YAML_SEQUENCE_END_EVENT:
	case YAML_MAPPING_END_EVENT:
		close_node(b);
		break;
	default:
		break;
	}
}

/* ---- libyaml ----------------------------------------------------------------------------- */

/* The byte that libyaml stumbled over, or NUL at the end. */
static char byte_at(const struct source *source, const yaml_mark_t *mark)
{
	const char *p = source->text, *end = p + source->len;

	for (size_t i = 0; p && i < mark->line; i++) {
		p = memchr(p, '\n', (size_t)(end - p));
		p = p ? p + 1 : NULL;
	}
	for (size_t i = 0; p && p < end && i < mark->column; i++) {
		uint32_t point;

		p += utf8_decode(p, &point);
	}
	return p && p < end ? *p : 0;
}

/* The usual mistakes: expressions and paths that are punctuation to YAML, and tabs. */
static const char *find_hint(const struct builder *b, const yaml_parser_t *parser)
{
	char at = byte_at(b->source, &parser->problem_mark);

	if (at == '\t')
		return "; indent with blanks, not tabs";
	if ((at && strchr("%[]>", at)) ||
	    (parser->context && strstr(parser->context, "block scalar")))
		return "; write \">= 64\", \"% 64\" and \"m[0]\" in quotes";
	return "";
}

static void complain_syntax(struct builder *b, const yaml_parser_t *parser)
{
	unsigned line = (unsigned)parser->problem_mark.line + 1;
	unsigned col = (unsigned)parser->problem_mark.column + 1;
	unsigned from = (unsigned)parser->context_mark.line + 1;
	struct buf context = BUF_INIT;

	if (parser->context)
		buf_addf(&context, " %s", parser->context);
	if (parser->context && from != line)
		buf_addf(&context, " that begins on line %u", from);
	complain(b->complaints, line, col, "not YAML: %s%s%s", parser->problem, context.s,
		 find_hint(b, parser));
	buf_release(&context);
}

static bool take_all_events(struct builder *b, yaml_parser_t *parser)
{
	bool ended = false;

	while (!ended && !b->stopped) {
		yaml_event_t event;

		if (!yaml_parser_parse(parser, &event)) {
			if (parser->error == YAML_MEMORY_ERROR)
				die_oom();
			complain_syntax(b, parser);
			return false;
		}
		take_event(b, &event);
		ended = event.type == YAML_STREAM_END_EVENT;
		yaml_event_delete(&event);
	}
	return !b->stopped;
}

const struct node *yaml_parse(const struct source *source, struct arena *arena,
			      struct complaints *complaints)
{
	struct builder b = {.source = source, .arena = arena, .complaints = complaints};
	yaml_parser_t parser;
	bool ok;

	if (!check_bytes(source, complaints))
		return NULL;
	if (!yaml_parser_initialize(&parser))
		die_oom();
	yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
	yaml_parser_set_input_string(&parser, (const unsigned char *)source->text, source->len);
	ok = take_all_events(&b, &parser);
	yaml_parser_delete(&parser);
	while (b.depth)
		free(b.open[--b.depth].items);
	if (ok && !b.root)
		complain(complaints, 0, 0,
			 "nothing in it: a pack begins with `layoutcheck: 1`, a file of waivers "
			 "with "
			 "`layoutcheck-waivers: 1`");
	return ok ? b.root : NULL;
}
