/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The guest's memory as it was at the stop, for whoever reads the kernel's books in it. */
#ifndef PLUGIN_SNAPSHOT_H
#define PLUGIN_SNAPSHOT_H

/* Copies settings.ram to settings.snapshot while the processors stand still. A failure is a
 * sentence on standard error, and no file. */
void snapshot_take(void);

#endif
