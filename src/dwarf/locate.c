/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "dwarf/locate.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <dwarf.h>
#include <libdwarf.h>

#include "base/buf.h"
#include "base/cursor.h"

/* ---- what libdwarf is shown ------------------------------------------------------------------ */

enum { PART_NONE, PART_INFO, PART_ABBREV, PART_LINE, PART_STR, PART_LINE_STR, PARTS };

/* An object file that exists only here: one unit for each line table, which points to it. */
struct object {
	const struct sections *sections;
	struct buf info, line;
	struct span_of_bytes parts[PARTS];
	uint8_t address_size;
};

static const char *const part_names[PARTS] = {
	"", ".debug_info", ".debug_abbrev", ".debug_line", ".debug_str", ".debug_line_str",
};

/* Code 1: a compile unit without children, with DW_AT_stmt_list as DW_FORM_sec_offset. */
static const uint8_t abbrevs[] = {
	1, DW_TAG_compile_unit, 0, DW_AT_stmt_list, DW_FORM_sec_offset, 0, 0, 0};

static void add_uint(struct buf *buf, const struct sections *sections, uint64_t value,
		     unsigned size)
{
	bool little = (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__) != sections->swap;

	for (unsigned i = 0; i < size; i++)
		buf_addc(buf, (char)(value >> 8 * (little ? i : size - 1 - i)));
}

static void add_unit(struct object *o, unsigned version, uint64_t line_table)
{
	add_uint(&o->info, o->sections, version >= 5 ? 13 : 12, 4);
	add_uint(&o->info, o->sections, version >= 5 ? 5 : 4, 2);
	if (version >= 5) {
		add_uint(&o->info, o->sections, DW_UT_compile, 1);
		add_uint(&o->info, o->sections, o->address_size, 1);
		add_uint(&o->info, o->sections, 0, 4);
	} else {
		add_uint(&o->info, o->sections, 0, 4);
		add_uint(&o->info, o->sections, o->address_size, 1);
	}
	add_uint(&o->info, o->sections, 1, 1); /* the abbreviation */
	add_uint(&o->info, o->sections, line_table, 4);
}

/* ---- line table headers ---------------------------------------------------------------------- */

/* libdwarf does not like a table without a line program: this many operations stand in for it. */
enum { PROGRAM = 16, HEADER_START = 24 };

struct line_header {
	unsigned length_size; /* of the length field: 4 or 12 */
	unsigned version;
	uint64_t size; /* from the start to the line program */
};

static bool fail_line(const struct sections *s, uint64_t offset, struct err *err, const char *what)
{
	char place[512];

	snprintf(place, sizeof place, "%s: .debug_line+0x%" PRIx64, s->path, offset);
	return err_set(err, place, "%s", what);
}

/* DWARF 5, 6.2.4: the fields before the tables. */
static bool read_line_header(const struct sections *s, uint64_t offset, struct err *err,
			     struct line_header *ret)
{
	uint8_t buffer[HEADER_START];
	const uint8_t *bytes;
	uint64_t length, left, header_length;
	struct cursor c;

	if (offset >= s->line->size)
		return fail_line(s, offset, err, "a line table behind the end of the section");
	left = s->line->size - offset;
	if (!sections_read(s, s->line, offset, left < HEADER_START ? left : HEADER_START, buffer,
			   err, &bytes))
		return false;
	c = cursor_over(bytes, left < HEADER_START ? left : HEADER_START, s->swap);
	length = cursor_u32(&c);
	ret->length_size = length == 0xffffffff ? 12 : 4;
	if (ret->length_size == 12)
		length = cursor_u64(&c);
	ret->version = cursor_u16(&c);
	if (ret->version >= 5)
		cursor_skip(&c, 2); /* address size, segment selector size */
	header_length = cursor_uint(&c, ret->length_size == 12 ? 8 : 4);
	if (c.bad || length > left - ret->length_size || header_length > left ||
	    cursor_offset(&c) + header_length > length + ret->length_size)
		return fail_line(s, offset, err, "the line table runs past its end");
	ret->size = cursor_offset(&c) + header_length;
	return true;
}

