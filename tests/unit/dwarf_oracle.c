/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What compilers write, read by us and by libdwarf: the same layouts, whatever the form. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "lib/dwarf.h"
#include "lib/oracle.h"
#include "lib/scratch.h"

static char *fixtures; /* the directory with shapes.c */

static struct layout *read_all(const char *path, unsigned threads)
{
	const struct dwarf_options options = {.threads = threads};
	const struct want want = {.all = true};
	struct err err = ERR_INIT;
	struct layout *layout;
	struct image *image;

	if (!image_open(path, NULL, &err, &image) ||
	    !dwarf_read(image, &want, &options, &err, &layout))
		fail_msg("%s", err.text);
	image_close(image);
	return layout;
}

/* Says where two texts part, which assert_string_equal() would bury. */
static void same_text(const char *what, const char *ours, const char *theirs)
{
	size_t at = 0, line;

	while (ours[at] && ours[at] == theirs[at])
		at++;
	if (!ours[at] && !theirs[at])
		return;
	for (line = at; line && ours[line - 1] != '\n';)
		line--;
	fail_msg("%s: we say\n%.60s\nlibdwarf\n%.60s", what, ours + line, theirs + line);
}

/* Compiles and links; both readers must say the same, and something. */
static void compare(const char *compiler, const char *flags, const char *source, const char *holds)
{
	struct buf ours = BUF_INIT, theirs = BUF_INIT;
	struct layout *layout;
	char what[256];

	snprintf(what, sizeof what, "%s %s %s", compiler, flags, source);
	scratch_run("%s -w -shared -nostdlib -fPIC %s -o shapes.so '%s/%s'", compiler, flags,
		    fixtures, source);
	layout = read_all(scratch_path("shapes.so"), 2);
	oracle_dump_layout(layout, &ours);
	oracle_dump(scratch_path("shapes.so"), &theirs);
	same_text(what, ours.s, theirs.s);
	if (!strstr(ours.s, holds))
		fail_msg("%s: %s is not there", what, holds);
	buf_release(&ours);
	buf_release(&theirs);
	layout_free(layout);
}

static void c_of_every_form(void **state)
{
	static const char *const compilers[] = {"gcc", "clang"};
	static const char *const flags[] = {
		"-gdwarf-2 -gstrict-dwarf",
		"-gdwarf-3",
		"-gdwarf-4",
		"-gdwarf-5",
		"-gdwarf-5 -O2",
		"-gdwarf-4 -fdebug-types-section",
		"-gdwarf-5 -fdebug-types-section",
		"-gdwarf-5 -gz",
		"-gdwarf-5 -gdwarf64",
	};

	(void)state;
	for (size_t c = 0; c < ARRAY_SIZE(compilers); c++)
		for (size_t f = 0; f < ARRAY_SIZE(flags); f++)
			compare(compilers[c], flags[f], "shapes.c", "struct aligned_whole 2048\n");
}

static void c_of_32_bits(void **state)
{
	static const char *const compilers[] = {"gcc -m32", "clang -m32"};

	(void)state;
	for (size_t c = 0; c < ARRAY_SIZE(compilers); c++) {
		compare(compilers[c], "-gdwarf-4", "shapes.c", "struct flexible 32\n");
		compare(compilers[c], "-gdwarf-5", "shapes.c", "struct flexible 32\n");
	}
}

static void cxx(void **state)
{
	static const char *const compilers[] = {"g++", "clang++"};
	static const char *const flags[] = {"-gdwarf-4", "-gdwarf-5",
					    "-gdwarf-5 -fdebug-types-section"};

	(void)state;
	for (size_t c = 0; c < ARRAY_SIZE(compilers); c++)
		for (size_t f = 0; f < ARRAY_SIZE(flags); f++)
			compare(compilers[c], flags[f], "shapes.cc", "struct outer::plain 128\n");
}

/* An object file, whose references are relocations, says what the linked file says. */
static void object_files(void **state)
{
	static const char *const compilers[] = {"gcc", "clang", "gcc -m32"};
	struct buf linked = BUF_INIT, object = BUF_INIT;

	(void)state;
	for (size_t c = 0; c < ARRAY_SIZE(compilers); c++) {
		struct layout *layout;

		scratch_run("%s -w -g -fPIC -c -o shapes.o '%s/shapes.c' && "
			    "%s -shared -nostdlib -o linked.so shapes.o",
			    compilers[c], fixtures, compilers[c]);
		layout = read_all(scratch_path("linked.so"), 1);
		dw_dump(layout, &linked);
		layout_free(layout);
		layout = read_all(scratch_path("shapes.o"), 1);
		dw_dump(layout, &object);
		layout_free(layout);
		assert_string_equal(linked.s, object.s);
	}
	assert_non_null(strstr(linked.s, "shapes.c:"));
	buf_release(&linked);
	buf_release(&object);
}

/* Many units, some of them with another struct of the same name: one answer. */
static void any_number_of_threads(void **state)
{
	struct buf first = BUF_INIT;

	(void)state;
	/* Each unit with 2000 structs of its own, one that all share, and one of three kinds. */
	scratch_run(
		"for i in 1 2 3 4 5 6 7 8 9 10 11 12; do "
		"awk -v n=$i 'BEGIN { "
		"print \"struct shared { long a; char b; } shared\" n \";\"; "
		"printf \"struct twin { char c[%%d]; } twin%%d;\\n\", n %% 3 + 1, n; "
		"for (i = 0; i < 2000; i++) "
		"printf \"struct s%%d_%%d { int a[%%d]; } v%%d_%%d;\\n\", n, i, i %% 7 + 1, n, i "
		"}' >u$i.c && gcc -w -g -fPIC -c -o u$i.o u$i.c || exit 1; done; "
		"gcc -shared -nostdlib -o units.so u?.o u??.o");
	for (unsigned threads = 1; threads <= 8; threads++) {
		struct layout *layout = read_all(scratch_path("units.so"), threads);
		struct buf text = BUF_INIT;

		for (size_t i = 0; i < layout->ndefs; i++)
			buf_addf(&text, "%016llx ", (unsigned long long)layout->defs[i].digest);
		dw_dump(layout, &text);
		if (threads == 1) {
			assert_non_null(strstr(text.s, "struct twin 24 u2.c:2 cus 4\n"));
			assert_non_null(strstr(text.s, "cus 12\n"));
			buf_add(&first, text.s, text.len);
		}
		if (strcmp(text.s, first.s) != 0)
			fail_msg("%u threads give another answer", threads);
		buf_release(&text);
		layout_free(layout);
	}
	buf_release(&first);
}

static int make(void **state)
{
	char *here = getcwd(NULL, 0);

	fixtures = xrealloc_array(here, strlen(here) + sizeof "/tests/fixtures/dwarf", 1);
	memcpy(fixtures + strlen(fixtures), "/tests/fixtures/dwarf",
	       sizeof "/tests/fixtures/dwarf");
	return scratch_make(state);
}

static int removed(void **state)
{
	free(fixtures);
	return scratch_remove(state);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(c_of_every_form),
		cmocka_unit_test(c_of_32_bits),
		cmocka_unit_test(cxx),
		cmocka_unit_test(object_files),
		cmocka_unit_test(any_number_of_threads),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, make, removed);
}
