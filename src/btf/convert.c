// SPDX-License-Identifier: GPL-2.0-or-later
#include "btf/convert.h"

#include <bpf/btf.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"

/* No type that a person wrote nests this deep; a circle does. */
enum { DEEPEST = 256 };

void converter_init(struct converter *c)
{
	size_t n = btf__type_cnt(c->btf);

	c->types = xcalloc(n, sizeof *c->types);
	c->digests = xcalloc(n, sizeof *c->digests);
	c->spellings = xcalloc(n, sizeof *c->spellings);
	c->depth = 0;
}

void converter_release(struct converter *c)
{
	free(c->types);
	free(c->digests);
	free(c->spellings);
}

static const char *name_at(const struct btf *btf, uint32_t offset)
{
	const char *name = offset ? btf__str_by_offset(btf, offset) : NULL;

	return name && *name ? name : NULL;
}

/* NULL, and the error set, when names are too many: whoever converts a definition looks. */
static const char *copy_name(struct converter *c, uint32_t offset)
{
	const char *name = name_at(c->btf, offset);

	if (!name)
		return NULL;
	c->named += strlen(name);
	if (c->named <= c->most_named)
		return arena_strdup(c->arena, name);
	(void)err_set(
		c->err, c->place,
		"its names are more than %llu bytes: no compiler makes so much of BTF that is "
		"so small",
		(unsigned long long)c->most_named);
	return NULL;
}

static bool enter(struct converter *c, uint32_t id)
{
	if (c->depth++ < DEEPEST)
		return true;
	return err_set(c->err, c->place, "BTF type %u contains itself, or nests too deep", id);
}

/* ---- spellings -------------------------------------------------------------------------------
 */

static bool spell(struct converter *c, uint32_t id, struct spelling *ret);

static bool spell_prototype(struct converter *c, const struct btf_type *t, struct spelling *ret)
{
	const struct btf_param *params = btf_params(t);
	size_t n = btf_vlen(t);
	/* The last one without type and name stands for "...". */
	bool variadic = n && !params[n - 1].type && !params[n - 1].name_off;
	struct spelling *spelled, result;
	bool ok = true;

	n -= variadic;
	if (!spell(c, t->type, &result))
		return false;
	spelled = xcalloc(n + 1, sizeof *spelled);
	for (size_t i = 0; i < n && ok; i++)
		ok = spell(c, params[i].type, &spelled[i]);
	if (ok)
		*ret = spell_function(result, spelled, n, variadic, c->arena);
	free(spelled);
	return ok;
}

static const char *word_before(const struct btf_type *t)
{
	switch (btf_kind(t)) {
	case BTF_KIND_STRUCT:
		return "struct";
	case BTF_KIND_UNION:
		return "union";
	case BTF_KIND_ENUM:
	case BTF_KIND_ENUM64:
		return "enum";
	case BTF_KIND_FWD:
		return btf_kflag(t) ? "union" : "struct";
	default:
		return NULL;
	}
}

static const char *qualifier_word(const struct btf_type *t)
{
	switch (btf_kind(t)) {
	case BTF_KIND_CONST:
		return "const";
	case BTF_KIND_VOLATILE:
		return "volatile";
	case BTF_KIND_RESTRICT:
		return "restrict";
	default:
		return NULL;
	}
}

static bool spell_new(struct converter *c, uint32_t id, struct spelling *ret)
{
	const struct btf_type *t = btf__type_by_id(c->btf, id);
	struct spelling inner;
	uint32_t count;

	switch (btf_kind(t)) {
	case BTF_KIND_PTR:
	case BTF_KIND_CONST:
	case BTF_KIND_VOLATILE:
	case BTF_KIND_RESTRICT:
		if (!spell(c, t->type, &inner))
			return false;
		*ret = btf_is_ptr(t) ? spell_pointer(inner, "*", c->arena)
				     : spell_qualified(qualifier_word(t), inner, c->arena);
		return true;
	case BTF_KIND_TYPE_TAG:
		return spell(c, t->type, ret);
	case BTF_KIND_ARRAY:
		count = btf_array(t)->nelems;
		if (!spell(c, btf_array(t)->type, &inner))
			return false;
		*ret = spell_array(inner, true, count, c->arena);
		return true;
	case BTF_KIND_FUNC_PROTO:
		return spell_prototype(c, t, ret);
	default:
		*ret = spell_name(word_before(t), copy_name(c, t->name_off), c->arena);
		return true;
	}
}

static bool spell(struct converter *c, uint32_t id, struct spelling *ret)
{
	struct spelling *known = &c->spellings[id];

	if (!id) {
		*ret = spell_name(NULL, "void", c->arena);
		return true;
	}
	if (!known->before) {
		struct spelling spelling;

		if (!enter(c, id) || !spell_new(c, id, &spelling))
			return false;
		c->depth--;
		*known = spelling;
	}
	*ret = *known;
	return true;
}

