/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "perf/data.h"

#include <stdlib.h>
#include <string.h>

#include "perf/classify.h"

enum { HEADER_SIZE = 104, PIPE_HEADER_SIZE = 16 };

/* No description of a machine is as long. */
enum { FEATURE_SIZE_MAX = 1 << 26 };

/* Progress is told each time that many records were read. */
enum { TICK_RECORDS = 1 << 14 };

static const char magic_here[8] = {'P', 'E', 'R', 'F', 'I', 'L', 'E', '2'};
static const char magic_swapped[8] = {'2', 'E', 'L', 'I', 'F', 'R', 'E', 'P'};

/* A word that spells PERFILE2 on a little-endian machine, and backwards on the other kind. */
static bool is_other_order(const uint8_t *head)
{
	bool is_little = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;

	return memcmp(head, is_little ? magic_swapped : magic_here, 8) == 0;
}

static bool probe(const uint8_t *head, size_t len)
{
	return len >= 8 &&
	       (memcmp(head, magic_here, 8) == 0 || memcmp(head, magic_swapped, 8) == 0 ||
		memcmp(head, "PERFFILE", 8) == 0);
}

/* ---- headers of a file */

struct section {
	uint64_t offset, size;
};

static struct section read_section(struct cursor *c)
{
	struct section section = {cursor_u64(c), 0};

	section.size = cursor_u64(c);
	return section;
}

static bool section_fits(const struct perf_data *data, const struct input *input,
			 struct section section, const char *what, struct err *err)
{
	if (section.offset <= input->size && section.size <= input->size - section.offset)
		return true;
	return err_set(err, data->place,
		       "%s end at offset %llu of a file of %llu bytes: it is cut short", what,
		       (unsigned long long)section.offset + section.size,
		       (unsigned long long)input->size);
}

/* A section in memory, which the caller frees, and @ret over it; NULL: there is none. */
static uint8_t *load_section(const struct perf_data *data, const struct input *input,
			     struct section section, const char *what, struct err *err,
			     struct cursor *ret)
{
	uint8_t *bytes;

	if (!section_fits(data, input, section, what, err))
		return NULL;
	if (section.size > FEATURE_SIZE_MAX) {
		err_set(err, data->place, "%s take %llu bytes", what,
			(unsigned long long)section.size);
		return NULL;
	}
	bytes = xmalloc((size_t)section.size + 1);
	if (!file_pread(input->fd, bytes, (size_t)section.size, section.offset, data->place, err)) {
		free(bytes);
		return NULL;
	}
	*ret = cursor_over(bytes, (size_t)section.size, data->swap);
	return bytes;
}

static bool read_ids(struct perf_data *data, const struct input *input, struct section ids,
		     struct err *err)
{
	struct cursor c;
	uint8_t *bytes = load_section(data, input, ids, "the numbers of events", err, &c);

	if (!bytes)
		return false;
	while (cursor_left(&c) >= 8)
		events_add_id(&data->events, cursor_u64(&c));
	free(bytes);
	return true;
}

static bool read_attrs(struct perf_data *data, const struct input *input, struct section attrs,
		       uint64_t attr_size, struct err *err)
{
	struct cursor c;
	uint8_t *bytes;
	bool ok = true;

	if (attr_size < 64 + 16)
		return err_set(err, data->place, "a description of an event in %llu bytes",
			       (unsigned long long)attr_size);
	bytes = load_section(data, input, attrs, "the descriptions of events", err, &c);
	if (!bytes)
		return false;
	while (ok && cursor_left(&c) >= attr_size) {
		struct cursor attr = cursor_over(c.pos, (size_t)attr_size - 16, data->swap);
		struct cursor ids = cursor_over(c.pos + attr_size - 16, 16, data->swap);

		ok = events_add(&data->events, &attr, data->place, err) &&
		     read_ids(data, input, read_section(&ids), err);
		cursor_skip(&c, attr_size);
	}
	free(bytes);
	return ok;
}

