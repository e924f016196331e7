// Texts for logs of GitHub Actions, whole and in pieces.
#include "cli/print/runner.h"
#include "litmus/source/allocate.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

static const struct {
    const char *text, *safe;
} texts[] = {
    {"", ""},
    {"plain: a::b ## [x]\n", "plain: a::b ## [x]\n"},
    {"::error::x", "\\x3a:error::x"},
    {"a\n::stop-commands::t\nb", "a\n\\x3a:stop-commands::t\nb"},
    {" \t::debug::x\n", " \t\\x3a:debug::x\n"},
    {"a\r::debug::x", "a\r\\x3a:debug::x"},
    {"\xc2\xa0\xe3\x80\x80::debug::x", "\xc2\xa0\xe3\x80\x80\\x3a:debug::x"}, // blanks of Unicode
    {"\x7f\x01::debug::x", "\x7f\x01\\x3a:debug::x"},
    {"see ##[error]x ###[y]", "see ##\\x5berror]x ###\\x5by]"},
    {"#[x] # #[y]", "#[x] # #[y]"},
};

enum { COUNT = sizeof texts / sizeof texts[0] };

static void test_text(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT; i++) {
        char *written;
        size_t size;
        FILE *out = text_open(&written, &size);
        runner_print(out, texts[i].text);
        text_close(out);
        assert_string_equal(written, texts[i].safe);
        free(written);
    }
}

static void test_stream(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT; i++) {
        for (size_t piece = 1; piece < 6; piece++) {
            char *written;
            size_t written_size, size = strlen(texts[i].text);
            FILE *under = text_open(&written, &written_size);
            FILE *stream = runner_stream(under);
            for (size_t at = 0; at < size; at += piece) {
                fwrite(texts[i].text + at, 1, size - at < piece ? size - at : piece, stream);
                assert_int_equal(fflush(stream), 0);
            }
            assert_int_equal(fclose(stream), 0);
            text_close(under);
            assert_string_equal(written, texts[i].safe);
            free(written);
        }
    }
}

static void test_failure(void **state) {
    (void)state;
    FILE *full = fopen("/dev/full", "w");
    assert_non_null(full);
    FILE *stream = runner_stream(full);
    fputs("text\n", stream);
    assert_int_not_equal(ferror(stream) ? EOF : fflush(stream), 0);
    fclose(stream);
    fclose(full);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_text),
        cmocka_unit_test(test_stream),
        cmocka_unit_test(test_failure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