/* ---- digests ---------------------------------------------------------------------------------
 */

/* What two layouts must have in common to be one. Names of types do not count, as in DWARF: a
 * member's place, size and name do. */
struct digest_head {
	uint64_t kind, bits, detail; /* detail: encoding of an integer, count of an array */
};

static struct hash128 digest_leaf(const struct type *type, uint64_t detail)
{
	struct digest_head head = {type->kind, type->bits, detail};

	return hash128(&head, sizeof head);
}

static struct hash128 digest_array(const struct type *type, struct hash128 element)
{
	struct {
		struct digest_head head;
		struct hash128 element;
	} all = {{type->kind, type->bits, type->count}, element};

	return hash128(&all, sizeof all);
}

static struct hash128 digest_composite(struct converter *c, const struct type *type,
				       const struct btf_member *from)
{
	struct digest_head head = {type->kind, type->bits, type->nmembers};
	struct buf all = BUF_INIT;
	struct hash128 digest;

	buf_add(&all, &head, sizeof head);
	for (size_t i = 0; i < type->nmembers; i++) {
		const struct member *m = &type->members[i];
		uint64_t place[] = {m->bit_offset, m->bit_size, m->is_bitfield, m->is_dynamic};

		buf_add(&all, place, sizeof place);
		buf_add(&all, &c->digests[from[i].type], sizeof *c->digests);
		buf_add(&all, m->name ? m->name : "", m->name ? strlen(m->name) + 1 : 1);
	}
	digest = hash128(all.s, all.len);
	buf_release(&all);
	return digest;
}

/* ---- types -----------------------------------------------------------------------------------
 */

static struct type *new_type(struct converter *c, enum type_kind kind)
{
	struct type *type = arena_alloc(c->arena, sizeof *type);

	type->kind = kind;
	return type;
}

static void set_bits(struct type *type, uint64_t bits)
{
	type->has_size = true;
	type->bits = bits;
}

static struct type *convert_array(struct converter *c, uint32_t id, const struct btf_type *t)
{
	const struct btf_array *array = btf_array(t);
	const struct type *element = convert_type(c, array->type);
	struct type *type;
	uint64_t bits;

	if (!element)
		return NULL;
	if (!element->has_size && array->nelems) {
		err_set(c->err, c->place, "BTF type %u is an array of what has no size", id);
		return NULL;
	}
	if (__builtin_mul_overflow(element->bits, array->nelems, &bits) || bits > INT64_MAX) {
		err_set(c->err, c->place, "BTF type %u is an array larger than memory", id);
		return NULL;
	}
	type = new_type(c, TYPE_ARRAY);
	type->target = element;
	type->has_count = true;
	type->count = array->nelems;
	set_bits(type, bits);
	c->digests[id] = digest_array(type, c->digests[array->type]);
	return type;
}

/* Typedefs and qualifiers: as large as what they name, and one with it in digests. */
static struct type *convert_alias(struct converter *c, uint32_t id, const struct btf_type *t,
				  enum type_kind kind)
{
	const struct type *target = convert_type(c, t->type);
	struct type *type;

	if (!target)
		return NULL;
	type = new_type(c, kind);
	type->target = target->kind == TYPE_VOID ? NULL : target;
	type->has_size = target->has_size;
	type->bits = target->bits;
	c->digests[id] = c->digests[t->type];
	return type;
}

static struct type *convert_pointer(struct converter *c, uint32_t id)
{
	struct type *type;

	if (!c->pointer_bits) {
		err_set(c->err, c->place,
			"BTF has pointers, and no type `long` tells their size: name the machine "
			"(--arch)");
		return NULL;
	}
	type = new_type(c, TYPE_POINTER);
	set_bits(type, c->pointer_bits);
	c->digests[id] = digest_leaf(type, 0);
	return type;
}

static struct type *convert_leaf(struct converter *c, uint32_t id, const struct btf_type *t,
				 enum type_kind kind)
{
	struct type *type = new_type(c, kind);

	if (kind == TYPE_BASE || kind == TYPE_ENUM)
		set_bits(type, (uint64_t)t->size * 8);
	c->digests[id] =
		digest_leaf(type, btf_is_int(t) ? *(const uint32_t *)(t + 1) : btf_kind(t));
	return type;
}

/* ---- members ---------------------------------------------------------------------------------
 */

/*
 * Old BTF has bit-fields as integers that use some bits of their bytes: "an int of which bits 2 to
 * 5 count". NULL when this is not one.
 */
