/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The text of perf script. Like a perf.data it is passed over twice: for maps, if they are shown,
 * and for the slide of a kernel that the names of functions tell; then for the accesses.
 */
#include "perf/script.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/text.h"
#include "perf/classify.h"
#include "perf/maps.h"
#include "perf/pool.h"
#include "perf/script_line.h"
#include "perf/translate.h"

/* Slides that functions vote for; one name in thousands is of two functions. */
enum { VOTES_MAX = 64 };

/* Progress is told each time that many lines were read. */
enum { TICK_LINES = 1 << 14 };

/* A program is loaded at whole pages, the smallest there are. */
enum { PAGE = 4096 };

struct vote {
	uint64_t slide, n;
};

struct script {
	struct script_shape shape;
	struct maps *maps;
	struct pool pool;
	struct kernel_map kernel;
	struct translation translation;
	struct vote votes[VOTES_MAX];
	size_t nvotes;
	bool has_cpus;
};

static bool probe(const uint8_t *head, size_t len)
{
	const char *s = (const char *)head, *end = s + len;

	while (s < end) {
		const char *newline = memchr(s, '\n', (size_t)(end - s));
		size_t n = newline ? (size_t)(newline - s) : (size_t)(end - s);
		char line[1024];

		if (n >= sizeof line)
			n = sizeof line - 1;
		memcpy(line, s, n);
		line[n] = 0;
		if (script_is_access(line))
			return true;
		s = newline ? newline + 1 : end;
	}
	return false;
}

/* ---- what the lines before say, of perf script --header */

static void read_fact(struct recording *recording, const char *line, const char *label,
		      const char **ret)
{
	const char *value;

	if (!text_starts_with(line, label))
		return;
	value = line + strlen(label);
	value += strspn(value, " ");
	if (*value++ != ':')
		return;
	value += strspn(value, " ");
	if (*value)
		*ret = arena_strdup(&recording->arena, value);
}

static void read_comment(struct recording *recording, const char *line)
{
	struct recording_facts *facts = &recording->facts;
	const char *cpus = NULL;

	read_fact(recording, line, "# os release", &facts->release);
	read_fact(recording, line, "# perf version", &facts->perf_version);
	read_fact(recording, line, "# arch", &facts->arch);
	read_fact(recording, line, "# cpuid", &facts->cpuid);
	read_fact(recording, line, "# cmdline", &facts->cmdline);
	read_fact(recording, line, "# nrcpus avail", &cpus);
	if (cpus)
		facts->cpus = (unsigned)strtoul(cpus, NULL, 10);
}

/* ---- maps, of --show-mmap-events */

/* " fd:01 1234 567]": a device, an inode and its generation. */
static void read_inode(const char *s, struct map *map)
{
	char *end;
	uint64_t major = strtoull(s, &end, 16);

	if (*end != ':')
		return;
	map->device = major << 32 | (uint32_t)strtoul(end + 1, &end, 16);
	map->inode = strtoull(end, &end, 10);
	map->generation = strtoull(end, &end, 10);
}

/*
 * "PERF_RECORD_MMAP -1/0: [0x81000000(0xe01ef2) @ 0x81000000]: x [kernel.kallsyms]_text"; behind
 * the offset of a MMAP2 stand device and inode, or "<build id>".
 */
static bool read_map(const char *s, int32_t *ret_pid, struct map *ret, const char **ret_path)
{
	const char *path;
	char *end;

	s = strstr(s, "PERF_RECORD_MMAP");
	s = s ? strchr(s, ' ') : NULL;
	if (!s)
		return false;
	*ret_pid = (int32_t)strtol(s + 1, &end, 10);
	s = strstr(end, ": [");
	if (!s)
		return false;
	ret->start = strtoull(s + 3, &end, 16);
	if (*end != '(')
		return false;
	ret->len = strtoull(end + 1, &end, 16);
	if (!text_starts_with(end, ") @ "))
		return false;
	ret->pgoff = strtoull(end + 4, &end, 16);
	read_inode(end, ret);
	s = strstr(end, "]: ");
	path = s ? strchr(s + 3, ' ') : NULL;
	if (!path)
		return false;
	ret->is_shared = path - s >= 4 && path[-1] == 's'; /* "rw-s" */
	ret->is_private = path - s >= 4 && path[-1] == 'p';
	*ret_path = path + 1;
	return true;
}

