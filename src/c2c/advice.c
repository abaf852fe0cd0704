/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "c2c/advice.h"

#include <inttypes.h>
#include <string.h>

#include "base/buf.h"
#include "base/math.h"
#include "layout/data.h"
#include "layout/path.h"

/* "fd_array[3]" is "fd_array", "slots[1].count" is "slots"; where that begins. */
static const char *whole_member(const struct def *def, const char *member, struct arena *arena,
				uint64_t *ret_offset)
{
	const char *path = arena_strndup(arena, member, strcspn(member, "["));
	struct span span;
	const char *why;

	if (path_resolve(def->type, path, arena, &why, &span) != PATH_FOUND)
		return NULL;
	*ret_offset = span.bit_offset / 8;
	return path;
}

/* Of the struct that the datum is a member of, from the start of the line. */
static int64_t start_of(const struct c2c_datum *datum)
{
	return datum->begins - (int64_t)datum->member_offset;
}

bool advice_sides(const struct c2c_line *line, const struct c2c_pair *pair, struct arena *arena,
		  struct c2c_sides *ret)
{
	const struct c2c_datum *written = &line->data[pair->written];
	const struct c2c_datum *read = &line->data[pair->read];

	if (pair->written == pair->read || !written->def || written->def != read->def ||
	    !written->member || !read->member || start_of(written) != start_of(read))
		return false;
	ret->def = written->def;
	ret->written = whole_member(ret->def, written->member, arena, &ret->written_offset);
	ret->read = whole_member(ret->def, read->member, arena, &ret->read_offset);
	return ret->written && ret->read && strcmp(ret->written, ret->read) != 0;
}

bool advice_is_due(const struct c2c_line *line, const struct c2c_pair *pair)
{
	enum { LEAST_PARTS = 20, LEAST_HITM = 20 };
	const struct c2c_datum *read = &line->data[pair->read];

	return line->counts.hitm >= LEAST_HITM && pair->written != pair->read &&
	       read->hitm_alone * 2 >= read->counts.hitm &&
	       pair->hitm * LEAST_PARTS >= line->counts.hitm;
}

/* A double-quoted scalar (YAML 1.2, 7.3.1). */
static void add_quoted(struct buf *out, const char *text)
{
	buf_addc(out, '"');
	for (; *text; text++) {
		unsigned char c = (unsigned char)*text;

		if (c == '"' || c == '\\')
			buf_addf(out, "\\%c", c);
		else if (c < ' ' || c == 0x7f)
			buf_addf(out, "\\x%02x", c);
		else
			buf_addc(out, (char)c);
	}
	buf_addc(out, '"');
}

static const char *kind_prefix(enum def_kind kind)
{
	return kind == DEF_UNION ? "union " : kind == DEF_TYPEDEF ? "typedef " : "";
}

static uint64_t round_up(uint64_t n, uint64_t step)
{
	return (n + step - 1) / step * step;
}

/* What it takes to begin the later of the two on a line of its own, everything behind it moving. */
static const char *cost_of(const struct c2c_sides *sides, const struct c2c_object *object,
			   uint64_t line_size, struct arena *arena)
{
	uint64_t later = max_u64(sides->written_offset, sides->read_offset);
	const char *member = later == sides->read_offset ? sides->read : sides->written;
	uint64_t size = sides->def->type->bits / 8, grown;
	bool is_astray = object->alignment && object->alignment < line_size;

	grown = round_up(size + round_up(later, line_size) - later, line_size);
	return arena_printf(
		arena,
		"at most %" PRIu64 " bytes more, with %s on a line of its own: %s %" PRIu64
		" -> %" PRIu64 "%s",
		grown - size, member, sides->def->name, size, grown,
		is_astray ? "; once every object begins on a line, as now it does not" : "");
}

static const char *why_of(const struct c2c_line *line, const struct c2c_pair *pair,
			  const char *read, const char *written, struct arena *arena)
{
	uint64_t percent = line->data[pair->read].hitm_alone * 100 / max_u64(line->counts.hitm, 1);

	return arena_printf(arena,
			    "%" PRIu64
			    " %% of the HITM of their line is on %s, while other CPUs write %s",
			    percent, read, written);
}

