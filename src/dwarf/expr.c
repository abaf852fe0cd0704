/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "dwarf/expr.h"

#include "dwarf/constants.h"

bool value_number(const struct reader *reader, const struct value *value, uint64_t *ret)
{
	struct cursor c;
	uint8_t op;

	if (value->kind == VALUE_UNSIGNED || value->kind == VALUE_SIGNED) {
		*ret = value->u;
		return true;
	}
	if (value->kind != VALUE_BLOCK)
		return false;
	c = cursor_over(value->data, value->len, reader->sections->swap);
	op = cursor_u8(&c);
	if (op != DW_OP_plus_uconst && op != DW_OP_constu)
		return false;
	*ret = cursor_uleb(&c);
	if (op == DW_OP_constu && cursor_left(&c) && cursor_u8(&c) != DW_OP_plus)
		return false;
	return !c.bad && !cursor_left(&c);
}

/* DWARF 5, table 7.9: passes over the operands of the operations that are plain. */
static bool pass_operands(struct cursor *c, uint8_t op)
{
	switch (op) {
	case DW_OP_const1u:
	case DW_OP_const1s:
	case DW_OP_pick:
	case DW_OP_deref_size:
		cursor_skip(c, 1);
		return true;
	case DW_OP_const2u:
	case DW_OP_const2s:
		cursor_skip(c, 2);
		return true;
	case DW_OP_const4u:
	case DW_OP_const4s:
		cursor_skip(c, 4);
		return true;
	case DW_OP_const8u:
	case DW_OP_const8s:
		cursor_skip(c, 8);
		return true;
	case DW_OP_constu:
	case DW_OP_consts:
	case DW_OP_plus_uconst:
		(void)cursor_sleb(c);
		return true;
	case DW_OP_deref:
	case DW_OP_push_object_address:
		return true;
	default:
		return (op >= DW_OP_dup && op <= DW_OP_rot) ||
		       (op >= DW_OP_abs && op <= DW_OP_xor) || (op >= DW_OP_eq && op <= DW_OP_ne) ||
		       (op >= DW_OP_lit0 && op <= DW_OP_lit31);
	}
}

uint64_t expr_reach(const struct reader *reader, const struct unit *unit, const struct value *value)
{
	uint64_t reach = 0, at;
	struct cursor c;
	uint8_t op;

	if (value->kind != VALUE_BLOCK)
		return 0;
	c = cursor_over(value->data, value->len, reader->sections->swap);
	while (cursor_left(&c)) {
		op = cursor_u8(&c);
		if (op != DW_OP_push_object_address) {
			if (!pass_operands(&c, op))
				return 0;
			continue;
		}
		at = 0;
		op = cursor_u8(&c);
		if (op == DW_OP_plus_uconst) {
			at = cursor_uleb(&c);
			op = cursor_u8(&c);
		}
		if (op != DW_OP_deref || c.bad || at > UINT32_MAX)
			return 0;
		at += unit->params.address_size;
		reach = at > reach ? at : reach;
	}
	return c.bad ? 0 : reach;
}

bool expr_is_plain(const struct reader *reader, const struct value *value)
{
	struct cursor c;

	if (value->kind != VALUE_BLOCK)
		return false;
	c = cursor_over(value->data, value->len, reader->sections->swap);
	while (cursor_left(&c))
		if (!pass_operands(&c, cursor_u8(&c)))
			return false;
	return !c.bad;
}
