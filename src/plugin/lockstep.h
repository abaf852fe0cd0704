/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Keeps the virtual processors within settings.quantum instructions of each other, and their
 * threads on one processor of the host, so that how their accesses interleave, and so how often
 * they meet, is not the host's doing: beside each other on two cores two threads met 28,000 times
 * where by turns they met 680 times, and a busy host mixed the two. Those that are idle or in a
 * system call do not count. Nobody waits for another longer than 10 ms: that one may be waiting for
 * something of ours.
 */
#ifndef PLUGIN_LOCKSTEP_H
#define PLUGIN_LOCKSTEP_H

/* The calling thread runs a processor from now on: it goes to where the others are. */
void lockstep_join(void);

/* Processor @index is about to run so many instructions. */
void lockstep_run(unsigned index, unsigned instructions);

void lockstep_idle(unsigned index);
/* It goes on from where the one ahead is. */
void lockstep_resume(unsigned index);

#endif
