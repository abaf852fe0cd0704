/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What an attribute that places or counts something says: a number, or an expression. */
#ifndef DWARF_EXPR_H
#define DWARF_EXPR_H

#include "dwarf/unit.h"

/*
 * The number that a value stands for: a constant, or an expression that adds a constant to the
 * address of the object (DW_OP_plus_uconst n; DW_OP_constu n, with DW_OP_plus behind it or not).
 * False: only a running program can tell.
 */
bool value_number(const struct reader *reader, const struct value *value, uint64_t *ret);

/*
 * The expression means the same in every unit: it computes with constants, the stack and memory,
 * and names no other DIE, register or address.
 */
bool expr_is_plain(const struct reader *reader, const struct value *value);

/*
 * The bytes of an object up to the end of what the expression reads of it, when it only reads
 * addresses and words there (DW_OP_push_object_address, plus a constant, DW_OP_deref); else 0.
 */
uint64_t expr_reach(const struct reader *reader, const struct unit *unit,
		    const struct value *value);

#endif