static void add_map(struct script *script, const char *line, uint64_t number)
{
	struct map map = {.since = {number, number}};
	const char *path;
	int32_t pid;

	if (!read_map(line, &pid, &map, &path))
		return;
	if (pid == MAPS_KERNEL && text_starts_with(path, "[kernel.kallsyms]")) {
		const char *symbol = path + strlen("[kernel.kallsyms]");

		if (!script->kernel.is_set)
			script->kernel = (struct kernel_map){
				true, map.start, map.len, map.pgoff,
				pool_get(&script->pool, symbol, strlen(symbol))};
		path = "[kernel.kallsyms]";
	}
	map.file = maps_file(script->maps, path, NULL, 0);
	maps_add(script->maps, pid, &map);
}

/* ---- the slide, where no map tells it */

static void vote(struct script *script, uint64_t slide)
{
	size_t i;

	for (i = 0; i < script->nvotes; i++)
		if (script->votes[i].slide == slide)
			break;
	if (i == VOTES_MAX)
		return;
	if (i == script->nvotes)
		script->votes[script->nvotes++] = (struct vote){slide, 0};
	script->votes[i].n++;
}

/* The image's address of the code, by the name of its function. */
static bool named_address(const struct perf_image *image, const struct script_line *line,
			  uint64_t *ret)
{
	char name[256];

	if (!image->symbol || !line->has_ip || !line->has_symbol_offset ||
	    line->symbol.len >= sizeof name)
		return false;
	memcpy(name, line->symbol.s, line->symbol.len);
	name[line->symbol.len] = 0;
	if (!image->symbol(image->arg, name, ret))
		return false;
	*ret += line->symbol_offset;
	return true;
}

static void vote_by_line(struct script *script, const struct perf_image *image,
			 const struct script_line *line)
{
	uint64_t address;

	if (image && image->is_kernel && line->ip >> 63 && named_address(image, line, &address) &&
	    (line->ip - address) % PAGE == 0)
		vote(script, line->ip - address);
}

static void elect(struct script *script, const struct perf_image *image)
{
	const struct vote *best = NULL;
	uint64_t text;

	for (size_t i = 0; i < script->nvotes; i++)
		if (!best || script->votes[i].n > best->n)
			best = &script->votes[i];
	if (script->kernel.is_set || !best || !image->symbol(image->arg, "_text", &text))
		return;
	script->kernel =
		(struct kernel_map){true, text + best->slide, 0, text + best->slide, "_text"};
}

/* ---- lines */

struct script_reader {
	struct recording *recording;
	struct script *script;
	const struct recording_run *run;
	uint64_t pass, lines;
	struct buf held; /* a line whose call chain follows */
};

typedef bool line_fn(struct script_reader *reader, const struct script_line *line, struct err *err);

static void tick(const struct script_reader *reader)
{
	const struct recording_run *run = reader->run;
	const struct input *input = &reader->recording->input;

	if (run->progress)
		run->progress->tick(run->progress->arg,
				    input_offset(input) + reader->pass * input->size,
				    2 * input->size);
}

/* A line that is of no access. */
static void other_line(struct script_reader *reader, const char *text)
{
	if (reader->pass != 0)
		return;
	if (*text == '#')
		read_comment(reader->recording, text);
	else if (strstr(text, "PERF_RECORD_MMAP"))
		add_map(reader->script, text, reader->lines);
}

/* Hands the line that was held to @fn, with what @text, if it begins a call chain, says. */
static bool let_go(struct script_reader *reader, const char *text, line_fn *fn, struct err *err)
{
	struct script_line line;
	bool ok = true;

	if (reader->held.len > 0 &&
	    script_read_line(reader->held.s, &reader->script->shape, &line)) {
		/* The next access may begin with blanks, and a thread called dd. */
		if (!script_is_access(text))
			(void)script_read_chain(text, &line);
		ok = fn(reader, &line, err);
	}
	reader->held.len = 0;
	return ok;
}

