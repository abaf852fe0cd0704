/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tables of access, of the kernel's documentation; a pack that is written of one is a pack. */
#include "fuzz.h"
#include "rule/access_table.h"
#include "rule/pack.h"
#include "rule/write.h"

static void write(const struct access_table *table)
{
	struct pack_errors errors;
	struct packs packs;
	struct buf out = BUF_INIT;

	packs_init(&packs);
	pack_errors_init(&errors);
	pack_write_access(table, 1, &out);
	if (!packs_parse(&packs, "written.yaml", out.s, out.len, &errors))
		fuzz_want(false, errors.text.s);
	pack_errors_release(&errors);
	packs_release(&packs);
	buf_release(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct access_table table;
	struct arena arena;
	struct err err = ERR_INIT;
	bool ok;

	arena_init(&arena);
	ok = access_table_read("table.rst", (const char *)data, size, NULL, &arena, &err, &table);
	if (ok)
		write(&table);
	fuzz_answer(ok, &err);
	arena_release(&arena);
	return 0;
}