/* The table's header, cut off where its line program would begin, and a unit that points to it. */
static bool add_table(struct object *o, uint64_t offset, struct err *err)
{
	uint64_t here = o->line.len;
	struct line_header header = {0};
	const uint8_t *bytes;
	uint8_t *buffer;
	bool ok;

	if (!read_line_header(o->sections, offset, err, &header))
		return false;
	buffer = xmalloc(header.size);
	ok = sections_read(o->sections, o->sections->line, offset, header.size, buffer, err,
			   &bytes);
	if (ok) {
		if (header.length_size == 12)
			add_uint(&o->line, o->sections, 0xffffffff, 4);
		add_uint(&o->line, o->sections, header.size - header.length_size + PROGRAM,
			 header.length_size == 12 ? 8 : 4);
		buf_add(&o->line, bytes + header.length_size, header.size - header.length_size);
		buf_pad(&o->line, DW_LNS_negate_stmt, PROGRAM);
		add_unit(o, header.version, here);
	}
	free(buffer);
	return ok;
}

/* ---- libdwarf's way to look at it; its interface has two generations ------------------------- */

#if LIBDWARF_API == 1
typedef Dwarf_Half section_index;
typedef Dwarf_Obj_Access_Section section_info;
typedef Dwarf_Endianness byte_order;
typedef Dwarf_Obj_Access_Methods methods;
typedef Dwarf_Obj_Access_Interface interface;
static const byte_order order_little = DW_OBJECT_LSB, order_big = DW_OBJECT_MSB;
#else
typedef Dwarf_Unsigned section_index;
typedef Dwarf_Obj_Access_Section_a section_info;
typedef Dwarf_Small byte_order;
typedef Dwarf_Obj_Access_Methods_a methods;
typedef Dwarf_Obj_Access_Interface_a interface;
static const byte_order order_little = DW_END_little, order_big = DW_END_big;
#endif

static int get_section_info(void *object, section_index index, section_info *ret, int *error)
{
	const struct object *o = object;

	(void)error;
	if (index >= PARTS)
		return DW_DLV_NO_ENTRY;
	memset(ret, 0, sizeof *ret);
#if LIBDWARF_API == 1
	ret->name = part_names[index];
	ret->size = o->parts[index].size;
#else
	ret->as_name = part_names[index];
	ret->as_size = o->parts[index].size;
#endif
	return DW_DLV_OK;
}

static byte_order get_byte_order(void *object)
{
	const struct object *o = object;
	bool little = (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__) != o->sections->swap;

	return little ? order_little : order_big;
}

static Dwarf_Small get_length_size(void *object)
{
	(void)object;
	return 4;
}

static Dwarf_Small get_pointer_size(void *object)
{
	return ((const struct object *)object)->address_size;
}

static Dwarf_Unsigned get_section_count(void *object)
{
	(void)object;
	return PARTS;
}

static int load_section(void *object, section_index index, Dwarf_Small **ret, int *error)
{
	const struct object *o = object;

	(void)error;
	if (index >= PARTS || !o->parts[index].data)
		return DW_DLV_NO_ENTRY;
	/* libdwarf promises not to write: its type lacks the const. */
	*ret = (Dwarf_Small *)(uintptr_t)o->parts[index].data;
	return DW_DLV_OK;
}

#if LIBDWARF_API != 1
static Dwarf_Unsigned get_file_size(void *object)
{
	const struct object *o = object;
	Dwarf_Unsigned size = 0;

	for (unsigned i = 0; i < PARTS; i++)
		size += o->parts[i].size;
	return size;
}
#endif

static const methods object_methods = {
#if LIBDWARF_API == 1
	.get_section_info = get_section_info,
	.get_byte_order = get_byte_order,
	.get_length_size = get_length_size,
	.get_pointer_size = get_pointer_size,
	.get_section_count = get_section_count,
	.load_section = load_section,
#else
	.om_get_section_info = get_section_info,
	.om_get_byte_order = get_byte_order,
	.om_get_length_size = get_length_size,
	.om_get_pointer_size = get_pointer_size,
	.om_get_filesize = get_file_size,
	.om_get_section_count = get_section_count,
	.om_load_section = load_section,
#endif
};

