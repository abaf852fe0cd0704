/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The marks between which `layoutcheck record --marks` records. On a real x86-64 processor they do
 * nothing: the number in ebx and an address-size and fs prefix on a nop, which simulators know as
 * SSC marks. A program may pass the start once, in any thread; the first stop ends the recording.
 *
 *	LAYOUTCHECK_START();
 *	... what is to be recorded ...
 *	LAYOUTCHECK_STOP();
 */
#ifndef LAYOUTCHECK_MARKS_H
#define LAYOUTCHECK_MARKS_H

#define LAYOUTCHECK_MARK(number)                                                                   \
	__asm__ volatile("movl %0, %%ebx\n\t.byte 0x64, 0x67, 0x90"                                \
			 :                                                                         \
			 : "i"(number)                                                             \
			 : "ebx", "memory")

#define LAYOUTCHECK_START() LAYOUTCHECK_MARK(111)
#define LAYOUTCHECK_STOP()  LAYOUTCHECK_MARK(222)

#endif
