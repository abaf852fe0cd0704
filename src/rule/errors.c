/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "rule/errors.h"

#include <stdlib.h>
#include <string.h>

#include "base/columns.h"
#include "base/escape.h"
#include "base/mem.h"
#include "base/text.h"
#include "rule/yaml.h"

enum {
	MOST_SHOWN = 100, /* of one file: a wrong kind of file must not fill the screen */
	INDENT = 4,
	WIDEST = 100,      /* characters of a line that are drawn */
	BEFORE_CARET = 60, /* of them before the caret, when the line is longer */
};

void pack_errors_init(struct pack_errors *errors)
{
	*errors = (struct pack_errors){.text = BUF_INIT};
}

void pack_errors_release(struct pack_errors *errors)
{
	buf_release(&errors->text);
	errors->n = 0;
}

void complaints_init(struct complaints *list)
{
	*list = (struct complaints){0};
}

void complaints_release(struct complaints *list)
{
	for (size_t i = 0; i < list->n; i++)
		free(list->items[i].sentence);
	free(list->items);
	*list = (struct complaints){0};
}

void complain(struct complaints *list, unsigned line, unsigned col, const char *fmt, ...)
{
	struct buf sentence = BUF_INIT;
	va_list ap;

	va_start(ap, fmt);
	buf_vaddf(&sentence, fmt, ap);
	va_end(ap);
	ARRAY_GROW(list->items, list->n, list->cap);
	list->items[list->n] = (struct complaint){line, col, list->n, buf_detach(&sentence)};
	list->n++;
}

static int compare_complaints(const void *a, const void *b)
{
	const struct complaint *x = a, *y = b;

	if (x->line != y->line)
		return x->line < y->line ? -1 : 1;
	if (x->col != y->col)
		return x->col < y->col ? -1 : 1;
	return x->nth < y->nth ? -1 : 1;
}

/* The bytes of the character at @p: a byte that is no UTF-8 is one of its own. */
static size_t char_length(const char *p)
{
	uint32_t point;
	int len = utf8_decode(p, &point);

	return len ? (size_t)len : 1;
}

/* One character as the terminal gets it; @pad gets what stands as far right without drawing. */
static void draw_char(const char *p, size_t len, struct buf *drawn, struct buf *pad)
{
	char one[5] = {0};
	size_t before = drawn->len;

	if (*p == '\t') {
		buf_addc(drawn, '\t');
		buf_addc(pad, '\t');
		return;
	}
	/* A line of the reader's own: a backslash is what was written there. */
	if (*p == '\\') {
		buf_addc(drawn, '\\');
		buf_addc(pad, ' ');
		return;
	}
	memcpy(one, p, len);
	escape_text(drawn, one);
	buf_pad(pad, ' ', columns_of(drawn->s + before, drawn->len - before));
}

/* The line, clipped so that column @col shows, and a caret below it. */
static void draw_line(const char *line, const char *end, unsigned col, struct buf *buf)
{
	struct buf pad = BUF_INIT, ignored = BUF_INIT;
	size_t skip = col > WIDEST ? col - 1 - BEFORE_CARET : 0, drawn = 0;
	const char *p = line;

	for (size_t i = 0; i < skip && p < end; i++)
		p += char_length(p);
	buf_pad(buf, ' ', INDENT);
	if (skip) {
		buf_adds(buf, "...");
		buf_pad(&pad, ' ', 3);
	}
	for (; p < end && drawn < WIDEST; p += char_length(p), drawn++)
		draw_char(p, char_length(p), buf, drawn + skip + 1 < col ? &pad : &ignored);
	buf_adds(buf, p < end ? "...\n" : "\n");
	buf_pad(buf, ' ', INDENT);
	buf_add(buf, pad.s, pad.len);
	buf_adds(buf, "^\n");
	buf_release(&pad);
	buf_release(&ignored);
}

static void draw_place(const struct source *source, unsigned line, unsigned col, struct buf *buf)
{
	const char *p = source->text, *stop = source->text + source->len, *end, *begins;

	for (unsigned i = 1; i < line; i++) {
		p = memchr(p, '\n', (size_t)(stop - p));
		if (!p)
			return;
		p++;
	}
	end = memchr(p, '\n', (size_t)(stop - p));
	if (!end)
		end = stop;
	begins = p;
	while (p < end && (*p != '\r' || p + 1 < end))
		p++;
	if (p > begins)
		draw_line(begins, p, col, buf);
}

void complaints_print(struct complaints *list, const struct source *source,
		      struct pack_errors *errors)
{
	struct buf *buf = &errors->text;

	if (list->n)
		qsort(list->items, list->n, sizeof *list->items, compare_complaints);
	for (size_t i = 0; i < list->n && i < MOST_SHOWN; i++) {
		const struct complaint *item = &list->items[i];

		escape_text(buf, source->file);
		if (item->line)
			buf_addf(buf, ":%u:%u", item->line, item->col);
		buf_adds(buf, ": ");
		escape_text(buf, item->sentence);
		buf_addc(buf, '\n');
		if (item->line)
			draw_place(source, item->line, item->col, buf);
	}
	if (list->n > MOST_SHOWN) {
		escape_text(buf, source->file);
		buf_addf(buf, ": %zu more errors are not shown\n", list->n - MOST_SHOWN);
	}
	errors->n += list->n;
}

bool complain_of_file(struct pack_errors *errors, const char *file, const char *fmt, ...)
{
	struct source source = {file, "", 0};
	struct buf sentence = BUF_INIT;
	struct complaints one;
	va_list ap;

	va_start(ap, fmt);
	buf_vaddf(&sentence, fmt, ap);
	va_end(ap);
	complaints_init(&one);
	complain(&one, 0, 0, "%s", sentence.s);
	complaints_print(&one, &source, errors);
	complaints_release(&one);
	buf_release(&sentence);
	return false;
}

bool read_yaml_file(const char *path, struct pack_errors *errors, struct bytes *ret)
{
	struct err err = ERR_INIT;
	const char *sentence;

	*ret = (struct bytes){0};
	if (file_read(path, YAML_MOST_BYTES, &err, ret))
		return true;
	sentence = err.text;
	if (text_starts_with(sentence, path))
		sentence += strlen(path) + strlen(": ");
	complain_of_file(errors, path, "%s", sentence);
	err_release(&err);
	return false;
}
