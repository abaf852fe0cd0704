/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Types as JSON. Members of anonymous structs and unions are nested, as the source nests them. */
#include "report/json.h"

static json_t *notes_of(const struct view_note *notes, size_t n)
{
	json_t *array = json_new_array();

	for (size_t i = 0; i < n; i++) {
		json_t *note = json_new_object();

		json_put(note, "rule", json_text(notes[i].rule));
		json_put(note, "outcome", json_text(outcome_name(notes[i].outcome)));
		json_put(note, "text", json_text(notes[i].text));
		json_push(array, note);
	}
	return array;
}

/* Names; of a member of which nothing is told, none. */
static json_t *groups_of(const struct view *view, const struct view_row *row)
{
	json_t *array = json_new_array();

	for (size_t i = 0; i < row->ngroups; i++)
		json_push(array, json_text(view->groups[row->groups[i]].name));
	return array;
}

/* Where it was before an edit; null: nowhere. */
static json_t *was_of(const struct view_row *row)
{
	json_t *was;

	if (row->moved == VIEW_NEW)
		return json_null();
	was = json_new_object();
	json_put(was, "offset", json_number_or_null(!row->is_dynamic, row->was));
	if (row->is_bitfield)
		json_put(was, "bit_offset", json_number(row->was_bit));
	return was;
}

static json_t *member_of(const struct view *view, const struct view_row *row, bool has_line)
{
	json_t *member = json_new_object();
	bool placed = !row->is_dynamic;

	json_put(member, "name", json_text(row->name));
	json_put(member, "type", json_text(row->type));
	json_put(member, "offset", json_number_or_null(placed, row->offset));
	json_put(member, "size", json_number(row->size));
	json_put(member, "line", json_number_or_null(placed && has_line, row->line));
	json_put(member, "align", json_number_or_null(row->has_align, row->align));
	if (row->is_bitfield) {
		json_put(member, "bit_offset", json_number(row->bit_offset));
		json_put(member, "bit_size", json_number(row->bit_size));
	}
	if (view->edit)
		json_put(member, "was", was_of(row));
	if (row->base)
		json_put(member, "base", json_truth(true));
	if (row->is_flexible)
		json_put(member, "flexible", json_truth(true));
	if (row->crosses)
		json_put(member, "last_line", json_number(row->last_line));
	if (row->straddles)
		json_put(member, "straddles", json_truth(true));
	if (row->ngroups)
		json_put(member, "groups", groups_of(view, row));
	if (row->access)
		json_put(member, "access", json_text(row->access));
	if (row->nnotes)
		json_put(member, "rules", notes_of(row->notes, row->nnotes));
	return member;
}

/* Rows from *@next up to the VIEW_CLOSE that belongs to them. The depth of nesting is bounded by
 * the readers. */
static json_t *members_of(const struct view *view, size_t *next, bool has_line)
{
	json_t *array = json_new_array();

	while (*next < view->nrows) {
		const struct view_row *row = &view->rows[(*next)++];
		json_t *member;

		if (row->kind == VIEW_CLOSE)
			break;
		if (row->kind != VIEW_MEMBER && row->kind != VIEW_OPEN)
			continue;
		member = member_of(view, row, has_line);
		if (row->kind == VIEW_OPEN || row->head)
			json_put(member, "members", members_of(view, next, has_line));
		json_push(array, member);
	}
	return array;
}

static json_t *all_groups_of(const struct view *view, bool has_line)
{
	json_t *array = json_new_array();

	for (size_t i = 0; i < view->ngroups; i++) {
		const struct view_group *group = &view->groups[i];
		json_t *object = json_new_object();
		bool placed = has_line && group->has_lines;

		json_put(object, "name", json_text(group->name));
		json_put(object, "access", json_text(group_class_name(group->access)));
		json_put(object, "members", json_number(group->members));
		json_put(object, "first_line", json_number_or_null(placed, group->first_line));
		json_put(object, "last_line", json_number_or_null(placed, group->last_line));
		json_push(array, object);
	}
	return array;
}

static void put_size(json_t *object, const struct type *type)
{
	json_put(object, "size", json_number_or_null(type->has_size, type->bits / 8));
	json_put(object, "align", json_number_or_null(type->has_align, type->align));
}