static const struct btf_type *partial_int(const struct btf *btf, uint32_t id)
{
	const struct btf_type *t = btf__type_by_id(btf, id);

	while (btf_is_mod(t) || btf_is_typedef(t))
		t = btf__type_by_id(btf, t->type);
	if (!btf_is_int(t) || (!btf_int_offset(t) && btf_int_bits(t) == t->size * 8))
		return NULL;
	return t;
}

static void place_plain(struct converter *c, const struct btf_member *from, struct member *m)
{
	const struct btf_type *t = partial_int(c->btf, from->type);

	m->bit_offset = from->offset;
	m->bit_size = m->type->bits;
	if (t) {
		m->bit_offset += btf_int_offset(t);
		m->bit_size = btf_int_bits(t);
		m->is_bitfield = true;
	}
}

/*
 * The place of a member of a struct with kind_flag: the word has the size of a bit-field in its top
 * byte. Beyond the 2 MiB that the other three can count, writers let the offset run into that byte:
 * what then reads as a bit-field may be one, or a bit-field elsewhere, or a plain member far
 * behind. False: it cannot be any of them.
 */
static bool place_flagged(const struct btf_type *t, uint32_t word, struct member *m)
{
	uint64_t struct_bits = (uint64_t)t->size * 8;
	bool is_large = struct_bits > BTF_MEMBER_BIT_OFFSET(UINT32_MAX);
	const struct type *type = type_strip(m->type);
	unsigned size = BTF_MEMBER_BITFIELD_SIZE(word);

	m->bit_offset = word;
	m->bit_size = m->type->bits;
	if (!size)
		return true;
	if (size > type->bits || (type->kind != TYPE_BASE && type->kind != TYPE_ENUM))
		return is_large && word + type->bits <= struct_bits;
	m->bit_offset = BTF_MEMBER_BIT_OFFSET(word);
	m->bit_size = size;
	m->is_bitfield = true;
	m->is_dynamic = is_large;
	return true;
}

/* T d[] and T d[0] are one in BTF: as the last member of a struct it is the former. */
static void make_flexible(struct converter *c, uint32_t id, struct member *m)
{
	const struct btf_type *t = btf__type_by_id(c->btf, id);
	struct spelling element;
	struct type *open;

	m->is_flexible = true;
	if (!btf_is_array(t)) /* behind a typedef, which others share */
		return;
	if (!spell(c, btf_array(t)->type, &element))
		BUG("an array was spelled and its element cannot be");
	open = arena_copy(c->arena, m->type, sizeof *open);
	open->has_count = false;
	spell_store(open, spell_array(element, false, 0, c->arena), c->arena);
	m->type = open;
}

static bool convert_member(struct converter *c, uint32_t id, const struct btf_type *t, size_t i,
			   struct member *m)
{
	const struct btf_member *from = &btf_members(t)[i];
	const struct type *stripped;

	m->name = copy_name(c, from->name_off);
	m->type = convert_type(c, from->type);
	if (!m->type)
		return false;
	if (!m->type->has_size)
		return err_set(c->err, c->place, "BTF type %u: member %zu has no size", id, i + 1);
	if (!btf_kflag(t))
		place_plain(c, from, m);
	else if (!place_flagged(t, from->offset, m))
		return err_set(c->err, c->place,
			       "BTF type %u: member %zu is a bit-field larger than its type", id,
			       i + 1);
	stripped = type_strip(m->type);
	m->is_marker = !m->bit_size && m->name && is_marker_name(m->name);
	if (!m->is_marker && btf_is_struct(t) && i + 1 == btf_vlen(t) &&
	    stripped->kind == TYPE_ARRAY && !stripped->count)
		make_flexible(c, from->type, m);
	return true;
}

/*
 * BTF counts 65,535 members at most, and pahole 1.24 forgets the 65,536th
 * and starts again. So many bytes then follow the last one as no compiler pads with: padding is
 * smaller than the alignment, which divides the size. Unnamed bit-fields, which are not there
 * either, do not make as many.
 */
static bool lacks_members(const struct type *type)
{
	enum { LEAST_LOST = 65536 / 8 };
	uint64_t bytes = type->bits / 8, end = 0;

	for (size_t i = 0; i < type->nmembers; i++) {
		const struct member *m = &type->members[i];

		if (m->is_dynamic)
			return false;
		if (m->bit_offset + m->bit_size > end)
			end = m->bit_offset + m->bit_size;
	}
	end = (end + 7) / 8;
	return type->nmembers && end < bytes && bytes - end >= LEAST_LOST &&
	       bytes - end >= (bytes & -bytes);
}

static struct type *convert_composite(struct converter *c, uint32_t id, const struct btf_type *t)
{
	size_t n = btf_vlen(t);
	struct member *members = arena_array(c->arena, n, sizeof *members);
	struct type *type;