static bool read_feature(struct perf_data *data, const struct input *input, unsigned feature,
			 struct section section, struct err *err)
{
	struct cursor c;
	uint8_t *bytes = load_section(data, input, section, "the words on the machine", err, &c);
	bool ok;

	if (!bytes)
		return false;
	ok = features_read(&data->features, feature, &c, data->place, err);
	free(bytes);
	return ok;
}

/* The sections stand behind the data in the order of their bits. */
static bool read_features(struct perf_data *data, const struct input *input,
			  const uint64_t bits[FEATURES / 64], struct err *err)
{
	struct section table = {data->end, 0};
	struct cursor c;
	uint8_t *bytes;
	bool ok = true;

	for (unsigned i = 0; i < FEATURES / 64; i++)
		table.size += 16 * (uint64_t)__builtin_popcountll(bits[i]);
	bytes = load_section(data, input, table, "the words on the machine", err, &c);
	if (!bytes)
		return false;
	for (unsigned i = 0; i < FEATURES && ok; i++) {
		struct section section;

		if (!(bits[i / 64] >> i % 64 & 1))
			continue;
		section = read_section(&c);
		if (features_wants(i))
			ok = read_feature(data, input, i, section, err);
	}
	free(bytes);
	return ok;
}

static bool open_file(struct perf_data *data, struct input *input, struct cursor *c,
		      struct err *err)
{
	uint64_t attr_size, bits[FEATURES / 64];
	struct section attrs, records;

	attr_size = cursor_u64(c);
	attrs = read_section(c);
	records = read_section(c);
	(void)read_section(c); /* names of events, of long ago */
	for (unsigned i = 0; i < FEATURES / 64; i++)
		bits[i] = cursor_u64(c);
	if (!read_attrs(data, input, attrs, attr_size, err))
		return false;
	data->needs_sort = true;
	collect_sort(data);
	data->may_be_cut = records.size == 0;
	if (data->may_be_cut && records.offset <= input->size)
		records.size = input->size - records.offset;
	if (!section_fits(data, input, records, "the records", err))
		return false;
	data->start = records.offset;
	data->end = records.offset + records.size;
	/* perf writes them at its end, which an interrupted one did not reach. */
	return data->may_be_cut || read_features(data, input, bits, err);
}

/* ---- headers of what came through a pipe */

/* Takes the records before the first of the kernel's. */
static bool open_pipe(struct perf_data *data, struct input *input, struct err *err)
{
	struct record_stream records;
	bool end = false, mine = true, ok = true;

	data->start = PIPE_HEADER_SIZE;
	data->end = input->size;
	input_seek(input, data->start);
	record_stream_init(&records, input, data->end, data->swap);
	while (ok) {
		struct record record;

		ok = record_stream_next(&records, err, &record, &end);
		if (!ok || end)
			break;
		/* Where headers end; compressed ones are not among them. */
		if (!records.zstd)
			data->start = record.offset;
		ok = collect_header(data, &record, err, &mine);
		if (!mine || records.zstd)
			break;
	}
	record_stream_release(&records);
	if (ok && end)
		data->start = data->end;
	return ok;
}

/* ---- the reader */

static void name_events(struct perf_data *data, struct recording *recording)
{
	const char **names = arena_array(&recording->arena, data->events.n + 1, sizeof *names);
	struct recording_facts *facts = &recording->facts;

	for (size_t i = 0; i < data->events.n; i++)
		if (data->events.items[i].name)
			names[facts->nevents++] = data->events.items[i].name;
	facts->events = names;
}

