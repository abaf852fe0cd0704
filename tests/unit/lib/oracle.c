/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lib/oracle.h"

#include <dwarf.h>
#include <libdwarf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/mem.h"
#include "elf/image.h"
#include "lib/blocks.h"

static Dwarf_Debug debug;
static Dwarf_Half address_size;

/* ---- text --------------------------------------------------------------------------------------
 */

static void add_head(struct buf *text, const char *word, const char *scope, const char *name,
		     uint64_t bits)
{
	buf_addf(text, "%s %s%s%s %llu\n", word, scope, *scope ? "::" : "", name,
		 (unsigned long long)bits);
}

static void add_member(struct buf *text, unsigned depth, const char *name, uint64_t offset,
		       uint64_t bits)
{
	buf_pad(text, ' ', depth);
	buf_addf(text, "%s @%llu+%llu\n", name ? name : "-", (unsigned long long)offset,
		 (unsigned long long)bits);
}

/* ---- attributes ------------------------------------------------------------------------------ */

static Dwarf_Half tag_of(Dwarf_Die die)
{
	Dwarf_Error error;
	Dwarf_Half tag = 0;

	assert_int_equal(dwarf_tag(die, &tag, &error), DW_DLV_OK);
	return tag;
}

static const char *name_of(Dwarf_Die die)
{
	Dwarf_Error error;
	char *name;

	return dwarf_diename(die, &name, &error) == DW_DLV_OK ? name : NULL;
}

static bool has(Dwarf_Die die, Dwarf_Half attribute)
{
	Dwarf_Error error;
	Dwarf_Bool yes = 0;

	assert_int_equal(dwarf_hasattr(die, attribute, &yes, &error), DW_DLV_OK);
	return yes;
}

/* A constant, or an expression that adds one. */
static bool number_of(Dwarf_Die die, Dwarf_Half attribute, int64_t *ret)
{
	Dwarf_Attribute value;
	Dwarf_Unsigned number, len;
	Dwarf_Signed with_sign;
	Dwarf_Error error;
	Dwarf_Ptr block;
	const uint8_t *bytes;

	if (dwarf_attr(die, attribute, &value, &error) != DW_DLV_OK)
		return false;
	if (dwarf_formudata(value, &number, &error) == DW_DLV_OK) {
		*ret = (int64_t)number;
		return true;
	}
	if (dwarf_formsdata(value, &with_sign, &error) == DW_DLV_OK) {
		*ret = with_sign;
		return true;
	}
	if (dwarf_formexprloc(value, &len, &block, &error) != DW_DLV_OK) {
		Dwarf_Block *old;

		if (dwarf_formblock(value, &old, &error) != DW_DLV_OK)
			return false;
		block = old->bl_data;
		len = old->bl_len;
	}
	bytes = block;
	if (len < 2 || bytes[0] != DW_OP_plus_uconst)
		return false;
	*ret = 0;
	for (unsigned i = 1; i < len; i++)
		*ret |= (int64_t)(bytes[i] & 0x7f) << 7 * (i - 1);
	return true;
}

static Dwarf_Die referred(Dwarf_Die die, Dwarf_Half attribute)
{
	Dwarf_Attribute value;
	Dwarf_Error error;
	Dwarf_Die ret;
	Dwarf_Half form;
	Dwarf_Off at;

	if (dwarf_attr(die, attribute, &value, &error) != DW_DLV_OK)
		return NULL;
	assert_int_equal(dwarf_whatform(value, &form, &error), DW_DLV_OK);
	if (form == DW_FORM_ref_sig8) {
		Dwarf_Sig8 signature;

		assert_int_equal(dwarf_formsig8(value, &signature, &error), DW_DLV_OK);
		assert_int_equal(dwarf_find_die_given_sig8(debug, &signature, &ret,
							   &(Dwarf_Bool){0}, &error),
				 DW_DLV_OK);
		return ret;
	}
	assert_int_equal(dwarf_global_formref(value, &at, &error), DW_DLV_OK);
	assert_int_equal(dwarf_offdie_b(debug, at, dwarf_get_die_infotypes_flag(die), &ret, &error),
			 DW_DLV_OK);
	return ret;
}