static void finish(Dwarf_Debug debug)
{
#if LIBDWARF_API == 1
	Dwarf_Error error = NULL;

	(void)dwarf_object_finish(debug, &error);
#else
	(void)dwarf_object_finish(debug);
#endif
}

/* ---- file names ------------------------------------------------------------------------------ */

/* Adds @path, its "." parts and empty parts left out. */
static void add_path(struct buf *buf, const char *path)
{
	if (*path == '/' && !buf->len)
		buf_addc(buf, '/');
	while (*path) {
		size_t len = strcspn(path, "/");

		if (len && !(len == 1 && *path == '.')) {
			if (buf->len && buf->s[buf->len - 1] != '/')
				buf_addc(buf, '/');
			buf_add(buf, path, len);
		}
		path += len + (path[len] == '/');
	}
}

const char *locate_join(const char *comp_dir, const char *dir, const char *name,
			struct arena *arena)
{
	struct buf path = BUF_INIT, build = BUF_INIT;
	const char *ret;

	if (dir && *name != '/')
		add_path(&path, dir);
	add_path(&path, name);
	if (comp_dir)
		add_path(&build, comp_dir);
	ret = path.s;
	if (build.len && strncmp(path.s, build.s, build.len) == 0 && path.s[build.len] == '/')
		ret += build.len + 1;
	ret = arena_strdup(arena, ret);
	buf_release(&path);
	buf_release(&build);
	return ret;
}

struct table {
	Dwarf_Line_Context context;
	Dwarf_Unsigned version;
	struct arena *arena;
};

/* Directory 0 is where the compiler ran; only DWARF 5 lists it, and only then has it a name here.
 */
static int directory_of(const struct table *table, Dwarf_Unsigned index, const char **ret,
			Dwarf_Error *error)
{
	*ret = NULL;
	if (index == 0)
		return DW_DLV_OK;
	return dwarf_srclines_include_dir_data(table->context, (Dwarf_Signed)index, ret, error);
}

static int answer(const struct table *table, struct file_query *query, Dwarf_Error *error)
{
	Dwarf_Unsigned dir_index, mtime, length;
	Dwarf_Form_Data16 *md5;
	const char *name, *dir;
	int status;

	if (table->version < 5 && query->file == 0)
		return DW_DLV_OK;
	status = dwarf_srclines_files_data_b(table->context, (Dwarf_Signed)query->file, &name,
					     &dir_index, &mtime, &length, &md5, error);
	if (status == DW_DLV_OK)
		status = directory_of(table, dir_index, &dir, error);
	if (status == DW_DLV_OK)
		query->name = locate_join(query->comp_dir, dir, name, table->arena);
	return status;
}

/* ---- one batch of tables --------------------------------------------------------------------- */

static int open_table(Dwarf_Debug debug, struct table *table, Dwarf_Die *die, Dwarf_Error *error)
{
	Dwarf_Unsigned length, type_offset, next;
	Dwarf_Half version, address_size, length_size, extension_size, type;
	Dwarf_Off abbrev_offset;
	Dwarf_Sig8 signature;
	Dwarf_Small count;
	int status;

	status = dwarf_next_cu_header_d(debug, 1, &length, &version, &abbrev_offset, &address_size,
					&length_size, &extension_size, &signature, &type_offset,
					&next, &type, error);
	if (status == DW_DLV_OK)
		status = dwarf_siblingof_b(debug, NULL, 1, die, error);
	if (status == DW_DLV_OK)
		status = dwarf_srclines_b(*die, &table->version, &count, &table->context, error);
	return status;
}

/* libdwarf begins some of its sentences on a line of their own, with a word of alarm. */
static const char *reason_of(Dwarf_Error error)
{
	static const char alarm[] = "ERROR: ";
	const char *text = dwarf_errmsg(error);

	text += strspn(text, "\n ");
	return strncmp(text, alarm, strlen(alarm)) == 0 ? text + strlen(alarm) : text;
}

