/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "dwarf/form.h"

#include <inttypes.h>

#include "dwarf/constants.h"

/* Sizes that are not a number of bytes. */
enum {
	SIZE_ADDRESS = -1,
	SIZE_OFFSET = -2,
	SIZE_REF_ADDR = -3,
	SIZE_LEB = -4,
	SIZE_STRING = -5,
	SIZE_BLOCK = -6,  /* a length in LEB128 */
	SIZE_BLOCK1 = -7, /* a length of 1, 2, 4 bytes */
	SIZE_BLOCK2 = -8,
	SIZE_BLOCK4 = -9,
	SIZE_INDIRECT = -10,
};

struct form {
	bool known;
	int8_t size;
	uint8_t kind;
};

static const struct form forms[FORMS] = {
	[DW_FORM_addr] = {true, SIZE_ADDRESS, VALUE_OTHER},
	[DW_FORM_block2] = {true, SIZE_BLOCK2, VALUE_BLOCK},
	[DW_FORM_block4] = {true, SIZE_BLOCK4, VALUE_BLOCK},
	[DW_FORM_data2] = {true, 2, VALUE_UNSIGNED},
	[DW_FORM_data4] = {true, 4, VALUE_UNSIGNED},
	[DW_FORM_data8] = {true, 8, VALUE_UNSIGNED},
	[DW_FORM_string] = {true, SIZE_STRING, VALUE_STRING},
	[DW_FORM_block] = {true, SIZE_BLOCK, VALUE_BLOCK},
	[DW_FORM_block1] = {true, SIZE_BLOCK1, VALUE_BLOCK},
	[DW_FORM_data1] = {true, 1, VALUE_UNSIGNED},
	[DW_FORM_flag] = {true, 1, VALUE_UNSIGNED},
	[DW_FORM_sdata] = {true, SIZE_LEB, VALUE_SIGNED},
	[DW_FORM_strp] = {true, SIZE_OFFSET, VALUE_STRP},
	[DW_FORM_udata] = {true, SIZE_LEB, VALUE_UNSIGNED},
	[DW_FORM_ref_addr] = {true, SIZE_REF_ADDR, VALUE_REF_ADDR},
	[DW_FORM_ref1] = {true, 1, VALUE_REF},
	[DW_FORM_ref2] = {true, 2, VALUE_REF},
	[DW_FORM_ref4] = {true, 4, VALUE_REF},
	[DW_FORM_ref8] = {true, 8, VALUE_REF},
	[DW_FORM_ref_udata] = {true, SIZE_LEB, VALUE_REF},
	[DW_FORM_indirect] = {true, SIZE_INDIRECT, VALUE_OTHER},
	[DW_FORM_sec_offset] = {true, SIZE_OFFSET, VALUE_OFFSET},
	[DW_FORM_exprloc] = {true, SIZE_BLOCK, VALUE_BLOCK},
	[DW_FORM_flag_present] = {true, 0, VALUE_UNSIGNED},
	[DW_FORM_strx] = {true, SIZE_LEB, VALUE_STRX},
	[DW_FORM_addrx] = {true, SIZE_LEB, VALUE_OTHER},
	[DW_FORM_ref_sup4] = {true, 4, VALUE_REF_ALT},
	[DW_FORM_strp_sup] = {true, SIZE_OFFSET, VALUE_STRP_ALT},
	[DW_FORM_data16] = {true, 16, VALUE_BLOCK},
	[DW_FORM_line_strp] = {true, SIZE_OFFSET, VALUE_LINE_STRP},
	[DW_FORM_ref_sig8] = {true, 8, VALUE_REF_SIG},
	[DW_FORM_implicit_const] = {true, 0, VALUE_SIGNED},
	[DW_FORM_loclistx] = {true, SIZE_LEB, VALUE_OTHER},
	[DW_FORM_rnglistx] = {true, SIZE_LEB, VALUE_OTHER},
	[DW_FORM_ref_sup8] = {true, 8, VALUE_REF_ALT},
	[DW_FORM_strx1] = {true, 1, VALUE_STRX},
	[DW_FORM_strx2] = {true, 2, VALUE_STRX},
	[DW_FORM_strx3] = {true, 3, VALUE_STRX},
	[DW_FORM_strx4] = {true, 4, VALUE_STRX},
	[DW_FORM_addrx1] = {true, 1, VALUE_OTHER},
	[DW_FORM_addrx2] = {true, 2, VALUE_OTHER},
	[DW_FORM_addrx3] = {true, 3, VALUE_OTHER},
	[DW_FORM_addrx4] = {true, 4, VALUE_OTHER},
};

