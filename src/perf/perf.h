/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What profilers leave behind -> accesses (layout/access.h): perf.data of `perf c2c record` or
 * `perf mem record`, the text of `perf script`, and the text of `perf c2c report --stdio`. Told
 * apart by content.
 *
 * A recording is read in one pass and handed on access by access: memory is in proportion to its
 * maps and threads, not to its samples. Formats: perf's Documentation/perf.data-file-format.txt,
 * include/uapi/linux/perf_event.h.
 */
#ifndef PERF_PERF_H
#define PERF_PERF_H

#include "base/err.h"
#include "layout/access.h"

enum recording_kind { RECORDING_PERF_DATA, RECORDING_SCRIPT, RECORDING_REPORT };

/* The image whose code and data is asked about, as far as a recording needs to know it. */
struct perf_image {
	bool is_kernel;
	const uint8_t *build_id; /* NULL: it has none */
	size_t build_id_size;
	const char *path;
	/* The address of a symbol; false: there is none. Finds the slide of a kernel (KASLR). */
	bool (*symbol)(void *arg, const char *name, uint64_t *ret_address);
	/* The name and extent of the function at an address; false: none. For the slide of a
	 * report, by the votes of its rows. */
	bool (*function)(void *arg, uint64_t address, const char **ret_name, uint64_t *ret_start,
			 uint64_t *ret_size);
	/* Calls back for each function of that name (@prefix: that begins so: reports clip names).
	 */
	void (*functions)(void *arg, const char *name, bool prefix,
			  void (*found)(void *found_arg, uint64_t start, uint64_t size),
			  void *found_arg);
	/* Of the image's own segments, for user programs: file offset -> address. */
	bool (*address_of_offset)(void *arg, uint64_t offset, uint64_t *ret_address);
	void *arg;
	/* Of a user program: where its segments begin and end in memory, what is not in the file
	 * (.bss) included; 0 and 0: not known. */
	uint64_t start, end;
};

enum build_id_match { BUILD_ID_UNKNOWN, BUILD_ID_SAME, BUILD_ID_OTHER };

/* What it says of itself; strings live as long as the recording. */
struct recording_facts {
	enum recording_kind kind;
	const char *arch, *release, *perf_version, *cpuid, *cmdline; /* NULL: not said */
	const char *const *events;                                   /* names */
	size_t nevents;
	uint64_t line;                /* bytes, of the machine recorded on; 0: not said */
	unsigned cpus;                /* 0: not said */
	unsigned nodes;               /* 0: not said */
	bool has_cpus_of_accesses;    /* accesses say their CPU */
	enum build_id_match build_id; /* of the image asked about, known after recording_read() */
	char image_build_id[41];      /* hex, what the recording has for that image; "": nothing */
	bool has_slide;
	uint64_t slide; /* run-time address - image address of the kernel's text and data */
	/* Samples, by what became of them; after recording_read(). */
	uint64_t samples, accesses, other_events, no_address, lost;
	uint64_t report_line; /* a report: bytes in a line of it, 64 or 128 */
	/* What could not be understood or had to be guessed, a sentence each with its place, for
	 * the user; whole after recording_read(). */
	const char *const *notes;
	size_t nnotes;
};

struct recording;

/* Opens and tells the kind; headers are read. "-" is standard input. */
MUST_CHECK bool recording_open(const char *path, struct err *err, struct recording **ret);
void recording_close(struct recording *recording); /* NULL is fine */

const struct recording_facts *recording_facts(const struct recording *recording);

/*
 * Hands every access to @fn, in the order of the file; MMAPs are applied in the order of time
 * within rounds. Once only. @image NULL: no address is translated. @progress, when not NULL, is
 * called now and then with the bytes read so far and in all (0: not known).
 */
struct perf_progress {
	void (*tick)(void *arg, uint64_t done, uint64_t all);
	void *arg;
};
MUST_CHECK bool recording_read(struct recording *recording, const struct perf_image *image,
			       const struct perf_progress *progress, access_fn *fn, void *arg,
			       struct err *err);

/*
 * For an image address of a per-cpu variable: the CPUs' areas as far as the recording tells them (a
 * kernel's perf.data does not; they are learnt from claims, in c2c/).
 */

#endif
