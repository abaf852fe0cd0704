// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What libdwarf reads: every struct and union that an image defines, and every typedef of an
 * anonymous one, at the top level of a unit or inside a function. Nothing here is ours but the
 *walk.
 *
 *	peer IMAGE
 *
 * A line of JSON for each definition that differs: {"name", "scope", "kind", "union", "size",
 * "cus", "members": [[name, offset, size, unit, members], ...]}, in bits. unit: the size of a
 * bit-field's declared type, 0 for what is none; members: those of an anonymous type, or null; cus:
 * how many units agree; scope: "()" inside a function, else null.
 */
#include <dwarf.h>
#include <elf.h>
#include <fcntl.h>
#include <libdwarf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/hash.h"
#include "base/mem.h"

static Dwarf_Debug debug;
static Dwarf_Error error;
static bool is_big_endian;

static void give_up(const char *what)
{
	fprintf(stderr, "peer: %s\n", what);
	exit(2);
}

/* ---- entries of one unit --------------------------------------------------------------------- */

/* An entry that is a type or could be, and what was found out about it. */
struct entry {
	Dwarf_Off offset;
	bool is_local; /* inside a function */
	Dwarf_Die die;
	Dwarf_Half tag;
	bool is_measured;
	uint64_t bits;
};

static struct unit {
	struct entry *entries; /* in order of offset */
	size_t n, cap;
	Dwarf_Half address_size;
	unsigned long number;
} unit;

static struct entry *entry_at(Dwarf_Off offset)
{
	size_t low = 0, high = unit.n;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (unit.entries[middle].offset < offset)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == unit.n || unit.entries[low].offset != offset)
		give_up("a reference to what is no type of the unit");
	return &unit.entries[low];
}

/* What the walk looks at of an entry; has_*: the attribute is there. */
struct facts {
	char *name;
	struct entry *type;
	bool has_size, has_location, has_bit_size, has_data_bit_offset, has_bit_offset;
	uint64_t size, location, bit_size, data_bit_offset, bit_offset;
	bool has_count;
	uint64_t count;
	bool is_declaration;
};

static uint64_t number(Dwarf_Attribute attribute)
{
	Dwarf_Unsigned u;
	Dwarf_Signed s;

	if (dwarf_formudata(attribute, &u, &error) == DW_DLV_OK)
		return u;
	if (dwarf_formsdata(attribute, &s, &error) == DW_DLV_OK)
		return (uint64_t)s;
	give_up("a number in a form that is not expected");
	return 0;
}

static void take(Dwarf_Attribute attribute, struct facts *f)
{
	Dwarf_Half code;
	Dwarf_Bool flag;
	Dwarf_Off offset;

	if (dwarf_whatattr(attribute, &code, &error) != DW_DLV_OK)
		give_up("an attribute without a code");
	switch (code) {
	case DW_AT_name:
		if (dwarf_formstring(attribute, &f->name, &error) != DW_DLV_OK)
			give_up("a name that is no string");
		break;
	case DW_AT_type:
		if (dwarf_global_formref(attribute, &offset, &error) != DW_DLV_OK)
			give_up("a type that is no reference");
		f->type = entry_at(offset);
		break;
	case DW_AT_declaration:
		f->is_declaration = dwarf_formflag(attribute, &flag, &error) == DW_DLV_OK && flag;
		break;
	case DW_AT_byte_size:
		f->has_size = true;
		f->size = number(attribute);
		break;
	case DW_AT_data_member_location:
		f->has_location = true;
		f->location = number(attribute);
		break;
	case DW_AT_bit_size:
		f->has_bit_size = true;
		f->bit_size = number(attribute);
		break;
	case DW_AT_data_bit_offset:
		f->has_data_bit_offset = true;
		f->data_bit_offset = number(attribute);
		break;
	case DW_AT_bit_offset:
		f->has_bit_offset = true;
		f->bit_offset = number(attribute);
		break;
	case DW_AT_upper_bound:
		f->has_count = true;
		f->count = number(attribute) + 1;
		break;
	case DW_AT_count:
		f->has_count = true;
		f->count = number(attribute);
		break;
	}
}

static struct facts facts_of(Dwarf_Die die)
{
	struct facts facts = {0};
	Dwarf_Attribute *attributes;
	Dwarf_Signed n;

	if (dwarf_attrlist(die, &attributes, &n, &error) != DW_DLV_OK)
		return facts;
	for (Dwarf_Signed i = 0; i < n; i++) {
		take(attributes[i], &facts);
		dwarf_dealloc(debug, attributes[i], DW_DLA_ATTR);
	}
	dwarf_dealloc(debug, attributes, DW_DLA_LIST);
	return facts;
}

/* Calls @visit for each child with the tag. */
static void each_child(Dwarf_Die die, Dwarf_Half tag, void (*visit)(Dwarf_Die child, void *data),
		       void *data)
{
	Dwarf_Die child, next;
	Dwarf_Half found;

	if (dwarf_child(die, &child, &error) != DW_DLV_OK)
		return;
	for (bool more = true; more; child = next) {
		if (dwarf_tag(child, &found, &error) == DW_DLV_OK && found == tag)
			visit(child, data);
		more = dwarf_siblingof_b(debug, child, 1, &next, &error) == DW_DLV_OK;
		dwarf_dealloc(debug, child, DW_DLA_DIE);
	}
}

