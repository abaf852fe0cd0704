/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "rule/access_table.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/text.h"
#include "rule/yaml_write.h"

enum role { ROLE_OTHER, ROLE_TYPE, ROLE_NAME, ROLE_TX, ROLE_RX, NROLES };

enum { MOST_COLUMNS = 16, TAB = 8 };

struct column {
	size_t start; /* bytes from the start of a line */
	enum role role;
};

struct reading {
	const char *file;
	struct arena *arena;
	struct err *err;
	unsigned line;      /* of `text`, from 1 */
	char *text;         /* tabs expanded */
	const char *before; /* the line before, "" at the start */
	struct column columns[MOST_COLUMNS];
	size_t ncolumns;           /* 0: outside of a table */
	bool ruled;                /* the table ends with a rule, not with an empty line */
	unsigned first_head, head; /* lines of headings, 0: none yet */
	const char *title, *named; /* the struct as title and first row have it, or NULL */
	bool is_enum;
	struct access_row *rows; /* malloc'd while it grows */
	size_t n, cap;
};

static PRINTF_LIKE(3, 4) bool fail(const struct reading *reading, unsigned line, const char *fmt,
				   ...)
{
	struct buf text = BUF_INIT;
	va_list ap;

	va_start(ap, fmt);
	buf_vaddf(&text, fmt, ap);
	va_end(ap);
	err_set(reading->err, NULL, "%s:%u: %s", reading->file, line, text.s);
	buf_release(&text);
	return false;
}

/* ---- lines ----------------------------------------------------------------------------------- */

/* Sets the text to the line at @start and steps behind it. */
static bool take_line(struct reading *reading, const char **start, const char *end)
{
	const char *line = *start, *stop = memchr(line, '\n', (size_t)(end - line));
	struct buf text = BUF_INIT;

	*start = stop ? stop + 1 : end;
	stop = stop ? stop : end;
	if (stop > line && stop[-1] == '\r')
		stop--;
	reading->before = reading->text;
	reading->line++;
	for (const char *p = line; p < stop; p++) {
		if (*p == '\t') {
			buf_pad(&text, ' ', TAB - text.len % TAB);
		} else if ((unsigned char)*p < ' ') {
			buf_release(&text);
			fail(reading, reading->line, "this line is no text");
			return false;
		} else {
			buf_addc(&text, *p);
		}
	}
	while (text.len && text.s[text.len - 1] == ' ')
		text.s[--text.len] = '\0';
	reading->text = arena_strdup(reading->arena, text.s);
	buf_release(&text);
	return true;
}

/* How many runs of `=` the line is made of; 0: of something else. */
static size_t count_rules(const char *line)
{
	size_t n = 0;

	for (const char *p = line; *p;) {
		size_t run = strspn(p, "=");

		if (!run)
			return 0;
		n++;
		p += run;
		p += strspn(p, " ");
	}
	return n;
}

/* The next word at @from: its start, and its length in @ret; NULL: there is none. */
static char *next_word(char *from, size_t *ret)
{
	char *start = from + strspn(from, " ");

	*ret = strcspn(start, " ");
	return *ret ? start : NULL;
}

/* ---- headings -------------------------------------------------------------------------------- */

static enum role role_of(const char *heading)
{
	if (strcasecmp(heading, "type") == 0)
		return ROLE_TYPE;
	if (strcasecmp(heading, "name") == 0 || strcasecmp(heading, "member") == 0)
		return ROLE_NAME;
	if (strcasestr(heading, "tx"))
		return ROLE_TX;
	return strcasestr(heading, "rx") ? ROLE_RX : ROLE_OTHER;
}

/* "Type  Name ...": the headings of a table, whatever else it has. */
static bool is_heading(const struct reading *reading)
{
	size_t len;
	char *word = next_word(reading->text, &len);

	if (!word || len != 4 || strncasecmp(word, "type", 4) != 0)
		return false;
	word = next_word(word + len, &len);
	return word && role_of(arena_strndup(reading->arena, word, len)) == ROLE_NAME;
}

