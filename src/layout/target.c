/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "layout/target.h"

#include <elf.h>
#include <stddef.h>
#include <string.h>

#include "base/mem.h"

/*
 * Lines are what a kernel for the usual machines of each kind is built with. mips (16 to 128 by
 * CPU) and parisc (16 in cache.h, 32 or 64 in the machines) have no usual one; bpf has no cache.
 */
static const struct arch archs[] = {
	{"x86_64", EM_X86_64, 64, false, 64},   {"i386", EM_386, 32, false, 64},
	{"aarch64", EM_AARCH64, 64, false, 64}, {"arm", EM_ARM, 32, false, 64},
	{"riscv64", EM_RISCV, 64, false, 64},   {"riscv32", EM_RISCV, 32, false, 64},
	{"ppc64le", EM_PPC64, 64, false, 128},  {"ppc64", EM_PPC64, 64, true, 128},
	{"ppc", EM_PPC, 32, true, 32},          {"s390x", EM_S390, 64, true, 256},
	{"s390", EM_S390, 32, true, 256},       {"loongarch64", EM_LOONGARCH, 64, false, 64},
	{"mips64", EM_MIPS, 64, true, 0},       {"mips", EM_MIPS, 32, true, 0},
	{"sparc64", EM_SPARCV9, 64, true, 64},  {"sparc", EM_SPARC, 32, true, 32},
	{"alpha", EM_ALPHA, 64, false, 64},     {"ia64", EM_IA_64, 64, false, 128},
	{"parisc64", EM_PARISC, 64, true, 0},   {"parisc", EM_PARISC, 32, true, 0},
	{"m68k", EM_68K, 32, true, 16},         {"bpf", EM_BPF, 64, false, 0},
};

static const struct {
	const char *alias, *name;
} aliases[] = {
	{"amd64", "x86_64"},    {"x86-64", "x86_64"},       {"i486", "i386"},
	{"i586", "i386"},       {"i686", "i386"},           {"x86", "i386"},
	{"arm64", "aarch64"},   {"armv6l", "arm"},          {"armv7l", "arm"},
	{"armv8l", "arm"},      {"armel", "arm"},           {"armhf", "arm"},
	{"ppc64el", "ppc64le"}, {"powerpc64le", "ppc64le"}, {"powerpc64", "ppc64"},
	{"powerpc", "ppc"},     {"loong64", "loongarch64"}, {"hppa", "parisc"},
};

/* What the kernels of alpha and others carry beside the number that elf.h gives them. */
static unsigned canonical_machine(unsigned machine)
{
	enum { ALPHA_UNOFFICIAL = 0x9026, S390_OLD = 0xa390 };

	switch (machine) {
	case ALPHA_UNOFFICIAL:
		return EM_ALPHA;
	case S390_OLD:
		return EM_S390;
	case EM_SPARC32PLUS:
		return EM_SPARC;
	default:
		return machine;
	}
}

const struct arch *arch_by_machine(unsigned machine, unsigned bits, bool big_endian)
{
	const struct arch *best = NULL;
	int best_score = -1;

	machine = canonical_machine(machine);
	for (size_t i = 0; i < ARRAY_SIZE(archs); i++) {
		int score;

		if (archs[i].machine != machine)
			continue;
		score = (archs[i].bits == bits) + (archs[i].big_endian == big_endian);
		if (score > best_score) {
			best = &archs[i];
			best_score = score;
		}
	}
	return best;
}

const struct arch *arch_by_name(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(aliases); i++)
		if (strcmp(aliases[i].alias, name) == 0)
			name = aliases[i].name;
	for (size_t i = 0; i < ARRAY_SIZE(archs); i++)
		if (strcmp(archs[i].name, name) == 0)
			return &archs[i];
	return NULL;
}

const char *const *arch_names(unsigned *ret_n)
{
	static const char *names[ARRAY_SIZE(archs)];

	/* Filled anew by each caller, always with the same values. */
	for (size_t i = 0; i < ARRAY_SIZE(archs); i++)
		names[i] = archs[i].name;
	*ret_n = ARRAY_SIZE(archs);
	return names;
}

const char *arch_spelling(unsigned i)
{
	if (i < ARRAY_SIZE(archs))
		return archs[i].name;
	i -= ARRAY_SIZE(archs);
	return i < ARRAY_SIZE(aliases) ? aliases[i].alias : NULL;
}

/* The digits at *s as a number, passed over. */
static bool take_number(const char **s, unsigned *ret)
{
	unsigned value = 0;
	const char *p = *s;

	for (; *p >= '0' && *p <= '9'; p++)
		if (__builtin_mul_overflow(value, 10u, &value) ||
		    __builtin_add_overflow(value, (unsigned)(*p - '0'), &value))
			return false;
	if (p == *s)
		return false;
	*s = p;
	*ret = value;
	return true;
}

bool kernel_version_parse(const char *release, struct kernel_version *ret)
{
	struct kernel_version version = {0};
	const char *s = release;

	if (!take_number(&s, &version.major) || *s++ != '.' || !take_number(&s, &version.minor))
		return false;
	if (s[0] == '.' && s[1] >= '0' && s[1] <= '9') {
		s++;
		if (!take_number(&s, &version.patch))
			return false;
	}
	*ret = version;
	return true;
}

static int compare_unsigned(unsigned a, unsigned b)
{
	return (a > b) - (a < b);
}

int kernel_version_compare(struct kernel_version a, struct kernel_version b)
{
	int order = compare_unsigned(a.major, b.major);

	if (!order)
		order = compare_unsigned(a.minor, b.minor);
	return order ? order : compare_unsigned(a.patch, b.patch);
}
