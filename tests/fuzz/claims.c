/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Code and the debug info that speaks of it: what every instruction of every function accesses. */
#include <stdlib.h>

#include "base/mem.h"
#include "dwarf/claims.h"
#include "elf/image.h"
#include "elf/symtab.h"
#include "fuzz.h"

enum { MOST_PCS = 256 };

/* A few places of each function; which one need not be the start of an instruction. */
static size_t places(const struct symtab *symtab, uint64_t pcs[MOST_PCS])
{
	size_t n = 0;

	for (size_t i = 0; i < symtab->n; i++) {
		const struct symbol *symbol = &symtab->items[i];

		if (!symbol->is_function)
			continue;
		for (uint64_t at = 0; at < symbol->size && at < 64 && n < MOST_PCS; at += 3)
			if (!n || pcs[n - 1] < symbol->address + at)
				pcs[n++] = symbol->address + at;
	}
	return n;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct image_options options = {.no_separate = true};
	struct image *image = NULL;
	struct symtab symtab = {0};
	struct claims claims;
	struct err err = ERR_INIT;
	uint64_t pcs[MOST_PCS];
	bool ok;

	claims_init(&claims);
	ok = image_open(fuzz_file(data, size), &options, &err, &image) &&
	     image_kind(image) == IMAGE_ELF && symtab_read(image, &err, &symtab) &&
	     claims_find(image, pcs, places(&symtab, pcs), 1, &err, &claims);
	if (ok || err.text)
		fuzz_answer(ok, &err);
	claims_release(&claims);
	symtab_release(&symtab);
	image_close(image);
	return 0;
}
