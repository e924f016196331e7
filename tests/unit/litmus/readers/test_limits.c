// Tests of litmus/readers: inputs that are not tests, and inputs that are too large. Each must
// end soon, with messages.
#include "tests/unit/litmus/reading.h"

#include <stdio.h>
#include <stdlib.h>

// A text of `count` pieces between a prologue and an epilogue; `%u` in a piece is its number.
static char *repeat(const char *prologue, const char *piece, unsigned count, const char *epilogue) {
    size_t size = strlen(prologue) + strlen(epilogue) + (strlen(piece) + 30) * count + 1, at = 0;
    char *text = malloc(size);
    assert_non_null(text);
    at += (size_t)snprintf(text + at, size - at, "%s", prologue);
    for (unsigned i = 0; i < count; i++) {
        const char *mark = strstr(piece, "%u");
        if (mark)
            at += (size_t)snprintf(text + at, size - at, "%.*s%u%s", (int)(mark - piece), piece, i,
                                   mark + 2);
        else
            at += (size_t)snprintf(text + at, size - at, "%s", piece);
    }
    snprintf(text + at, size - at, "%s", epilogue);
    return text;
}

static struct reading read_repeated(const char *prologue, const char *piece, unsigned count,
                                    const char *epilogue) {
    char *text = repeat(prologue, piece, count, epilogue);
    struct reading reading = read_text(text);
    free(text);
    return reading;
}

static void test_binary(void **state) {
    (void)state;
    struct reading reading = read_bytes("PTX T\n\x7F"
                                        "ELF\0\1",
                                        12, SYNTAX_GUESS);
    assert_string_equal(messages(&reading), "t.litmus:2:5: error: this is a binary file\n"
                                            "?ELF??\n"
                                            "    ^\n");
    assert_null(reading.test);
    close_reading(&reading);
    char bytes[256];
    for (size_t i = 0; i < sizeof(bytes); i++)
        bytes[i] = (char)(255 - i);
    reading = read_bytes(bytes, sizeof(bytes), SYNTAX_GUESS);
    assert_null(reading.test);
    assert_true(diag_has_errors(&reading.diagnostics));
    assert_true(strlen(messages(&reading)) > 0);
    close_reading(&reading);
}

static void test_text_that_is_no_utf8(void **state) {
    (void)state;
    check_messages("PTX \xE9t\xE9\nP0@cta 0 {}\nexists true",
                   "t.litmus:1:5: error: the name of the test is not valid UTF-8\n"
                   "PTX ?t?\n"
                   "    ^^^\n");
    check_messages("PTX T\n\"\xE9\"\nP0@cta 0 {}\nexists true",
                   "t.litmus:2:1: error: this description is not valid UTF-8\n"
                   "\"?\"\n"
                   "^^^\n");
}

static void test_many_threads(void **state) {
    (void)state;
    struct reading reading =
        read_repeated("PTX T\n", "P%u@cta %u {}\n", 0, "P0@cta 0 {}\nexists true");
    assert_non_null(reading.test);
    close_reading(&reading);
    reading = read_repeated("PTX T\n", "P%u@cta 0 {}\n", 1024, "exists true");
    assert_string_equal(messages(&reading), "");
    assert_int_equal(reading.test->thread_count, 1024);
    close_reading(&reading);
    reading = read_repeated("PTX T\n", "P%u@cta 0 {}\n", 10000, "exists true");
    assert_string_equal(messages(&reading), "t.litmus:1026:1: error: a test has at most 1024 "
                                            "threads\n"
                                            "P1024@cta 0 {}\n"
                                            "^^^^^\n");
    close_reading(&reading);
    reading = read_repeated("PTX T\nP10001@cta 0", "|P%u@cta 0", 10000, ";\nexists true");
    assert_int_equal(reading.diagnostics.count, 1);
    assert_string_equal(reading.diagnostics.items[0].message, "a test has at most 1024 threads");
    close_reading(&reading);
}

