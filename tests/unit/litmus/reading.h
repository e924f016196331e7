// What the tests of source and readers share: reading a text, and all messages as one text.
#ifndef PTXLITMUS_TESTS_READING_H
#define PTXLITMUS_TESTS_READING_H

#include "litmus/names/names.h"
#include "litmus/readers/reader.h"
#include "litmus/source/arena.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

struct reading {
    struct arena *arena;
    struct diagnostics diagnostics;
    const struct source *source;
    struct test *test;
};

static inline struct reading open_text(const char *text, size_t size) {
    struct reading reading = {.arena = arena_new()};
    diagnostics_init(&reading.diagnostics, reading.arena);
    reading.source = source_from_text(reading.arena, "t.litmus", text, size);
    return reading;
}

static inline struct reading read_bytes(const char *text, size_t size, enum reader_syntax syntax) {
    struct reading reading = open_text(text, size);
    reading.test = test_read(reading.arena, reading.source, syntax, &reading.diagnostics);
    return reading;
}

static inline struct reading read_text(const char *text) {
    return read_bytes(text, strlen(text), SYNTAX_GUESS);
}

static inline void close_reading(struct reading *reading) {
    arena_free(reading->arena);
}

// All messages as they are printed, one after the other.
static inline const char *messages(const struct reading *reading) {
    const char *all = "";
    for (size_t i = 0; i < reading->diagnostics.count; i++)
        all = arena_format(reading->arena, "%s%s", all,
                           diag_render(reading->arena, &reading->diagnostics.items[i]));
    return all;
}

// A text that reads without a message.
static inline struct reading read_clean(const char *text) {
    struct reading reading = read_text(text);
    assert_string_equal(messages(&reading), "");
    assert_non_null(reading.test);
    return reading;
}

// A text whose messages are exactly these.
static inline void check_messages(const char *text, const char *expected) {
    struct reading reading = read_text(text);
    assert_string_equal(messages(&reading), expected);
    assert_null(reading.test);
    close_reading(&reading);
}

#endif
