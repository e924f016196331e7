// Tests of litmus/source: positions, the list of messages, rendering, nearest words, the arena.
#include "tests/unit/litmus/reading.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

// The message about the bytes [begin, end) of a text, as it is printed.
static void check_render(const char *text, uint32_t begin, uint32_t end, const char *expected) {
    struct reading reading = open_text(text, strlen(text));
    diag_error(&reading.diagnostics, (struct span){reading.source, begin, end}, "wrong");
    assert_string_equal(messages(&reading), expected);
    close_reading(&reading);
}

static void test_positions(void **state) {
    (void)state;
    static const struct {
        uint32_t offset, line, column;
    } cases[] = {{0, 1, 1}, {1, 1, 2}, {3, 1, 3}, {4, 2, 1}, {5, 3, 1}, {6, 3, 2}};
    struct reading reading = open_text("a\xC3\xA9\n\nb", 6);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct position position = source_position(reading.source, cases[i].offset);
        assert_int_equal(position.line, cases[i].line);
        assert_int_equal(position.column, cases[i].column);
    }
    close_reading(&reading);
}

// A message about a source that was put together is about its origin, where there is one place.
static void test_pieces(void **state) {
    (void)state;
    static const struct {
        uint32_t begin, end;
        bool found;
        uint32_t from, to;
    } cases[] = {{0, 2, true, 0, 2}, {2, 4, true, 5, 7}, {3, 4, true, 6, 7}, {1, 3, false, 0, 0},
                 {4, 6, true, 2, 4}, {2, 2, true, 2, 2}, {0, 0, true, 0, 0}, {4, 4, true, 7, 7},
                 {6, 6, true, 4, 4}, {0, 6, false, 0, 0}};
    // "ab" "fg" "c\n" of "abc\ndfg"
    static const struct source_piece pieces[] = {{0, 0}, {2, 5}, {4, 2}, {6, 0}};
    struct reading reading = open_text("abc\ndfg", 7);
    const struct source *made = source_from_pieces(reading.arena, reading.source, pieces, 3);
    assert_string_equal(made->text, "abfgc\n");
    assert_string_equal(made->path, "t.litmus");
    assert_int_equal(made->line_count, 2);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct span span = source_origin((struct span){made, cases[i].begin, cases[i].end});
        assert_ptr_equal(span.source, cases[i].found ? reading.source : made);
        assert_int_equal(span.begin, cases[i].found ? cases[i].from : cases[i].begin);
        assert_int_equal(span.end, cases[i].found ? cases[i].to : cases[i].end);
    }
    diag_error(&reading.diagnostics, (struct span){made, 2, 4}, "wrong");
    diag_warning(&reading.diagnostics, (struct span){made, 1, 3}, "odd");
    assert_string_equal(messages(&reading), "t.litmus:2:2: error: wrong\ndfg\n ^^\n"
                                            "t.litmus:1:2: warning: odd\nabfgc\n ^^\n");
    close_reading(&reading);
}

static void test_carets(void **state) {
    (void)state;
    check_render("one two three\n", 4, 7, "t.litmus:1:5: error: wrong\none two three\n    ^^^\n");
    check_render("a\nbc\nd", 2, 4, "t.litmus:2:1: error: wrong\nbc\n^^\n");
    // after the end of a line, and of the text
    check_render("ab  \nc", 2, 2, "t.litmus:1:3: error: wrong\nab\n  ^\n");
    check_render("ab", 2, 2, "t.litmus:1:3: error: wrong\nab\n  ^\n");
    check_render("ab\n", 3, 3, "t.litmus:2:1: error: wrong\n");
    check_render("", 0, 0, "t.litmus:1:1: error: wrong\n");
    // a span over several lines is marked to the end of its first
    check_render("ab cd\nef", 3, 8, "t.litmus:1:4: error: wrong\nab cd\n   ^^\n");
    check_render("ab\r\ncd\r\n", 4, 6, "t.litmus:2:1: error: wrong\ncd\n^^\n");
}

