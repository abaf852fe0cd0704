/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "diff/alike.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/math.h"
#include "layout/geometry.h"

/* One pair of structs or unions that has been compared. */
struct pair {
	const struct type *old, *new; /* NULL: a free slot */
	bool same;
};

struct alike {
	bool aligns;
	struct pair *slots; /* open addressing; nslots is a power of two */
	size_t n, nslots;
};

struct alike *alike_new(bool aligns)
{
	struct alike *alike = xcalloc(1, sizeof *alike);

	alike->aligns = aligns;
	alike->nslots = 1024;
	alike->slots = xcalloc(alike->nslots, sizeof *alike->slots);
	return alike;
}

void alike_free(struct alike *alike)
{
	free(alike->slots);
	free(alike);
}

/* ---- what has been compared ------------------------------------------------------------------ */

static struct pair *find_slot(struct pair *slots, size_t nslots, const struct type *old,
			      const struct type *new)
{
	uint64_t hash = ((uint64_t)(uintptr_t)old * 31 + (uint64_t)(uintptr_t) new) *
			UINT64_C(0x9e3779b97f4a7c15);
	size_t at = (size_t)(hash >> 20) & (nslots - 1);

	while (slots[at].old && (slots[at].old != old || slots[at].new != new))
		at = (at + 1) & (nslots - 1);
	return &slots[at];
}

static void grow(struct alike *alike)
{
	size_t nslots = alike->nslots * 2;
	struct pair *slots = xcalloc(nslots, sizeof *slots);

	for (size_t i = 0; i < alike->nslots; i++)
		if (alike->slots[i].old)
			*find_slot(slots, nslots, alike->slots[i].old, alike->slots[i].new) =
				alike->slots[i];
	free(alike->slots);
	alike->slots = slots;
	alike->nslots = nslots;
}

static void remember(struct alike *alike, const struct type *old, const struct type *new, bool same)
{
	if (alike->n * 2 >= alike->nslots)
		grow(alike);
	*find_slot(alike->slots, alike->nslots, old, new) = (struct pair){old, new, same};
	alike->n++;
}

/* ---- spellings ------------------------------------------------------------------------------- */

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* The words of an integer type, in the order in which they are written here. */
static const char *const integer_words[] = {"signed", "unsigned", "char", "short", "long", "int"};

static int integer_word(const char *s, size_t len)
{
	for (size_t i = 0; i < ARRAY_SIZE(integer_words); i++)
		if (strlen(integer_words[i]) == len && memcmp(integer_words[i], s, len) == 0)
			return (int)i;
	return -1;
}

/* Writes the integer type whose words were counted: "long unsigned int" as "unsigned long". */
static void flush_integer(struct buf *out, unsigned counts[])
{
	enum { SIGNED, UNSIGNED, CHAR, SHORT, LONG, INT };
	bool any = out->len && is_word(out->s[out->len - 1]);

	if (counts[SHORT] || counts[LONG])
		counts[INT] = 0;
	else if ((counts[SIGNED] || counts[UNSIGNED]) && !counts[CHAR])
		counts[INT] = 1;
	if (counts[SIGNED] && !counts[CHAR])
		counts[SIGNED] = 0;
	for (size_t i = 0; i < ARRAY_SIZE(integer_words); i++)
		for (; counts[i]; counts[i]--) {
			buf_adds(out, any ? " " : "");
			buf_adds(out, integer_words[i]);
			any = true;
		}
}

/* Without blanks but between words, and with the words of integer types in one order. */
static void normalize(const char *s, struct buf *out)
{
	unsigned counts[ARRAY_SIZE(integer_words)] = {0};

	while (*s) {
		size_t len = 0;
		int integer;

		while (is_word(s[len]))
			len++;
		integer = integer_word(s, len);
		if (len && integer >= 0) {
			counts[integer]++;
		} else if (*s != ' ') {
			flush_integer(out, counts);
			if (len && out->len && is_word(out->s[out->len - 1]))
				buf_addc(out, ' ');
			buf_add(out, s, len ? len : 1);
		}
		s += len ? len : 1;
	}
	flush_integer(out, counts);
}

/* "int[0]" -> "int[]" */
static void open_bound(struct buf *text)
{
	if (text->len > 3 && memcmp(text->s + text->len - 3, "[0]", 4) == 0) {
		text->len -= 2;
		text->s[text->len] = '\0';
		buf_addc(text, ']');
	}
}

/* "int[2][3]" -> "int[6]" */
static void flatten(struct buf *text)
{
	struct buf flat = BUF_INIT;
	const char *s = text->s;

	while (*s) {
		uint64_t count = 1;

		if (*s != '[') {
			buf_addc(&flat, *s++);
			continue;
		}
		for (; *s == '['; s += strcspn(s, "]"), s += *s == ']')
			count = multiply_capped(count, strtoull(s + 1, NULL, 10));
		buf_addf(&flat, "[%" PRIu64 "]", count);
	}
	buf_release(text);
	*text = flat;
}

/* The word "complex", or NULL. */
static char *find_complex(const struct buf *text)
{
	static const char word[] = "complex";
	char *at = text->len ? strstr(text->s, word) : NULL;

	return at && (at == text->s || !is_word(at[-1])) && !is_word(at[strlen(word)]) ? at : NULL;
}

/*
 * gcc says which complex numbers they are ("complex double"), clang up to 14 does not: there the
 * size has to tell.
 */
