/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lib/dwarf.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "elf_write.h"

struct dw *dw_new(unsigned version, unsigned address_size, bool big)
{
	struct dw *dw = xcalloc(1, sizeof *dw);

	*dw = (struct dw){.version = version,
			  .address_size = address_size,
			  .big = big,
			  .info = BUF_INIT,
			  .types = BUF_INIT,
			  .abbrev = BUF_INIT,
			  .str = BUF_INIT,
			  .line_str = BUF_INIT,
			  .str_offsets = BUF_INIT,
			  .line = BUF_INIT,
			  .more = BUF_INIT};
	return dw;
}

void dw_free(struct dw *dw)
{
	buf_release(&dw->info);
	buf_release(&dw->types);
	buf_release(&dw->abbrev);
	buf_release(&dw->str);
	buf_release(&dw->line_str);
	buf_release(&dw->str_offsets);
	buf_release(&dw->line);
	buf_release(&dw->more);
	free(dw->fixups);
	free(dw);
}

/* ---- numbers --------------------------------------------------------------------------------- */

static void set_uint(const struct dw *dw, char *at, uint64_t value, unsigned size)
{
	for (unsigned i = 0; i < size; i++)
		at[i] = (char)(value >> 8 * (dw->big ? size - 1 - i : i));
}

void dw_uint(const struct dw *dw, struct buf *buf, uint64_t value, unsigned size)
{
	char bytes[8];

	set_uint(dw, bytes, value, size);
	buf_add(buf, bytes, size);
}

void dw_uleb(struct buf *buf, uint64_t value)
{
	for (; value > 0x7f; value >>= 7)
		buf_addc(buf, (char)(value | 0x80));
	buf_addc(buf, (char)value);
}

void dw_sleb(struct buf *buf, int64_t value)
{
	while (value < -64 || value > 63) {
		buf_addc(buf, (char)(value | 0x80));
		value >>= 7;
	}
	buf_addc(buf, (char)(value & 0x7f));
}

static unsigned offset_size(const struct dw *dw)
{
	return dw->wide ? 8 : 4;
}

/* ---- units ----------------------------------------------------------------------------------- */

static void fixup(struct dw *dw, struct buf *buf, unsigned label, unsigned size, bool whole)
{
	ARRAY_GROW(dw->fixups, dw->nfixups, dw->cap_fixups);
	dw->fixups[dw->nfixups++] = (struct dw_fixup){buf, buf->len, dw->unit, size, label, whole};
	dw_uint(dw, buf, 0, size);
}

void dw_unit(struct dw *dw, unsigned type)
{
	bool in_types = type == DW_UT_type && dw->version < 5;
	struct buf *out = dw->out = in_types ? &dw->types : &dw->info;

	dw->unit = out->len;
	dw->table = dw->abbrev.len;
	dw->next_code = 1;
	if (dw->wide)
		dw_uint(dw, out, 0xffffffff, 4);
	dw_uint(dw, out, 0, offset_size(dw));
	dw_uint(dw, out, dw->version, 2);
	if (dw->version >= 5) {
		dw_uint(dw, out, type, 1);
		dw_uint(dw, out, dw->address_size, 1);
	}
	dw_uint(dw, out, dw->table, offset_size(dw));
	if (dw->version < 5)
		dw_uint(dw, out, dw->address_size, 1);
	if (type == DW_UT_skeleton)
		dw_uint(dw, out, 0x1234, 8);
	if (type == DW_UT_type) {
		dw_uint(dw, out, dw->signature, 8);
		fixup(dw, out, 0, offset_size(dw), false);
	}
}

void dw_unit_end(struct dw *dw)
{
	unsigned length_size = dw->wide ? 12 : 4;

	buf_addc(&dw->abbrev, 0);
	set_uint(dw, dw->out->s + dw->unit + length_size - offset_size(dw),
		 dw->out->len - dw->unit - length_size, offset_size(dw));
}

void dw_label(struct dw *dw, unsigned label)
{
	dw->labels[label] = (struct dw_label){dw->out->len - dw->unit, dw->unit, true};
}

void dw_null(struct dw *dw)
{
	buf_addc(dw->out, 0);
}

/* ---- DIEs ------------------------------------------------------------------------------------ */

static size_t add_string(struct buf *buf, const char *s)
{
	size_t at = buf->len;

	buf_add(buf, s, strlen(s) + 1);
	return at;
}

static uint64_t add_index(struct dw *dw, const char *s)
{
	uint64_t index;

	if (!dw->str_offsets.len)
		buf_pad(&dw->str_offsets, 0, 8); /* what DW_AT_str_offsets_base passes over */
	index = (dw->str_offsets.len - 8) / offset_size(dw);
	dw_uint(dw, &dw->str_offsets, add_string(&dw->str, s), offset_size(dw));
	return index;
}

