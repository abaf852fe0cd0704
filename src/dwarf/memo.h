/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What was found out about a DIE, by its place. Forgetting everything costs nothing. */
#ifndef DWARF_MEMO_H
#define DWARF_MEMO_H

#include <stddef.h>
#include <stdint.h>

struct memo {
	struct memo_entry {
		uint64_t key;
		uint32_t round; /* an entry of an earlier round is free */
		uint32_t value;
	} * entries; /* open addressing */
	size_t n, size;
	uint32_t round;
};

enum { MEMO_NONE = 0xffffffff };

void memo_init(struct memo *memo);
void memo_release(struct memo *memo);

void memo_forget(struct memo *memo);
void memo_set(struct memo *memo, uint64_t key, uint32_t value);

static inline size_t memo_find(const struct memo *memo, uint64_t key)
{
	size_t mask = memo->size - 1;
	size_t i = (size_t)(key * 0x9e3779b97f4a7c15u >> 40) & mask;

	while (memo->entries[i].round == memo->round && memo->entries[i].key != key)
		i = (i + 1) & mask;
	return i;
}

/* MEMO_NONE: nothing. */
static inline uint32_t memo_get(const struct memo *memo, uint64_t key)
{
	const struct memo_entry *entry = &memo->entries[memo_find(memo, key)];

	return entry->round == memo->round ? entry->value : MEMO_NONE;
}

#endif