static Dwarf_Die first_child(Dwarf_Die die)
{
	Dwarf_Error error;
	Dwarf_Die child;

	return dwarf_child(die, &child, &error) == DW_DLV_OK ? child : NULL;
}

static Dwarf_Die next_sibling(Dwarf_Die die)
{
	Dwarf_Error error;
	Dwarf_Die next;

	return dwarf_siblingof_b(debug, die, dwarf_get_die_infotypes_flag(die), &next, &error) ==
			       DW_DLV_OK
		       ? next
		       : NULL;
}

/* ---- types ----------------------------------------------------------------------------------- */

static bool is_composite(Dwarf_Half tag)
{
	return tag == DW_TAG_structure_type || tag == DW_TAG_union_type || tag == DW_TAG_class_type;
}

static bool is_alias(Dwarf_Half tag)
{
	return tag == DW_TAG_typedef || tag == DW_TAG_const_type || tag == DW_TAG_volatile_type ||
	       tag == DW_TAG_restrict_type || tag == DW_TAG_atomic_type;
}

/* Without typedefs and qualifiers, and in its type unit when it has one. */
static Dwarf_Die strip(Dwarf_Die die)
{
	while (die && is_alias(tag_of(die)))
		die = referred(die, DW_AT_type);
	if (die && has(die, DW_AT_signature))
		die = referred(die, DW_AT_signature);
	return die;
}

static uint64_t bits_of(Dwarf_Die die);

static uint64_t array_bits(Dwarf_Die die)
{
	uint64_t bits = bits_of(referred(die, DW_AT_type));

	for (Dwarf_Die child = first_child(die); child; child = next_sibling(child)) {
		int64_t n = 0, last;

		if (!number_of(child, DW_AT_count, &n) &&
		    number_of(child, DW_AT_upper_bound, &last))
			n = last + 1;
		bits *= (uint64_t)n;
	}
	return bits;
}

static uint64_t bits_of(Dwarf_Die die)
{
	int64_t size = 0;

	die = strip(die);
	if (!die)
		return 0;
	switch (tag_of(die)) {
	case DW_TAG_array_type:
		return array_bits(die);
	case DW_TAG_ptr_to_member_type:
		return 8u * address_size *
		       (tag_of(referred(die, DW_AT_type)) == DW_TAG_subroutine_type ? 2 : 1);
	case DW_TAG_pointer_type:
	case DW_TAG_reference_type:
	case DW_TAG_rvalue_reference_type:
		return 8u * address_size;
	}
	return number_of(die, DW_AT_byte_size, &size) ? 8 * (uint64_t)size : 0;
}

/* Of a class without its virtual bases, which as a base of another it does not have. */
static uint64_t base_bits(Dwarf_Die die)
{
	bool is_shorter = false;
	uint64_t end = 0;

	for (Dwarf_Die child = first_child(die); child; child = next_sibling(child)) {
		bool is_base = tag_of(child) == DW_TAG_inheritance;
		Dwarf_Die type = strip(referred(child, DW_AT_type));
		int64_t place = 0;
		uint64_t bits;

		is_shorter |= is_base && has(child, DW_AT_virtuality);
		if ((!is_base && tag_of(child) != DW_TAG_member) || has(child, DW_AT_virtuality))
			continue;
		bits = is_base ? base_bits(type) : bits_of(type);
		is_shorter |= is_base && bits < bits_of(type);
		number_of(child, DW_AT_data_member_location, &place);
		end = 8 * (uint64_t)place + bits > end ? 8 * (uint64_t)place + bits : end;
	}
	return is_shorter ? end : bits_of(die);
}

/* ---- members --------------------------------------------------------------------------------- */

static void dump_members(Dwarf_Die die, unsigned depth, struct buf *text);