static void put_block(struct dw *dw, unsigned form, va_list ap)
{
	const void *data = va_arg(ap, const void *);
	unsigned len = va_arg(ap, unsigned);

	switch (form) {
	case DW_FORM_block1:
		dw_uint(dw, dw->out, len, 1);
		break;
	case DW_FORM_block2:
		dw_uint(dw, dw->out, len, 2);
		break;
	case DW_FORM_block4:
		dw_uint(dw, dw->out, len, 4);
		break;
	default:
		dw_uleb(dw->out, len);
	}
	buf_add(dw->out, data, len);
}

static void put_string(struct dw *dw, unsigned form, const char *s)
{
	switch (form) {
	case DW_FORM_string:
		add_string(dw->out, s);
		break;
	case DW_FORM_strp:
		dw_uint(dw, dw->out, add_string(&dw->str, s), offset_size(dw));
		break;
	case DW_FORM_line_strp:
		dw_uint(dw, dw->out, add_string(&dw->line_str, s), offset_size(dw));
		break;
	case DW_FORM_strx:
		dw_uleb(dw->out, add_index(dw, s));
		break;
	default:
		dw_uint(dw, dw->out, add_index(dw, s), form - DW_FORM_strx1 + 1);
	}
}

static void put_reference(struct dw *dw, unsigned form, unsigned label)
{
	switch (form) {
	case DW_FORM_ref_addr:
		fixup(dw, dw->out, label, dw->version == 2 ? dw->address_size : offset_size(dw),
		      true);
		break;
	case DW_FORM_ref_udata: /* backwards only: its size must be known */
		dw_uleb(dw->out, dw->labels[label].at);
		break;
	case DW_FORM_ref8:
		fixup(dw, dw->out, label, 8, false);
		break;
	default:
		fixup(dw, dw->out, label, form == DW_FORM_ref4 ? 4 : form - DW_FORM_ref1 + 1,
		      false);
	}
}

static void put_value(struct dw *dw, unsigned form, va_list ap)
{
	switch (form) {
	case DW_FORM_string:
	case DW_FORM_strp:
	case DW_FORM_line_strp:
	case DW_FORM_strx:
	case DW_FORM_strx1:
	case DW_FORM_strx2:
	case DW_FORM_strx3:
	case DW_FORM_strx4:
		put_string(dw, form, va_arg(ap, const char *));
		return;
	case DW_FORM_block:
	case DW_FORM_block1:
	case DW_FORM_block2:
	case DW_FORM_block4:
	case DW_FORM_exprloc:
		put_block(dw, form, ap);
		return;
	case DW_FORM_ref1:
	case DW_FORM_ref2:
	case DW_FORM_ref4:
	case DW_FORM_ref8:
	case DW_FORM_ref_udata:
	case DW_FORM_ref_addr:
		put_reference(dw, form, va_arg(ap, unsigned));
		return;
	case DW_FORM_flag_present:
		return;
	case DW_FORM_implicit_const:
		dw_sleb(&dw->abbrev, (int64_t)va_arg(ap, uint64_t));
		return;
	case DW_FORM_udata:
		dw_uleb(dw->out, va_arg(ap, uint64_t));
		return;
	case DW_FORM_sdata:
		dw_sleb(dw->out, (int64_t)va_arg(ap, uint64_t));
		return;
	case DW_FORM_data8:
	case DW_FORM_ref_sig8:
		dw_uint(dw, dw->out, va_arg(ap, uint64_t), 8);
		return;
	case DW_FORM_sec_offset:
	case DW_FORM_GNU_ref_alt:
	case DW_FORM_GNU_strp_alt:
	case DW_FORM_strp_sup:
		dw_uint(dw, dw->out, va_arg(ap, unsigned), offset_size(dw));
		return;
	case DW_FORM_ref_sup8:
		dw_uint(dw, dw->out, va_arg(ap, unsigned), 8);
		return;
	case DW_FORM_data4:
	case DW_FORM_ref_sup4:
		dw_uint(dw, dw->out, va_arg(ap, unsigned), 4);
		return;
	case DW_FORM_data2:
		dw_uint(dw, dw->out, va_arg(ap, unsigned), 2);
		return;
	default:
		dw_uint(dw, dw->out, va_arg(ap, unsigned), 1);
	}
}