/* The next unit's table, and all queries of it, which come first in the array. */
static bool answer_table(Dwarf_Debug debug, const struct object *o, struct file_query **queries,
			 size_t n, struct arena *arena, struct err *err)
{
	struct table table = {NULL, 0, arena};
	Dwarf_Error error = NULL;
	Dwarf_Die die = NULL;
	int status = open_table(debug, &table, &die, &error);

	for (size_t i = 0; i < n && status == DW_DLV_OK; i++)
		status = answer(&table, queries[i], &error);
	if (status != DW_DLV_OK)
		fail_line(o->sections, queries[0]->line_table, err,
			  error ? reason_of(error) : "libdwarf finds no line table");
	if (status == DW_DLV_ERROR)
		dwarf_dealloc(debug, error, DW_DLA_ERROR);
	if (table.context)
		dwarf_srclines_dealloc_b(table.context);
	if (die)
		dwarf_dealloc(debug, die, DW_DLA_DIE);
	return status == DW_DLV_OK;
}

static size_t same_table(struct file_query **queries, size_t n)
{
	size_t same = 1;

	while (same < n && queries[same]->line_table == queries[0]->line_table)
		same++;
	return same;
}

static bool answer_batch(struct object *o, struct file_query **queries, size_t n,
			 struct arena *arena, struct err *err)
{
	interface access = {o, &object_methods};
	Dwarf_Error error = NULL;
	Dwarf_Debug debug;
	bool ok = true;

	o->parts[PART_INFO] = (struct span_of_bytes){(const uint8_t *)o->info.s, o->info.len};
	o->parts[PART_ABBREV] = (struct span_of_bytes){abbrevs, sizeof abbrevs};
	o->parts[PART_LINE] = (struct span_of_bytes){(const uint8_t *)o->line.s, o->line.len};
	o->parts[PART_STR] = o->sections->str;
	o->parts[PART_LINE_STR] = o->sections->line_str;
	if (dwarf_object_init_b(&access, NULL, NULL, DW_GROUPNUMBER_ANY, &debug, &error) !=
	    DW_DLV_OK)
		return err_set(err, o->sections->path, "libdwarf cannot read the line tables: %s",
			       error ? reason_of(error) : "it finds none");
	for (size_t i = 0, same; i < n && ok; i += same) {
		same = same_table(queries + i, n - i);
		ok = answer_table(debug, o, queries + i, same, arena, err);
	}
	finish(debug);
	return ok;
}

/* Headers of this many bytes are handed over at a time. */
enum { BATCH = 4 << 20 };

/* Reads tables until the batch is full; *ret_n is the number of queries they answer. */
static bool fill_batch(struct object *o, struct file_query **queries, size_t n, struct err *err,
		       size_t *ret_n)
{
	size_t done = 0;

	o->info.len = o->line.len = 0;
	while (done < n && o->line.len < BATCH) {
		o->address_size = queries[done]->address_size;
		if (!add_table(o, queries[done]->line_table, err))
			return false;
		done += same_table(queries + done, n - done);
	}
	*ret_n = done;
	return true;
}

static int compare_queries(const void *left, const void *right)
{
	const struct file_query *a = *(struct file_query *const *)left;
	const struct file_query *b = *(struct file_query *const *)right;

	if (a->lines != b->lines)
		return (uintptr_t)a->lines > (uintptr_t)b->lines ? 1 : -1;
	return (a->line_table > b->line_table) - (a->line_table < b->line_table);
}

/* Those of one file. */
static bool locate_in(const struct sections *sections, struct file_query **queries, size_t n,
		      struct arena *arena, struct err *err)
{
	struct object object = {.sections = sections, .info = BUF_INIT, .line = BUF_INIT};
	bool ok = true;

	if (!sections->line)
		return true;
	for (size_t i = 0, batch = 0; i < n && ok; i += batch)
		ok = fill_batch(&object, queries + i, n - i, err, &batch) &&
		     answer_batch(&object, queries + i, batch, arena, err);
	buf_release(&object.info);
	buf_release(&object.line);
	return ok;
}

bool locate_files(struct file_query **queries, size_t n, struct arena *arena, struct err *err)
{
	bool ok = true;

	if (n)
		qsort(queries, n, sizeof *queries, compare_queries);
	for (size_t i = 0, end = 0; i < n && ok; i = end) {
		while (end < n && queries[end]->lines == queries[i]->lines)
			end++;
		ok = locate_in(queries[i]->lines, queries + i, end - i, arena, err);
	}
	return ok;
}
