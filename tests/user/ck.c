// SPDX-License-Identifier: GPL-2.0-or-later
/* What rules/user/ck.yaml is about. */
#include <ck_epoch.h>
#include <ck_fifo.h>
#include <ck_hp.h>
#include <ck_ring.h>
#include <ck_spinlock.h>

struct ck_ring ring;
struct ck_fifo_spsc spsc;
struct ck_fifo_mpmc mpmc;
struct ck_spinlock_anderson anderson;
struct ck_epoch_record epoch;
struct ck_hp_record hazard;