void dw_die(struct dw *dw, unsigned tag, int children, ...)
{
	unsigned attribute;
	va_list ap;

	dw_uleb(&dw->abbrev, dw->next_code);
	dw_uleb(&dw->abbrev, tag);
	buf_addc(&dw->abbrev, children);
	dw_uleb(dw->out, dw->next_code++);
	va_start(ap, children);
	while ((attribute = va_arg(ap, unsigned)) != DW_END) {
		unsigned form = va_arg(ap, unsigned);

		dw_uleb(&dw->abbrev, attribute);
		dw_uleb(&dw->abbrev, form);
		if (form == DW_FORM_indirect) {
			form = va_arg(ap, unsigned);
			dw_uleb(dw->out, form);
		}
		put_value(dw, form, ap);
	}
	va_end(ap);
	buf_add(&dw->abbrev, "\0", 2);
}

void dw_begin(struct dw *dw)
{
	dw_unit(dw, DW_UT_compile);
	dw_die(dw, DW_TAG_compile_unit, true, DW_END);
	dw_label(dw, 1);
	dw_die(dw, DW_TAG_base_type, false, DW_NAME("int"), DW_SIZE(4), DW_END);
}

void dw_finish(struct dw *dw)
{
	dw_null(dw);
	dw_unit_end(dw);
}

void dw_struct(struct dw *dw, const char *name, unsigned size, unsigned label, unsigned at)
{
	dw_die(dw, DW_TAG_structure_type, true, DW_NAME(name), DW_SIZE(size), DW_END);
	dw_die(dw, DW_TAG_member, false, DW_NAME("a"), DW_TYPE(label), DW_PLACE(at), DW_END);
	dw_null(dw);
}

/* ---- line tables ----------------------------------------------------------------------------- */

/* Directories and files by offsets of .debug_line_str, each with its directory: DWARF 5, 6.2.4. */
static void put_new_files(struct dw *dw, const char *comp_dir, const char *dir, const char *name)
{
	const char *const dirs[] = {comp_dir, dir}, *const files[] = {"unit.c", name};

	buf_add(&dw->line, "\1\1\x1f\2", 4); /* path as line_strp; two of them */
	for (unsigned i = 0; i < 2; i++)
		dw_uint(dw, &dw->line, add_string(&dw->line_str, dirs[i]), offset_size(dw));
	buf_add(&dw->line, "\2\1\x1f\2\xf\2", 6); /* and the directory as udata */
	for (unsigned i = 0; i < 2; i++) {
		dw_uint(dw, &dw->line, add_string(&dw->line_str, files[i]), offset_size(dw));
		dw_uleb(&dw->line, i);
	}
}

static void put_old_files(struct dw *dw, const char *dir, const char *name)
{
	add_string(&dw->line, dir);
	buf_addc(&dw->line, 0);
	add_string(&dw->line, name);
	buf_add(&dw->line, "\1\0\0\0", 4); /* directory, time, length; the end */
}

void dw_line_table(struct dw *dw, const char *comp_dir, const char *dir, const char *name)
{
	size_t start = dw->line.len + (dw->wide ? 12 : 4), header;

	if (dw->wide)
		dw_uint(dw, &dw->line, 0xffffffff, 4);
	dw_uint(dw, &dw->line, 0, offset_size(dw));
	dw_uint(dw, &dw->line, dw->version, 2);
	if (dw->version >= 5) {
		dw_uint(dw, &dw->line, dw->address_size, 1);
		dw_uint(dw, &dw->line, 0, 1);
	}
	dw_uint(dw, &dw->line, 0, offset_size(dw));
	header = dw->line.len;
	buf_addc(&dw->line, 1);
	if (dw->version >= 4)
		buf_addc(&dw->line, 1);
	buf_add(&dw->line, "\1\xfb\xe\xd\0\1\1\1\1\0\0\0\1\0\0\1", 16);
	if (dw->version >= 5)
		put_new_files(dw, comp_dir, dir, name);
	else
		put_old_files(dw, dir, name);
	set_uint(dw, dw->line.s + header - offset_size(dw), dw->line.len - header, offset_size(dw));
	set_uint(dw, dw->line.s + start - offset_size(dw), dw->line.len - start, offset_size(dw));
}

/* ---- the file -------------------------------------------------------------------------------- */

static void apply_fixups(struct dw *dw)
{
	for (size_t i = 0; i < dw->nfixups; i++) {
		const struct dw_fixup *f = &dw->fixups[i];
		const struct dw_label *label = &dw->labels[f->label];

		assert_true(label->known);
		set_uint(dw, f->buf->s + f->at, label->at + (f->whole ? label->unit : 0), f->size);
	}
}

