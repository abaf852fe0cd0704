/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "perf/event.h"

#include <stdlib.h>

#include "base/math.h"
#include "base/search.h"

enum { ATTR_SIZE_FIRST = 64 }; /* of the first published perf_event_attr */

enum { EVENTS_MAX = 4096 };

enum { FLAG_SAMPLE_ID_ALL = 18 };

enum { READ_TIME_ENABLED = 1, READ_TIME_RUNNING = 2, READ_ID = 4, READ_GROUP = 8, READ_LOST = 16 };

enum { BRANCH_HW_INDEX = 1 << 17, BRANCH_COUNTERS = 1 << 19 };

void events_release(struct events *events)
{
	free(events->items);
	free(events->ids);
}

/* A bit field starts at the other end of the word where the machine is big-endian. */
static bool flag(uint64_t flags, unsigned bit, bool is_big)
{
	return flags >> (is_big ? 63 - bit : bit) & 1;
}

static bool file_is_big(const struct cursor *c)
{
	return (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__) != c->swap;
}

/* The u64 at @offset of an attr of @size bytes; what a shorter one lacks is 0. */
static uint64_t attr_word(const struct cursor *attr, size_t offset, size_t size)
{
	struct cursor c = *attr;

	if (offset + 8 > size)
		return 0;
	cursor_skip(&c, offset);
	return cursor_u64(&c);
}

bool events_add(struct events *events, struct cursor *c, const char *place, struct err *err)
{
	struct cursor attr = *c, head = *c;
	struct event event = {0};
	uint32_t size;

	cursor_skip(&head, 4);
	size = cursor_u32(&head);
	if (size == 0) /* a perf of the days of the first size */
		size = ATTR_SIZE_FIRST;
	if (head.bad || size < ATTR_SIZE_FIRST || size > cursor_left(c))
		return err_set(err, place, "the description of an event has no size that fits");
	event.sample_type = attr_word(&attr, 24, size);
	event.read_format = attr_word(&attr, 32, size);
	event.sample_id_all = flag(attr_word(&attr, 40, size), FLAG_SAMPLE_ID_ALL, file_is_big(c));
	event.branch_sample_type = attr_word(&attr, 72, size);
	event.nregs_user = (unsigned)__builtin_popcountll(attr_word(&attr, 80, size));
	event.nregs_intr = (unsigned)__builtin_popcountll(attr_word(&attr, 96, size));
	cursor_skip(c, size);
	if (events->n == EVENTS_MAX)
		return err_set(err, place, "more than %d events", EVENTS_MAX);
	ARRAY_GROW(events->items, events->n, events->cap);
	events->items[events->n++] = event;
	return true;
}

void events_add_id(struct events *events, uint64_t id)
{
	ARRAY_GROW(events->ids, events->nids, events->ids_cap);
	events->ids[events->nids++] = (struct event_id){id, events->n - 1};
}

static int compare_ids(const void *a, const void *b)
{
	const struct event_id *l = a, *r = b;
	int diff = compare_u64(l->id, r->id);

	return diff ? diff : compare_u64(l->event, r->event);
}

void events_sort(struct events *events)
{
	if (events->nids > 1)
		qsort(events->ids, events->nids, sizeof *events->ids, compare_ids);
}

struct event *events_of_id(const struct events *events, uint64_t id)
{
	size_t at = FIRST_FROM(events->ids, events->nids, id, id);

	if (at == events->nids || events->ids[at].id != id)
		return NULL;
	return &events->items[events->ids[at].event];
}

/* The id of a sample stands first, or behind what all events of a recording have alike. */
static const struct event *event_of_sample(const struct events *events, struct cursor c)
{
	const uint64_t before_id = SAMPLE_IP | SAMPLE_TID | SAMPLE_TIME | SAMPLE_ADDR;
	const struct event *first = events->items;

	if (events->n == 0)
		return NULL;
	if (events->n == 1 || !(first->sample_type & (SAMPLE_IDENTIFIER | SAMPLE_ID)))
		return first;
	if (!(first->sample_type & SAMPLE_IDENTIFIER))
		cursor_skip(&c, 8 * (uint64_t)__builtin_popcountll(first->sample_type & before_id));
	return events_of_id(events, cursor_u64(&c));
}

/* @n things of @size bytes each. */
static void skip_array(struct cursor *c, uint64_t n, size_t size)
{
	if (n > cursor_left(c) / size)
		cursor_fail(c);
	else
		cursor_skip(c, n * size);
}

static void skip_read(struct cursor *c, uint64_t format)
{
	size_t each = 8 + (format & READ_ID ? 8 : 0) + (format & READ_LOST ? 8 : 0);
	uint64_t n = format & READ_GROUP ? cursor_u64(c) : 1;

	skip_array(c, (format & READ_TIME_ENABLED ? 1 : 0) + (format & READ_TIME_RUNNING ? 1 : 0),
		   8);
	skip_array(c, n, each);
}

