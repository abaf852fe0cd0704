/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tables of how members are accessed, as the kernel's documentation has them: a file of
 * reStructuredText a struct, in Documentation/networking/net_cachelines/. Read from these files of
 * 6.8 to 6.19: since 6.14 they are simple tables between rules of `=`, before that lines under a
 * heading, whose first row names the struct ("..struct  ..tcp_sock").
 *
 *	Type    Name       fastpath_tx_access  fastpath_rx_access  comment
 *	u16     gso_segs   read_mostly         -                   tcp_xmit_size_goal
 *	u32     rcv_nxt    read_mostly         read_write          tcp_transmit_skb(tx)
 *
 * A word belongs to the column that begins nearest to it, since rows of the older files are a byte
 * off. Columns are known by their headings, in any order. Members of a member go by its name in
 * the type ("struct_icsk_ack_u8  pending"): they become icsk_ack.pending|pending.
 */
#ifndef RULE_ACCESS_TABLE_H
#define RULE_ACCESS_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "base/mem.h"

enum access_class { ACCESS_NONE, ACCESS_READ, ACCESS_WRITE };

struct access_row {
	const char *member; /* as a pack names it */
	enum access_class tx, rx;
	unsigned line; /* from 1 */
};

struct access_table {
	const char *file;        /* as it was given */
	const char *type;        /* the struct's name */
	unsigned line;           /* of the headings */
	struct access_row *rows; /* in the order of the file, each member once */
	size_t n;
};

/*
 * Reads the @len bytes of @file, in the arena. @type, or NULL, has the last word on the struct's
 * name. False, with "FILE:LINE: sentence", when there is no such table or it says what cannot be
 * understood.
 */
MUST_CHECK bool access_table_read(const char *file, const char *text, size_t len, const char *type,
				  struct arena *arena, struct err *err, struct access_table *ret);

#endif