/* ---- sizes ----------------------------------------------------------------------------------- */

static void times_count(Dwarf_Die child, void *data)
{
	struct facts facts = facts_of(child);
	uint64_t *bits = data;

	*bits *= facts.has_count ? facts.count : 0;
}

static uint64_t bits_of(struct entry *entry)
{
	struct facts facts;

	if (!entry)
		return 0;
	if (entry->is_measured)
		return entry->bits;
	facts = facts_of(entry->die);
	if (facts.has_size) {
		entry->bits = facts.size * 8;
	} else if (entry->tag == DW_TAG_pointer_type) {
		entry->bits = unit.address_size * 8;
	} else {
		entry->bits = bits_of(facts.type);
		if (entry->tag == DW_TAG_array_type)
			each_child(entry->die, DW_TAG_subrange_type, times_count, &entry->bits);
	}
	entry->is_measured = true;
	return entry->bits;
}

/* ---- members --------------------------------------------------------------------------------- */

static bool is_composite(const struct entry *entry)
{
	return entry->tag == DW_TAG_structure_type || entry->tag == DW_TAG_union_type ||
	       entry->tag == DW_TAG_class_type;
}

static bool is_qualifier(const struct entry *entry)
{
	return entry->tag == DW_TAG_const_type || entry->tag == DW_TAG_volatile_type ||
	       entry->tag == DW_TAG_restrict_type || entry->tag == DW_TAG_atomic_type;
}

/* The anonymous struct or union behind qualifiers, and behind arrays when asked. */
static struct entry *anonymous_behind(struct entry *entry, bool arrays)
{
	while (entry && (is_qualifier(entry) || (arrays && entry->tag == DW_TAG_array_type)))
		entry = facts_of(entry->die).type;
	return entry && is_composite(entry) && !facts_of(entry->die).name ? entry : NULL;
}

/* From the start of the struct, in bits. */
static uint64_t place_of(const struct facts *f)
{
	uint64_t start = f->location * 8, storage;

	if (f->has_data_bit_offset)
		return start + f->data_bit_offset;
	if (!f->has_bit_offset)
		return start;
	/* DWARF 2 and 3 count from the most significant bit of the storage, on every machine. */
	if (is_big_endian)
		return start + f->bit_offset;
	storage = f->has_size ? f->size * 8 : bits_of(f->type);
	return start + storage - f->bit_offset - f->bit_size;
}

static void add_members(struct buf *out, Dwarf_Die die);

static void add_member(Dwarf_Die die, void *data)
{
	struct facts f = facts_of(die);
	struct entry *inside = anonymous_behind(f.type, true);
	struct buf *out = data;

	if (out->s[out->len - 1] == ']')
		buf_addc(out, ',');
	buf_adds(out, f.name ? "[\"" : "[null");
	if (f.name) {
		buf_adds(out, f.name);
		buf_addc(out, '"');
	}
	buf_addf(out, ",%llu,%llu,%llu,", (unsigned long long)place_of(&f),
		 (unsigned long long)(f.has_bit_size ? f.bit_size : bits_of(f.type)),
		 (unsigned long long)(f.has_bit_size ? bits_of(f.type) : 0));
	if (inside)
		add_members(out, inside->die);
	else
		buf_adds(out, "null");
	buf_addc(out, ']');
}

static void add_members(struct buf *out, Dwarf_Die die)
{
	buf_addc(out, '[');
	each_child(die, DW_TAG_member, add_member, out);
	buf_addc(out, ']');
}

/* ---- definitions that differ ----------------------------------------------------------------- */

struct definition {
	char *text; /* all but the count and the brace at the end; NULL: a free slot */
	size_t len;
	unsigned long cus, last; /* units that have it, and the number of the last */
};

/* A hash table that is never more than half full. */
static struct table {
	struct definition *slots;
	size_t n, cap;
} table;

static struct definition *slot_of(struct definition *slots, size_t cap, const char *text,
				  size_t len)
{
	size_t i = hash128(text, len).lo % cap;

	while (slots[i].text && (slots[i].len != len || memcmp(slots[i].text, text, len) != 0))
		i = (i + 1) % cap;
	return &slots[i];
}

static void grow(void)
{
	size_t cap = table.cap ? table.cap * 2 : 1 << 15;
	struct definition *slots = xcalloc(cap, sizeof *slots);

	for (size_t i = 0; i < table.cap; i++)
		if (table.slots[i].text)
			*slot_of(slots, cap, table.slots[i].text, table.slots[i].len) =
				table.slots[i];
	free(table.slots);
	table.slots = slots;
	table.cap = cap;
}

static void count(struct buf *text)
{
	struct definition *found;

	if (table.n * 2 >= table.cap)
		grow();
	found = slot_of(table.slots, table.cap, text->s, text->len);
	if (!found->text) {
		found->len = text->len;
		found->text = buf_detach(text);
		table.n++;
	}
	found->cus += found->last != unit.number;
	found->last = unit.number;
}

