/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * record OUT [big] [zstd] [id] [struct] [chain] [few]: writes a perf.data that perf c2c report
 * reads, with every word of data_src that machines are known to write, on a few dozen lines: of a
 * kernel, of its heap and of two processes.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/perf_writer.h"

enum { SAMPLES = 6000, FEW_SAMPLES = 24, CPUS = 4 };

/* What tests/unit/perf_classify.c has the meaning of. */
static const uint64_t words[] = {
	0x10268100142,  /* L1 */
	0x10268100242,  /* fill buffer */
	0x10268100442,  /* L2 */
	0x10668100842,  /* L3 */
	0x10668200842,  /* L3, snoop hit */
	0x10668800842,  /* L3, HITM */
	0x12668808042,  /* other socket, HITM */
	0x12668208042,  /* other socket, hit */
	0x13668800042,  /* other socket, HITM, the level in its number alone */
	0x17668000042,  /* remote forward */
	0x10668800882,  /* L3 miss, HITM */
	0x11a68501042,  /* memory */
	0x11a68201042,  /* memory, shared */
	0x13a68502042,  /* remote memory */
	0x10668080082,  /* a miss, no more is known */
	0x11e68120042,  /* I/O */
	0x11e68140042,  /* uncached */
	0x93668808042,  /* a near group of cores, HITM */
	0x113668810042, /* a far one */
	0x18468000442,  /* a core beside, peer */
	0x18668000842,  /* a cluster beside, peer */
	0x1be68000022,  /* other socket, peer */
	0x20268100142,  /* blocked by data */
	0x40268100142,  /* blocked by address */
	0x10069080144,  /* store, L1 */
	0x1006a080144,  /* store, L1, locked */
	0x10069080184,  /* store, L1 miss */
	0x11e69080024,  /* store, not known */
	0x10069240044,  /* store, uncached */
	0x1,            /* nothing of memory */
	0x8000108,      /* a prefetch */
};

static uint64_t draw(uint64_t *state, uint64_t n)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return (*state >> 33) % n;
}

static uint64_t draw_address(uint64_t *state)
{
	uint64_t line = draw(state, 12) * 64, offset = draw(state, 16) * 4;

	switch (draw(state, 20)) {
	case 0:
		return 0;
	case 1:
	case 2:
	case 3:
	case 4:
		return 0xffffffff83000000 + line + offset;
	case 5:
	case 6:
	case 7:
		return 0x7f0000001000 + line + offset;
	default:
		return 0xffff888101a40000 + line + offset;
	}
}

static void add_machine(struct pw *pw)
{
	struct buf *b = pw_feature(pw, 7);

	pw_u32(pw, b, CPUS);
	pw_u32(pw, b, CPUS);
	pw_feature_string(pw, 3, "here");
	pw_feature_string(pw, 4, "6.1.0");
	pw_feature_string(pw, 5, "6.1");
	pw_feature_string(pw, 6, "x86_64");
	pw_feature_string(pw, 9, "GenuineIntel,6,85,7");
	b = pw_feature(pw, 14);
	pw_u32(pw, b, 2);
	for (unsigned node = 0; node < 2; node++) {
		pw_u32(pw, b, node);
		pw_u64(pw, b, 1 << 20);
		pw_u64(pw, b, 1 << 19);
		pw_string(pw, b, node ? "2-3" : "0-1");
	}
	b = pw_feature(pw, 22);
	pw_u64(pw, b, 1);
	pw_u64(pw, b, 0x8000000);
	pw_u64(pw, b, 2);
	for (unsigned node = 0; node < 2; node++) {
		pw_u64(pw, b, node);
		pw_u64(pw, b, 64);
		pw_u64(pw, b, 64);
		pw_u64(pw, b, node ? 0xffffffff00000000 : 0xffffffff);
	}
}

static void add_samples(struct pw *pw, const size_t events[2], unsigned n)
{
	uint64_t state = 1;

	for (unsigned i = 0; i < n; i++) {
		uint64_t word = words[draw(&state, ARRAY_SIZE(words))];
		bool is_user = draw(&state, 4) == 0;
		struct sample sample = {
			.pid = is_user ? 20 : 10,
			.tid = is_user ? 20 : 10,
			.time = 1000000000 + i * 1000,
			.cpu = (int32_t)draw(&state, CPUS),
			.weight = 20 + draw(&state, 900),
			.data_src = word,
			.address = draw_address(&state),
			.ip = is_user ? 0x400000 + draw(&state, 64) * 8
				      : 0xffffffff81000000 + draw(&state, 64) * 8,
		};

		sample.physical = sample.address & 0x3ffffffff;
		pw_sample(pw, events[word & 4 ? 1 : 0], is_user ? MISC_USER : MISC_KERNEL, &sample);
		if (i % 500 == 0)
			pw_round(pw);
	}
	pw_round(pw);
}

static bool has(int argc, char **argv, const char *word)
{
	for (int i = 2; i < argc; i++)
		if (strcmp(argv[i], word) == 0)
			return true;
	return false;
}

int main(int argc, char **argv)
{
	uint64_t type = SAMPLE_IP | SAMPLE_TID | SAMPLE_TIME | SAMPLE_ADDR | SAMPLE_CPU |
			SAMPLE_PERIOD | SAMPLE_DATA_SRC | SAMPLE_PHYS_ADDR;
	struct pw pw = {.big = has(argc, argv, "big"),
			.compress = has(argc, argv, "zstd") ? RECORD_COMPRESSED : 0,
			.chunk = 20000,
			.attr_size = 128};
	struct buf bytes = BUF_INIT;
	struct err err = ERR_INIT;
	size_t events[2];

	if (argc < 2)
		return EXIT_CANNOT;
	type |= has(argc, argv, "id") ? SAMPLE_ID : SAMPLE_IDENTIFIER;
	type |= has(argc, argv, "struct") ? SAMPLE_WEIGHT_STRUCT : SAMPLE_WEIGHT;
	type |= has(argc, argv, "chain") ? SAMPLE_CALLCHAIN : 0;
	events[0] = pw_event(&pw, type, 101, "cpu/mem-loads,ldlat=30/P");
	events[1] = pw_event(&pw, type, 102, "cpu/mem-stores/P");
	if (pw.compress) {
		struct buf *b = pw_feature(&pw, 27);

		pw_u32(&pw, b, 1);
		pw_u32(&pw, b, 1);
		pw_u32(&pw, b, 1);
		pw_u32(&pw, b, 2);
		pw_u32(&pw, b, 1 << 19);
	}
	add_machine(&pw);
	pw_mmap(&pw, MAPS_KERNEL, 0xffffffff81000000, 0x3000000, 0xffffffff81000000,
		"[kernel.kallsyms]_text", 0);
	pw_comm(&pw, 10, 10, "ten", false, 0);
	pw_comm(&pw, 20, 20, "twenty", false, 0);
	pw_mmap(&pw, 10, 0x7f0000001000, 0x1000, 0, "/ten", 0);
	pw_mmap(&pw, 20, 0x400000, 0x1000, 0, "/twenty", 0);
	pw_mmap(&pw, 20, 0x7f0000001000, 0x1000, 0, "/twenty", 0);
	add_samples(&pw, events, has(argc, argv, "few") ? FEW_SAMPLES : SAMPLES);
	pw_finish(&pw, &bytes);
	if (!file_write(argv[1], bytes.s, bytes.len, &err)) {
		fprintf(stderr, "%s\n", err.text);
		return EXIT_CANNOT;
	}
	buf_release(&bytes);
	return EXIT_CLEAN;
}
