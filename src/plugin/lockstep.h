/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Keeps the virtual processors within settings.quantum instructions of each other, so that how
 * their accesses interleave does not depend on how the host schedules their threads. Those that are
 * idle or in a system call do not count. Nobody waits for another longer than 2 ms: that one may be
 * waiting for something of ours.
 */
#ifndef PLUGIN_LOCKSTEP_H
#define PLUGIN_LOCKSTEP_H

/* Processor @index is about to run so many instructions. */
void lockstep_run(unsigned index, unsigned instructions);

void lockstep_idle(unsigned index);
/* It goes on from where the one ahead is. */
void lockstep_resume(unsigned index);

#endif
