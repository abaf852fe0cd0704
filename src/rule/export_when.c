/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Conditions as the preprocessor asks them. */
#include <inttypes.h>
#include <string.h>

#include "base/err.h"
#include "base/text.h"
#include "rule/export_rule.h"
#include "rule/expr.h"

/* What gcc and clang predefine. */
static const struct {
	const char *arch, *condition;
} arches[] = {
	{"x86_64", "defined(__x86_64__)"},
	{"i386", "defined(__i386__)"},
	{"aarch64", "defined(__aarch64__)"},
	{"arm", "defined(__arm__)"},
	{"riscv64", "(defined(__riscv) && __riscv_xlen == 64)"},
	{"riscv32", "(defined(__riscv) && __riscv_xlen == 32)"},
	{"ppc64le", "(defined(__powerpc64__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__)"},
	{"ppc64", "(defined(__powerpc64__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)"},
	{"ppc", "(defined(__powerpc__) && !defined(__powerpc64__))"},
	{"s390x", "defined(__s390x__)"},
	{"s390", "(defined(__s390__) && !defined(__s390x__))"},
	{"loongarch64", "defined(__loongarch64)"},
	{"mips64", "defined(__mips64)"},
	{"mips", "(defined(__mips__) && !defined(__mips64))"},
	{"sparc64", "(defined(__sparc__) && defined(__arch64__))"},
	{"sparc", "(defined(__sparc__) && !defined(__arch64__))"},
	{"alpha", "defined(__alpha__)"},
	{"ia64", "defined(__ia64__)"},
	{"parisc64", "(defined(__hppa__) && defined(__LP64__))"},
	{"parisc", "(defined(__hppa__) && !defined(__LP64__))"},
	{"m68k", "defined(__m68k__)"},
	{"bpf", "defined(__bpf__)"},
};

const char *export_arch(const char *arch)
{
	for (size_t i = 0; i < ARRAY_SIZE(arches); i++)
		if (strcmp(arches[i].arch, arch) == 0)
			return arches[i].condition;
	BUG("a machine that no macro tells");
}

struct translation {
	struct arena *arena;
	const struct cond_context *like; /* what C cannot ask is asked of it; NULL: of nothing */
	const char *why;                 /* not; NULL: all is well */
	bool asks_kernel;
};

static const char *translate(struct translation *t, const struct cond *cond);

static const char *not_asked(struct translation *t, const struct cond *cond, const char *why)
{
	if (!t->why)
		t->why = arena_printf(t->arena, "`%s`: %s", cond->text, why);
	return "0";
}

/* As it is in the image, when there is one. */
static const char *asked_of_image(struct translation *t, const struct cond *cond, const char *why)
{
	struct cond_reason reason = {0};

	if (!t->like)
		return not_asked(t, cond, why);
	switch (cond_eval(cond, t->like, &reason)) {
	case TRUTH_YES:
		return "1";
	case TRUTH_NO:
		return "0";
	case TRUTH_UNKNOWN:
		break;
	}
	return not_asked(t, cond, reason.why);
}

static const char *joined(struct translation *t, const struct cond *cond)
{
	const char *text = "";

	for (size_t i = 0; i < cond->nconds; i++)
		text = arena_printf(t->arena, "%s%s%s", text, i ? " && " : "",
				    translate(t, &cond->conds[i]));
	return text;
}

static const char *arch_condition(struct translation *t, const struct cond *cond)
{
	const char *text = "";

	for (size_t i = 0; i < cond->nwords; i++)
		text = arena_printf(t->arena, "%s%s%s", text, i ? " || " : "",
				    export_arch(cond->words[i]));
	return cond->nwords > 1 ? arena_printf(t->arena, "(%s)", text) : text;
}

/* LINUX_VERSION_CODE has 8 bits for the minor number and 8 for the patch, which stops at 255. */
static const char *kernel_condition(struct translation *t, const struct cond *cond)
{
	const struct kernel_version *version = &cond->version;
	unsigned patch = version->patch < 255 ? version->patch : 255;
	unsigned code = version->major << 8 | (version->minor & 255);

	if (version->minor > 255)
		return not_asked(t, cond, "LINUX_VERSION_CODE has no room for it");
	t->asks_kernel = true;
	if (cond->any_patch)
		return arena_printf(t->arena, "(LINUX_VERSION_CODE >> 8) %s 0x%x",
				    expr_op_text(cond->op), code);
	return arena_printf(t->arena, "LINUX_VERSION_CODE %s 0x%x", expr_op_text(cond->op),
			    code << 8 | patch);
}

static const char *config_condition(struct translation *t, const struct cond *cond)
{
	const char *option = cond->path, *value = cond->nwords ? cond->words[0] : NULL;
	uint64_t number;

	if (!value)
		return arena_printf(t->arena, "(defined(%s) || defined(%s_MODULE))", option,
				    option);
	if (strcmp(value, "y") == 0)
		return arena_printf(t->arena, "defined(%s)", option);
	if (strcmp(value, "m") == 0)
		return arena_printf(t->arena, "defined(%s_MODULE)", option);
	if (strcmp(value, "n") == 0)
		return arena_printf(t->arena, "!defined(%s) && !defined(%s_MODULE)", option,
				    option);
	if (text_to_u64(value, &number))
		return arena_printf(t->arena, "(defined(%s) && %s == %" PRIu64 ")", option, option,
				    number);
	return not_asked(t, cond, "the preprocessor compares no strings");
}

static const char *translate(struct translation *t, const struct cond *cond)
{
	switch (cond->kind) {
	case COND_ALL:
		return joined(t, cond);
	case COND_NOT:
		return arena_printf(t->arena, "!(%s)", joined(t, cond));
	case COND_ARCH:
		return arch_condition(t, cond);
	case COND_BITS:
		return cond->expr.value == 64 ? "__SIZEOF_POINTER__ == 8"
					      : "__SIZEOF_POINTER__ == 4";
	case COND_KERNEL:
		return kernel_condition(t, cond);
	case COND_CONFIG:
		return config_condition(t, cond);
	case COND_HAS:
		return asked_of_image(t, cond, "C cannot ask what is there");
	case COND_SIZEOF:
		return asked_of_image(t, cond, "the preprocessor knows no sizes");
	}
	BUG("condition of no kind");
}

const char *export_when(const struct cond *when, const struct cond_context *like,
			struct arena *arena, const char **ret_why)
{
	struct translation t = {.arena = arena, .like = like};
	const char *text;

	if (!when)
		return "";
	text = translate(&t, when);
	*ret_why = t.why;
	if (t.why)
		return NULL;
	/* Where nothing says the version, nothing is said of it. */
	return t.asks_kernel ? arena_printf(arena, "defined(LINUX_VERSION_CODE) && %s", text)
			     : text;
}