static void put_gaps(json_t *object, const struct geometry *geometry,
		     const struct show_report *report)
{
	bool has_size = geometry->type->has_size, known = has_size && !geometry->leaves.has_dynamic;

	json_put(object, "holes", json_number_or_null(known, geometry->holes));
	json_put(object, "hole_bytes", json_number_or_null(known, geometry->hole_bytes));
	json_put(object, "bit_holes", json_number_or_null(known, geometry->bit_holes));
	json_put(object, "bit_hole_bits", json_number_or_null(known, geometry->bit_hole_bits));
	json_put(object, "padding", json_number_or_null(known, geometry->padding));
	json_put(object, "bit_padding", json_number_or_null(known, geometry->bit_padding));
	json_put(object, "lines",
		 json_number_or_null(has_size && report->line != 0, geometry->lines));
}

static json_t *gone_of(const struct edited *edited)
{
	json_t *array = json_new_array();

	for (size_t i = 0; i < edited->ngone; i++) {
		json_t *gone = json_new_object();

		json_put(gone, "name", json_text(edited->gone[i].path));
		json_put(gone, "offset", json_number(edited->gone[i].bit_offset / 8));
		json_push(array, gone);
	}
	return array;
}

static json_t *verdicts_of(const struct view_edit *edit)
{
	json_t *array = json_new_array();

	for (size_t i = 0; i < edit->nverdicts; i++) {
		const struct view_verdict *verdict = &edit->verdicts[i];
		json_t *object = json_new_object();

		json_put(object, "rule", json_text(verdict->rule));
		json_put(object, "member", json_text(verdict->member));
		json_put(object, "before", json_text(outcome_name(verdict->before)));
		json_put(object, "after", json_text(outcome_name(verdict->after)));
		json_put(object, "message", json_text(verdict->message));
		json_put(object, "cause", json_text(verdict->cause));
		json_push(array, object);
	}
	return array;
}

static json_t *what_if_of(const struct view_edit *edit, const struct show_report *report)
{
	json_t *object = json_new_object(), *edits = json_new_array();
	json_t *before = json_new_object(), *assumed = json_new_array();

	for (size_t i = 0; i < edit->n; i++)
		json_push(edits, json_text(edit->edits[i].text));
	for (size_t i = 0; i < edit->edited->nassumed; i++)
		json_push(assumed, json_text(edit->edited->assumed[i]));
	put_size(before, edit->before->geometry.type);
	put_gaps(before, &edit->before->geometry, report);
	json_put(object, "edits", edits);
	json_put(object, "before", before);
	json_put(object, "removed", gone_of(edit->edited));
	json_put(object, "assumed", assumed);
	json_put(object, "rules", verdicts_of(edit));
	return object;
}

static json_t *type_of(const struct view *view, const struct show_report *report)
{
	json_t *object = json_new_object();
	size_t next = 0;

	json_put(object, "name", json_text(view->def->name));
	json_put(object, "scope", json_text(view->def->scope));
	json_put(object, "kind", json_text(def_kind_word(view->def->kind)));
	put_size(object, view->geometry.type);
	json_put(object, "decl", json_decl(view->def));
	json_put(object, "cus", json_number(view->def->cus));
	put_gaps(object, &view->geometry, report);
	if (report->is_list)
		return object;
	if (view->edit)
		json_put(object, "what_if", what_if_of(view->edit, report));
	if (view->nnotes)
		json_put(object, "rules", notes_of(view->notes, view->nnotes));
	if (view->ngroups)
		json_put(object, "groups", all_groups_of(view, report->line != 0));
	json_put(object, "members", members_of(view, &next, report->line != 0));
	return object;
}

void json_show(const struct show_report *reports, size_t n, const struct report_style *style,
	       struct buf *out)
{
	json_t *array = json_new_array();

	for (size_t i = 0; i < n; i++) {
		const struct show_report *report = &reports[i];
		json_t *document = json_new_object(), *types = json_new_array();

		for (size_t k = 0; k < report->n; k++)
			json_push(types, type_of(&report->views[k], report));
		json_put(document, "version", json_number(JSON_REPORT_VERSION));
		json_put(document, "image", json_image(report->layout));
		json_put(document, "line", json_number_or_null(report->line != 0, report->line));
		json_put(document, "types", types);
		json_push(array, document);
	}
	json_print(array, style, out);
}
