/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What an edit (layout/edit.h) has made of a type that is drawn. */
#ifndef LAYOUT_VIEW_EDIT_H
#define LAYOUT_VIEW_EDIT_H

#include "layout/edit.h"
#include "layout/finding.h"

struct view; /* layout/view.h */

struct view_verdict {              /* of a rule that fares otherwise than before */
	const char *rule, *member; /* member: or NULL */
	enum outcome before, after;
	const char *message, *cause; /* as the rule fares now; cause: or NULL */
};

struct view_edit {
	const struct edit *edits;
	size_t n;
	const struct edited *edited;
	const struct view *before;
	const struct view_verdict *verdicts;
	size_t nverdicts;
};

/* Says of each row where it was. @edit must live as long as the view. */
void view_set_edit(struct view *view, const struct view_edit *edit);

#endif
