/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a guest is made of: programs, which libraries they need, and kernels. */
#include "fuzz.h"
#include "record/kernel.h"
#include "record/libraries.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *path = fuzz_file(data, size), *version;
	struct program program;
	struct arena arena;
	struct err err = ERR_INIT;
	bool ok;

	arena_init(&arena);
	ok = program_read(path, &arena, &err, &program);
	fuzz_answer(ok, &err);
	if (ok)
		fuzz_want((program.kind == PROGRAM_STATIC) == !program.interpreter,
			  "a static program has no interpreter");
	ok = kernel_version_line(path, &arena, &err, &version);
	fuzz_answer(ok, &err);
	if (ok)
		fuzz_want(kernel_release(version, &arena) != NULL, "a kernel has a release");
	arena_release(&arena);
	return 0;
}
