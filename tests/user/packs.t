#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The packs of rules/user whose headers are fetched: DPDK and PostgreSQL.
. "$(dirname "$0")/../lib.sh"
. tests/user.sh
need gcc jq

run tests/user/fetch "$T/root"
is "the headers are fetched" "$status" 0
diag "$(cd "$T/root/deb" && ls)"
include=$T/root/usr/include
machine=$include/$(gcc -print-multiarch)

set -- -march=corei7 -I "$include/dpdk" -I "$machine/dpdk" -I "$include"
holds dpdk "" "$@"
mkdir "$T/dpdk"
sed 's/uint16_t data_len;/uint32_t more; &/; s/uint16_t priv_size;/uint64_t less; &/' \
	"$include/dpdk/rte_mbuf_core.h" >"$T/dpdk/rte_mbuf_core.h"
sed '/char pad[012]/d; s/} *__rte_cache_aligned;/};/' \
	"$include/dpdk/rte_ring_core.h" >"$T/dpdk/rte_ring_core.h"
for header in rte_mempool.h rte_stack.h; do
	sed 's/__rte_cache_aligned//' "$include/dpdk/$header" >"$T/dpdk/$header"
done
breaks dpdk "rte_mbuf/offset/descriptor rte_mbuf/receive rte_mbuf/size rte_mempool_cache/size \
rte_mempool_cache/starts_line/objs rte_ring/apart/pairs rte_ring/apart/read,producer,consumer \
rte_stack_lf/apart/used,free,elems" -I "$T/dpdk" "$@"

set -- -I "$include/postgresql/15/server"
holds postgresql PGPROC/stride "$@"
mkdir -p "$T/pg/storage"
storage=$include/postgresql/15/server/storage
sed 's/\(define LWLOCK_PADDED_SIZE\).*/\1 64/' "$storage/lwlock.h" >"$T/pg/storage/lwlock.h"
sed 's/int[[:space:]]*freeNext;/char more[32]; &/' "$storage/buf_internals.h" \
	>"$T/pg/storage/buf_internals.h"
sed 's/\(define CV_MINIMAL_SIZE\).*/\1 1/' "$storage/condition_variable.h" \
	>"$T/pg/storage/condition_variable.h"
sed 's/SHM_QUEUE[[:space:]]*links;/int first; &/; s/TransactionId xmin;/char more[64]; &/
	s/XidCacheStatus \*subxidStates;/char more[32]; &/' "$storage/proc.h" >"$T/pg/storage/proc.h"
breaks postgresql "BufferDesc/size BufferDesc/together/tag,state,content_lock BufferDescPadded/size \
ConditionVariableMinimallyPadded/size LWLockPadded/size PGPROC/offset/links PGPROC/stride \
PGPROC/together/xid PROC_HDR/apart" -I "$T/pg" "$@"

done_testing