static void dump_member(Dwarf_Die die, unsigned depth, struct buf *text)
{
	Dwarf_Die type = referred(die, DW_AT_type), inner = strip(type);
	uint64_t bits = tag_of(die) == DW_TAG_inheritance ? base_bits(inner) : bits_of(type);
	uint64_t offset = 0;
	int64_t place = 0, n;

	if (has(die, DW_AT_data_member_location) &&
	    !number_of(die, DW_AT_data_member_location, &place)) {
		add_member(text, depth, "(at run time)", 0, 0);
		return;
	}
	offset = 8 * (uint64_t)place;
	if (number_of(die, DW_AT_data_bit_offset, &n))
		offset += (uint64_t)n;
	if (number_of(die, DW_AT_bit_offset, &n)) {
		int64_t unit = (int64_t)bits, width = 0;

		if (number_of(die, DW_AT_byte_size, &place))
			unit = 8 * place;
		number_of(die, DW_AT_bit_size, &width);
		offset += (uint64_t)(unit - n - width); /* little-endian */
	}
	if (number_of(die, DW_AT_bit_size, &n))
		bits = (uint64_t)n;
	add_member(text, depth, name_of(die), offset, bits);
	if (!name_of(die) && inner && is_composite(tag_of(inner)) && tag_of(die) == DW_TAG_member)
		dump_members(inner, depth + 1, text);
}

static void dump_members(Dwarf_Die die, unsigned depth, struct buf *text)
{
	for (Dwarf_Die child = first_child(die); child; child = next_sibling(child)) {
		Dwarf_Half tag = tag_of(child);

		if (tag == DW_TAG_inheritance ||
		    (tag == DW_TAG_member && !has(child, DW_AT_external) &&
		     !has(child, DW_AT_declaration)))
			dump_member(child, depth, text);
	}
}

/* ---- definitions ----------------------------------------------------------------------------- */

/* Where types are declared that are defined elsewhere. */
static struct declared {
	Dwarf_Off at;
	char *scope;
} declared[4096];
static size_t ndeclared;

static Dwarf_Off offset_of(Dwarf_Die die)
{
	Dwarf_Error error;
	Dwarf_Off at = 0;

	assert_int_equal(dwarf_dieoffset(die, &at, &error), DW_DLV_OK);
	return at;
}

static char *inner_scope(const char *scope, Dwarf_Die die)
{
	struct buf text = BUF_INIT;

	if (has(die, DW_AT_signature))
		die = referred(die, DW_AT_signature);
	buf_addf(&text, "%s%s%s", scope, *scope ? "::" : "",
		 name_of(die) ? name_of(die) : "(anonymous)");
	return buf_detach(&text);
}

static void note_declarations(Dwarf_Die die, const char *scope)
{
	for (Dwarf_Die child = first_child(die); child; child = next_sibling(child)) {
		char *inner;

		if (is_composite(tag_of(child)) && has(child, DW_AT_declaration) &&
		    ndeclared < ARRAY_SIZE(declared))
			declared[ndeclared++] = (struct declared){offset_of(child), xstrdup(scope)};
		if (!is_composite(tag_of(child)) && tag_of(child) != DW_TAG_namespace)
			continue;
		inner = inner_scope(scope, child);
		note_declarations(child, inner);
		free(inner);
	}
}

static const char *declared_scope(Dwarf_Die die)
{
	for (size_t i = 0; i < ndeclared; i++)
		if (declared[i].at == offset_of(die))
			return declared[i].scope;
	return "(nowhere)";
}

static void dump_composite(Dwarf_Die die, const char *scope, struct blocks *blocks)
{
	const char *word = tag_of(die) == DW_TAG_union_type ? "union" : "struct";
	struct buf text = BUF_INIT;
	const char *name = name_of(die);

	if (has(die, DW_AT_declaration))
		return;
	if (has(die, DW_AT_specification)) {
		name = name_of(referred(die, DW_AT_specification));
		scope = declared_scope(referred(die, DW_AT_specification));
	}
	if (!name)
		return;
	add_head(&text, word, scope, name, bits_of(die));
	dump_members(die, 1, &text);
	blocks_add(blocks, &text);
}