bool form_compact(uint64_t form, struct form_params params, const char *place, struct err *err,
		  uint8_t *ret)
{
	uint64_t alias = form_alias(form, params);

	if (alias >= FORMS || !forms[alias].known)
		return err_set(err, place, "attribute form 0x%" PRIx64 " is not known", form);
	*ret = (uint8_t)alias;
	return true;
}

static int fixed_size(uint8_t form, struct form_params params)
{
	switch (forms[form].size) {
	case SIZE_ADDRESS:
		return params.address_size;
	case SIZE_OFFSET:
		return params.offset_size;
	case SIZE_REF_ADDR:
		return params.version == 2 ? params.address_size : params.offset_size;
	default:
		return forms[form].size < 0 ? FORM_VARIES : forms[form].size;
	}
}

void form_sizes_init(struct form_sizes *sizes, struct form_params params)
{
	for (unsigned form = 0; form < FORMS; form++)
		sizes->of[form] = forms[form].known ? (int8_t)fixed_size((uint8_t)form, params)
						    : FORM_UNKNOWN;
}

static struct value read_block(struct cursor *c, uint64_t len)
{
	const uint8_t *data = cursor_bytes(c, len);

	return (struct value){.data = data, .len = (uint32_t)len, .kind = VALUE_BLOCK};
}

/* The form stands before the value; it cannot itself be indirect, nor have its value elsewhere. */
static struct value read_indirect(struct cursor *c, struct form_params params)
{
	uint64_t form = form_alias(cursor_uleb(c), params);

	if (form >= FORMS || !forms[form].known || form == DW_FORM_indirect ||
	    form == DW_FORM_implicit_const) {
		cursor_fail(c);
		return (struct value){.kind = VALUE_OTHER};
	}
	return form_read(c, (uint8_t)form, params, 0);
}

static struct value read_varying(struct cursor *c, uint8_t form, struct form_params params)
{
	struct value value = {.kind = forms[form].kind};

	switch (forms[form].size) {
	case SIZE_STRING:
		value.data = (const uint8_t *)cursor_string(c);
		value.len = c->bad ? 0 : (uint32_t)(c->pos - value.data - 1);
		return value;
	case SIZE_BLOCK1:
		return read_block(c, cursor_u8(c));
	case SIZE_BLOCK2:
		return read_block(c, cursor_u16(c));
	case SIZE_BLOCK4:
		return read_block(c, cursor_u32(c));
	case SIZE_BLOCK:
		return read_block(c, cursor_uleb(c));
	case SIZE_INDIRECT:
		return read_indirect(c, params);
	default:
		value.u = form == DW_FORM_sdata ? (uint64_t)cursor_sleb(c) : cursor_uleb(c);
		return value;
	}
}

uint8_t form_kind(uint8_t form)
{
	return forms[form].kind;
}

void form_skip(struct cursor *c, uint8_t form, struct form_params params)
{
	/* Sizes that few forms have: of three bytes, and of sixteen. */
	if (forms[form].size > 0)
		cursor_skip(c, (uint64_t)forms[form].size);
	else
		(void)read_varying(c, form, params);
}

struct value form_read(struct cursor *c, uint8_t form, struct form_params params, int64_t implicit)
{
	struct value value = {.kind = forms[form].kind};
	int size = fixed_size(form, params);

	switch (size) {
	case 0:
		value.u = form == DW_FORM_implicit_const ? (uint64_t)implicit : 1;
		return value;
	case 1:
		value.u = cursor_u8(c);
		return value;
	case 2:
		value.u = cursor_u16(c);
		return value;
	case 4:
		value.u = cursor_u32(c);
		return value;
	case 8:
		value.u = cursor_u64(c);
		return value;
	case 16:
		return read_block(c, 16);
	case FORM_VARIES:
		return read_varying(c, form, params);
	default: /* DW_FORM_strx3, DW_FORM_addrx3 */
		value.u = cursor_uint(c, (unsigned)size);
		return value;
	}
}