const char *dw_open(struct dw *dw, const char *cut, size_t keep)
{
	const struct {
		const char *name;
		struct buf *buf;
	} all[] = {
		{".debug_info", &dw->info},         {".debug_types", &dw->types},
		{".debug_abbrev", &dw->abbrev},     {".debug_str", &dw->str},
		{".debug_line_str", &dw->line_str}, {".debug_str_offsets", &dw->str_offsets},
		{".debug_line", &dw->line},         {dw->more_name, &dw->more},
	};
	struct out_section sections[ARRAY_SIZE(all)];
	struct out out = {.bits = dw->address_size * 8,
			  .type = ET_EXEC,
			  .machine = dw->big ? EM_PPC : EM_386,
			  .big = dw->big,
			  .sections = sections};
	char path[64];
	struct buf elf;
	int fd;

	if (dw->address_size == 8)
		out.machine = dw->big ? EM_PPC64 : EM_X86_64;
	apply_fixups(dw);
	for (size_t i = 0; i < ARRAY_SIZE(all); i++) {
		size_t len = all[i].buf->len;

		if (len && cut && !strcmp(cut, all[i].name) && keep < len)
			len = keep;
		if (len)
			sections[out.n++] = (struct out_section){.name = all[i].name,
								 .type = SHT_PROGBITS,
								 .data = all[i].buf->s,
								 .len = len,
								 .alignment = 1};
	}
	elf = write_elf(&out);
	fd = memfd_create("dwarf", 0);
	assert_true(fd >= 0 && write(fd, elf.s, elf.len) == (ssize_t)elf.len);
	buf_release(&elf);
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	return xstrdup(path);
}

void dw_close(const char *path)
{
	close((int)strtol(strrchr(path, '/') + 1, NULL, 10));
	free((void *)(uintptr_t)path);
}

struct layout *dw_read_cut(struct dw *dw, const char *name, const char *cut, size_t keep,
			   struct err *err)
{
	struct want want = {.all = !name, .names = &name, .n = name != NULL};
	const char *path = dw_open(dw, cut, keep);
	struct layout *layout = NULL;
	struct image *image;

	if (image_open(path, NULL, err, &image)) {
		if (!dwarf_read(image, &want, NULL, err, &layout))
			assert_non_null(err->text);
		image_close(image);
	}
	dw_close(path);
	return layout;
}

struct layout *dw_read(struct dw *dw, const char *name, struct err *err)
{
	return dw_read_cut(dw, name, NULL, 0, err);
}

/* ---- as text --------------------------------------------------------------------------------- */

static void dump_members(const struct type *type, unsigned depth, struct buf *ret)
{
	for (size_t i = 0; i < type->nmembers; i++) {
		const struct member *m = &type->members[i];
		const struct type *inner = m->name && !m->is_base ? NULL : type_composite(m->type);

		buf_pad(ret, ' ', depth);
		buf_addf(ret, "%s: %s @%llu+%llu", m->name ? m->name : "-", m->type->spelling,
			 (unsigned long long)m->bit_offset, (unsigned long long)m->bit_size);
		buf_adds(ret, m->is_bitfield ? " bits" : "");
		buf_adds(ret, m->is_flexible ? " flexible" : "");
		buf_adds(ret, m->is_base ? " base" : "");
		buf_adds(ret, m->is_marker ? " marker" : "");
		buf_adds(ret, m->is_dynamic ? " dynamic" : "");
		if (m->has_align)
			buf_addf(ret, " align %llu", (unsigned long long)m->align);
		buf_addc(ret, '\n');
		if (inner && !m->is_base)
			dump_members(inner, depth + 1, ret);
	}
}

void dw_dump(const struct layout *layout, struct buf *ret)
{
	for (size_t i = 0; i < layout->ndefs; i++) {
		const struct def *def = &layout->defs[i];

		buf_addf(ret, "%s %s%s%s", def_kind_word(def->kind), def->scope ? def->scope : "",
			 def->scope ? "::" : "", def->name);
		if (def->type->has_size)
			buf_addf(ret, " %llu", (unsigned long long)def->type->bits);
		if (def->type->has_align)
			buf_addf(ret, " align %llu", (unsigned long long)def->type->align);
		if (def->has_decl)
			buf_addf(ret, " %s:%u", def->file, def->line);
		buf_addf(ret, " cus %u\n", def->cus);
		dump_members(def->type, 1, ret);
	}
}

void dw_expect(struct dw *dw, const char *name, const char *expected)
{
	struct err err = ERR_INIT;
	struct layout *layout = dw_read(dw, name, &err);
	struct buf text = BUF_INIT;

	if (!layout)
		fail_msg("%s", err.text);
	dw_dump(layout, &text);
	assert_string_equal(text.s, expected);
	buf_release(&text);
	layout_free(layout);
}

void dw_refuse(struct dw *dw, const char *name, const char *part)
{
	struct err err = ERR_INIT;
	struct layout *layout = dw_read(dw, name, &err);

	if (layout)
		fail_msg("read, but should say \"%s\"", part);
	if (!strstr(err.text, part) || strchr(err.text, '\n'))
		fail_msg("\"%s\" does not say \"%s\"", err.text, part);
	err_release(&err);
}