static void compare_complex(struct buf *old, struct buf *new)
{
	char *a = find_complex(old), *b = find_complex(new);
	size_t len = strlen("complex");
	struct buf *longer;
	char *at, *end;

	if (!a || !b || (a[len] == ' ') == (b[len] == ' '))
		return;
	longer = a[len] == ' ' ? old : new;
	at = (longer == old ? a : b) + len;
	for (end = at; is_word(*end) || *end == ' ';)
		end++;
	memmove(at, end, strlen(end) + 1);
	longer->len -= (size_t)(end - at);
}

bool alike_spelling(const char *old, const char *new, bool flexible, bool flat)
{
	struct buf a = BUF_INIT, b = BUF_INIT;
	bool same;

	if (strcmp(old, new) == 0)
		return true;
	normalize(old, &a);
	normalize(new, &b);
	compare_complex(&a, &b);
	if (flat) {
		flatten(&a);
		flatten(&b);
	}
	if (flexible) {
		open_bound(&a);
		open_bound(&b);
	}
	same = strcmp(a.s, b.s) == 0;
	buf_release(&a);
	buf_release(&b);
	return same;
}

/* ---- layouts --------------------------------------------------------------------------------- */

/* The alternatives of a union are told apart by their types, the members of a struct by name. */
static const char *leaf_key(const struct leaf *leaf)
{
	if (leaf->parent->kind == TYPE_UNION || !leaf->member->name)
		return leaf->member->type->spelling ? leaf->member->type->spelling : "";
	return leaf->member->name;
}

static int compare_leaves(const void *left, const void *right)
{
	const struct leaf *a = left, *b = right;

	if (a->bit_offset != b->bit_offset)
		return a->bit_offset < b->bit_offset ? -1 : 1;
	if (a->member->bit_size != b->member->bit_size)
		return a->member->bit_size < b->member->bit_size ? -1 : 1;
	return strcmp(leaf_key(a), leaf_key(b));
}

static bool same_align(const struct alike *alike, bool has_old, uint64_t old, bool has_new,
		       uint64_t new)
{
	return !alike->aligns || (has_old == has_new && (!has_old || old == new));
}

static bool compare_types(struct alike *alike, const struct type *old, const struct type *new,
			  unsigned depth);

static bool same_leaf(struct alike *alike, const struct leaf *old, const struct leaf *new,
		      unsigned depth)
{
	const struct member *a = old->member, *b = new->member;
	bool in_unions = old->parent->kind == TYPE_UNION && new->parent->kind == TYPE_UNION;

	if (old->bit_offset != new->bit_offset || a->bit_size != b->bit_size ||
	    a->is_bitfield != b->is_bitfield || a->is_flexible != b->is_flexible)
		return false;
	if (!in_unions && strcmp(a->name ? a->name : "", b->name ? b->name : "") != 0)
		return false;
	return same_align(alike, a->has_align, a->align, b->has_align, b->align) &&
	       compare_types(alike, a->type, b->type, depth + 1);
}

static bool compare_composites(struct alike *alike, const struct type *old, const struct type *new,
			       unsigned depth)
{
	struct arena scratch;
	struct leaves a, b;
	bool same;

	if (!same_align(alike, old->has_align, old->align, new->has_align, new->align))
		return false;
	arena_init(&scratch);
	a = leaves_of(old, &scratch);
	b = leaves_of(new, &scratch);
	same = a.n == b.n;
	if (same && a.n) {
		qsort(a.items, a.n, sizeof *a.items, compare_leaves);
		qsort(b.items, b.n, sizeof *b.items, compare_leaves);
	}
	for (size_t i = 0; i < a.n && same; i++)
		same = same_leaf(alike, &a.items[i], &b.items[i], depth);
	arena_release(&scratch);
	return same;
}

/* How many elements there are in all dimensions; 0 when nothing says so. */
static uint64_t flat_count(const struct type **element)
{
	uint64_t count = 1;

	for (; (*element)->kind == TYPE_ARRAY; *element = type_strip((*element)->target))
		count = multiply_capped(count, (*element)->has_count ? (*element)->count : 0);
	return count;
}

static bool compare_arrays(struct alike *alike, const struct type *old, const struct type *new,
			   unsigned depth)
{
	bool sized = old->has_count && old->count, sized_new = new->has_count &&new->count;

	if (!alike->aligns)
		return flat_count(&old) == flat_count(&new) &&
		       compare_types(alike, old, new, depth + 1);
	if (sized != sized_new || (sized && old->count != new->count))
		return false;
	return compare_types(alike, old->target, new->target, depth + 1);
}

static bool same_name(const struct type *old, const struct type *new)
{
	if (!old->name || !new->name)
		return old->name == new->name;
	return alike_spelling(old->name, new->name, false, false);
}

/* Deeper than any reader lets types nest by value. */
enum { DEEPEST_VALUE = 500 };

static bool compare_types(struct alike *alike, const struct type *old, const struct type *new,
			  unsigned depth)
{
	const struct pair *known;
	bool same;

	old = type_strip(old);
	new = type_strip(new);
	if (old->kind != new->kind || depth > DEEPEST_VALUE)
		return false;
	if (old->kind == TYPE_ARRAY)
		return compare_arrays(alike, old, new, depth);
	if (old->has_size != new->has_size || old->bits != new->bits)
		return false;
	switch (old->kind) {
	case TYPE_BASE:
	case TYPE_ENUM:
	case TYPE_INCOMPLETE:
		return same_name(old, new);
	case TYPE_STRUCT:
	case TYPE_UNION:
		break;
	default:
		return true;
	}
	known = find_slot(alike->slots, alike->nslots, old, new);
	if (known->old)
		return known->same;
	same = compare_composites(alike, old, new, depth);
	remember(alike, old, new, same);
	return same;
}

bool alike_types(struct alike *alike, const struct type *old, const struct type *new)
{
	return compare_types(alike, old, new, 0);
}
