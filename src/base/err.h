/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Errors in two tiers.
 *
 * Bad input fills a struct err: one sentence that begins with its place
 * ("vmlinux: .debug_info+0x1c: unit length runs past the section"). The
 * function that filled it returns false and its result is untouched; only
 * cli/ prints and exits.
 *
 * Out of memory and broken invariants end the process with status 2, here.
 */
#ifndef BASE_ERR_H
#define BASE_ERR_H

#include <stdbool.h>
#include <stdnoreturn.h>

#define PRINTF_LIKE(fmt, args) __attribute__((format(printf, fmt, args)))
#define MUST_CHECK             __attribute__((warn_unused_result))

/* Exit statuses: 0 clean, 1 findings at the threshold, 2 the job could not be done. */
enum { EXIT_CLEAN = 0, EXIT_FINDINGS = 1, EXIT_CANNOT = 2 };

struct err {
	char *text; /* one sentence, no newline; NULL while nothing went wrong; owned */
};

#define ERR_INIT                                                                                   \
	{                                                                                          \
		NULL                                                                               \
	}

/* Fills @err with "place: sentence" and returns false. A NULL place is left out. The first error
 * wins. */
bool err_set(struct err *err, const char *place, const char *fmt, ...) PRINTF_LIKE(3, 4);

/* The same with ": " and strerror(errno) behind it. */
bool err_set_errno(struct err *err, const char *place, const char *fmt, ...) PRINTF_LIKE(3, 4);

#ifdef __clang_analyzer__ /* it cannot see from a caller that both return false */
#define err_set(...)       ((err_set)(__VA_ARGS__), false)
#define err_set_errno(...) ((err_set_errno)(__VA_ARGS__), false)
#endif

/* Frees the text; @err may be used again. */
void err_release(struct err *err);

/* "layoutcheck: out of memory" and exit 2, or what die_with() has said instead. */
noreturn void die_oom(void);
void die_with(int status);

/* A broken invariant of our own: says where, aborts with status 2. */
noreturn void bug_at(const char *file, int line, const char *what);
#define BUG(what) bug_at(__FILE__, __LINE__, (what))

#endif