static void test_columns(void **state) {
    (void)state;
    check_render("\tx\ty", 3, 4, "t.litmus:1:4: error: wrong\n    x   y\n        ^\n");
    check_render("\xC3\xA9 x", 3, 4, "t.litmus:1:3: error: wrong\n\xC3\xA9 x\n  ^\n");
    // two columns for an ideograph, none for a combining mark
    check_render("\xE4\xB8\xAD x", 4, 5, "t.litmus:1:3: error: wrong\n\xE4\xB8\xAD x\n   ^\n");
    check_render("e\xCC\x81 x", 4, 5, "t.litmus:1:4: error: wrong\ne\xCC\x81 x\n  ^\n");
    // controls and bytes that are not UTF-8 do not reach the terminal
    check_render("\x1b[2J x", 5, 6, "t.litmus:1:6: error: wrong\n?[2J x\n     ^\n");
    check_render("\xFF\xC3 x", 3, 4, "t.litmus:1:4: error: wrong\n?? x\n   ^\n");
}

static void test_long_lines(void **state) {
    (void)state;
    char text[1001], expected[400];
    memset(text, 'a', 1000);
    text[1000] = '\0';
    memset(text + 500, 'b', 4);
    // 40 columns before the span, 100 in all, dots on both sides
    snprintf(expected, sizeof(expected),
             "t.litmus:1:501: error: wrong\n...%.40sbbbb%.53s...\n%43s^^^^\n", text, text, "");
    check_render(text, 500, 504, expected);
    // a span that goes on beyond the cut
    memset(text, 'a', 1000);
    snprintf(expected, sizeof(expected), "t.litmus:1:1: error: wrong\n%.100s...\n", text);
    memset(text, '^', 100);
    snprintf(expected + strlen(expected), 200, "%.100s\n", text);
    memset(text, 'a', 1000);
    check_render(text, 0, 1000, expected);
    text[120] = '\0'; // not cut
    snprintf(expected, sizeof(expected), "t.litmus:1:120: error: wrong\n%.120s\n%119s^\n", text,
             "");
    check_render(text, 119, 120, expected);
}

static void test_list(void **state) {
    (void)state;
    struct reading reading = open_text("text", 4);
    struct span span = {reading.source, 0, 4};
    diag_warning(&reading.diagnostics, span, "careful");
    assert_false(diag_has_errors(&reading.diagnostics));
    diag_error_path(&reading.diagnostics, "no/such", "cannot read %s", "it");
    diag_hint(&reading.diagnostics, "look %d", 2);
    assert_true(diag_has_errors(&reading.diagnostics));
    assert_string_equal(messages(&reading), "t.litmus:1:1: warning: careful\ntext\n^^^^\n"
                                            "no/such: error: cannot read it\nhint: look 2\n");
    for (int i = 0; i < 100; i++) {
        diag_error(&reading.diagnostics, span, "error %d", i);
        diag_hint(&reading.diagnostics, "hint %d", i);
    }
    assert_int_equal(reading.diagnostics.count, DIAGNOSTICS_KEPT);
    assert_int_equal(reading.diagnostics.error_count, 101);
    assert_string_equal(reading.diagnostics.items[DIAGNOSTICS_KEPT - 1].hint, "hint 17");
    close_reading(&reading);
}

// What is said of a place is said once; the same of another place, or as a warning, is new.
static void test_repeated(void **state) {
    (void)state;
    struct reading reading = open_text("ab", 2);
    const struct span a = {reading.source, 0, 1}, b = {reading.source, 1, 2};
    for (int i = 0; i < 2; i++) {
        diag_error(&reading.diagnostics, a, "wrong");
        diag_hint(&reading.diagnostics, "hint %d", i);
        diag_error(&reading.diagnostics, b, "wrong");
        diag_warning(&reading.diagnostics, b, "wrong");
    }
    assert_int_equal(reading.diagnostics.error_count, 4);
    assert_int_equal(reading.diagnostics.repeated_errors, 2);
    assert_string_equal(messages(&reading), "t.litmus:1:1: error: wrong\nab\n^\nhint: hint 0\n"
                                            "t.litmus:1:2: error: wrong\nab\n ^\n"
                                            "t.litmus:1:2: warning: wrong\nab\n ^\n");
    close_reading(&reading);
}

