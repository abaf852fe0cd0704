/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/waive.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/text.h"

/* reproducible-builds.org: seconds since 1970 began, decimal. */
static bool day_of_epoch(const char *command, const char *text, char ret[DATE_TEXT])
{
	uint64_t seconds;

	if (text[strspn(text, "0123456789")] == '\0' && text_to_u64(text, &seconds) &&
	    date_of_seconds(seconds, ret))
		return true;
	say_error("%s: SOURCE_DATE_EPOCH must be a number of seconds up to the year 9999, not `%s`",
		  command, text);
	return false;
}

static bool find_today(const char *command, const char *given, char ret[DATE_TEXT])
{
	const char *epoch = getenv("SOURCE_DATE_EPOCH");

	if (given && !date_is_valid(given)) {
		say_error("%s: option `--today` must be a day, as 2026-12-31, not `%s`", command,
			  given);
		return false;
	}
	if (given)
		memcpy(ret, given, DATE_TEXT);
	else if (epoch && *epoch)
		return day_of_epoch(command, epoch, ret);
	else if (!date_of_seconds((uint64_t)time(NULL), ret)) {
		say_error("%s: the clock shows no day that there is: give one with --today",
			  command);
		return false;
	}
	return true;
}

bool waive_open(const char *command, const struct waive_options *options, const struct packs *packs,
		struct waivers *ret)
{
	char today[DATE_TEXT] = "";
	struct pack_errors errors;
	bool ok = find_today(command, options->today, today);

	waivers_init(ret, today);
	if (!ok)
		return false;
	pack_errors_init(&errors);
	for (size_t i = 0; i < options->files.n; i++)
		ok = waivers_load(ret, options->files.items[i], &errors) && ok;
	waivers_of_packs(ret, packs);
	say_lines(&errors.text);
	pack_errors_release(&errors);
	return ok;
}

bool waive_finish(const struct waivers *waivers)
{
	struct pack_errors errors;
	bool ok;

	pack_errors_init(&errors);
	ok = waivers_finish(waivers, &errors);
	say_lines(&errors.text);
	pack_errors_release(&errors);
	return ok;
}

void waive_options_release(struct waive_options *options)
{
	strings_release(&options->files);
}
