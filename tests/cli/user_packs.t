#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The packs of rules/user whose headers are small packages: Concurrency Kit and Userspace RCU. The
# others are tested by `make check-user-packs`.
. "$(dirname "$0")/../lib.sh"
. tests/user.sh
need gcc jq

holds ck ck_fifo_spsc/starts_line/m_tail
breaks ck "ck_epoch_record/apart ck_epoch_record/size ck_fifo_mpmc/apart ck_fifo_spsc/apart \
ck_fifo_spsc/starts_line/m_tail ck_hp_record/size ck_ring/apart ck_spinlock_anderson/apart" \
	-DCK_MD_CACHELINE=32

holds urcu ""
header=$(echo '#include <urcu/arch/x86.h>' | gcc -E - | sed -n 's/^# 1 "\(.*x86\.h\)".*/\1/p')
mkdir -p "$T/changed/urcu/arch"
sed 's/\(define CAA_CACHE_LINE_SIZE\).*/\1 8/' "$header" >"$T/changed/urcu/arch/x86.h"
breaks urcu "urcu_bp_gp/size urcu_bp_reader/apart urcu_bp_reader/apart/pairs urcu_gp/size \
urcu_qsbr_reader/apart urcu_qsbr_reader/apart/pairs urcu_reader/apart urcu_reader/apart/pairs" \
	-I "$T/changed"

# A program of one's own has none of these structs, and with no other pack nothing to be judged.
echo 'struct mine { int a; } mine;' >"$T/mine.c"
gcc -g -c -o "$T/mine.o" "$T/mine.c"
exits "another program: 2" 2 layoutcheck check -r rules/user "$T/mine.o"
like "and says why" "$stderr" 'nothing was checked: [0-9]+ not applicable'

done_testing