static void test_message_is_text(void **state) {
    (void)state;
    struct reading reading = open_text("x", 1);
    diag_error(&reading.diagnostics, (struct span){reading.source, 0, 1}, "a%sb",
               "\x1b\xFF\n\xC3\xA9");
    assert_string_equal(reading.diagnostics.items[0].message, "a???\xC3\xA9"
                                                              "b");
    char word[1001];
    memset(word, 'w', 1000);
    word[1000] = '\0';
    diag_error(&reading.diagnostics, (struct span){reading.source, 0, 1}, "'%s'", word);
    assert_int_equal(strlen(reading.diagnostics.items[1].message), 503);
    assert_string_equal(reading.diagnostics.items[1].message + 499, "w...");
    close_reading(&reading);
}

static void test_nearest(void **state) {
    (void)state;
    static const char *const words[] = {".acquire", ".release", ".relaxed", ".cta", ".gpu"};
    static const struct {
        const char *word, *nearest;
    } cases[] = {{".aquire", ".acquire"},
                 {".ACQUIRE", ".acquire"},
                 {".relase", ".release"},
                 {".realxed", ".relaxed"},
                 {".gup", ".gpu"},
                 {".ctaa", ".cta"},
                 {".zzzzzzz", NULL},
                 {"", NULL},
                 {"x", NULL}};
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const char *found = diag_nearest(cases[i].word, strlen(cases[i].word), words, 5);
        if (cases[i].nearest)
            assert_string_equal(found, cases[i].nearest);
        else
            assert_null(found);
    }
}

static void test_files(void **state) {
    (void)state;
    struct reading reading = open_text("", 0);
    assert_null(source_read(reading.arena, "no/such.litmus", &reading.diagnostics));
    assert_null(source_read(reading.arena, "/", &reading.diagnostics));
    assert_string_equal(messages(&reading),
                        "no/such.litmus: error: cannot read the file: No such file or directory\n"
                        "/: error: cannot read the file: Is a directory\n");
    char path[] = "/tmp/ptxlitmus-test-XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(write(file, "a\0b", 3), 3);
    close(file);
    const struct source *source = source_read(reading.arena, path, &reading.diagnostics);
    unlink(path);
    assert_non_null(source);
    assert_int_equal(source->size, 3);
    assert_memory_equal(source->text, "a\0b", 4);
    assert_string_equal(source->path, path);
    close_reading(&reading);
}

static void test_arena(void **state) {
    (void)state;
    struct arena *arena = arena_new();
    int *numbers = NULL;
    for (int i = 0; i < 1000; i++) {
        numbers = arena_grow(arena, numbers, (size_t)i, sizeof(*numbers));
        numbers[i] = i;
    }
    for (int i = 0; i < 1000; i++)
        assert_int_equal(numbers[i], i);
    char *large = arena_alloc(arena, 1 << 20);
    for (size_t i = 0; i < 1 << 20; i++)
        assert_int_equal(large[i], 0);
    for (size_t i = 0; i < 100; i++)
        assert_int_equal((uintptr_t)arena_alloc(arena, i) % 16, 0);
    assert_string_equal(arena_format(arena, "%s-%d", "a", 12), "a-12");
    assert_string_equal(arena_strndup(arena, "abc", 2), "ab");
    assert_true(arena_used(arena) > 1 << 20);
    arena_free(arena);
    arena_free(NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_positions),       cmocka_unit_test(test_pieces),
        cmocka_unit_test(test_carets),          cmocka_unit_test(test_columns),
        cmocka_unit_test(test_long_lines),      cmocka_unit_test(test_list),
        cmocka_unit_test(test_message_is_text), cmocka_unit_test(test_nearest),
        cmocka_unit_test(test_repeated),        cmocka_unit_test(test_files),
        cmocka_unit_test(test_arena),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
