// Reads test files: the entry point.
#ifndef PTXLITMUS_READER_H
#define PTXLITMUS_READER_H

#include "litmus/source/diagnostics.h"
#include "litmus/source/lexer.h"
#include "litmus/test.h"

struct arena;

enum reader_syntax { SYNTAX_GUESS, SYNTAX_PTX, SYNTAX_DAT3M, SYNTAX_NVLITMUS, SYNTAX_CPP };

struct test_list {
    struct test **items;
    size_t count;
};

// Reads the tests of a file (litmus-format.md section 1): one, or those of an nvlitmus file, one
// for each row of its table and command. Returns false, with an empty list, when there were errors,
// all of them in `diagnostics`; the tests live in `arena`, and `source` must live as long.
bool test_read_all(struct arena *arena, const struct source *source, enum reader_syntax syntax,
                   struct diagnostics *diagnostics, struct test_list *tests);

// Whether a text begins as that of a test does, in any of the formats. `arena` is for the moment.
bool test_recognise(struct arena *arena, const struct source *source);

// Whether something is asked of a test that is not a launch of a module: of the tests of
// test_read_all, some may have no condition, and expect nothing. False after an error.
bool test_require_condition(const struct test *test, struct diagnostics *diagnostics);

// As test_read_all, for a file that must hold exactly one test, with test_require_condition.
// Returns NULL after an error.
struct test *test_read(struct arena *arena, const struct source *source, enum reader_syntax syntax,
                       struct diagnostics *diagnostics);

// Reads what a test may expect, "forbidden, no race", from these bytes of a source, as after
// `expect`, and adds it to `test`, of which nothing else is looked at. Returns false after errors
// in `diagnostics`.
bool test_read_expected(struct arena *arena, const struct source *source, uint32_t begin,
                        uint32_t end, struct diagnostics *diagnostics, struct test *test);

#endif