static bool open_data(struct recording *recording, struct err *err)
{
	struct input *input = &recording->input;
	struct perf_data *data = xcalloc(1, sizeof *data);
	const uint8_t *head;
	struct cursor c;
	uint64_t size;
	size_t len;
	bool ok;

	recording->state = data;
	data->place = input->place;
	data->maps = maps_new();
	data->features = (struct features){.arena = &recording->arena,
					   .facts = &recording->facts,
					   .events = &data->events,
					   .maps = data->maps};
	if (!input_make_seekable(input, err) || !input_peek(input, HEADER_SIZE, err, &head, &len))
		return false;
	if (memcmp(head, "PERFFILE", 8) == 0)
		return err_set(err, data->place,
			       "a perf.data of before Linux 3.3, which says nothing of accesses");
	data->swap = is_other_order(head);
	c = cursor_over(head, len, data->swap);
	cursor_skip(&c, 8);
	size = cursor_u64(&c);
	if (c.bad || (size != PIPE_HEADER_SIZE && (size != HEADER_SIZE || len < HEADER_SIZE)))
		return err_set(err, data->place, "it is cut short inside of its header");
	ok = size == PIPE_HEADER_SIZE ? open_pipe(data, input, err)
				      : open_file(data, input, &c, err);
	if (ok)
		name_events(data, recording);
	return ok;
}

static void close_data(struct recording *recording)
{
	struct perf_data *data = recording->state;

	if (!data)
		return;
	events_release(&data->events);
	features_release(&data->features);
	maps_free(data->maps);
	free(data);
}

/* Of both passes together. */
static void tick(const struct recording *recording, const struct recording_run *run, uint64_t pass)
{
	const struct input *input = &recording->input;

	if (run->progress)
		run->progress->tick(run->progress->arg, input_offset(input) + pass * input->size,
				    2 * input->size);
}

static bool all_have_times(const struct events *events)
{
	for (size_t i = 0; i < events->n; i++)
		if (!(events->items[i].sample_type & SAMPLE_TIME) ||
		    !events->items[i].sample_id_all)
			return false;
	return events->n > 0;
}

static struct record_stream records_from_start(const struct perf_data *data,
					       struct recording *recording)
{
	struct record_stream records;

	input_seek(&recording->input, data->start);
	record_stream_init(&records, &recording->input, data->end, data->swap);
	records.may_be_cut = data->may_be_cut;
	return records;
}

static bool collect_all(struct perf_data *data, struct recording *recording,
			const struct recording_run *run, struct err *err)
{
	struct record_stream records = records_from_start(data, recording);
	bool end = false, mine, ok = true;

	data->has_times = all_have_times(&data->events);
	for (uint64_t n = 0; ok; n++) {
		struct record record;

		ok = record_stream_next(&records, err, &record, &end);
		if (!ok || end)
			break;
		if (record.type >= RECORD_HEADER_ATTR)
			ok = collect_header(data, &record, err, &mine);
		else if (record.type != RECORD_SAMPLE)
			collect(data, &recording->arena, &record, n);
		if (n % TICK_RECORDS == 0)
			tick(recording, run, 0);
	}
	record_stream_release(&records);
	collect_sort(data);
	return ok;
}

static enum access_mode mode_of(uint16_t misc)
{
	switch (misc & MISC_CPUMODE) {
	case MISC_KERNEL:
		return MODE_KERNEL;
	case MISC_USER:
		return MODE_USER;
	case MISC_HYPERVISOR:
		return MODE_HYPERVISOR;
	case MISC_GUEST_KERNEL:
	case MISC_GUEST_USER:
		return MODE_GUEST;
	default:
		return MODE_UNKNOWN;
	}
}

static void make_access(const struct perf_data *data, const struct sample *sample, uint16_t misc,
			uint64_t number, struct access *ret)
{
	uint64_t time = data->has_times ? sample->time : number;
	uint64_t type = sample->event->sample_type;

	*ret = (struct access){
		.n = 1,
		.mode = mode_of(misc),
		.has_address = (type & SAMPLE_ADDR) && sample->address != 0,
		.address = sample->address,
		.has_physical = (type & SAMPLE_PHYS_ADDR) && sample->physical != 0,
		.physical = sample->physical,
		.has_ip = type & SAMPLE_IP,
		.ip = sample->ip,
		.pid = sample->pid,
		.tid = sample->tid,
		.cpu = sample->cpu,
		.node = features_node_of_cpu(&data->features, sample->cpu),
		.memory_node = -1,
		.has_time = type & SAMPLE_TIME,
		.time = sample->time,
		.has_weight = type & (SAMPLE_WEIGHT | SAMPLE_WEIGHT_STRUCT),
		.weight = sample->weight,
	};
	if (ret->has_physical)
		ret->memory_node = features_node_of_memory(&data->features, sample->physical);
	classify(sample->data_src, ret);
	translate(&data->translation, time, ret);
	ret->comm = maps_comm_of(data->maps, sample->tid, time);
}

