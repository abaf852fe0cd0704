/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * JSON for programs, version 1; layoutcheck(1) lists the keys. They stand in a fixed order, and a
 * program must ignore those it does not know. Only report/ includes jansson.
 */
#ifndef REPORT_JSON_H
#define REPORT_JSON_H

#include <jansson.h>

#include "report/report.h"

enum { JSON_REPORT_VERSION = 1 };

extern const struct format format_json;

void json_check(const struct check_report *reports, size_t n, const struct report_style *style,
		struct buf *out);
void json_show(const struct show_report *reports, size_t n, const struct report_style *style,
	       struct buf *out);

void json_diff(const struct diff_report *report, const struct report_style *style, struct buf *out);

void json_c2c(const struct c2c_print *print, const struct report_style *style, struct buf *out);

/* Values; out of memory ends the process, as everywhere. A NULL string is null. */
json_t *json_new_object(void);
json_t *json_new_array(void);
json_t *json_text(const char *s);    /* a foreign string: escaped */
json_t *json_number(uint64_t value); /* at most what JSON has room for here, INT64_MAX */
json_t *json_number_or_null(bool known, uint64_t value);
json_t *json_truth(bool value);

/* Both take over the reference to @value. */
void json_put(json_t *object, const char *key, json_t *value);
void json_push(json_t *array, json_t *value);

/* {"path","arch","source","build_id"} */
json_t *json_image(const struct layout *layout);

/* {"file","line"}, or null */
json_t *json_decl(const struct def *def);

/* {"why","owner","until","expired","file","line"}, or null; @in_force: it is not expired */
json_t *json_waiver(const struct waiver *waiver, bool in_force);

/* Appends @value as a document, in ASCII. Releases it. */
void json_add(json_t *value, struct buf *out);

/* Appends the documents: the only one, or an array of them. Releases @array. */
void json_print(json_t *array, const struct report_style *style, struct buf *out);

#endif