void advice_give(const struct c2c_sides *sides, const struct c2c_pair *pair, uint64_t line_size,
		 struct arena *arena, struct c2c_line *line)
{
	struct buf yaml = BUF_INIT, name = BUF_INIT;

	buf_addf(&name, "%s%s%s%s", kind_prefix(sides->def->kind),
		 sides->def->scope && sides->def->scope[0] != '(' ? sides->def->scope : "",
		 sides->def->scope && sides->def->scope[0] != '(' ? "::" : "", sides->def->name);
	buf_adds(&yaml, "layoutcheck: 1\nstructs:\n  ");
	add_quoted(&yaml, name.s);
	buf_adds(&yaml, ":\n    rules:\n      - apart: [");
	add_quoted(&yaml, sides->read);
	buf_adds(&yaml, ", ");
	add_quoted(&yaml, sides->written);
	buf_adds(&yaml, "]\n        why: ");
	add_quoted(&yaml, why_of(line, pair, sides->read, sides->written, arena));
	buf_addc(&yaml, '\n');
	line->advice = arena_strdup(arena, yaml.s);
	line->advice_cost = cost_of(sides, &line->object, line_size, arena);
	buf_release(&yaml);
	buf_release(&name);
}

/* ---- variables ------------------------------------------------------------------------------- */

/* What makes others of a variable's line go, and what sends it where only reading is done. */
struct words {
	const char *alone, *read_mostly;
};

static const struct words kernel_words = {"__cacheline_aligned_in_smp", "__read_mostly"};
static const struct words percpu_words = {"DEFINE_PER_CPU_SHARED_ALIGNED",
					  "DEFINE_PER_CPU_READ_MOSTLY"};

/* "a line of its own for hits: __cacheline_aligned_in_smp, 56 bytes of padding" */
static void add_own_line(struct buf *out, const struct c2c_datum *datum, const struct words *words,
			 uint64_t line_size)
{
	uint64_t whole = round_up(datum->symbol_size, line_size);

	buf_addf(out, "a line of its own for %s: ", datum->symbol);
	if (words)
		buf_adds(out, words->alone);
	else
		buf_addf(out, "alignas(%" PRIu64 "), and as much room behind it", line_size);
	if (datum->symbol_size)
		buf_addf(out, ", %" PRIu64 " bytes of padding", whole - datum->symbol_size);
}

static const char *pack_of_variables(const struct c2c_line *line, const struct c2c_pair *pair,
				     struct arena *arena)
{
	const char *written = data_plain_name(line->data[pair->written].symbol, arena);
	const char *read = data_plain_name(line->data[pair->read].symbol, arena);
	struct buf yaml = BUF_INIT;
	const char *pack;

	buf_adds(&yaml, "layoutcheck: 1\nvariables:\n  rules:\n    - apart: [");
	add_quoted(&yaml, read);
	buf_adds(&yaml, ", ");
	add_quoted(&yaml, written);
	buf_adds(&yaml, "]\n      why: ");
	add_quoted(&yaml, why_of(line, pair, read, written, arena));
	buf_addc(&yaml, '\n');
	pack = arena_strdup(arena, yaml.s);
	buf_release(&yaml);
	return pack;
}

bool advice_give_variables(const struct c2c_pair *pair, uint64_t line_size, bool is_kernel,
			   struct arena *arena, struct c2c_line *line)
{
	const struct c2c_datum *written = &line->data[pair->written];
	const struct c2c_datum *read = &line->data[pair->read];
	const struct words *words = written->is_percpu ? &percpu_words : &kernel_words;
	struct buf text = BUF_INIT;

	if (!written->symbol || !read->symbol || written->symbol_begins == read->symbol_begins)
		return false;
	buf_addf(&text, "%s and %s are variables that the linker put side by side; ",
		 written->symbol, read->symbol);
	if (is_kernel && !read->counts.stores)
		buf_addf(&text, "%s on %s, which nobody was seen to store to, costs nothing; or ",
			 words->read_mostly, read->symbol);
	add_own_line(&text, written, is_kernel ? words : NULL, line_size);
	line->remedy = arena_strdup(arena, text.s);
	buf_release(&text);
	if (!line->advice)
		line->advice = pack_of_variables(line, pair, arena);
	return true;
}