static void dump_typedef(Dwarf_Die die, const char *scope, struct blocks *blocks)
{
	struct buf text = BUF_INIT;
	Dwarf_Die type = referred(die, DW_AT_type);

	while (type && is_alias(tag_of(type)) && tag_of(type) != DW_TAG_typedef)
		type = referred(type, DW_AT_type);
	if (type && has(type, DW_AT_signature))
		type = referred(type, DW_AT_signature);
	if (!type || !is_composite(tag_of(type)) || name_of(type))
		return;
	add_head(&text, "typedef", scope, name_of(die), bits_of(type));
	dump_members(type, 1, &text);
	blocks_add(blocks, &text);
}

static void dump_scope(Dwarf_Die die, const char *scope, struct blocks *blocks)
{
	for (Dwarf_Die child = first_child(die); child; child = next_sibling(child)) {
		Dwarf_Half tag = tag_of(child);
		char *inner;

		if (is_composite(tag))
			dump_composite(child, scope, blocks);
		if (tag == DW_TAG_typedef)
			dump_typedef(child, scope, blocks);
		if (tag == DW_TAG_namespace || is_composite(tag)) {
			inner = inner_scope(scope, child);
			dump_scope(child, inner, blocks);
			free(inner);
		}
	}
}

/* ---- the file -------------------------------------------------------------------------------- */

static bool next_unit(Dwarf_Bool is_info, Dwarf_Die *ret)
{
	Dwarf_Unsigned length, type_offset, next;
	Dwarf_Half version, length_size, extension_size, type;
	Dwarf_Off abbrev_offset;
	Dwarf_Sig8 signature;
	Dwarf_Error error;

	if (dwarf_next_cu_header_d(debug, is_info, &length, &version, &abbrev_offset, &address_size,
				   &length_size, &extension_size, &signature, &type_offset, &next,
				   &type, &error) != DW_DLV_OK)
		return false;
	assert_int_equal(dwarf_siblingof_b(debug, NULL, is_info, ret, &error), DW_DLV_OK);
	return true;
}

/*
 * The sections of an image as libdwarf wants to see them. Its own reader of ELF files cannot be
 * used in a program that does this, too: it leaves a pointer behind that is then called with the
 * wrong object (20210528).
 */
struct object {
	struct image *image;
};

#if LIBDWARF_API == 1
typedef Dwarf_Half section_index;
typedef Dwarf_Obj_Access_Section section_info;
typedef Dwarf_Endianness byte_order;
static const byte_order order_little = DW_OBJECT_LSB, order_big = DW_OBJECT_MSB;
#else
typedef Dwarf_Unsigned section_index;
typedef Dwarf_Obj_Access_Section_a section_info;
typedef Dwarf_Small byte_order;
static const byte_order order_little = DW_END_little, order_big = DW_END_big;
#endif

static const struct section *section_at(const struct object *object, section_index index)
{
	struct section *section = image_debug_section_at(object->image, index - 1u);
	struct err err = ERR_INIT;

	if (!image_load(object->image, section, &err))
		fail_msg("%s", err.text);
	return section;
}

static int get_section_info(void *object, section_index index, section_info *ret, int *error)
{
	(void)error;
	memset(ret, 0, sizeof *ret);
#if LIBDWARF_API == 1
	ret->name = index ? section_at(object, index)->name : "";
	ret->size = index ? section_at(object, index)->size : 0;
#else
	ret->as_name = index ? section_at(object, index)->name : "";
	ret->as_size = index ? section_at(object, index)->size : 0;
#endif
	return DW_DLV_OK;
}

static byte_order get_byte_order(void *object)
{
	return image_target(((struct object *)object)->image)->big_endian ? order_big
									  : order_little;
}

static Dwarf_Small get_length_size(void *object)
{
	(void)object;
	return 4;
}