/* Bytes from @line to where the next column begins, 0: there is none. In a rule that is behind any
 * blank, among headings behind two. */
static size_t next_column(const char *line, bool ruled)
{
	const char *gap = ruled ? strchr(line, ' ') : strstr(line, "  ");

	return gap ? (size_t)(gap - line) + strspn(gap, " ") : 0;
}

static bool add_column(struct reading *reading, size_t start, const char *heading, bool has[NROLES])
{
	struct column column = {start, role_of(heading)};

	if (reading->ncolumns == MOST_COLUMNS)
		return fail(reading, reading->line, "the table has more than %d columns",
			    MOST_COLUMNS);
	if (column.role != ROLE_OTHER && has[column.role])
		return fail(reading, reading->line, "`%.60s` is a second such column", heading);
	has[column.role] = true;
	reading->columns[reading->ncolumns++] = column;
	return true;
}

/* The text between two columns, without the blanks around it. */
static const char *heading_at(const struct reading *reading, size_t start, size_t width)
{
	size_t all = strlen(reading->text), len;
	const char *text = reading->text + (start < all ? start : all);

	text += strspn(text, " ");
	len = width ? strnlen(text, width) : strlen(text);
	while (len && text[len - 1] == ' ')
		len--;
	return arena_strndup(reading->arena, text, len);
}

static bool begin_table(struct reading *reading)
{
	bool has[NROLES] = {false};
	const char *starts;

	reading->ruled = count_rules(reading->before) > 1;
	starts = reading->ruled ? reading->before : reading->text;
	for (size_t start = strspn(starts, " "), width = 1; width; start += width) {
		width = next_column(starts + start, reading->ruled);
		if (!add_column(reading, start, heading_at(reading, start, width), has))
			return false;
	}
	if (!has[ROLE_NAME] || !has[ROLE_TX] || !has[ROLE_RX])
		return fail(reading, reading->line, "the table has no column for %s",
			    !has[ROLE_NAME] ? "names"
			    : has[ROLE_TX]  ? "rx access"
					    : "tx access");
	reading->head = reading->line;
	if (!reading->first_head)
		reading->first_head = reading->head;
	return true;
}

/* "tcp_sock struct fast path usage breakdown", underlined. */
static void take_title(struct reading *reading)
{
	char *line = arena_strdup(reading->arena, reading->before);
	size_t len, next;
	char *word = next_word(line, &len), *kind;

	kind = word ? next_word(word + len, &next) : NULL;
	if (!kind || reading->title)
		return;
	word[len] = '\0';
	if (!is_plain_name(word))
		return;
	if (next == 6 && strncmp(kind, "struct", 6) == 0)
		reading->title = word;
	if (next == 4 && strncmp(kind, "enum", 4) == 0)
		reading->is_enum = true;
}

/* ---- rows ------------------------------------------------------------------------------------ */

/* The column that begins nearest to @start; the left one of two. */
static enum role role_at(const struct reading *reading, size_t start)
{
	const struct column *columns = reading->columns;
	size_t at = 0;

	while (at + 1 < reading->ncolumns && columns[at + 1].start <= start)
		at++;
	if (at + 1 < reading->ncolumns && start >= columns[at].start &&
	    columns[at + 1].start - start < start - columns[at].start)
		at++;
	return columns[at].role;
}

/* The first word of each column but the comments, or "". */
static bool split_row(struct reading *reading, char *words[NROLES])
{
	static char empty[] = "";
	size_t len;

	for (enum role role = 0; role < NROLES; role++)
		words[role] = empty;
	for (char *word = next_word(reading->text, &len); word;
	     word = next_word(word + len, &len)) {
		enum role role = role_at(reading, (size_t)(word - reading->text));

		if (role == ROLE_OTHER)
			continue;
		if (role != ROLE_TYPE && *words[role])
			return fail(reading, reading->line,
				    "`%.60s` stands beside `%.60s` in one column",
				    arena_strndup(reading->arena, word, len), words[role]);
		if (!*words[role])
			words[role] = arena_strndup(reading->arena, word, len);
	}
	return true;
}

