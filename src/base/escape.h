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
 * Length in bytes of the well-formed UTF-8 sequence at @text, which ends with a NUL somewhere, and
 * its code point (Unicode 15, table 3-7: no overlong forms, no surrogates, nothing above U+10FFFF);
 * 0 when there is none.
 */
int utf8_decode(const char *text, uint32_t *ret);

/*
 * For terminals and plain text: printable UTF-8 passes; control bytes (C0, DEL, C1), the
 * bidirectional overrides, noncharacters and invalid UTF-8 become \xNN, a byte each, and a
 * backslash two, so that each name is told apart. Newlines too: a name never breaks a line. All
 * that follow but escape_uri() and escape_utf8() do this first.
 */
void escape_text(struct buf *buf, const char *s);

/* For text and attribute values of XML 1.0 and HTML: & < > " ' are references, too. */
void escape_xml(struct buf *buf, const char *s);

/*
 * For GitHub-flavoured Markdown, inside a paragraph or a cell of a table: what could be markup,
 * HTML, math, a link made of plain words or a mention of a person is shown as it is.
 */
void escape_markdown(struct buf *buf, const char *s);

/* For the data of a workflow command of GitHub (::error ...::DATA), and for its properties. */
void escape_command_data(struct buf *buf, const char *s);
void escape_command_property(struct buf *buf, const char *s);

/* For a name in TAP and KTAP: no `#`, behind which a directive would stand. */
void escape_tap(struct buf *buf, const char *s);

/* For a plain text message of SARIF (2.1.0, 3.11): no placeholder and no embedded link. */
void escape_sarif(struct buf *buf, const char *s);

/* A path as a relative or absolute URI reference (RFC 3986): any byte that is not unreserved or a
 * slash becomes %NN. */
void escape_uri(struct buf *buf, const char *s);

/*
 * For JSON libraries, which want valid UTF-8 and escape the rest themselves: invalid bytes become
 * U+FFFD. Returns a malloc'd string.
 */
char *escape_utf8(const char *s);

#endif
