/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "dwarf/memo.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

void memo_init(struct memo *memo)
{
	*memo = (struct memo){.size = 256, .round = 1};
	memo->entries = xcalloc(memo->size, sizeof *memo->entries);
}

void memo_release(struct memo *memo)
{
	free(memo->entries);
	*memo = (struct memo){0};
}

void memo_forget(struct memo *memo)
{
	memo->n = 0;
	if (++memo->round == 0) {
		memset(memo->entries, 0, memo->size * sizeof *memo->entries);
		memo->round = 1;
	}
}

static void grow(struct memo *memo)
{
	struct memo_entry *old = memo->entries;
	size_t n = memo->size;

	memo->size *= 2;
	memo->entries = xcalloc(memo->size, sizeof *memo->entries);
	for (size_t i = 0; i < n; i++)
		if (old[i].round == memo->round)
			memo->entries[memo_find(memo, old[i].key)] = old[i];
	free(old);
}

void memo_set(struct memo *memo, uint64_t key, uint32_t value)
{
	size_t i = memo_find(memo, key);

	if (memo->entries[i].round != memo->round) {
		if (2 * memo->n >= memo->size) {
			grow(memo);
			i = memo_find(memo, key);
		}
		memo->n++;
	}
	memo->entries[i] = (struct memo_entry){key, memo->round, value};
}