static void add_definition(const char *name, const char *kind, bool is_local, struct entry *type)
{
	static struct buf text = BUF_INIT;

	text.len = 0;
	buf_addf(&text,
		 "{\"name\":\"%s\",\"scope\":%s,\"kind\":\"%s\",\"union\":%s,\"size\":%llu,"
		 "\"members\":",
		 name, is_local ? "\"()\"" : "null", kind,
		 type->tag == DW_TAG_union_type ? "true" : "false",
		 (unsigned long long)bits_of(type));
	add_members(&text, type->die);
	count(&text);
}

static void add_declaration(const char *name)
{
	static struct buf text = BUF_INIT;

	text.len = 0;
	buf_addf(&text, "{\"declared\":\"%s\"", name);
	count(&text);
}

static void see(struct entry *entry)
{
	struct facts facts;
	struct entry *type;

	if (!is_composite(entry) && entry->tag != DW_TAG_typedef)
		return;
	facts = facts_of(entry->die);
	if (!facts.name)
		return;
	if (facts.is_declaration) {
		add_declaration(facts.name);
	} else if (is_composite(entry)) {
		add_definition(facts.name, entry->tag == DW_TAG_union_type ? "union" : "struct",
			       entry->is_local, entry);
	} else {
		type = anonymous_behind(facts.type, false);
		if (type)
			add_definition(facts.name, "typedef", entry->is_local, type);
	}
}

/* ---- the walk -------------------------------------------------------------------------------- */

static bool is_scope(Dwarf_Half tag)
{
	return tag == DW_TAG_subprogram || tag == DW_TAG_lexical_block;
}

/* What is no type is not kept: there are millions of them inside functions. */
static bool is_kept(Dwarf_Half tag)
{
	return tag != DW_TAG_variable && tag != DW_TAG_formal_parameter && tag != DW_TAG_label &&
	       tag != DW_TAG_inlined_subroutine && tag != DW_TAG_call_site && !is_scope(tag);
}

/* The types among the children, and among those of functions and blocks, in order of offset. */
static void collect(Dwarf_Die parent, bool is_local)
{
	Dwarf_Die die, next;

	if (dwarf_child(parent, &die, &error) != DW_DLV_OK)
		return;
	for (bool more = true; more; die = next) {
		struct entry entry = {.die = die, .is_local = is_local};

		if (dwarf_dieoffset(die, &entry.offset, &error) != DW_DLV_OK ||
		    dwarf_tag(die, &entry.tag, &error) != DW_DLV_OK)
			give_up("an entry without a tag");
		more = dwarf_siblingof_b(debug, die, 1, &next, &error) == DW_DLV_OK;
		if (is_scope(entry.tag))
			collect(die, true);
		if (!is_kept(entry.tag)) {
			dwarf_dealloc(debug, die, DW_DLA_DIE);
			continue;
		}
		ARRAY_GROW(unit.entries, unit.n, unit.cap);
		unit.entries[unit.n++] = entry;
	}
}

static bool next_unit(void)
{
	Dwarf_Unsigned length, abbrev, type, next;
	Dwarf_Half version, offset, extension, kind;
	Dwarf_Sig8 signature;
	int found = dwarf_next_cu_header_d(debug, 1, &length, &version, &abbrev, &unit.address_size,
					   &offset, &extension, &signature, &type, &next, &kind,
					   &error);

	if (found == DW_DLV_ERROR)
		give_up(dwarf_errmsg(error));
	return found == DW_DLV_OK;
}

static bool begin(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	unsigned char ident[EI_NIDENT];

	if (fd < 0 || pread(fd, ident, sizeof ident, 0) != sizeof ident)
		return false;
	is_big_endian = ident[EI_DATA] == ELFDATA2MSB;
#if LIBDWARF_API == 1
	return dwarf_init_b(fd, DW_DLC_READ, DW_GROUPNUMBER_ANY, NULL, NULL, &debug, &error) ==
	       DW_DLV_OK;
#else
	return dwarf_init_b(fd, DW_GROUPNUMBER_ANY, NULL, NULL, &debug, &error) == DW_DLV_OK;
#endif
}

int main(int argc, char **argv)
{
	Dwarf_Die top;

	if (argc != 2 || !begin(argv[1]))
		give_up("usage: peer IMAGE, with DWARF");
	while (next_unit()) {
		unit.number++;
		if (dwarf_siblingof_b(debug, NULL, 1, &top, &error) != DW_DLV_OK)
			give_up("a unit without an entry");
		collect(top, false);
		for (size_t i = 0; i < unit.n; i++)
			see(&unit.entries[i]);
		for (size_t i = 0; i < unit.n; i++)
			dwarf_dealloc(debug, unit.entries[i].die, DW_DLA_DIE);
		dwarf_dealloc(debug, top, DW_DLA_DIE);
		unit.n = 0;
	}
	for (size_t i = 0; i < table.cap; i++)
		if (table.slots[i].text)
			printf("%s,\"cus\":%lu}\n", table.slots[i].text, table.slots[i].cus);
	return fflush(stdout) == 0 ? 0 : 2;
}
