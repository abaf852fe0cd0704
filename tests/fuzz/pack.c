/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rule packs, and files of waivers. */
#include "fuzz.h"
#include "rule/lint.h"
#include "rule/waivers.h"

static void tell(bool ok, struct pack_errors *errors)
{
	fuzz_want(ok == !errors->n, "a pack is right, or something is said");
	fuzz_want(!errors->n == !errors->text.len, "what is counted is said");
	pack_errors_release(errors);
	pack_errors_init(errors);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data;
	struct pack_errors errors;
	struct packs packs;
	struct waivers waivers;
	bool ok;

	packs_init(&packs);
	pack_errors_init(&errors);
	waivers_init(&waivers, "2026-01-31");
	ok = packs_parse(&packs, "pack.yaml", text, size, &errors) && packs_finish(&packs, &errors);
	tell(ok, &errors);
	packs_lint(&packs, &errors);
	pack_errors_release(&errors);
	pack_errors_init(&errors);
	waivers_of_packs(&waivers, &packs);
	ok = waivers_parse(&waivers, "waivers.yaml", text, size, &errors);
	tell(ok, &errors);
	waivers_release(&waivers);
	packs_release(&packs);
	pack_errors_release(&errors);
	return 0;
}
