/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DWARF_SLOT_H
#define DWARF_SLOT_H

/*
 * The attributes that are read at all, each with a place in struct die (where it is declared is
 * asked of few DIEs: die_declaration()). New ones go to the end: digests, which leave the program,
 * are made of these numbers.
 */
enum slot {
	SLOT_NAME,
	SLOT_SIBLING,
	SLOT_TYPE,
	SLOT_BYTE_SIZE,
	SLOT_BIT_SIZE,
	SLOT_ALIGNMENT,
	SLOT_ENCODING,
	SLOT_DECLARATION,
	SLOT_EXTERNAL,
	SLOT_LOCATION, /* DW_AT_data_member_location */
	SLOT_DATA_BIT_OFFSET,
	SLOT_BIT_OFFSET,
	SLOT_COUNT,
	SLOT_LOWER_BOUND,
	SLOT_UPPER_BOUND,
	SLOT_BYTE_STRIDE,
	SLOT_BIT_STRIDE,
	SLOT_SPECIFICATION,
	SLOT_SIGNATURE,
	SLOT_STMT_LIST,
	SLOT_STR_OFFSETS_BASE,
	SLOT_DWO_NAME,
	SLOT_LANGUAGE,
	SLOT_CONTAINING_TYPE,
	SLOT_COMP_DIR,
	SLOT_IMPORT,
	SLOT_DWO_ID,
	SLOT_DATA_LOCATION,
	SLOTS,
	SLOT_NONE = SLOTS, /* a value to pass over */
};

#endif
