/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What each format's escaper makes of names that are markup there. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "base/escape.h"

typedef void escaper(struct buf *buf, const char *s);

static void assert_escaped(escaper *escape, const char *s, const char *wanted)
{
	struct buf out = BUF_INIT;

	escape(&out, s);
	assert_string_equal(out.s, wanted);
	buf_release(&out);
}

/* A new line, an escape, an override of the direction, a noncharacter, a byte that is no UTF-8; and
 * a letter that stays. */
#define BAD   "a\n\033\xe2\x80\xae\xef\xbf\xbe\xff\xc3\xa9"
#define SHOWN "a\\x0a\\x1b\\xe2\\x80\\xae\\xef\\xbf\\xbe\\xff\xc3\xa9"

static void test_controls(void **state)
{
	static escaper *const escapers[] = {escape_text,
					    escape_xml,
					    escape_markdown,
					    escape_command_data,
					    escape_command_property,
					    escape_tap,
					    escape_sarif};

	(void)state;
	for (size_t i = 0; i < sizeof escapers / sizeof *escapers; i++)
		assert_escaped(escapers[i], BAD, SHOWN);
	assert_escaped(escape_uri, BAD, "a%0A%1B%E2%80%AE%EF%BF%BE%FF%C3%A9");
}

static void test_noncharacters(void **state)
{
	(void)state;
	assert_escaped(escape_text, "\xef\xb7\x8f\xef\xb7\x90\xef\xb7\xaf\xef\xb7\xb0",
		       "\xef\xb7\x8f\\xef\\xb7\\x90\\xef\\xb7\\xaf\xef\xb7\xb0");
	assert_escaped(escape_text, "\xef\xbf\xbd\xef\xbf\xbf\xf4\x8f\xbf\xbe",
		       "\xef\xbf\xbd\\xef\\xbf\\xbf\\xf4\\x8f\\xbf\\xbe");
}

static void test_xml(void **state)
{
	(void)state;
	assert_escaped(escape_xml, "<a b=\"c\">&'d']]>",
		       "&lt;a b=&#34;c&#34;&gt;&amp;&#39;d&#39;]]&gt;");
}

static void test_markdown(void **state)
{
	(void)state;
	assert_escaped(escape_markdown, "<b>|`*c*`[d](e)\\&#38;$x$~",
		       "&#60;b&#62;&#124;&#96;&#42;c&#42;&#96;&#91;d&#93;(e)&#92;&#92;&#38;&#35;38;"
		       "&#36;x&#36;&#126;");
	assert_escaped(escape_markdown, "x86_64 _b_ __c", "x86_64 &#95;b&#95; &#95;&#95;c");
	assert_escaped(escape_markdown, "_", "&#95;");
	assert_escaped(escape_markdown, "@who", "<code>@</code>who");
	assert_escaped(escape_markdown, "www.a.b Www.c http://d a: b",
		       "www&#46;a.b Www&#46;c "
		       "http&#58;//d a: b");
}

static void test_commands(void **state)
{
	(void)state;
	assert_escaped(escape_command_data, "a%0A::error::b,%", "a%250A::error::b,%25");
	assert_escaped(escape_command_property, "a%0A::error::b,%",
		       "a%250A%3A%3Aerror%3A%3Ab%2C%25");
}

static void test_tap(void **state)
{
	(void)state;
	assert_escaped(escape_tap, "a # SKIP b\\", "a \\x23 SKIP b\\\\");
}

static void test_sarif(void **state)
{
	(void)state;
	assert_escaped(escape_sarif, "{0} a[1] [b](2)", "{{0}} a[1] [b\\](2)");
}

static void test_uri(void **state)
{
	(void)state;
	assert_escaped(escape_uri, "a:b/c d?e#f%-._~9Z", "a%3Ab/c%20d%3Fe%23f%25-._~9Z");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_controls), cmocka_unit_test(test_noncharacters),
		cmocka_unit_test(test_xml),      cmocka_unit_test(test_markdown),
		cmocka_unit_test(test_commands), cmocka_unit_test(test_tap),
		cmocka_unit_test(test_sarif),    cmocka_unit_test(test_uri),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