static bool read_lines(struct script_reader *reader, line_fn *fn, struct err *err)
{
	const struct script_shape *shape = &reader->script->shape;

	input_seek(&reader->recording->input, 0);
	for (;; reader->lines++) {
		struct script_line line;
		size_t len;
		char *text;

		if (!input_line(&reader->recording->input, err, &text, &len))
			return false;
		if (!let_go(reader, text ? text : "", fn, err))
			return false;
		if (!text)
			return true;
		if (reader->lines % TICK_LINES == 0)
			tick(reader);
		if (!script_read_line(text, shape, &line)) {
			other_line(reader, text);
			continue;
		}
		if (!line.has_ip)
			buf_add(&reader->held, text, len);
		else if (!fn(reader, &line, err))
			return false;
	}
}

static bool collect_line(struct script_reader *reader, const struct script_line *line,
			 struct err *err)
{
	(void)err;
	vote_by_line(reader->script, reader->run->image, line);
	return true;
}

static const char *kept(struct script *script, struct piece piece)
{
	return piece.s ? pool_get(&script->pool, piece.s, piece.len) : NULL;
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* Of a program whose maps are not shown, what the name of the function says. */
static void translate_by_name(const struct perf_image *image, const struct script_line *line,
			      struct access *access)
{
	uint64_t address, bias;

	if (!image || image->is_kernel || access->has_image_ip || !access->object || !image->path ||
	    strcmp(base_name(access->object), base_name(image->path)) != 0 ||
	    !named_address(image, line, &address))
		return;
	bias = access->ip - address;
	if (bias % PAGE != 0)
		return;
	access->image_ip = address;
	access->has_image_ip = true;
	if (access->has_address && access->address - bias >= image->start &&
	    access->address - bias < image->end) {
		access->image_address = access->address - bias;
		access->has_image_address = true;
	}
}

static bool hand_on(struct script_reader *reader, const struct script_line *line, struct err *err)
{
	struct recording_facts *facts = &reader->recording->facts;
	struct script *script = reader->script;
	struct access access = {
		.n = 1,
		.mode = !line->has_ip    ? MODE_UNKNOWN
			: line->ip >> 63 ? MODE_KERNEL
					 : MODE_USER,
		.has_address = line->has_address,
		.address = line->address,
		.has_physical = line->has_physical && line->physical != 0,
		.physical = line->physical,
		.has_ip = line->has_ip,
		.ip = line->ip,
		.pid = line->pid,
		.tid = line->tid,
		.cpu = line->cpu,
		.node = -1,
		.memory_node = -1,
		.has_time = line->has_time,
		.time = line->time,
		.has_weight = line->has_weight,
		.weight = line->weight,
		.symbol = kept(script, line->symbol),
		.object = kept(script, line->dso),
		.comm = kept(script, line->comm),
	};

	(void)err;
	classify(line->data_src, &access);
	translate(&script->translation, reader->lines, &access);
	translate_by_name(reader->run->image, line, &access);
	facts->samples++;
	facts->accesses++;
	facts->has_cpus_of_accesses |= line->cpu >= 0;
	if (!access.has_address && access.op != ACCESS_OTHER)
		facts->no_address++;
	return reader->run->fn(reader->run->arg, &access);
}

/* ---- the reader */

static bool open_script(struct recording *recording, struct err *err)
{
	struct script *script = xcalloc(1, sizeof *script);
	const uint8_t *head;
	size_t len;

	recording->state = script;
	script->maps = maps_new();
	if (!input_make_seekable(&recording->input, err) ||
	    !input_peek(&recording->input, PROBE_BYTES, err, &head, &len))
		return false;
	script->shape = script_find_shape((const char *)head, len);
	return true;
}

static void close_script(struct recording *recording)
{
	struct script *script = recording->state;

	maps_free(script->maps);
	pool_release(&script->pool);
	free(script);
}

static bool read_script(struct recording *recording, const struct recording_run *run,
			struct err *err)
{
	struct script_reader reader = {recording, recording->state, run, 0, 0, BUF_INIT};
	struct script *script = recording->state;
	bool ok;

	ok = read_lines(&reader, collect_line, err);
	if (ok) {
		elect(script, run->image);
		translation_init(&script->translation, run->image, script->maps, &script->kernel,
				 NULL, &recording->facts);
		maps_sort(script->maps);
		reader.pass = 1;
		reader.lines = 0;
		ok = read_lines(&reader, hand_on, err);
	}
	buf_release(&reader.held);
	return ok;
}

const struct recording_reader reader_script = {
	.kind = RECORDING_SCRIPT,
	.probe = probe,
	.open = open_script,
	.read = read_script,
	.close = close_script,
};