static void skip_branches(struct cursor *c, uint64_t format)
{
	uint64_t n = cursor_u64(c);

	if (format & BRANCH_HW_INDEX)
		cursor_skip(c, 8);
	skip_array(c, n, format & BRANCH_COUNTERS ? 32 : 24);
}

static void skip_regs(struct cursor *c, unsigned n)
{
	uint64_t abi = cursor_u64(c);

	if (abi)
		cursor_skip(c, 8 * (uint64_t)n);
}

static void skip_stack(struct cursor *c)
{
	uint64_t size = cursor_u64(c);

	if (size) {
		cursor_skip(c, size);
		cursor_skip(c, 8); /* how much of it is of use */
	}
}

/* What stands between the period and the weight. */
static void skip_middle(struct cursor *c, const struct event *event)
{
	uint64_t type = event->sample_type;

	if (type & SAMPLE_READ)
		skip_read(c, event->read_format);
	if (type & SAMPLE_CALLCHAIN)
		skip_array(c, cursor_u64(c), 8);
	if (type & SAMPLE_RAW)
		cursor_skip(c, cursor_u32(c));
	if (type & SAMPLE_BRANCH_STACK)
		skip_branches(c, event->branch_sample_type);
	if (type & SAMPLE_REGS_USER)
		skip_regs(c, event->nregs_user);
	if (type & SAMPLE_STACK_USER)
		skip_stack(c);
}

bool events_sample(const struct events *events, struct cursor c, struct sample *ret)
{
	const uint64_t middle = SAMPLE_READ | SAMPLE_CALLCHAIN | SAMPLE_RAW | SAMPLE_BRANCH_STACK |
				SAMPLE_REGS_USER | SAMPLE_STACK_USER;
	const struct event *event = event_of_sample(events, c);
	struct sample sample = {.event = event, .pid = -1, .tid = -1, .cpu = -1};
	uint64_t type;

	if (!event) {
		ret->event = NULL;
		return false;
	}
	type = event->sample_type;
	if (type & SAMPLE_IDENTIFIER)
		sample.id = cursor_u64(&c);
	if (type & SAMPLE_IP)
		sample.ip = cursor_u64(&c);
	if (type & SAMPLE_TID) {
		sample.pid = (int32_t)cursor_u32(&c);
		sample.tid = (int32_t)cursor_u32(&c);
	}
	if (type & SAMPLE_TIME)
		sample.time = cursor_u64(&c);
	if (type & SAMPLE_ADDR)
		sample.address = cursor_u64(&c);
	if (type & SAMPLE_ID)
		sample.id = cursor_u64(&c);
	if (type & SAMPLE_STREAM_ID)
		cursor_skip(&c, 8);
	if (type & SAMPLE_CPU) {
		sample.cpu = (int32_t)cursor_u32(&c);
		cursor_skip(&c, 4);
	}
	if (type & SAMPLE_PERIOD)
		cursor_skip(&c, 8);
	if (type & middle)
		skip_middle(&c, event);
	if (type & SAMPLE_WEIGHT)
		sample.weight = cursor_u64(&c);
	else if (type & SAMPLE_WEIGHT_STRUCT) /* the latency is the low half in either order */
		sample.weight = cursor_u64(&c) & UINT32_MAX;
	if (type & SAMPLE_DATA_SRC)
		sample.data_src = cursor_u64(&c);
	if (type & SAMPLE_TRANSACTION)
		cursor_skip(&c, 8);
	if (type & SAMPLE_REGS_INTR)
		skip_regs(&c, event->nregs_intr);
	if (type & SAMPLE_PHYS_ADDR)
		sample.physical = cursor_u64(&c);
	/* Behind it are cgroup, page sizes and AUX: nothing of use. */
	*ret = sample;
	return !c.bad;
}

uint64_t events_record_time(const struct events *events, const struct cursor *body)
{
	const uint64_t fields = SAMPLE_TID | SAMPLE_TIME | SAMPLE_ID | SAMPLE_STREAM_ID |
				SAMPLE_CPU | SAMPLE_IDENTIFIER;
	const struct event *event = events->items;
	struct cursor c = *body;
	uint64_t len;

	if (events->n > 1 && event->sample_type & SAMPLE_IDENTIFIER && cursor_left(&c) >= 8) {
		/* The last word; what perf itself made up has no id there. */
		struct cursor last = c;
		const struct event *other;

		last.pos = last.end - 8;
		other = events_of_id(events, cursor_u64(&last));
		if (other)
			event = other;
	}
	if (events->n == 0 || !event->sample_id_all || !(event->sample_type & SAMPLE_TIME))
		return 0;
	len = 8 * (uint64_t)__builtin_popcountll(event->sample_type & fields);
	if (len > cursor_left(&c))
		return 0;
	c.pos = c.end - len;
	if (event->sample_type & SAMPLE_TID)
		cursor_skip(&c, 8);
	return cursor_u64(&c);
}