static bool read_access(const struct reading *reading, const char *word, enum access_class *ret)
{
	static const char *const names[] = {"-",          "read_mostly",  "read_only",
					    "read_write", "write_mostly", "write_only"};
	static const enum access_class classes[] = {ACCESS_NONE,  ACCESS_READ,  ACCESS_READ,
						    ACCESS_WRITE, ACCESS_WRITE, ACCESS_WRITE};
	const char *near = text_nearest(word, names, ARRAY_SIZE(names));

	*ret = ACCESS_NONE;
	if (!*word)
		return true;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (strcmp(word, names[i]) == 0) {
			*ret = classes[i];
			return true;
		}
	if (near)
		return fail(reading, reading->line, "`%.60s` is no access; did you mean `%s`?",
			    word, near);
	return fail(reading, reading->line,
		    "`%.60s` is no access: one is read_mostly, read_write, write_mostly or -",
		    word);
}

/* The `icsk_ack` of "struct_icsk_ack_u8" and "struct_icsk_mtup_u32:31"; NULL: the type is no
 * such. */
static const char *outer_of(const struct reading *reading, const char *type)
{
	static const char *const ends[] = {
		"_unsigned_long", "_unsigned_int", "_int", "_long", "_bool", "_u8", "_u16",
		"_u32",           "_u64",          "_s8",  "_s16",  "_s32",  "_s64"};
	static const char start[] = "struct_";
	const char *bare = arena_strndup(reading->arena, type, strcspn(type, ":"));

	for (size_t i = 0; i < ARRAY_SIZE(ends); i++) {
		size_t around = sizeof start - 1 + strlen(ends[i]), len = strlen(bare);

		if (len > around && text_starts_with(bare, start) && text_ends_with(bare, ends[i]))
			return arena_strndup(reading->arena, bare + sizeof start - 1, len - around);
	}
	return NULL;
}

/* "sysctl_tcp_wmem[3]" is an array. */
static bool name_member(const struct reading *reading, const char *type, const char *name,
			const char **ret)
{
	char *bare = arena_strndup(reading->arena, name, strcspn(name, "["));
	const char *outer = outer_of(reading, type);

	if (!is_plain_name(bare) || (strchr(name, '[') && !text_ends_with(name, "]")))
		return fail(reading, reading->line, "`%.60s` is no member's name", name);
	*ret = outer && is_plain_name(outer)
		       ? arena_printf(reading->arena, "%s.%s|%s", outer, bare, bare)
		       : bare;
	return true;
}

/* "..struct  ..tcp_sock" */
static bool take_named(struct reading *reading, const char *type, const char *name)
{
	reading->is_enum = strcmp(type, "..enum") == 0;
	if (reading->is_enum)
		return true;
	if (strcmp(type, "..struct") != 0 || !text_starts_with(name, "..") ||
	    !is_plain_name(name + 2))
		return fail(reading, reading->line, "`%.60s %.60s` names no struct", type, name);
	if (reading->named && strcmp(reading->named, name + 2) != 0)
		return fail(reading, reading->line, "`%.60s` is a second struct, behind `%.60s`",
			    name + 2, reading->named);
	reading->named = name + 2;
	return true;
}

static bool take_row(struct reading *reading)
{
	struct access_row row = {.line = reading->line};
	char *words[NROLES];

	if (!split_row(reading, words))
		return false;
	if (text_starts_with(words[ROLE_TYPE], ".."))
		return take_named(reading, words[ROLE_TYPE], words[ROLE_NAME]);
	if (!*words[ROLE_NAME] && !*words[ROLE_TYPE] && !*words[ROLE_TX] && !*words[ROLE_RX])
		return true; /* a comment goes on */
	if (!*words[ROLE_NAME])
		return fail(reading, reading->line, "this row names no member");
	if (!name_member(reading, words[ROLE_TYPE], words[ROLE_NAME], &row.member) ||
	    !read_access(reading, words[ROLE_TX], &row.tx) ||
	    !read_access(reading, words[ROLE_RX], &row.rx))
		return false;
	ARRAY_GROW(reading->rows, reading->n, reading->cap);
	reading->rows[reading->n++] = row;
	return true;
}

