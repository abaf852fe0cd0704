/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Foreign names are hostile text: they come from binaries and packs. Each output format has one
 * escaper, here, and every foreign string passes through it exactly once, at the writer.
 */
#ifndef BASE_ESCAPE_H
#define BASE_ESCAPE_H

#include <stdint.h>

#include "base/buf.h"

/*
 * Length in bytes of the well-formed UTF-8 sequence at @s, which ends with a NUL somewhere, and its
 * code point (Unicode 15, table 3-7: no overlong forms, no surrogates, nothing above U+10FFFF); 0
 * when there is none.
 */
int utf8_decode(const char *s, uint32_t *ret);

/*
 * For terminals and plain text: printable UTF-8 passes; control bytes (C0, DEL, C1), the
 * bidirectional overrides and invalid UTF-8 become \xNN, a byte each. Newlines too: a name never
 * breaks a line.
 */
void escape_text(struct buf *buf, const char *s);

/*
 * For JSON libraries, which want valid UTF-8 and escape the rest themselves: invalid bytes become
 * U+FFFD. Returns a malloc'd string.
 */
char *escape_utf8(const char *s);

#endif
