/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "c2c/place.h"

#include <inttypes.h>
#include <string.h>

#include "base/buf.h"
#include "base/math.h"
#include "layout/geometry.h"

static uint64_t size_of(const struct type *type)
{
	return type->has_size ? type->bits / 8 : 0;
}

static bool is_composite(const struct type *type)
{
	return type->kind == TYPE_STRUCT || type->kind == TYPE_UNION;
}

/* First byte of a member, and the byte behind its last; to infinity for T[]. */
static bool extent(const struct member *member, uint64_t *ret_start, uint64_t *ret_end)
{
	if (member->is_marker || member->is_dynamic || (!member->bit_size && !member->is_flexible))
		return false;
	*ret_start = member->bit_offset / 8;
	*ret_end = member->is_flexible ? UINT64_MAX
				       : (add_capped(member->bit_offset, member->bit_size) + 7) / 8;
	return true;
}

static bool covers(const struct member *member, uint64_t offset)
{
	uint64_t start, end;

	return extent(member, &start, &end) && offset >= start && offset < end;
}

/* Bytes of an array's element; 0: not known. */
static uint64_t stride(const struct type *array)
{
	return array->target ? size_of(type_strip(array->target)) : 0;
}

/* ---- the member -------------------------------------------------------------------------------
 */

/* Leaves that hold bytes, up to two; a union counts as two, since it is views of one word. */
static unsigned count_leaves(const struct type *type, unsigned depth)
{
	unsigned n = 0;

	type = type_strip(type);
	if (!is_composite(type) || depth > DEEPEST_NESTING)
		return 1;
	for (size_t i = 0; i < type->nmembers && n < 2; i++) {
		uint64_t start, end;

		if (extent(&type->members[i], &start, &end))
			n += count_leaves(type->members[i].type, depth + 1);
	}
	return n;
}

static bool has_union(const struct type *type, unsigned depth)
{
	type = type_strip(type);
	if (!is_composite(type) || depth > DEEPEST_NESTING)
		return false;
	if (type->kind == TYPE_UNION && type->nmembers > 1)
		return true;
	for (size_t i = 0; i < type->nmembers; i++)
		if (has_union(type->members[i].type, depth + 1))
			return true;
	return false;
}

/* A lock, a counter, a lockref: nobody means less than the whole. */
static bool is_word(const struct type *type)
{
	enum { WORD = 8 };

	return size_of(type) <= WORD && (count_leaves(type, 0) < 2 || has_union(type, 0));
}

/* How well the alternatives of a union fit an access: 3 the member of that size, 2 one that begins
 * there, 1 one that covers it. */
static unsigned fit(const struct type *type, uint64_t offset, uint32_t size, unsigned depth)
{
	unsigned best = 0;

	type = type_strip(type);
	if (depth > DEEPEST_NESTING)
		return 0;
	if (type->kind == TYPE_ARRAY) {
		uint64_t step = stride(type);

		return step ? fit(type->target, offset % step, size, depth + 1) : 1;
	}
	if (!is_composite(type)) {
		if (offset)
			return 1;
		return size && size_of(type) == size ? 3 : 2;
	}
	for (size_t i = 0; i < type->nmembers; i++) {
		const struct member *member = &type->members[i];
		unsigned found = 0;

		if (covers(member, offset))
			found = fit(member->type, offset - member->bit_offset / 8, size, depth + 1);
		if (found > best)
			best = found;
	}
	return best;
}

/* The member of a composite that an access means; NULL: a hole. */
static const struct member *choose(const struct type *type, uint64_t offset, uint32_t size)
{
	const struct member *best = NULL;
	unsigned most = 0;

	for (size_t i = 0; i < type->nmembers; i++) {
		const struct member *member = &type->members[i];
		unsigned found;

		if (!covers(member, offset))
			continue;
		found = fit(member->type, offset - member->bit_offset / 8, size, 0);
		if (!best || found > most) {
			best = member;
			most = found;
		}
	}
	return best;
}

struct walk {
	struct buf path;
	const struct type *type;
	uint64_t start, offset; /* of `type` in the outermost; of the access in `type` */
	uint64_t size;          /* of the member reached; 0: not known */
};

static bool step_into(struct walk *walk, uint32_t size)
{
	const struct member *member = choose(walk->type, walk->offset, size);
	uint64_t start, end;

	if (!member || !extent(member, &start, &end))
		return false;
	if (member->name)
		buf_addf(&walk->path, "%s%s", walk->path.len ? "." : "", member->name);
	walk->start += start;
	walk->offset -= start;
	walk->size = member->is_flexible ? 0 : end - start;
	walk->type = type_strip(member->type);
	return true;
}

/* Strings and the like are one datum. */
static bool step_index(struct walk *walk)
{
	uint64_t step = stride(walk->type), index;

	if (step <= 1)
		return false;
	index = walk->offset / step;
	buf_addf(&walk->path, "[%" PRIu64 "]", index);
	walk->start += index * step;
	walk->offset -= index * step;
	walk->size = step;
	walk->type = type_strip(walk->type->target);
	return true;
}

