/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Waiver files: YAML -> struct waivers. */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "rule/waive.h"
#include "rule/waivers.h"

static bool parse_fingerprint(struct reader *reader, const struct node *node, const char **ret)
{
	size_t len;

	if (!read_text(reader, node, "fingerprint", ret))
		return false;
	len = strlen(*ret);
	if (strspn(*ret, "0123456789abcdef") == len && len >= FINGERPRINT_START && len < SHA256_HEX)
		return true;
	oops(reader, node,
	     "`fingerprint` must be %d to %d digits of 0 to 9 and a to f, not `%.70s`",
	     FINGERPRINT_START, SHA256_HEX - 1, *ret);
	return false;
}

static bool parse_of(struct reader *reader, const struct node *node, enum waiver_of *ret)
{
	static const char *const words[] = {"finding", "change"};
	size_t which;

	if (!read_choice(reader, node, "of", words, ARRAY_SIZE(words), &which))
		return false;
	*ret = which ? WAIVER_OF_CHANGE : WAIVER_OF_FINDING;
	return true;
}

static void parse_waiver(struct reader *reader, const struct node *map, struct waivers *waivers)
{
	enum { FINGERPRINT = WAIVE_SLOTS, OF, N };
	struct slot slots[N] = {
		[FINGERPRINT] = {.name = "fingerprint", .required = true},
		[OF] = {.name = "of"},
	};
	struct waiving waiving = {.of = WAIVER_OF_ANY};
	bool ok;

	waive_slots(slots);
	ok = read_slots(reader, map, "a waiver", slots, N);
	ok = waive_parse(reader, map, slots, &waiving.waiver) && ok;
	if (slots[FINGERPRINT].value)
		ok = parse_fingerprint(reader, slots[FINGERPRINT].value, &waiving.fingerprint) &&
		     ok;
	if (slots[OF].value)
		ok = parse_of(reader, slots[OF].value, &waiving.of) && ok;
	if (!ok)
		return;
	ARRAY_GROW(waivers->items, waivers->n, waivers->cap);
	waivers->items[waivers->n++] = waiving;
}

/* ---- twice ----------------------------------------------------------------------------------- */

static int compare_fingerprints(const void *left, const void *right)
{
	const struct waiving *a = *(const struct waiving *const *)left;
	const struct waiving *b = *(const struct waiving *const *)right;
	int order = strcmp(a->fingerprint, b->fingerprint);

	return order ? order : (a > b) - (a < b);
}

/* Of those from @first on: a fingerprint that begins another means the same finding. */
static void complain_twice(struct reader *reader, const struct waivers *waivers, size_t first)
{
	size_t n = waivers->n - first;
	const struct waiving **order = arena_array(&reader->scratch, n, sizeof *order);

	for (size_t i = 0; i < n; i++)
		order[i] = &waivers->items[first + i];
	if (n)
		qsort(order, n, sizeof *order, compare_fingerprints);
	for (size_t i = 1; i < n; i++) {
		const struct pos *pos = &order[i]->waiver.pos, *other = &order[i - 1]->waiver.pos;

		if (!text_starts_with(order[i]->fingerprint, order[i - 1]->fingerprint))
			continue;
		if (pos->line < other->line) {
			const struct pos *swap = pos;

			pos = other;
			other = swap;
		}
		complain(&reader->complaints, pos->line, pos->col,
			 "fingerprint %s stands twice: first at %u:%u", order[i]->fingerprint,
			 other->line, other->col);
	}
}

/* ---- a file ---------------------------------------------------------------------------------- */

/* False: of a later form, in which anything may be right. */
static bool parse_version(struct reader *reader, const struct node *node, const char *name)
{
	uint64_t version = 1;

	if (read_number(reader, node, name, 1, &version) && version != 1)
		oops(reader, node, "version %s of waiver files is not known here; 1 is",
		     node->text);
	return version == 1;
}

static void parse_file(struct reader *reader, const struct node *root, struct waivers *waivers)
{
	enum { VERSION, WAIVERS, N };
	struct slot slots[N] = {
		[VERSION] = {.name = "layoutcheck-waivers", .required = true},
		[WAIVERS] = {.name = "waivers", .required = true},
	};
	const struct node *list;
	size_t first = waivers->n;

	for (size_t i = 0; root->kind == NODE_MAP && i < root->n; i++)
		if (strcmp(node_key(root, i)->text, slots[VERSION].name) == 0 &&
		    !parse_version(reader, node_value(root, i), slots[VERSION].name))
			return;
	read_slots(reader, root, "a waiver file", slots, N);
	list = slots[WAIVERS].value;
	/* The last one may have been deleted. */
	if (!list || (list->kind == NODE_LIST && !list->n) ||
	    !read_kind(reader, list, "waivers", NODE_LIST))
		return;
	for (size_t i = 0; i < list->n; i++)
		parse_waiver(reader, list->items[i], waivers);
	complain_twice(reader, waivers, first);
}

bool waivers_parse(struct waivers *waivers, const char *file, const char *text, size_t len,
		   struct pack_errors *errors)
{
	struct reader reader = {.arena = &waivers->arena};
	size_t before = errors->n;
	const struct node *root;

	arena_init(&reader.scratch);
	complaints_init(&reader.complaints);
	reader.source = (struct source){arena_strdup(&waivers->arena, file),
					arena_strndup(&waivers->arena, text, len), len};
	root = yaml_parse(&reader.source, &reader.scratch, &reader.complaints);
	if (root)
		parse_file(&reader, root, waivers);
	complaints_print(&reader.complaints, &reader.source, errors);
	complaints_release(&reader.complaints);
	arena_release(&reader.scratch);
	ARRAY_GROW(waivers->sources, waivers->nsources, waivers->cap_sources);
	waivers->sources[waivers->nsources++] = reader.source;
	return errors->n == before;
}

bool waivers_load(struct waivers *waivers, const char *path, struct pack_errors *errors)
{
	struct bytes bytes;
	bool ok;

	if (!read_yaml_file(path, errors, &bytes))
		return false;
	ok = waivers_parse(waivers, path, bytes.data, bytes.len, errors);
	bytes_release(&bytes);
	return ok;
}
