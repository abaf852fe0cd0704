/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Recordings against the image they were made on: read, named and judged. What c2c prints, and what
 * `check --c2c` and `diff --c2c` lay beside their findings.
 */
#ifndef CLI_RECORDED_H
#define CLI_RECORDED_H

#include "c2c/c2c.h"
#include "cli/source.h"

struct recorded_options {
	enum when progress;
	uint64_t line; /* bytes, from --cacheline; 0: as the recording or the machine has it */
	bool force;    /* a build id that is another is a warning */
};

struct recorded {
	struct layout *layout; /* with all types of the image */
	struct c2c_report report;
	struct c2c_input *inputs;            /* of the recordings, in their order */
	struct recording *const *recordings; /* as many */
	size_t ninputs;
	struct strings warnings; /* each begins with its place */
	bool verified;           /* all are of this build */
	struct reading *reading; /* what else has to stay open */
};

/*
 * Reads them all and puts them together. An error is a recording that cannot be read, or was made
 * on another build than the image. recorded_close() before the source is closed, whatever the
 * result.
 */
MUST_CHECK bool recorded_open(const struct strings *paths, struct source *source,
			      const struct recorded_options *options, struct err *err,
			      struct recorded *ret);
void recorded_close(struct recorded *recorded);

/*
 * Appends the texts of the recordings with one column more, the member behind each row. An error
 * when one is no report.
 */
MUST_CHECK bool recorded_annotate(const struct recorded *recorded, struct err *err,
				  struct buf *out);

#endif
