// SPDX-License-Identifier: GPL-2.0-or-later
/* What rules/user/urcu.yaml is about. */
#define _LGPL_SOURCE /* for what readers do in line, and with it the types */
#include <urcu/rculfhash.h>
#include <urcu/urcu-bp.h>
#include <urcu/urcu-memb.h>
#include <urcu/urcu-qsbr.h>

struct urcu_gp gp;
struct urcu_bp_gp bp_gp;
struct urcu_reader reader;
struct urcu_qsbr_reader qsbr_reader;
struct urcu_bp_reader bp_reader;
struct cds_lfht_node node;