static Dwarf_Small get_pointer_size(void *object)
{
	return (Dwarf_Small)(image_target(((struct object *)object)->image)->bits / 8);
}

static Dwarf_Unsigned get_section_count(void *object)
{
	return image_debug_nsections(((struct object *)object)->image) + 1;
}

static int load_section(void *object, section_index index, Dwarf_Small **ret, int *error)
{
	(void)error;
	if (!index)
		return DW_DLV_NO_ENTRY;
	*ret = (Dwarf_Small *)(uintptr_t)section_at(object, index)->data;
	return DW_DLV_OK;
}

#if LIBDWARF_API != 1
static Dwarf_Unsigned get_file_size(void *object)
{
	(void)object;
	return UINT32_MAX;
}
#endif

static void begin(struct object *object)
{
#if LIBDWARF_API == 1
	static const Dwarf_Obj_Access_Methods methods = {get_section_info,
							 get_byte_order,
							 get_length_size,
							 get_pointer_size,
							 get_section_count,
							 load_section,
							 NULL};
	static Dwarf_Obj_Access_Interface access;
#else
	static const Dwarf_Obj_Access_Methods_a methods = {
		.om_get_section_info = get_section_info,
		.om_get_byte_order = get_byte_order,
		.om_get_length_size = get_length_size,
		.om_get_pointer_size = get_pointer_size,
		.om_get_filesize = get_file_size,
		.om_get_section_count = get_section_count,
		.om_load_section = load_section,
	};
	static Dwarf_Obj_Access_Interface_a access;
#endif
	Dwarf_Error error;

#if LIBDWARF_API == 1
	access = (Dwarf_Obj_Access_Interface){object, &methods};
#else
	access = (Dwarf_Obj_Access_Interface_a){object, &methods};
	/* Its record of what is to be freed takes gigabytes and minutes at the end (0.11). */
	dwarf_set_de_alloc_flag(0);
#endif
	assert_int_equal(
		dwarf_object_init_b(&access, NULL, NULL, DW_GROUPNUMBER_ANY, &debug, &error),
		DW_DLV_OK);
}

void oracle_dump(const char *path, struct buf *ret)
{
	struct blocks blocks = {0};
	struct err err = ERR_INIT;
	struct object object;
	Dwarf_Die top;

	assert_true(image_open(path, NULL, &err, &object.image));
	begin(&object);
	for (int is_info = 1; is_info >= 0; is_info--)
		while (next_unit(is_info, &top)) {
			ndeclared = 0;
			note_declarations(top, "");
			dump_scope(top, "", &blocks);
			while (ndeclared)
				free(declared[--ndeclared].scope);
		}
		/* Frees the DIEs and attributes, too. */
#if LIBDWARF_API == 1
	dwarf_object_finish(debug, &(Dwarf_Error){NULL});
#else
	dwarf_object_finish(debug);
#endif
	image_close(object.image);
	blocks_join(&blocks, ret);
}

/* ---- ours ------------------------------------------------------------------------------------ */

static void dump_ours(const struct type *type, unsigned depth, struct buf *text)
{
	for (size_t i = 0; i < type->nmembers; i++) {
		const struct member *m = &type->members[i];
		const struct type *inner = type_composite(m->type);

		if (m->is_dynamic)
			add_member(text, depth, "(at run time)", 0, 0);
		else
			add_member(text, depth, m->name, m->bit_offset, m->bit_size);
		if (!m->name && !m->is_base && inner)
			dump_ours(inner, depth + 1, text);
	}
}

void oracle_dump_layout(const struct layout *layout, struct buf *ret)
{
	struct blocks blocks = {0};

	for (size_t i = 0; i < layout->ndefs; i++) {
		const struct def *def = &layout->defs[i];
		struct buf text = BUF_INIT;

		add_head(&text, def_kind_word(def->kind), def->scope ? def->scope : "", def->name,
			 def->type->bits);
		dump_ours(def->type, 1, &text);
		blocks_add(&blocks, &text);
	}
	blocks_join(&blocks, ret);
}