	for (size_t i = 0; i < n; i++)
		if (!convert_member(c, id, t, i, &members[i]))
			return NULL;
	type = new_type(c, btf_is_struct(t) ? TYPE_STRUCT : TYPE_UNION);
	set_bits(type, (uint64_t)t->size * 8);
	type->members = members;
	type->nmembers = n;
	if (btf_is_struct(t) && lacks_members(type)) {
		err_set(c->err, c->place,
			"BTF type %u has more members than BTF can count, and lacks the others",
			id);
		return NULL;
	}
	c->digests[id] = digest_composite(c, type, btf_members(t));
	return type;
}

/* ---- the way in ------------------------------------------------------------------------------
 */

static struct type *convert_new(struct converter *c, uint32_t id, const struct btf_type *t)
{
	switch (btf_kind(t)) {
	case BTF_KIND_INT:
	case BTF_KIND_FLOAT:
		return convert_leaf(c, id, t, TYPE_BASE);
	case BTF_KIND_ENUM:
	case BTF_KIND_ENUM64:
		return convert_leaf(c, id, t, TYPE_ENUM);
	case BTF_KIND_FWD:
		return convert_leaf(c, id, t, TYPE_INCOMPLETE);
	case BTF_KIND_FUNC_PROTO:
		return convert_leaf(c, id, t, TYPE_FUNCTION);
	case BTF_KIND_PTR:
		return convert_pointer(c, id);
	case BTF_KIND_ARRAY:
		return convert_array(c, id, t);
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
		return convert_composite(c, id, t);
	case BTF_KIND_TYPEDEF:
		return convert_alias(c, id, t, TYPE_TYPEDEF);
	case BTF_KIND_CONST:
	case BTF_KIND_VOLATILE:
	case BTF_KIND_RESTRICT:
		return convert_alias(c, id, t, TYPE_QUALIFIER);
	default:
		err_set(c->err, c->place, "BTF type %u is used as a type and is none", id);
		return NULL;
	}
}

/* The same type with a remark for the kernel's checkers: it is what it tags. */
static const struct type *convert_tag(struct converter *c, uint32_t id, const struct btf_type *t)
{
	const struct type *type = convert_type(c, t->type);

	c->digests[id] = c->digests[t->type];
	return type;
}

static const struct type *convert_named(struct converter *c, uint32_t id, const struct btf_type *t)
{
	struct type *type = convert_new(c, id, t);
	struct spelling spelling;

	if (!type || !spell(c, id, &spelling))
		return NULL;
	type->name = copy_name(c, t->name_off);
	spell_store(type, spelling, c->arena);
	return type;
}

const struct type *convert_type(struct converter *c, uint32_t id)
{
	static const struct type void_type = {
		.kind = TYPE_VOID, .name = "void", .spelling = "void"};
	const struct btf_type *t;

	if (!id)
		return &void_type;
	if (!c->types[id]) {
		if (!enter(c, id))
			return NULL;
		t = btf__type_by_id(c->btf, id);
		c->types[id] = btf_is_type_tag(t) ? convert_tag(c, id, t) : convert_named(c, id, t);
		c->depth--;
	}
	return c->types[id];
}

/* The anonymous struct or union that a typedef names, through qualifiers and tags; 0: it names
 * something else. */
static uint32_t typedef_target(const struct btf *btf, const struct btf_type *t)
{
	uint32_t id = t->type;

	for (unsigned i = 0; i < DEEPEST; i++) {
		t = btf__type_by_id(btf, id);
		if (!btf_is_mod(t))
			return btf_is_composite(t) && !name_at(btf, t->name_off) ? id : 0;
		id = t->type;
	}
	return 0;
}

const char *definition_name(const struct btf *btf, uint32_t id)
{
	const struct btf_type *t = btf__type_by_id(btf, id);

	if (!btf_is_composite(t) && !(btf_is_typedef(t) && typedef_target(btf, t)))
		return NULL;
	return name_at(btf, t->name_off);
}

bool convert_definition(struct converter *c, uint32_t id, struct def *ret)
{
	const struct btf_type *t = btf__type_by_id(c->btf, id);
	uint32_t target = btf_is_typedef(t) ? typedef_target(c->btf, t) : id;
	struct def def = {.name = copy_name(c, t->name_off), .cus = 1};

	def.type = convert_type(c, target);
	if (!def.type || c->err->text)
		return false;
	def.kind = btf_is_typedef(t) ? DEF_TYPEDEF : btf_is_struct(t) ? DEF_STRUCT : DEF_UNION;
	def.digest = c->digests[target].lo;
	*ret = def;
	return true;
}