static bool hand_on(const struct perf_data *data, struct recording *recording,
		    const struct recording_run *run, const struct record *record, uint64_t number,
		    struct err *err)
{
	struct recording_facts *facts = &recording->facts;
	struct access access;
	struct sample sample;

	facts->samples++;
	if (!events_sample(&data->events, record->body, &sample) && sample.event)
		return err_set(err, data->place,
			       "sample at offset 0x%llx: its fields run past its end",
			       (unsigned long long)record->offset);
	if (!sample.event || !(sample.event->sample_type & SAMPLE_DATA_SRC)) {
		facts->other_events++;
		return true;
	}
	make_access(data, &sample, record->misc, number, &access);
	facts->accesses++;
	if (!access.has_address && access.op != ACCESS_OTHER)
		facts->no_address++;
	return run->fn(run->arg, &access);
}

static void count_lost(struct recording_facts *facts, const struct record *record)
{
	struct cursor c = record->body;

	if (record->type == RECORD_LOST)
		cursor_skip(&c, 8); /* the event */
	facts->lost += cursor_u64(&c);
}

static bool read_samples(const struct perf_data *data, struct recording *recording,
			 const struct recording_run *run, struct err *err)
{
	struct record_stream records = records_from_start(data, recording);
	bool end = false, ok = true;

	for (uint64_t n = 0; ok; n++) {
		struct record record;

		ok = record_stream_next(&records, err, &record, &end);
		if (!ok || end)
			break;
		if (record.type == RECORD_SAMPLE)
			ok = hand_on(data, recording, run, &record, n, err);
		else if (record.type == RECORD_LOST || record.type == RECORD_LOST_SAMPLES)
			count_lost(&recording->facts, &record);
		if (n % TICK_RECORDS == 0)
			tick(recording, run, 1);
	}
	record_stream_release(&records);
	return ok;
}

/* A recording of nothing is fine as long as it is one of accesses. */
static bool says_accesses(const struct perf_data *data, const struct recording_facts *facts,
			  struct err *err)
{
	bool asked = false;

	if (facts->accesses > 0)
		return true;
	if (data->has_aux)
		return err_set(err, data->place,
			       "its accesses are in AUX data, which only perf decodes: give the "
			       "text of `perf script --itrace=M -F "
			       "comm,pid,tid,cpu,time,event,ip,sym,symoff,dso,addr,data_src,weight`"
			       " or of `perf c2c report --stdio`");
	for (size_t i = 0; i < data->events.n; i++)
		asked |= (data->events.items[i].sample_type & SAMPLE_DATA_SRC) != 0;
	return asked || err_set(err, data->place,
				"none of its events says what memory answered: record with "
				"`perf c2c record` or `perf mem record`");
}

static bool read_data(struct recording *recording, const struct recording_run *run, struct err *err)
{
	struct perf_data *data = recording->state;

	if (!collect_all(data, recording, run, err))
		return false;
	for (size_t i = 0; i < data->events.n; i++)
		recording->facts.has_cpus_of_accesses |=
			(data->events.items[i].sample_type & SAMPLE_DATA_SRC) &&
			(data->events.items[i].sample_type & SAMPLE_CPU);
	translation_init(&data->translation, run->image, data->maps, &data->kernel,
			 data->features.kernel ? data->features.kernel : data->kernel_file,
			 &recording->facts);
	maps_sort(data->maps);
	return read_samples(data, recording, run, err) &&
	       says_accesses(data, &recording->facts, err);
}

const struct recording_reader reader_perf_data = {
	.kind = RECORDING_PERF_DATA,
	.probe = probe,
	.open = open_data,
	.read = read_data,
	.close = close_data,
};
