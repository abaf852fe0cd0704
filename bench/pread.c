/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pread FILE: reads .debug_info through a buffer of 1 MiB, on one thread. */
#include <stdio.h>
#include <unistd.h>

#include "section.h"

enum { WINDOW = 1 << 20 };

int main(int argc, char **argv)
{
	static unsigned char window[WINDOW];
	struct place place;
	uint64_t done = 0;

	if (argc != 2)
		return 2;
	find_section(argv[1], ".debug_info", &place);
	while (done < place.size) {
		uint64_t left = place.size - done;
		ssize_t n = pread(place.fd, window, left < WINDOW ? (size_t)left : WINDOW,
				  (off_t)(place.offset + done));

		if (n <= 0)
			return 2;
		done += (uint64_t)n;
	}
	printf("%llu\n", (unsigned long long)done);
	return 0;
}