bool place_at(const struct type *type, uint64_t offset, uint32_t size, struct arena *arena,
	      struct place *ret)
{
	struct walk walk = {BUF_INIT, type_strip(type), 0, offset, size_of(type_strip(type))};
	bool ok = true;

	for (unsigned depth = 0; ok && depth < DEEPEST_NESTING; depth++) {
		bool all = size && !walk.offset && walk.size == size;

		if (is_composite(walk.type)) {
			if (walk.path.len && (all || is_word(walk.type)))
				break;
			ok = step_into(&walk, size);
		} else if (walk.type->kind != TYPE_ARRAY || !step_index(&walk)) {
			break;
		}
	}
	ok = ok && walk.path.len;
	if (ok)
		*ret = (struct place){arena_strdup(arena, walk.path.s), walk.start, walk.size};
	buf_release(&walk.path);
	return ok;
}

/* ---- what is embedded
 * --------------------------------------------------------------------------- */

/* "union x" and "x" name the same; the word matters where both exist, which claims settle by size.
 */
static const char *bare_name(const char *name)
{
	static const char *const words[] = {"struct ", "union ", "class ", "typedef "};

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (strncmp(name, words[i], strlen(words[i])) == 0)
			return name + strlen(words[i]);
	return name;
}

static bool sizes_agree(const struct claim *claim, const struct type *type)
{
	return !claim->has_type_size || !type->has_size || claim->type_size == size_of(type);
}

bool claim_is_of(const struct claim *claim, const struct def *def)
{
	return claim->type && strcmp(bare_name(claim->type), def->name) == 0 &&
	       sizes_agree(claim, def->type);
}

/* Of a member's type: by its tag, or by a typedef on the way to it. */
static bool is_type(const struct type *type, const char *name)
{
	for (unsigned i = 0; type && i < DEEPEST_NESTING; i++) {
		if (type->name && strcmp(type->name, name) == 0)
			return true;
		if (type->kind != TYPE_TYPEDEF && type->kind != TYPE_QUALIFIER)
			return false;
		type = type->target;
	}
	return false;
}

static bool is_scalar_of(const struct type *type, const char *spelling)
{
	for (unsigned i = 0; type && i < DEEPEST_NESTING; i++) {
		if (type->spelling && strcmp(type->spelling, spelling) == 0)
			return true;
		if (type->kind != TYPE_TYPEDEF && type->kind != TYPE_QUALIFIER)
			return false;
		type = type->target;
	}
	return false;
}

/* Does the claim's type begin @inside bytes before @offset, at some depth of @type? */
struct search {
	const struct claim *claim;
	const char *name; /* NULL: a scalar is looked for */
	uint64_t inside;
};

static bool holds(const struct search *search, const struct type *type, uint64_t offset,
		  unsigned depth);

static bool matches(const struct search *search, const struct type *type, uint64_t offset)
{
	if (!search->name)
		return is_scalar_of(type, search->claim->spelling);
	if (!is_type(type, search->name) || !sizes_agree(search->claim, type_strip(type)))
		return false;
	return !search->claim->is_exact || offset == search->inside;
}

static bool holds_in_array(const struct search *search, const struct type *type, uint64_t offset,
			   unsigned depth)
{
	uint64_t step = stride(type);

	return step && holds(search, type->target, offset % step, depth + 1);
}

static bool holds(const struct search *search, const struct type *type, uint64_t offset,
		  unsigned depth)
{
	const struct type *bare = type_strip(type);

	if (depth > DEEPEST_NESTING)
		return false;
	if (matches(search, type, offset))
		return true;
	if (bare->kind == TYPE_ARRAY)
		return holds_in_array(search, bare, offset, depth);
	if (!is_composite(bare))
		return false;
	for (size_t i = 0; i < bare->nmembers; i++) {
		const struct member *member = &bare->members[i];

		if (covers(member, offset) &&
		    holds(search, member->type, offset - member->bit_offset / 8, depth + 1))
			return true;
	}
	return false;
}

unsigned place_agrees(const struct def *def, uint64_t offset, const struct claim *claim)
{
	struct search search = {.claim = claim};

	if (claim->type && claim->offset >= 0) {
		search.name = bare_name(claim->type);
		search.inside = (uint64_t)claim->offset;
		if (claim->is_exact && claim->has_type_size && claim->type_size)
			search.inside %= claim->type_size;
		if (claim_is_of(claim, def) && (!claim->is_exact || search.inside == offset))
			return 2;
		return holds(&search, def->type, offset, 0) ? 2 : 0;
	}
	if (!claim->type && claim->spelling)
		return holds(&search, def->type, offset, 0) ? 1 : 0;
	return 0;
}