static void test_long_lines(void **state) {
    (void)state;
    struct reading reading =
        read_repeated("PTX T\nx=0; P0@cta 0 {", "st.weak.u32 [x], 1; ", 50000, "} exists x=1");
    assert_string_equal(messages(&reading), "");
    assert_int_equal(reading.test->threads[0].instruction_count, 50000);
    close_reading(&reading);
    reading = read_repeated("PTX T\nx=0; P0@cta 0 ;\n", "a", 1 << 20, "");
    assert_null(reading.test);
    assert_true(strlen(messages(&reading)) < 4000);
    close_reading(&reading);
    reading = read_repeated("PTX T\nx=0; P0@cta 0 ;\n", "\xC2\x80", 1 << 20, "");
    assert_null(reading.test);
    close_reading(&reading);
}

static void test_long_lists(void **state) {
    (void)state;
    struct reading reading =
        read_repeated("PTX T\nx=0; P0@cta 0 {} exists x=1", " /\\ x=1", 20000, "");
    assert_non_null(reading.test);
    close_reading(&reading);
    reading = read_repeated("PTX T\n", "x%u=0;", 20000, "P0@cta 0 {} exists x19999=1");
    assert_non_null(reading.test);
    assert_int_equal(reading.test->variable_count, 20000);
    close_reading(&reading);
    reading = read_repeated("PTX T\nx=0; P0@cta 0 ;\n", "ld.weak r%u, x;\n", 20000, "exists x=1");
    assert_non_null(reading.test);
    assert_int_equal(reading.test->threads[0].register_count, 20000);
    close_reading(&reading);
    reading = read_repeated("PTX T\nx=0; P0@cta 0 ;\n", "goto L%u;\n", 20000, "exists x=1");
    assert_int_equal(reading.diagnostics.error_count, 20000);
    assert_int_equal(reading.diagnostics.count, DIAGNOSTICS_KEPT);
    close_reading(&reading);
    reading = read_repeated("PTX T\n", "\"a\"", 100000, "P0@cta 0 {} exists true");
    assert_non_null(reading.test);
    assert_int_equal(strlen(reading.test->description), 199999);
    close_reading(&reading);
}

static void test_large_variables(void **state) {
    (void)state;
    struct reading reading = read_text("PTX T\n.global .u8 a[1048576];P0@cta 0 {}exists true");
    assert_non_null(reading.test);
    close_reading(&reading);
    reading = read_text("PTX T\n.global .u8 a[1073741824];P0@cta 0 {}exists true");
    assert_non_null(reading.test);
    close_reading(&reading);
    check_messages("PTX T\n.global .u8 a[524289]={2}, b[524288] = {1};P0@cta 0 {}exists true",
                   "t.litmus:2:28: error: the variables of a test have at most 1048576 bytes "
                   "together\n"
                   ".global .u8 a[524289]={2}, b[524288] = {1};P0@cta 0 {}exists true\n"
                   "                           ^\n");
    check_messages("PTX T\n.global .u8 a[536870913], b[536870912];P0@cta 0 {}exists true",
                   "t.litmus:2:27: error: the variables of a test that begin as zeros have at most "
                   "1073741824 bytes together\n"
                   ".global .u8 a[536870913], b[536870912];P0@cta 0 {}exists true\n"
                   "                          ^\n");
    check_messages("PTX T\nx[4000000000];P0@cta 0 {}exists true",
                   "t.litmus:2:3: error: the variables of a test that begin as zeros have at most "
                   "1073741824 bytes together\n"
                   "x[4000000000];P0@cta 0 {}exists true\n"
                   "  ^^^^^^^^^^\n");
}

// Errors found in different passes come in the order of the text.
static void test_order(void **state) {
    (void)state;
    struct reading reading = read_text("PTX T\ny=0\nx=0;\nP0@cta 0 {\n st.weak.u32 [x], \\1;\n}\n"
                                       "exists z=1\nexpect never;");
    static const uint32_t lines[] = {2, 5, 7, 8};
    assert_int_equal(reading.diagnostics.count, 4);
    for (size_t i = 0; i < 4; i++) {
        struct span span = reading.diagnostics.items[i].span;
        assert_int_equal(source_position(span.source, span.begin).line, lines[i]);
    }
    close_reading(&reading);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_binary),       cmocka_unit_test(test_text_that_is_no_utf8),
        cmocka_unit_test(test_many_threads), cmocka_unit_test(test_long_lines),
        cmocka_unit_test(test_long_lists),   cmocka_unit_test(test_large_variables),
        cmocka_unit_test(test_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