static bool take_text(struct reading *reading)
{
	size_t rules = count_rules(reading->text);

	if (!reading->ncolumns) {
		if (rules == 1)
			take_title(reading);
		return !is_heading(reading) || begin_table(reading);
	}
	if (rules > 1 && reading->line == reading->head + 1)
		return true;
	if (reading->ruled ? rules > 1 : !*reading->text) {
		reading->ncolumns = 0;
		return true;
	}
	return !*reading->text || take_row(reading);
}

/* ---- the whole ------------------------------------------------------------------------------- */

static int compare_rows(const void *left, const void *right)
{
	const struct access_row *a = *(const struct access_row *const *)left;
	const struct access_row *b = *(const struct access_row *const *)right;
	int order = strcmp(a->member, b->member);

	return order ? order : (a->line > b->line) - (a->line < b->line);
}

/* Two rows of one member must agree; the first is kept. */
static bool drop_twins(struct reading *reading)
{
	struct access_row **order = arena_array(reading->arena, reading->n, sizeof *order);
	bool *drop = arena_array(reading->arena, reading->n, sizeof *drop);
	size_t kept = 0;

	for (size_t i = 0; i < reading->n; i++)
		order[i] = &reading->rows[i];
	if (reading->n)
		qsort(order, reading->n, sizeof *order, compare_rows);
	for (size_t i = 1; i < reading->n; i++) {
		const struct access_row *first = order[i - 1], *row = order[i];

		if (strcmp(first->member, row->member) != 0)
			continue;
		if (first->tx != row->tx || first->rx != row->rx)
			return fail(reading, row->line, "`%.60s` is accessed otherwise in line %u",
				    row->member, first->line);
		drop[row - reading->rows] = true;
	}
	for (size_t i = 0; i < reading->n; i++)
		if (!drop[i])
			reading->rows[kept++] = reading->rows[i];
	reading->n = kept;
	return true;
}

static bool finish(struct reading *reading, const char *type, struct access_table *ret)
{
	unsigned head = reading->first_head;

	if (!head)
		return err_set(reading->err, reading->file,
			       "no table has columns for type, name, tx access and rx access");
	if (reading->ncolumns && reading->ruled)
		return fail(reading, head, "the table does not end: no rule of `=` comes last");
	if (!reading->n)
		return fail(reading, head, "the table has no rows");
	if (!type && reading->is_enum)
		return fail(reading, head,
			    "these are counters of an enum: they are no members, and have no "
			    "layout");
	type = type ? type : reading->named ? reading->named : reading->title;
	if (!type)
		return fail(reading, head, "nothing says whose members these are: name it with -C");
	if (!drop_twins(reading))
		return false;
	*ret = (struct access_table){
		.file = reading->file,
		.type = arena_strdup(reading->arena, type),
		.line = head,
		.rows = arena_copy(reading->arena, reading->rows,
				   reading->n * sizeof *reading->rows),
		.n = reading->n,
	};
	return true;
}

bool access_table_read(const char *file, const char *text, size_t len, const char *type,
		       struct arena *arena, struct err *err, struct access_table *ret)
{
	struct reading reading = {.file = file, .arena = arena, .err = err};
	const char *end = text + len;
	bool ok = true;

	reading.text = arena_strdup(arena, "");
	while (ok && text < end)
		ok = take_line(&reading, &text, end) && take_text(&reading);
	ok = ok && finish(&reading, type, ret);
	free(reading.rows);
	return ok;
}
