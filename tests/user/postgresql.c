// SPDX-License-Identifier: GPL-2.0-or-later
/* What rules/user/postgresql.yaml is about. */
#include "postgres.h"

#include "storage/buf_internals.h"
#include "storage/condition_variable.h"
#include "storage/lwlock.h"
#include "storage/proc.h"

BufferDescPadded buffer;
LWLockPadded lock;
ConditionVariableMinimallyPadded variable;
PGPROC proc;
PROC_HDR procs;
