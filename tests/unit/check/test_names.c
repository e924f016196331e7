// Escapes: control characters, UTF-8 and what is not, herd's alphabet.
#include "check/text/names.h"
#include "litmus/source/arena.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void test_escaped(void **state) {
    (void)state;
    struct arena *arena = arena_new();
    const char *plain = "MP+fence \xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80";
    assert_ptr_equal(escaped(arena, plain), plain);
    assert_string_equal(escaped(arena, "a\x1b[31mb\n"), "a\\x1b[31mb\\x0a");
    assert_string_equal(escaped(arena, "\xc2\x9b"), "\\xc2\\x9b");            // C1
    assert_string_equal(escaped(arena, "\xe2\x80\xaex"), "\\xe2\\x80\\xaex"); // right to left
    assert_string_equal(escaped(arena, "\xe2\x80\x8e\xd8\x9cx"), "\\xe2\\x80\\x8e\\xd8\\x9cx");
    assert_string_equal(escaped(arena, "\xff\xc3"), "\\xff\\xc3");          // not UTF-8
    assert_string_equal(escaped(arena, "\xc0\xaf"), "\\xc0\\xaf");          // overlong
    assert_string_equal(escaped(arena, "\xed\xa0\x80"), "\\xed\\xa0\\x80"); // a surrogate
    assert_string_equal(escaped(arena, "\xe2\x82"), "\\xe2\\x82");          // cut short
    arena_free(arena);
}

static void test_utf8(void **state) {
    (void)state;
    struct arena *arena = arena_new();
    assert_string_equal(valid_utf8(arena, "a\xff"
                                          "b\xe2\x82"),
                        "a\xef\xbf\xbd"
                        "b\xef\xbf\xbd\xef\xbf\xbd");
    const char *control = "a\tb";
    assert_ptr_equal(valid_utf8(arena, control), control); // JSON has its own escapes
    arena_free(arena);
}

static void test_herd(void **state) {
    (void)state;
    struct arena *arena = arena_new();
    const char *plain = "2+2W_a.b-c/[d]";
    assert_ptr_equal(herd_test_name(arena, plain), plain);
    assert_string_equal(herd_test_name(arena, "MP with \xc3\xa9"), "MP_with__");
    assert_string_equal(herd_test_name(arena, ""), "_");
    arena_free(arena);
}

static void expect_location(const char *location, const char *expected) {
    char text[64] = "";
    FILE *out = fmemopen(text, sizeof text, "w");
    assert_non_null(out);
    herd_location_print(out, location);
    fclose(out);
    assert_string_equal(text, expected);
}

static void test_location(void **state) {
    (void)state;
    expect_location("1:r0", "1:r0");
    expect_location("12:r_0", "12:r_0");
    expect_location("[x]", "[x]");
    expect_location("[s_cta1]", "[s_cta1]");
    expect_location("x[12]", "x[12]");
    expect_location("x", "x");
    expect_location("[_x]", "[n.5fx]");
    expect_location("1:_", "1:n.5f");
    expect_location("a$b[0]", "a.24b[0]");
    expect_location("0:$", "0:n.24");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_escaped),
        cmocka_unit_test(test_utf8),
        cmocka_unit_test(test_herd),
        cmocka_unit_test(test_location),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
