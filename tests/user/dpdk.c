// SPDX-License-Identifier: GPL-2.0-or-later
/* What rules/user/dpdk.yaml is about. */
#include <stdint.h>

#include <rte_config.h>
#include <rte_mbuf.h>
#include <rte_mempool.h>
#include <rte_ring.h>
#include <rte_stack.h>

struct rte_mbuf mbuf;
struct rte_ring ring;
struct rte_mempool_cache cache;
struct rte_stack_lf *stack;
