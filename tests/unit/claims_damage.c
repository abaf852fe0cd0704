/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Claims of images that are cut off, flipped, or go in circles: an answer or a sentence, and soon.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "dwarf/claims.h"
#include "elf/symtab.h"
#include "lib/scratch.h"

static char root[4096];

/* All addresses of the image's functions. */
static size_t all_pcs(const char *path, uint64_t **ret)
{
	struct err err = ERR_INIT;
	struct symtab symtab;
	struct image *image;
	uint64_t low = UINT64_MAX, high = 0;

	assert_true(image_open(path, NULL, &err, &image));
	assert_true(symtab_read(image, &err, &symtab));
	for (size_t i = 0; i < symtab.n; i++) {
		const struct symbol *symbol = &symtab.items[i];

		if (!symbol->is_function)
			continue;
		if (symbol->address < low)
			low = symbol->address;
		if (symbol->address + symbol->size > high)
			high = symbol->address + symbol->size;
	}
	symtab_release(&symtab);
	image_close(image);
	assert_true(low < high && high - low < 1 << 16);
	*ret = xcalloc(high - low, sizeof **ret);
	for (uint64_t pc = low; pc < high; pc++)
		(*ret)[pc - low] = pc;
	return high - low;
}

/* True when there was an answer, which then is whole; else a sentence. */
static bool survives(const char *path, const uint64_t *pcs, size_t n)
{
	struct err err = ERR_INIT;
	struct claims claims;
	struct image *image;
	bool ok;

	if (!image_open(path, NULL, &err, &image)) {
		assert_non_null(err.text);
		err_release(&err);
		return false;
	}
	ok = claims_find(image, pcs, n, 1, &err, &claims);
	if (ok) {
		assert_null(err.text);
		assert_int_equal(claims.nruns, n);
		for (size_t i = 0; i < n; i++) {
			assert_true(claims.runs[i].first + claims.runs[i].n <= claims.nclaims ||
				    !claims.runs[i].n);
			assert_true((claims.runs[i].none == CLAIM_MADE) == (claims.runs[i].n > 0));
		}
	} else {
		assert_non_null(err.text);
		assert_null(claims.runs);
	}
	claims_release(&claims);
	err_release(&err);
	image_close(image);
	return ok;
}

static void make_shapes(const char *options, const char *name)
{
	scratch_run("gcc -O2 -fcf-protection=none -ffreestanding -fno-stack-protector %s "
		    "-nostdlib -static -fno-pic -no-pie -Wl,-e,start -Wl,--build-id=none -o %s "
		    "'%s/tests/fixtures/c2c/shapes.c' '%s/tests/fixtures/c2c/callees.c'",
		    options, name, root, root);
}

/* Writes @len bytes of @bytes over the file that is tried. */
static void write_damaged(const char *bytes, size_t len)
{
	struct err err = ERR_INIT;

	assert_true(file_write(scratch_path("damaged"), bytes, len, &err));
}

/* What is damaged: any byte of the debug sections, by their names. */
static size_t debug_bytes(const char *path, uint64_t **ret)
{
	static const char *const names[] = {".debug_info",     ".debug_abbrev", ".debug_loclists",
					    ".debug_rnglists", ".debug_loc",    ".debug_ranges",
					    ".debug_aranges",  ".text"};
	struct err err = ERR_INIT;
	struct image *image;
	size_t n = 0, cap = 0;
	uint64_t *places = NULL;

	assert_true(image_open(path, NULL, &err, &image));
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		struct section *section;

		assert_true(image_section(image, names[i], &err, &section));
		for (uint64_t at = 0; section && at < section->size; at++) {
			ARRAY_GROW(places, n, cap);
			places[n++] = section->offset + at;
		}
	}
	image_close(image);
	*ret = places;
	return n;
}

enum { FLIPS = 600 };

static void flip(const char *options)
{
	uint64_t *pcs, *places, state = 7;
	size_t npcs, nplaces, answered = 0, refused = 0;
	struct bytes bytes;

	make_shapes(options, "shapes");
	npcs = all_pcs(scratch_path("shapes"), &pcs);
	nplaces = debug_bytes(scratch_path("shapes"), &places);
	bytes = scratch_read("shapes");
	assert_true(nplaces > 1000);
	for (unsigned i = 0; i < FLIPS; i++) {
		uint64_t at;
		char old;

		state = state * 6364136223846793005u + 1442695040888963407u;
		at = places[(state >> 20) % nplaces];
		old = bytes.data[at];
		bytes.data[at] = (char)(state >> 8 & 1 ? (unsigned char)old ^ 1u << (state >> 9 & 7)
						       : state);
		write_damaged(bytes.data, bytes.len);
		bytes.data[at] = old;
		if (survives(scratch_path("damaged"), pcs, npcs))
			answered++;
		else
			refused++;
	}
	assert_true(answered && refused);
	bytes_release(&bytes);
	free(pcs);
	free(places);
}

static void flipped_5(void **state)
{
	(void)state;
	flip("-gdwarf-5");
}

static void flipped_4(void **state)
{
	(void)state;
	flip("-gdwarf-4");
}

static void flipped_views(void **state)
{
	(void)state;
	flip("-gdwarf-5 -gvariable-location-views=incompat5");
}

/* Sections that end too soon. */
static void cut(void **state)
{
	static const char *const names[] = {".debug_info", ".debug_abbrev", ".debug_loclists",
					    ".debug_line", ".debug_aranges"};
	uint64_t *pcs;
	size_t npcs;

	(void)state;
	make_shapes("-gdwarf-5", "whole");
	npcs = all_pcs(scratch_path("whole"), &pcs);
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		scratch_run("objcopy -O binary --only-section=%s whole bytes && "
			    "head -c $(($(stat -c %%s bytes) / 2)) bytes >half && "
			    "objcopy --update-section %s=half whole damaged",
			    names[i], names[i]);
		/* Half of the lists may be enough for what is asked. */
		assert_true(!survives(scratch_path("damaged"), pcs, npcs) || i > 1);
	}
	free(pcs);
}

/* It holds itself; there is an answer to what can be told. */
static void circles(void **state)
{
	uint64_t *pcs;
	size_t npcs;
	struct err err = ERR_INIT;
	struct claims claims;
	struct image *image;

	(void)state;
	scratch_run("gcc -nostdlib -static -no-pie -Wl,-e,start -Wl,--build-id=none -o circles "
		    "'%s/tests/fixtures/c2c/hostile.S'",
		    root);
	npcs = all_pcs(scratch_path("circles"), &pcs);
	assert_true(survives(scratch_path("circles"), pcs, npcs));
	assert_true(image_open(scratch_path("circles"), NULL, &err, &image));
	assert_true(claims_find(image, pcs, npcs, 1, &err, &claims));
	assert_int_equal(claims.runs[0].none, CLAIM_MADE);
	assert_string_equal(claims.claims[claims.runs[0].first].type, "loop");
	assert_int_equal(claims.claims[claims.runs[0].first].offset, 8);
	claims_release(&claims);
	image_close(image);
	free(pcs);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(circles),       cmocka_unit_test(cut),
		cmocka_unit_test(flipped_5),     cmocka_unit_test(flipped_4),
		cmocka_unit_test(flipped_views),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	if (!getcwd(root, sizeof root))
		return 1;
	return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}
