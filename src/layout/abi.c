/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "layout/abi.h"

#include <string.h>

#include "base/math.h"
#include "base/mem.h"
#include "base/text.h"

/* ---- machines -------------------------------------------------------------------------------- */

/* Those on which a scalar of 16 bytes is not aligned to 16. */
static const struct {
	const char *arch;
	uint64_t most;
} narrow[] = {
	{"m68k", 2}, {"s390x", 8}, {"s390", 8}, {"arm", 8}, {"sparc", 8}, {"parisc", 8},
};

bool abi_of(const struct target *target, struct abi *ret)
{
	enum { MOST = 16 };

	if (!target->arch || (target->bits != 32 && target->bits != 64))
		return false;
	*ret = (struct abi){
		.pointer = target->bits / 8,
		.most = MOST,
		.halves = strcmp(target->arch, "i386") == 0,
		.big_endian = target->big_endian,
	};
	for (size_t i = 0; i < ARRAY_SIZE(narrow); i++)
		if (strcmp(target->arch, narrow[i].arch) == 0)
			ret->most = narrow[i].most;
	return true;
}

/* ---- alignments ------------------------------------------------------------------------------ */

static uint64_t align_of_size(const struct abi *abi, uint64_t bytes)
{
	enum { HALF = 4, WHOLE = 16 };
	uint64_t align = bytes & (~bytes + 1); /* the largest power of two in it */

	if (abi->halves && align > HALF && align < WHOLE)
		align = HALF;
	return min_u64(align, abi->most);
}

/* "complex double", as gcc and clang name them; a pair of what it is made of. */
static bool is_complex(const struct type *type)
{
	return type->kind == TYPE_BASE && type->name && strstr(type->name, "omplex");
}

uint64_t abi_align(const struct abi *abi, const struct type *type)
{
	uint64_t bytes = type->has_size ? type->bits / 8 : 0;

	if (!bytes)
		return 1;
	if (type->kind == TYPE_POINTER) /* those to members of C++ are two words */
		return align_of_size(abi, min_u64(bytes, abi->pointer));
	return align_of_size(abi, is_complex(type) && bytes > 1 ? bytes / 2 : bytes);
}

/* ---- names ----------------------------------------------------------------------------------- */

enum { POINTER_SIZE = 0 };

static const struct {
	const char *name;
	uint64_t bytes;
} names[] = {
	{"bool", 1},
	{"float", 4},
	{"double", 8},
	{"size_t", POINTER_SIZE},
	{"ssize_t", POINTER_SIZE},
	{"ptrdiff_t", POINTER_SIZE},
	{"intptr_t", POINTER_SIZE},
	{"uintptr_t", POINTER_SIZE},
};

/* "u64", "__s8", "__le32", "uint16_t": a word of those, a number of bits, and what belongs behind.
 */
static uint64_t size_of_number(const char *name)
{
	static const struct {
		const char *before, *behind;
	} forms[] = {
		{"u", ""},    {"s", ""},    {"__u", ""},   {"__s", ""},
		{"__le", ""}, {"__be", ""}, {"int", "_t"}, {"uint", "_t"},
	};
	static const struct {
		const char *digits;
		uint64_t bytes;
	} widths[] = {{"8", 1}, {"16", 2}, {"32", 4}, {"64", 8}};

	for (size_t i = 0; i < ARRAY_SIZE(forms); i++)
		for (size_t k = 0; k < ARRAY_SIZE(widths); k++) {
			size_t before = strlen(forms[i].before), len = strlen(widths[k].digits);

			if (text_starts_with(name, forms[i].before) &&
			    text_starts_with(name + before, widths[k].digits) &&
			    strcmp(name + before + len, forms[i].behind) == 0)
				return widths[k].bytes;
		}
	return 0;
}

/* How often each word of C's integers is there; false: there is another word. */
struct words {
	unsigned chars, shorts, ints, longs, signs, bools;
};

static bool count_word(const char *word, size_t len, struct words *words)
{
	const struct {
		const char *word;
		unsigned *count;
	} known[] = {
		{"char", &words->chars},  {"short", &words->shorts}, {"int", &words->ints},
		{"long", &words->longs},  {"signed", &words->signs}, {"unsigned", &words->signs},
		{"_Bool", &words->bools},
	};

	for (size_t i = 0; i < ARRAY_SIZE(known); i++)
		if (strlen(known[i].word) == len && memcmp(known[i].word, word, len) == 0) {
			(*known[i].count)++;
			return true;
		}
	return false;
}

static uint64_t size_of_words(const struct abi *abi, const char *name)
{
	struct words w = {0};

	for (const char *p = name; *p;) {
		size_t len = strcspn(p, " ");

		if (!count_word(p, len, &w))
			return 0;
		p += len;
		p += strspn(p, " ");
	}
	if (w.signs > 1 || w.ints > 1 || w.longs > 2 || w.chars + w.shorts + w.bools > 1 ||
	    (w.longs && w.chars + w.shorts) || (w.chars && w.ints) ||
	    (w.bools && w.longs + w.ints + w.signs))
		return 0;
	if (w.chars || w.bools)
		return 1;
	if (w.shorts)
		return 2;
	if (w.longs == 2)
		return 8;
	return w.longs ? abi->pointer : 4;
}

uint64_t abi_size(const struct abi *abi, const char *name)
{
	uint64_t bytes = size_of_number(name);

	for (size_t i = 0; !bytes && i < ARRAY_SIZE(names); i++)
		if (strcmp(names[i].name, name) == 0)
			return names[i].bytes == POINTER_SIZE ? abi->pointer : names[i].bytes;
	return bytes ? bytes : size_of_words(abi, name);
}
