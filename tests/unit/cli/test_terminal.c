// Characters that are not ASCII, whole and in pieces; colours.
#include "cli/print/terminal.h"
#include "litmus/source/allocate.h"
#include "litmus/source/arena.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

static const struct {
    const char *text, *ascii;
} texts[] = {
    {"", ""},
    {"plain\n", "plain\n"},
    {"a \xe2\x80\x94 b", "a - b"},                             // an em dash
    {"\xe2\x80\x9cx\xe2\x80\x9d y\xe2\x80\x99z", "\"x\" y'z"}, // quotation marks
    {"gr\xc3\xbcn", "gr?n"},
    {"\xe6\xbc\xa2.", "??."},   // two columns
    {"e\xcc\x81.", "e."},       // a combining accent has no column
    {"\xf0\x9f\x98\x80", "??"}, // beyond the basic plane
    {"a\xff"
     "b\xe2\x80",
     "a?b??"}, // what is not UTF-8, and what is cut off
};

static void test_text(void **state) {
    (void)state;
    struct arena *arena = arena_new();
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        assert_string_equal(ascii_text(arena, texts[i].text), texts[i].ascii);
    assert_ptr_equal(ascii_text(arena, texts[1].text), texts[1].text);
    arena_free(arena);
}

// Whatever pieces the text arrives in.
static void test_stream(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        for (size_t piece = 1; piece < 6; piece++) {
            char *written;
            size_t written_size, size = strlen(texts[i].text);
            FILE *under = text_open(&written, &written_size);
            FILE *stream = ascii_stream(under);
            for (size_t at = 0; at < size; at += piece) {
                fwrite(texts[i].text + at, 1, size - at < piece ? size - at : piece, stream);
                assert_int_equal(fflush(stream), 0);
            }
            assert_int_equal(fclose(stream), 0);
            text_close(under);
            assert_string_equal(written, texts[i].ascii);
            free(written);
        }
    }
}

static void test_tones(void **state) {
    (void)state;
    for (int tone = TONE_STRONG; tone <= TONE_MARK; tone++) {
        assert_string_equal(tone_begin(false, (enum tone)tone), "");
        assert_int_equal(tone_begin(true, (enum tone)tone)[0], '\033');
    }
    assert_string_equal(tone_end(false), "");
    assert_string_equal(tone_end(true), "\033[m");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_text),
        cmocka_unit_test(test_stream),
        cmocka_unit_test(test_tones),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
